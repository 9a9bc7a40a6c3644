"""A checker written by a stranger: docs/formats.md and the standard library, nothing of lnnet's.

Reads networks and certificates, encloses outputs in intervals whose ends are fractions (rounded outwards to dyadics of
a given number of significant bits; roots by integer square roots), and draws one of three verdicts. Slow and plain on
purpose.

    python tests/stranger.py certificate.json
"""

import hashlib
import json
import re
import sys
from fractions import Fraction
from math import isqrt

BITS = (64, 256, 1024, 4096)
EXPONENTS = 20_000  # a number beyond 2^±EXPONENTS is refused: honest, and quick
LARGEST = 16 * EXPONENTS  # the same for intermediate results
ARITIES = {"add": 2, "sub": 2, "mul": 2, "div": 2, "sqrt": 1}


class Rejected(Exception):
    """The file does not say what docs/formats.md allows."""


class Open(Exception):
    """An interval that decides nothing: a division by an interval around zero, a root of one that goes below zero."""


# --- reading ---------------------------------------------------------------------------------------------------------


def _pairs(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise Rejected(f"duplicate keys among {keys}")
    return dict(pairs)


def _no_constant(name):
    raise Rejected(f"{name} is no JSON")


def parse(text):
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"no JSON: {error}") from None


def _keys(document, required, optional=()):
    if not isinstance(document, dict):
        raise Rejected(f"expected an object, got {document!r:.80}")
    missing = set(required) - set(document)
    unknown = set(document) - set(required) - set(optional)
    if missing or unknown:
        raise Rejected(f"missing keys {sorted(missing)}, unknown keys {sorted(unknown)}")


INTEGER = re.compile(r"[+-]?[0-9]+")
RATIO = re.compile(r"([+-]?[0-9]+)/([0-9]+)")
DYADIC = re.compile(r"([+-]?[0-9]+)\*2\^([+-]?[0-9]+)")
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def number(value):
    """The Fraction that a JSON integer or a text in one of the three forms (or a decimal) denotes."""
    value = value.strip() if isinstance(value, str) else value
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Rejected(f"not an exact number: {value!r:.80}")
    if isinstance(value, int):
        return Fraction(value)
    try:
        if INTEGER.fullmatch(value):
            return Fraction(int(value))
        if ratio := RATIO.fullmatch(value):
            return Fraction(int(ratio[1]), int(ratio[2]))
        if dyadic := DYADIC.fullmatch(value):
            exponent = int(dyadic[2])
            if abs(exponent) <= EXPONENTS:
                return int(dyadic[1]) * Fraction(2) ** exponent
        if decimal := DECIMAL.fullmatch(value):
            exponent = int((decimal[2] or "e0")[1:])
            return Fraction(value) if abs(exponent) <= EXPONENTS else _too_far(value)
    except (ValueError, ZeroDivisionError):
        pass
    raise Rejected(f"not an exact number: {value!r:.80}")


def _too_far(value):
    raise Rejected(f"an exponent beyond this checker: {value!r:.80}")


def label(value):
    """What tells labels apart: 1, 1.0 and true are the same number."""
    if isinstance(value, int | float):
        if not isinstance(value, float) and abs(value) >> 4096:
            raise Rejected("too long an integer for a label")
        if value in (float("inf"), -float("inf")):
            raise Rejected("an infinite label")
        return Fraction(value)
    if isinstance(value, str) and any("\ud800" <= mark <= "\udfff" for mark in value):
        raise Rejected("a label with half a character")
    if value is not None and not isinstance(value, str):
        raise Rejected(f"not a label: {value!r:.80}")
    return value


def _is_one(version):
    return type(version) is int and version == 1


def _list(value, what):
    if not isinstance(value, list):
        raise Rejected(f"{what} must be a list, not {value!r:.80}")
    return value


def _is_float(value, digits, lowest, highest):
    """Whether a fraction is a finite value of a binary format: so many digits, and the exponent in range."""
    numerator, denominator = value.numerator, value.denominator
    if denominator & (denominator - 1) or not numerator:
        return not numerator
    odd = numerator // (numerator & -numerator)
    lowest_bit = (numerator & -numerator).bit_length() - denominator.bit_length()
    return (
        abs(odd).bit_length() <= digits
        and lowest_bit >= lowest
        and abs(numerator).bit_length() - denominator.bit_length() <= highest
    )


