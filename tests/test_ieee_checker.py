import json
import random
from dataclasses import replace
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq

from constructions.errors import InputError, ShapeError, UnreadableFileError
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from constructions.rational import to_rational
from lnnet.building import build_certified
from proofs.certificate import certify, recheck
from proofs.checker import enclose
from proofs.ieee_checker import _Program, check_ieee
from proofs.ieee_rounding import FORMATS
from tests.ieee_evaluations import label, machines, outputs

torch = pytest.importorskip("torch")


def random_points(m, d, classes, seed):
    rng = random.Random(seed)
    return LabeledPoints.of(
        [[rng.random() for _ in range(d)] for _ in range(m)], [rng.randrange(classes) for _ in range(m)]
    )


def float_net(rng, widths, classes, epsilon="0", dtype="float32"):
    """A random network of any widths with float32 weights."""
    layers = []
    for inputs, n in pairwise(widths):
        weight = [[np.float32(rng.gauss(0, 1)) for _ in range(inputs)] for _ in range(n)]
        layers.append(Affine.of(weight, [np.float32(rng.gauss(0, 1)) for _ in range(n)]))
    readout = "threshold" if widths[-1] == 1 else "argmax"
    return LNNet(tuple(layers), tuple(range(classes)), readout, to_rational(epsilon), dtype)


def torch_outputs(net, points, dtype):
    kind = {"float32": torch.float32, "float64": torch.float64}[dtype]
    x = torch.tensor([[float(v) for v in map(as_float, p)] for p in points.points], dtype=torch.float64).to(kind)
    for depth, (weight, bias) in enumerate(net.to_numpy(dtype)):
        x = torch.nn.functional.linear(x, torch.from_numpy(weight), torch.from_numpy(bias))
        if depth < net.depth:
            x = torch.nn.functional.layer_norm(x, (x.shape[1],), eps=as_float(net.epsilon))
    return x.numpy()


def as_float(q):
    return int(q.p) / int(q.q)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("m", "classes"), [(6, 2), (9, 2), (9, 3), (12, 2)])
def test_no_evaluation_of_a_certified_construction_misclassifies(dtype, m, classes):
    points = random_points(m, 2, classes, seed=m)
    net = build_certified(points, arithmetic=dtype).network
    verdict = check_ieee(net, points)
    assert verdict.outcome == "certified"
    least = as_float(verdict.margin)
    f = FORMATS[dtype]
    with mpmath.workprec(200):
        for seed in range(3):
            for machine in machines(dtype, seed):
                for point, name in zip(points.points, points.labels):
                    y = outputs(net, [f.round(v) for v in point], machine)
                    assert label(net, y) == name
                    if net.readout == "threshold":
                        assert abs(float(y[0])) >= least
    for y, name in zip(torch_outputs(net, points, dtype), points.labels):
        assert label(net, y) == name


def mixed_net(rng, depth, dtype):
    """Maps of rank one and of full rank in any order, as constructions and trained networks have them."""
    widths = [rng.choice((1, 2)), *(rng.choice((3, 3, 4, 14)) for _ in range(depth)), rng.choice((1, 3))]
    layers = []
    for inputs, n in pairwise(widths):
        column, row = ([np.float32(rng.choice((-2, -1, 1, 0.5))) for _ in range(k)] for k in (n, inputs))
        weight = [[np.float32(rng.gauss(0, 1)) for _ in range(inputs)] for _ in range(n)]
        if rng.random() < 0.5:
            weight = [[a * b for b in row] for a in column]
        layers.append(Affine.of(weight, [np.float32(rng.gauss(0, 1)) for _ in range(n)]))
    readout = "threshold" if widths[-1] == 1 else "argmax"
    epsilon = to_rational(rng.choice(("0", "1e-5")))
    return LNNet(tuple(layers), (0, 1, 2)[: max(2, widths[-1])], readout, epsilon, dtype)


