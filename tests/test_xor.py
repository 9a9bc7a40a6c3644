"""Figure 1, printed with its radicals."""

import sympy

from constructions.display import network_latex
from constructions.xor import figure1_network, xor_points
from lnnet import build, certify

CORNERS = [(0, 0), (0, 1), (1, 0), (1, 1)]


def sympy_outputs(net, point):
    """The network in sympy, straight from Definition 3."""
    x = sympy.Matrix([sympy.nsimplify(v) for v in point])
    for number, layer in enumerate(net.layers):
        weight = sympy.Matrix([[w.to_sympy() for w in row] for row in layer.weight])
        h = weight * x + sympy.Matrix([b.to_sympy() for b in layer.bias])
        if number == net.depth:
            return h
        n = len(h)
        centred = h - sympy.ones(n, 1) * (sum(h) / n)
        x = sympy.sqrt(n) * centred / sympy.sqrt(centred.dot(centred))
    raise AssertionError


def figure1_by_hand(point):
    """Rotate by 45°, project to y = 1/2, to the unit circle, to x = 0: the ordinate."""
    x, y = (sympy.nsimplify(v) for v in point)
    abscissa = (x - y) / sympy.sqrt(2)
    return sympy.Rational(1, 2) / sympy.sqrt(abscissa**2 + sympy.Rational(1, 4))


def test_the_network_is_figure_1():
    net = figure1_network()
    cut = None
    for point in [*CORNERS, (3, -2), ("1/3", "5/7")]:
        (output,) = sympy_outputs(net, point)
        offset = sympy.simplify(output + figure1_by_hand(point))  # a threshold on the ordinate, upside down
        cut = offset if cut is None else cut
        assert sympy.simplify(offset - cut) == 0
    assert 1 / sympy.sqrt(3) < cut < 1  # where the two classes arrive


def test_the_two_classes_arrive_at_1_and_at_1_over_sqrt_3():
    assert [sympy.simplify(figure1_by_hand(p)) for p in CORNERS] == [1, sympy.sqrt(3) / 3, sympy.sqrt(3) / 3, 1]


def test_shape_and_verdict():
    net = figure1_network()
    assert (net.depth, net.width, net.semantics) == (1, 3, "exact")
    assert [net.predict(x) for x in CORNERS] == [0, 1, 1, 0]
    assert certify(net, xor_points())


def test_it_prints_with_radicals():
    text = network_latex(figure1_network())
    assert r"\sqrt{2}" in text or r"\sqrt{3}" in text
    assert "ldots" not in text


def test_the_general_construction_solves_xor_in_one_layer_too():
    net = build(CORNERS, [0, 1, 1, 0], arithmetic="exact", projection=(1, -1))
    assert (net.depth, net.width) == (1, 3)
    assert certify(net, CORNERS, [0, 1, 1, 0])