FLOATS = {"float64": (53, -1074, 1023), "float32": (24, -149, 127)}


class Network:
    """layers: pairs of a matrix and a vector, of fractions or ("#", k)."""

    def __init__(self, document):
        required = ("format", "version", "semantics", "epsilon", "layers", "readout", "classes")
        _keys(document, required, ("expressions",))
        if document["format"] != "lnnet-network" or not _is_one(document["version"]):
            raise Rejected("not a network of version 1")
        self.semantics = document["semantics"]
        if self.semantics not in ("exact", "dyadic", "float64", "float32"):
            raise Rejected(f"unknown semantics {self.semantics!r:.80}")
        if "expressions" in document and self.semantics != "exact":
            raise Rejected("expressions in a network that is not exact")
        self.expressions = self._read_expressions(_list(document.get("expressions", []), "expressions"))
        self.epsilon = number(document["epsilon"])
        if self.epsilon < 0:
            raise Rejected("negative epsilon")
        self.layers = [self._read_layer(layer) for layer in _list(document["layers"], "layers")]
        if not self.layers:
            raise Rejected("no layers")
        for (_, bias), (matrix, _) in zip(self.layers, self.layers[1:], strict=False):
            if len(matrix[0]) != len(bias):
                raise Rejected("layers do not fit together")
        self.readout = document["readout"]
        self.classes = [label(item) for item in _list(document["classes"], "classes")]
        if len(set(self.classes)) != len(self.classes):
            raise Rejected("classes are not distinct")
        expected = {"threshold": 2, "argmax": len(self.outputs)}
        if self.readout not in ("threshold", "argmax") or len(self.classes) != expected[self.readout]:
            raise Rejected("read-out and classes do not fit together")
        if self.readout == "threshold" and len(self.outputs) != 1:
            raise Rejected("a threshold has one output")

    @property
    def outputs(self):
        return self.layers[-1][1]

    def _read_expressions(self, rows):
        result = []
        for index, row in enumerate(rows):
            if isinstance(row, list):
                if not row or not isinstance(row[0], str) or len(row) != 1 + ARITIES.get(row[0], -9):
                    raise Rejected(f"not an expression: {row!r:.80}")
                if any(isinstance(k, bool) or not isinstance(k, int) or not 0 <= k < index for k in row[1:]):
                    raise Rejected(f"expression {index} does not refer to earlier rows")
                result.append(tuple(row))
            else:
                result.append(number(row))
        return result

    def _read_layer(self, layer):
        _keys(layer, ("weight", "bias"))
        matrix = [[self._weight(w) for w in _list(row, "a row")] for row in _list(layer["weight"], "weight")]
        bias = [self._weight(b) for b in _list(layer["bias"], "bias")]
        if not matrix or len({len(row) for row in matrix}) != 1 or not matrix[0] or len(bias) != len(matrix):
            raise Rejected("weight and bias do not fit together")
        return matrix, bias

    def _weight(self, value):
        if self.semantics == "exact" and isinstance(value, str) and value.startswith("#"):
            if not re.fullmatch("#(0|[1-9][0-9]{0,9})", value) or int(value[1:]) >= len(self.expressions):
                raise Rejected(f"no such expression: {value!r:.80}")
            return ("#", int(value[1:]))
        result = number(value)
        if self.semantics in FLOATS and not _is_float(result, *FLOATS[self.semantics]):
            raise Rejected(f"not a {self.semantics}: {value!r:.80}")
        return result


def read_points(points, labels):
    points = [tuple(number(x) for x in _list(point, "a point")) for point in _list(points, "points")]
    labels = [label(item) for item in _list(labels, "labels")]
    if not points or len(points) != len(labels) or len({len(point) for point in points}) != 1 or not points[0]:
        raise Rejected("points and labels do not fit together")
    if len(set(points)) != len(points):
        raise Rejected("points are not distinct")
    return points, labels


# --- intervals: pairs of fractions -----------------------------------------------------------------------------------