@pytest.mark.parametrize("seed", range(40))
def test_every_computed_output_lies_in_its_enclosure(seed):
    rng = random.Random(seed)
    dtype = rng.choice(("float32", "float64"))
    net, f = mixed_net(rng, rng.randint(0, 4), dtype), FORMATS[dtype]
    point = [f.round(to_rational(rng.gauss(0, 1))) for _ in range(net.dimension)]
    with ctx.workprec(192), mpmath.workprec(200):
        balls = _Program(net, f).outputs(point).balls()
        exact = enclose(net, [point], 192)[0]
        assert all(ball.contains(y) for ball, y in zip(balls, exact))
        furthest = 0.0
        for machine in machines(dtype, seed):
            for _ in range(8):
                for ball, y, z in zip(balls, outputs(net, point, machine), exact):
                    assert ball.contains(arb(to_rational(y)))
                    furthest = max(furthest, float(abs(arb(to_rational(y)) - z) / ball.rad()))
        assert furthest > 0.001  # the enclosure is not idle


@pytest.mark.parametrize("seed", range(30))
def test_random_networks_of_any_shape_never_contradict_their_verdict(seed):
    """Labels are what the real-number network says, so a narrow margin must end undecided or truly hold."""
    rng = random.Random(seed)
    classes = rng.choice((2, 2, 3))
    widths = [rng.choice((1, 2, 3)), *(rng.choice((2, 3, 5, 8)) for _ in range(rng.randint(0, 3)))]
    net = float_net(rng, [*widths, 1 if classes == 2 else classes], classes, rng.choice(("0", "1e-5", "1/7")))
    dtype = rng.choice(("float32", "float64"))
    rows = [[rng.gauss(0, 3) for _ in range(widths[0])] for _ in range(6)]
    f = FORMATS[dtype]
    settled = 0
    for row in rows:
        rounded = [f.round(to_rational(v)) for v in row]
        points = LabeledPoints.of([row], [net.predict(rounded)])
        verdict = check_ieee(net, points, dtype)
        settled += verdict.outcome == "certified"
        if verdict.outcome != "certified":
            continue
        with mpmath.workprec(200):
            for machine in machines(dtype, seed):
                for _ in range(6):
                    assert label(net, outputs(net, rounded, machine)) == points.labels[0]
        assert label(net, torch_outputs(net, points, dtype)[0]) == points.labels[0]
    assert settled >= 4  # 8 in 10 random networks of this size have margins far above rounding


def test_a_wrong_label_is_refuted():
    points = random_points(8, 2, 2, seed=1)
    net = build_certified(points, arithmetic="float32").network
    wrong = points.relabel([1 - points.labels[0], *points.labels[1:]])
    verdict = check_ieee(net, wrong)
    assert (verdict.outcome, verdict.point) == ("refuted", 0)


def test_margin_below_roundings_is_undecided_or_refuted_never_certified():
    # One LN: 1.2247…·p/√(p²+…) minus its float32 neighbour: the sign hangs on the last bit.
    net = LNNet((Affine.of([[1], [-1], [0]], [3, 3, 0]), Affine.of([[1, 0, 0]], [0])), (0, 1), "threshold")
    value = net.outputs([fmpq(1, 3)])[0]
    for nudge in (-2, -1, 0, 1, 2):
        cut = np.float32(value)
        for _ in range(abs(nudge)):
            cut = np.nextafter(cut, np.float32(np.sign(nudge) * np.inf))
        tight = replace(net, layers=(net.layers[0], Affine.of([[1, 0, 0]], [to_rational(-cut)])), semantics="float32")
        third = FORMATS["float32"].round(fmpq(1, 3))
        for name in (0, 1):
            assert check_ieee(tight, LabeledPoints.of([[third]], [name])).outcome != "certified"


def test_points_that_collapse_in_the_format_are_refuted():
    points = LabeledPoints.of([[1], [1 + fmpq(1, 2**40)]], [0, 1])
    net = LNNet((Affine.of([[1]], [-1]),), (0, 1), semantics="float32")
    shifted = replace(net, layers=(Affine.of([[1]], ["-1/2"]),))
    assert check_ieee(shifted, points).outcome == "refuted"


@pytest.mark.parametrize(
    ("point", "outcome"), [("1e39", "refuted"), ("1e30", "undecided"), ("1e-30", "undecided"), ("3", "certified")]
)
def test_overflow_and_underflow_inside_ln(point, outcome):
    """1e30 squares to infinity in float32, 1e-30 to zero; the deviation of (p, −p, 0) is about 0.8·p."""
    net = LNNet(
        (Affine.of([[1], [-1], [0]], [0, 0, 0]), Affine.of([[1, 0, 0]], [0])), (0, 1), "threshold", semantics="float32"
    )
    verdict = check_ieee(net, LabeledPoints.of([[point]], [1]))
    assert verdict.outcome == outcome or (outcome == "undecided" and verdict.outcome == "refuted")


