"""Evaluations of LN-Nets within the model of `proofs.ieee_checker`, as different from each other as it allows."""

import random
from fractions import Fraction

import mpmath
import numpy as np

BITS = {"float32": 24, "float64": 53}


class Rounded:
    """Arithmetic of a numpy float type; fused operations round once."""

    def __init__(self, dtype, rng):
        self.dtype, self.rng = np.dtype(dtype).type, rng

    def enter(self, value):
        return self.dtype(int(value.p) / int(value.q))

    def add(self, a, b):
        return a + b

    def sub(self, a, b):
        return a - b

    def mul(self, a, b):
        return a * b

    def div(self, a, b):
        return a / b

    def sqrt(self, a):
        return np.sqrt(a)

    def fma(self, a, b, c):
        if not all(map(np.isfinite, (a, b, c))):
            return a * b + c
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        if self.dtype is np.float64:
            return np.float64(exact)  # a fraction converts to the nearest float64
        wide = np.float64(exact)
        return np.float32(wide)  # rounded twice, which the model allows


class Hostile:
    """Real arithmetic in which every result is off by a relative u, up or down as the generator likes."""

    def __init__(self, dtype, rng, bias=0.5):
        self.u = mpmath.ldexp(1, -BITS[dtype])
        self.rng, self.bias = rng, bias
        self.dtype = lambda x: mpmath.mpf(float(x))

    def enter(self, value):
        return mpmath.mpf(int(value.p)) / int(value.q)

    def off(self, x):
        return x * (1 + (self.u if self.rng.random() < self.bias else -self.u))

    def add(self, a, b):
        return self.off(a + b) if a and b else a + b

    def sub(self, a, b):
        return self.off(a - b) if b else a

    def mul(self, a, b):
        exact = any(mpmath.frexp(x)[0] in (0, 0.5, -0.5) for x in (a, b))
        return a * b if exact else self.off(a * b)

    def div(self, a, b):
        return a / b if abs(mpmath.frexp(b)[0]) == 0.5 else self.off(a / b)

    def sqrt(self, a):
        return self.off(mpmath.sqrt(a))

    def fma(self, a, b, c):
        if not a * b:
            return c
        return self.off(a * b + c) if c else self.mul(a, b)


def outputs(net, point, m):
    """Computed outputs of a network; ``m`` is a machine as above, its generator chooses among the algorithms."""
    x = [m.enter(v) for v in point]
    epsilon = m.enter(net.epsilon)
    for depth, layer in enumerate(net.layers):
        h = [dot([m.enter(w) for w in row], x, m.enter(b), m) for row, b in zip(layer.weight, layer.bias, strict=True)]
        x = h if depth == net.depth else normalized(h, epsilon, m)
    return x


def dot(row, x, bias, m):
    pairs = list(zip(row, x, strict=True))
    m.rng.shuffle(pairs)
    style = m.rng.choice(("tree", "chain", "fused"))
    if style == "fused":
        total = bias if m.rng.random() < 0.5 else m.dtype(0)
        rest = total is not bias
        for w, v in pairs:
            total = m.fma(w, v, total)
        return m.add(total, bias) if rest else total
    terms = [*(m.mul(w, v) for w, v in pairs), bias]
    return chain(terms, m) if style == "chain" else tree(terms, m)


def chain(terms, m):
    total = terms[0]
    for x in terms[1:]:
        total = m.add(total, x)
    return total


def tree(terms, m):
    terms = list(terms)
    m.rng.shuffle(terms)
    while len(terms) > 1:
        a, b = terms.pop(m.rng.randrange(len(terms))), terms.pop(m.rng.randrange(len(terms)))
        terms.append(m.add(a, b))
    return terms[0]


def share(x, n, m):
    """x/n, by a division or by a rounded reciprocal."""
    n = m.dtype(n)
    return m.div(x, n) if m.rng.random() < 0.5 else m.mul(x, m.div(m.dtype(1), n))


def welford(h, m):
    """Mean and sum of squares by Welford's update of single entries, in any order."""
    h = list(h)
    m.rng.shuffle(h)
    mean, squares = h[0], m.dtype(0)
    for k, x in enumerate(h[1:], start=2):
        delta = m.sub(x, mean)
        mean = m.add(mean, share(delta, k, m))
        squares = m.fma(delta, m.sub(x, mean), squares)
    return mean, squares


def chan(h, m):
    """The same by merging groups."""
    groups = [(1, x, m.dtype(0)) for x in h]
    while len(groups) > 1:
        (na, ma, sa), (nb, mb, sb) = (groups.pop(m.rng.randrange(len(groups))) for _ in "ab")
        c = m.div(m.dtype(nb), m.dtype(na + nb))
        delta = m.sub(mb, ma)
        term = m.mul(m.mul(m.mul(delta, delta), c), m.dtype(na))
        groups.append((na + nb, m.fma(c, delta, ma), m.add(sa, m.add(sb, term))))
    return groups[0][1:]


def moments(h, m):
    """Computed mean and variance."""
    n = len(h)
    style = m.rng.choice(("two-pass", "welford", "chan", "one-pass"))
    if style in ("welford", "chan"):
        mean, squares = (welford if style == "welford" else chan)(h, m)
        return mean, share(squares, n, m)
    mean = share(tree(h, m), n, m)
    if style == "two-pass":
        centred = [m.sub(v, mean) for v in h]
        return mean, share(tree([m.mul(v, v) for v in centred], m), n, m)
    return mean, m.sub(share(tree([m.mul(v, v) for v in h], m), n, m), m.mul(mean, mean))


def normalized(h, epsilon, m):
    """Computed LN of a row."""
    mean, variance = moments(h, m)
    w = m.add(variance, epsilon)
    style = m.rng.choice(("divide", "multiply", "scale and shift"))
    if style == "divide":
        root = m.sqrt(w)
        return [m.div(m.sub(v, mean), root) for v in h]
    r = m.div(m.dtype(1), m.sqrt(w))
    if style == "multiply":
        return [m.mul(m.sub(v, mean), r) for v in h]
    shift = -m.mul(mean, r)
    return [m.fma(v, r, shift) if m.rng.random() < 0.5 else m.add(m.mul(v, r), shift) for v in h]


def label(net, y):
    """What the read-out returns, or None on a tie or NaN."""
    if net.readout == "threshold":
        return None if not (y[0] > 0 or y[0] < 0) else net.classes[int(y[0] > 0)]
    best = max(range(len(y)), key=lambda k: y[k])
    return net.classes[best] if all(y[best] > v for k, v in enumerate(y) if k != best) else None


def machines(dtype, seed):
    """Three kinds of machine."""
    rng = random.Random(seed)
    return [Rounded(dtype, rng), Hostile(dtype, rng), Hostile(dtype, rng, bias=1.0), Hostile(dtype, rng, bias=0.0)]
