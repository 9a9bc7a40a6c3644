"""Networks evaluated by Definition 3 in mpmath, to many digits: nothing of the checkers' code is used."""

import mpmath

#: Decimal digits; the examples of the tests lose few of them.
DIGITS = 120


def real(value):
    """A weight or coordinate, rational or algebraic."""
    if hasattr(value, "fold"):
        operations = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "div": lambda a, b: a / b,
            "sqrt": mpmath.sqrt,
        }
        return value.fold(real, operations)
    return mpmath.mpf(int(value.p)) / int(value.q)


def outputs(net, point, digits=DIGITS):
    """The outputs for one point, or None where an LN is undefined."""
    with mpmath.workdps(digits):
        x = [real(v) for v in point]
        for number, layer in enumerate(net.layers):
            h = [mpmath.fdot(map(real, row), x) + real(b) for row, b in zip(layer.weight, layer.bias, strict=True)]
            if number == net.depth:
                return h
            x = layer_normalization(h, real(net.epsilon))
            if x is None:
                return None
        raise AssertionError("a network ends with an affine map")


def layer_normalization(h, epsilon):
    """(h − μ)/√(σ² + ε), or None where the denominator vanishes."""
    n = len(h)
    mean = mpmath.fsum(h) / n
    variance = mpmath.fsum((v - mean) ** 2 for v in h) / n + epsilon
    if variance < mpmath.mpf(10) ** -(mpmath.mp.dps // 2):
        return None
    return [(v - mean) / mpmath.sqrt(variance) for v in h]


def margin(net, values, label):
    """Distance to the read-out's boundary, positive on the right side; None for a single class."""
    target = net.classes.index(label)
    if net.readout == "threshold":
        return values[0] if target == 1 else -values[0]
    return min((values[target] - v for k, v in enumerate(values) if k != target), default=None)