def _down(x, bits):
    """The largest dyadic of so many bits that is not above x; x itself if bits is None."""
    if bits is None or x == 0:
        return x
    shift = bits - (abs(x.numerator).bit_length() - x.denominator.bit_length())
    if shift >= 0:
        return Fraction((x.numerator << shift) // x.denominator, 1 << shift)
    return Fraction(x.numerator // (x.denominator << -shift) << -shift)


def _rounded(low, high, bits):
    for end in (low, high):
        if abs(abs(end.numerator).bit_length() - end.denominator.bit_length()) > LARGEST:
            raise Open("too large or too small a number to go on with")
    return _down(low, bits), -_down(-high, bits)


def _root_below(x, bits):
    shift = 2 * bits + 2 * max(0, x.denominator.bit_length() - x.numerator.bit_length())
    return Fraction(isqrt((x.numerator << 2 * shift) // x.denominator), 1 << shift)


def _root_above(x, bits):
    below = _root_below(x, bits)
    if below * below == x:
        return below
    shift = 2 * bits + 2 * max(0, x.denominator.bit_length() - x.numerator.bit_length())
    return below + Fraction(1, 1 << shift)


def add(a, b, bits):
    return _rounded(a[0] + b[0], a[1] + b[1], bits)


def sub(a, b, bits):
    return _rounded(a[0] - b[1], a[1] - b[0], bits)


def mul(a, b, bits):
    ends = [x * y for x in a for y in b]
    return _rounded(min(ends), max(ends), bits)


def div(a, b, bits):
    if b[0] <= 0 <= b[1]:
        raise Open("division by an interval around zero")
    ends = [x / y for x in a for y in b]
    return _rounded(min(ends), max(ends), bits)


def sqrt(a, bits):
    if a[0] < 0:
        raise Open("root of an interval that goes below zero")
    bits = bits or 64
    return _rounded(_root_below(a[0], bits), _root_above(a[1], bits), bits)


def square(a, bits):
    ends = (a[0] * a[0], a[1] * a[1])
    return _rounded(0 if a[0] < 0 < a[1] else min(ends), max(ends), bits)


OPERATIONS = {"add": add, "sub": sub, "mul": mul, "div": div}


def evaluate_expressions(rows, bits):
    result = []
    for row in rows:
        if not isinstance(row, tuple):
            result.append(_rounded(row, row, bits))
        elif row[0] == "sqrt":
            result.append(sqrt(result[row[1]], bits))
        else:
            result.append(OPERATIONS[row[0]](result[row[1]], result[row[2]], bits))
    return result


def normalise(row, epsilon, bits):
    n = len(row)
    scale = (Fraction(1, n),) * 2
    deviations = []
    for i in range(n):  # ((n − 1) hᵢ − the sum of the others)/n: hᵢ enters once
        total = mul((Fraction(n - 1),) * 2, row[i], bits)
        for j in range(n):
            if j != i:
                total = sub(total, row[j], bits)
        deviations.append(mul(total, scale, bits))
    variance = (Fraction(0), Fraction(0))
    for deviation in deviations:
        variance = add(variance, square(deviation, bits), bits)
    scatter = sqrt(add(mul(variance, scale, bits), (epsilon, epsilon), bits), bits)
    return [div(deviation, scatter, bits) for deviation in deviations]


def outputs(network, point, bits):
    """The intervals of a network's outputs at a point (fractions); raises Open."""
    expressions = evaluate_expressions(network.expressions, bits)

    def interval(weight):
        return expressions[weight[1]] if isinstance(weight, tuple) else _rounded(weight, weight, bits)

    row = [(x, x) for x in point]
    for index, (matrix, bias) in enumerate(network.layers):
        if index:
            row = normalise(row, network.epsilon, bits)
        after = []
        for weights, offset in zip(matrix, bias, strict=True):
            total = interval(offset)
            for weight, x in zip(weights, row, strict=True):
                total = add(total, mul(interval(weight), x, bits), bits)
            after.append(total)
        row = after
    return row


def margin(network, point, wanted, bits):
    """The interval of a point's margin, signed: positive if the label is right. None stands for +∞ (a single class)."""
    row = outputs(network, point, bits)
    index = network.classes.index(wanted)
    if network.readout == "threshold":
        return row[0] if index == 1 else (-row[0][1], -row[0][0])
    others = [sub(row[index], other, bits) for k, other in enumerate(row) if k != index]
    if not others:
        return None
    return min(low for low, _ in others), min(high for _, high in others)


# --- verdicts --------------------------------------------------------------------------------------------------------


def fit(network, points, labels):
    """Raise Rejected unless the points are the network's to classify."""
    if any(len(point) != len(network.layers[0][0][0]) for point in points):
        raise Rejected("points and the first layer do not fit together")
    if any(item not in network.classes for item in labels):
        raise Rejected("a label is no class of the network")


def judge(network, points, labels, claim=None):
    """certified, refuted or undecided; `claim` is a margin that every point has to reach."""
    fit(network, points, labels)
    undecided = False
    ladder = (None, *BITS) if len(network.layers) == 1 and not network.expressions else BITS
    for point, wanted in zip(points, labels, strict=True):
        for bits in ladder:
            try:
                found = margin(network, point, wanted, bits)
            except Open:
                continue
            if found is not None and (found[1] <= 0 or (claim is not None and found[1] < claim)):
                return "refuted"
            if found is None or (found[0] > 0 and (claim is None or found[0] >= claim)):
                break
        else:
            undecided = True
    return "undecided" if undecided else "certified"


def verify(network_text, points, labels):
    return judge(Network(parse(network_text)), *read_points(points, labels))


# --- digests ---------------------------------------------------------------------------------------------------------


def shortest(value):
    value = number(value)
    numerator, denominator = value.numerator, value.denominator
    if denominator == 1:
        zeros = (numerator & -numerator).bit_length() - 1 if numerator else 0
        return str(numerator) if zeros < 64 else f"{numerator >> zeros}*2^{zeros}"
    if denominator & (denominator - 1) == 0:
        return f"{numerator}*2^-{denominator.bit_length() - 1}"
    try:
        return f"{numerator}/{denominator}"
    except ValueError:
        raise Rejected("more digits than Python prints") from None


def sha256(document):
    return hashlib.sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def network_digest(document):
    def weight(value):
        return value if isinstance(value, str) and value.startswith("#") else shortest(value)

    canonical = dict(document, epsilon=shortest(document["epsilon"]))
    canonical["layers"] = [
        {"weight": [[weight(w) for w in row] for row in layer["weight"]], "bias": [weight(b) for b in layer["bias"]]}
        for layer in document["layers"]
    ]
    if "expressions" in document:
        canonical["expressions"] = [row if isinstance(row, list) else shortest(row) for row in document["expressions"]]
    return sha256(canonical)


def points_digest(points, labels):
    return sha256({"points": [[shortest(x) for x in point] for point in points], "labels": labels})


def recheck(text):
    """The verdict on a certificate: certified, refuted or undecided by our own arithmetic; raises Rejected."""
    certificate = parse(text)
    required = ("format", "version", "network", "points", "labels", "verdict", "reason", "margin", "bits", "semantics")
    _keys(certificate, (*required, "network_sha256", "points_sha256", "versions"), ("ieee",))
    if certificate["format"] != "lnnet-certificate" or not _is_one(certificate["version"]):
        raise Rejected("not a certificate of version 1")
    network = Network(certificate["network"])
    points, labels = read_points(certificate["points"], certificate["labels"])
    fit(network, points, labels)
    if certificate["semantics"] != network.semantics:
        return "refuted"
    if certificate["network_sha256"] != network_digest(certificate["network"]):
        raise Rejected("the network's digest is wrong")
    if certificate["points_sha256"] != points_digest(certificate["points"], certificate["labels"]):
        raise Rejected("the points' digest is wrong")
    claim = None if certificate["margin"] is None else number(certificate["margin"])
    found = judge(network, points, labels, claim)
    contradicted = found != "undecided" and certificate["verdict"] not in (found, "undecided")
    return "refuted" if contradicted else found


if __name__ == "__main__":
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            print(recheck(file.read()))
    except Rejected as error:
        print(f"rejected: {error}")
        sys.exit(2)