def test_a_degenerate_row_is_refuted_by_an_evaluation():
    net = LNNet((Affine.of([[0], [0], [0]], [1, 1, 1]), Affine.of([[1, 0, 0]], [1])), (0, 1), "threshold", fmpq(1, 8))
    net = replace(net, semantics="float32")
    assert check_ieee(net, LabeledPoints.of([[0]], [1])).outcome == "certified"  # ε keeps it defined: the output is 1


def test_what_it_refuses():
    points = LabeledPoints.of([[0], [1]], [0, 1])
    net = LNNet((Affine.of([[1]], ["-1/2"]),), (0, 1))
    with pytest.raises(InputError, match="arithmetic='float64'"):
        check_ieee(net, points)
    assert check_ieee(net, points, "float32").outcome == "certified"
    with pytest.raises(InputError, match="not a float32 value"):
        check_ieee(replace(net, layers=(Affine.of([[1]], ["-1/3"]),)), points, "float32")
    with pytest.raises(InputError, match="not a float32 value"):
        check_ieee(replace(net, layers=(Affine.of([[1]], [-0.1]),), semantics="float64"), points, "float32")
    with pytest.raises(ShapeError):
        check_ieee(replace(net, semantics="float32"), LabeledPoints.of([[0, 1]], [0]))
    with pytest.raises(InputError, match="not among"):
        check_ieee(replace(net, semantics="float32"), LabeledPoints.of([[0]], [7]))


def test_certificates_carry_and_recheck_the_float_verdict(tmp_path):
    points = random_points(8, 2, 2, seed=4)
    net = build_certified(points, arithmetic="float32").network
    path = tmp_path / "c.json"
    certify(net, points, ieee="float32").save(path)
    again = recheck(path)
    assert again.verdict == "certified"
    assert again.ieee.outcome == "certified"
    assert "Welford" in again.ieee.model
    document = json.loads(path.read_text())
    assert document["ieee"]["dtype"] == "float32"
    forged = {**document, "ieee": {**document["ieee"], "margin": "1000"}}
    path.write_text(json.dumps(forged))
    assert recheck(path).verdict == "refuted"
    path.write_text(json.dumps({**document, "ieee": {**document["ieee"], "verdict": "refuted"}}))
    assert recheck(path).verdict == "refuted"
    path.write_text(json.dumps({**document, "ieee": {**document["ieee"], "model": "any computer whatever"}}))
    with pytest.raises(UnreadableFileError, match="another model"):
        recheck(path)
    path.write_text(json.dumps({**document, "ieee": {**document["ieee"], "dtype": "float64"}}))
    with pytest.raises(UnreadableFileError, match="another model"):
        recheck(path)


def test_a_flipped_weight_bit_shows(tmp_path):
    points = random_points(8, 2, 2, seed=4)
    net = build_certified(points, arithmetic="float32").network
    first = net.layers[0]
    broken = replace(net, layers=(Affine(first.weight, (-first.bias[0], *first.bias[1:])), *net.layers[1:]))
    assert check_ieee(net, points).outcome == "certified"
    assert check_ieee(broken, points).outcome == "refuted"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_float_folds_have_rows_of_mean_zero(dtype):
    """Both the bias that enters an LN and the read-off that leaves it, so that errors of the mean cancel."""
    net = build_certified(random_points(12, 2, 2, seed=3), arithmetic=dtype, method="pma").network
    for layer in net.layers[:-1]:
        assert sum(layer.bias, fmpq(0)) == 0
    for layer in net.layers[1:]:
        assert all(sum(row, fmpq(0)) == 0 for row in layer.weight)


def test_float_networks_are_built_to_the_last_bits():
    """80 points by plain merging end far closer together than half of the mantissa, and are certified all the same."""
    points = random_points(80, 2, 2, seed=80000)
    built = build_certified(points, arithmetic="float64", method="pma")
    assert built.certificate
    assert built.certificate.margin < fmpq(1, 2**20)
