import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from constructions.errors import InputError, NonFiniteError, ShapeError, UnreadableFileError, UnrepresentableError
from constructions.network import Affine, LNNet
from constructions.network_file import load_network, save_network
from constructions.points import LabeledPoints
from lnnet import build, certify, check_ieee, cli, from_onnx, from_torch, to_onnx, to_torch
from lnnet.interop.onnx_models import save_onnx
from lnnet.interop.stages import Diagonal, Linear, Norm, assemble
from lnnet.interop.torch_models import load_torch, save_torch
from lnnet.interop.vnnlib import vnnlib_property

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def random_points(m, d, classes, seed):
    rng = random.Random(seed)
    rows = [[rng.random() for _ in range(d)] for _ in range(m)]
    return LabeledPoints.of(rows, [rng.choice("abcdef"[:classes]) for _ in range(m)])


def matrix(points, dtype):
    return np.array([[int(v.p) / int(v.q) for v in p] for p in points.points]).astype(dtype)


def predicted(net, outputs):
    if net.readout == "threshold":
        return [net.classes[int(y > 0)] for (y,) in outputs]
    return [net.classes[k] for k in outputs.argmax(axis=1)]


def run_onnx(model, x):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(["Y"], {"X": x})[0]


CASES = [
    (dtype, classes, epsilon) for dtype in ("float32", "float64") for classes in (2, 3) for epsilon in ("0", "1*2^-17")
]


@pytest.mark.parametrize(("dtype", "classes", "epsilon"), CASES)
def test_torch_and_onnxruntime_classify_what_is_certified_for_ieee_evaluation(dtype, classes, epsilon):
    points = random_points(9, 2, classes, seed=3)
    net = build(points, arithmetic=dtype, epsilon=epsilon, method="chord")
    verdict = check_ieee(net, points)
    assert verdict.outcome == "certified"
    module = to_torch(net)
    assert isinstance(module, torch.nn.Sequential)
    assert {type(part).__name__ for part in module} == {"Linear", "LayerNorm"}
    x = matrix(points, dtype)
    with torch.no_grad():
        results = [module(torch.from_numpy(x)).numpy(), np.stack([module(torch.from_numpy(row)).numpy() for row in x])]
    results += [run_onnx(to_onnx(net, decomposed=flag), x) for flag in (False, True)]
    for outputs in results:
        assert outputs.dtype == np.dtype(dtype)
        assert predicted(net, outputs) == list(points.labels)
        if net.readout == "threshold":
            assert np.abs(outputs).min() >= float(Fraction(int(verdict.margin.p), int(verdict.margin.q)))


@pytest.mark.parametrize(("dtype", "classes", "epsilon"), CASES)
def test_networks_come_back_as_they_went(dtype, classes, epsilon, tmp_path):
    points = random_points(7, 3, classes, seed=4)
    net = build(points, method="pma", arithmetic=dtype, epsilon=epsilon)
    assert from_torch(to_torch(net), net.classes) == net
    save_torch(net, tmp_path / "net.pt")
    assert load_torch(tmp_path / "net.pt", net.classes) == net
    for flag in (False, True):
        save_onnx(net, tmp_path / "net.onnx", decomposed=flag)
        assert from_onnx(tmp_path / "net.onnx") == net  # the labels travel in the metadata
        assert from_onnx(to_onnx(net, decomposed=flag), range(classes)).classes == tuple(range(classes))


def trained(affine=True, dtype=torch.float32, seed=0):
    """A small module with parameters as training leaves them."""
    torch.manual_seed(seed)
    parts = [torch.nn.Linear(2, 6), torch.nn.LayerNorm(6, elementwise_affine=affine)]
    parts += [torch.nn.Sequential(torch.nn.Dropout(0.5), torch.nn.Linear(6, 4, bias=False)), torch.nn.Identity()]
    parts += [torch.nn.LayerNorm(4, elementwise_affine=affine), torch.nn.Linear(4, 3)]
    module = torch.nn.Sequential(*parts).to(dtype).eval()
    with torch.no_grad():
        for p in module.parameters():
            p.add_(torch.randn(p.shape, dtype=dtype) * 0.3)
    return module


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_trained_network_is_imported_exactly_and_can_be_certified(affine, dtype):
    module = trained(affine, dtype)
    net = from_torch(module)
    assert (net.depth, net.width, net.classes) == (2, 6, (0, 1, 2))
    assert net.semantics == ("dyadic" if affine else str(dtype).removeprefix("torch."))
    x = torch.randn(40, 2, dtype=dtype)
    with torch.no_grad():
        y = module(x).numpy()
    for row, outputs in zip(x.numpy(), y):
        assert net.outputs(row) == pytest.approx(outputs, rel=1e-4, abs=1e-4)
    points = LabeledPoints.of(x.numpy(), y.argmax(axis=1))
    assert certify(net, points)
    wrong = points.relabel([(k + 1) % 3 for k in points.labels])
    assert certify(net, wrong).verdict == "refuted"
    if not affine:
        assert check_ieee(net, points)


def test_parameters_of_layer_norm_are_folded_exactly():
    norm = torch.nn.LayerNorm(3, eps=0.0, dtype=torch.float64)
    with torch.no_grad():
        norm.weight.copy_(torch.tensor([0.1, -2.0, 0.5]))
        norm.bias.copy_(torch.tensor([0.3, 0.0, 1.0]))
    first, last = torch.nn.Linear(1, 3, dtype=torch.float64), torch.nn.Linear(3, 1, dtype=torch.float64)
    net = from_torch(torch.nn.Sequential(first, norm, last))
    w, gamma, beta, (shift,) = (
        [Fraction(v) for v in p.detach().reshape(-1).tolist()] for p in (last.weight, norm.weight, norm.bias, last.bias)
    )
    expected = [a * b for a, b in zip(w, gamma)]
    assert [Fraction(int(x.p), int(x.q)) for x in net.layers[1].weight[0]] == expected
    offset = net.layers[1].bias[0]
    assert Fraction(int(offset.p), int(offset.q)) == sum(a * b for a, b in zip(w, beta)) + shift


def test_onnx_models_by_torchs_own_exporter_style_are_read():
    """MatMul + Add, Pow instead of Mul, scale and bias after the division, as exporters of old operator sets write."""
    rng = np.random.default_rng(0)
    weight, bias = rng.normal(size=(2, 3)).astype("f4"), rng.normal(size=3).astype("f4")
    gamma, beta = rng.normal(size=3).astype("f4"), rng.normal(size=3).astype("f4")
    last = rng.normal(size=(3, 2)).astype("f4")
    make, array = onnx.helper.make_node, onnx.numpy_helper.from_array
    nodes = [
        make("MatMul", ["X", "W"], ["a"]),
        make("Add", ["b", "a"], ["h"]),
        make("ReduceMean", ["h"], ["m"], axes=[-1]),
        make("Sub", ["h", "m"], ["c"]),
        make("Constant", [], ["two"], value=array(np.float32(2))),
        make("Pow", ["c", "two"], ["q"]),
        make("ReduceMean", ["q"], ["v"], axes=[-1]),
        make("Add", ["v", "eps"], ["w"]),
        make("Sqrt", ["w"], ["s"]),
        make("Div", ["c", "s"], ["z"]),
        make("Mul", ["z", "gamma"], ["g"]),
        make("Add", ["g", "beta"], ["y"]),
        make("Gemm", ["y", "V"], ["Y"]),
    ]
    tensors = {"W": weight, "b": bias, "gamma": gamma, "beta": beta, "V": last, "eps": np.float32(1e-5)}
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        nodes,
        "g",
        [info("X", 1, ["N", 2])],
        [info("Y", 1, ["N", 2])],
        [array(np.asarray(v), k) for k, v in tensors.items()],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    net = from_onnx(model)
    assert (net.depth, net.semantics, net.classes) == (1, "dyadic", (0, 1))
    x = rng.normal(size=(20, 2)).astype("f4")
    for row, outputs in zip(x, run_onnx(model, x)):
        assert net.outputs(row) == pytest.approx(outputs, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1)), "ReLU"),
        (torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.LayerNorm((3, 3)), torch.nn.Linear(3, 1)), "last axis"),
        (torch.nn.Conv1d(1, 1, 1), "Conv1d"),
        (torch.nn.Sequential(torch.nn.Linear(2, 3).half(), torch.nn.Linear(3, 1).half()), "float16"),
        (torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 1).double()), "one floating-point type"),
        (torch.nn.Sequential(), "none"),
        (torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(2, 1)), "takes 2 inputs but gets 3"),
        (torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.LayerNorm(4), torch.nn.Linear(4, 1)), "over 4 neurons"),
        (
            torch.nn.Sequential(
                torch.nn.Linear(2, 3),
                torch.nn.LayerNorm(3, eps=1e-3),
                torch.nn.Linear(3, 3),
                torch.nn.LayerNorm(3),
                torch.nn.Linear(3, 1),
            ),
            "one epsilon",
        ),
    ],
)
def test_what_is_no_ln_net_is_refused(module, message):
    with pytest.raises(InputError, match=message):
        from_torch(module)


def test_non_finite_weights_and_wrong_classes_are_refused():
    module = torch.nn.Sequential(torch.nn.Linear(2, 2))
    with pytest.raises(InputError, match="needs 2 classes, not 3"):
        from_torch(module, "abc")
    with torch.no_grad():
        module[0].weight[0, 0] = float("nan")
    with pytest.raises(NonFiniteError, match="nan"):
        from_torch(module)


def test_weights_that_a_format_would_round_are_refused():
    net = build([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    with pytest.raises(UnrepresentableError, match="arithmetic='float64'"):
        to_torch(net)
    third = replace(net, layers=(*net.layers[:-1], Affine.of(net.layers[-1].weight, ["1/3"])))
    for export in (to_torch, to_onnx):
        with pytest.raises(UnrepresentableError, match="not a float64 value"):
            export(third, "float64")
    smooth = build([[0], [1], [2]], [0, 1, 0], arithmetic="float64", epsilon="1e-5")
    with pytest.raises(UnrepresentableError, match="export decomposed"):
        to_onnx(smooth)
    assert to_onnx(smooth, decomposed=True).graph.node
    with pytest.raises(UnrepresentableError, match="Epsilon"):
        to_torch(replace(smooth, epsilon=fmpq(1, 10**400)))


@pytest.mark.parametrize("content", [b"", b"no model", b"\x80\x04N."])
def test_broken_files_are_refused(content, tmp_path):
    path = tmp_path / "model.pt"
    path.write_bytes(content)
    with pytest.raises(UnreadableFileError):
        load_torch(path)
    with pytest.raises(UnreadableFileError):
        from_onnx(path)
    for read in (load_torch, from_onnx):
        with pytest.raises(UnreadableFileError, match="Cannot read"):
            read(tmp_path / "none.onnx")


def test_a_torch_file_runs_no_code(tmp_path):
    class Trap(torch.nn.Module):
        def __reduce__(self):
            return (print, ("the file ran code",))

    torch.save(Trap(), tmp_path / "trap.pt")
    with pytest.raises(UnreadableFileError, match="no torch file"):
        load_torch(tmp_path / "trap.pt")
    torch.save({"weights": torch.zeros(2)}, tmp_path / "state.pt")
    with pytest.raises(UnreadableFileError, match="not its state"):
        load_torch(tmp_path / "state.pt")


def test_onnx_graphs_that_are_no_chain_are_refused():
    net = build([[0], [1], [2]], [0, 1, 0], arithmetic="float32")
    relu = to_onnx(net)
    relu.graph.node[0].op_type = "Relu"
    with pytest.raises(InputError, match="Relu"):
        from_onnx(relu)
    cut = to_onnx(net)
    del cut.graph.node[0]
    with pytest.raises(InputError, match="does not come from the input"):
        from_onnx(cut)
    scaled = to_onnx(net)
    scaled.graph.node[0].attribute.append(onnx.helper.make_attribute("alpha", 2.0))
    with pytest.raises(InputError, match="scales or transposes"):
        from_onnx(scaled)
    bent = to_onnx(net, decomposed=True)
    next(n for n in bent.graph.node if n.op_type == "Mul").input[1] = "h0"
    with pytest.raises(InputError, match="no layer normalisation"):
        from_onnx(bent)


def test_stages_without_a_linear_map_around_a_norm():
    """Norm first and last: identity maps are put around it; parameters at the end become the last affine map."""
    net = assemble([Norm(0.0, 3), Diagonal(np.array([1.0, 2.0, 4.0]), 0.5)], "float64")
    assert net.layers == (
        Affine.of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0] * 3),
        Affine.of([[1, 0, 0], [0, 2, 0], [0, 0, 4]], ["1/2"] * 3),
    )
    with pytest.raises(InputError, match="no linear layer"):
        assemble([Norm(0.0)], "float64")
    with pytest.raises(ShapeError):
        assemble([Linear(np.zeros((2, 2, 2)), 0.0)], "float64")


def parse(text):
    """S-expressions without comments, as nested lists."""
    lines = [line.split(";")[0] for line in text.splitlines()]
    tokens = " ".join(lines).replace("(", " ( ").replace(")", " ) ").split()
    stack = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    assert len(stack) == 1, "unbalanced parentheses"
    return stack[0]


def holds(expression, values):
    operator, *rest = expression
    if operator in ("and", "or"):
        return (all if operator == "and" else any)(holds(part, values) for part in rest)
    left, right = (values[x] if x in values else Fraction(x) for x in rest)
    return {"<=": left <= right, ">=": left >= right}[operator]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("classes", [2, 4])
def test_vnnlib_is_violated_by_no_point_and_by_every_wrong_label(version, classes):
    points = random_points(8, 2, classes, seed=6)
    net = build(points, arithmetic="float32")
    parsed = parse(vnnlib_property(net, points, version=version))
    x, y = ("X[0,{}]", "Y[0,{}]") if version == "2.0" else ("X_{}", "Y_{}")
    outputs = net.layers[-1].outputs
    if version == "1.0":
        assert parsed[:-1] == [
            *(["declare-const", f"X_{k}", "Real"] for k in range(2)),
            *(["declare-const", f"Y_{k}", "Real"] for k in range(outputs)),
        ]
    else:
        assert parsed[0] == ["vnnlib-version", "<2.0>"]
        shapes = ["declare-input", "X", "float32", "[1,2]"], ["declare-output", "Y", "float32", f"[1,{outputs}]"]
        assert parsed[1] == ["declare-network", "lnnet", *map(list, shapes)]
    command, query = parsed[-1]
    assert command == "assert"
    assert len(query) - 1 == len(points) * (1 if classes == 2 else classes - 1)
    rows = matrix(points, "float32")
    for row, label in zip(rows, points.labels):
        values = {x.format(k): Fraction(float(v)) for k, v in enumerate(row)}
        for wanted in net.classes:
            k = net.classes.index(wanted)
            made = [Fraction(2 * k - 1)] if classes == 2 else [Fraction(int(j == k)) for j in range(classes)]
            values |= {y.format(j): v for j, v in enumerate(made)}
            assert holds(query, values) == (wanted != label)
        values[x.format(0)] += Fraction(1, 10**9)
        assert not holds(query, values)  # another input is not the property's business


def test_vnnlib_refuses_what_it_cannot_say():
    points = LabeledPoints.of([["1e39"], [0]], [0, 1])
    net = build(points)
    with pytest.raises(UnrepresentableError, match="overflows float32"):
        vnnlib_property(net, points)
    assert f" {int(1e39)}.0)" in vnnlib_property(net, points, dtype="float64")
    with pytest.raises(InputError, match="version"):
        vnnlib_property(net, points, version="3.0")
    with pytest.raises(InputError, match="not among"):
        vnnlib_property(net, LabeledPoints.of([[0]], ["x"]))
    with pytest.raises(ShapeError):
        vnnlib_property(net, LabeledPoints.of([[0, 0]], [0]))
    with pytest.raises(InputError, match="single class"):
        vnnlib_property(build([[0], [1]], [7, 7]), LabeledPoints.of([[0]], [7]))


def test_the_commands(tmp_path, capsys):
    (tmp_path / "p.csv").write_text("x,y,c\n0,0,a\n0,1,b\n1,0,b\n1,1,a\n0.5,0.25,a\n")
    points = str(tmp_path / "p.csv")
    net, again = tmp_path / "net.json", tmp_path / "again.json"
    assert cli.main(["build", points, "--arithmetic", "float32", "-o", str(net)]) == 0
    for target, suffix in (("torch", "pt"), ("onnx", "onnx"), ("onnx-decomposed", "onnx")):
        file = str(tmp_path / f"net.{suffix}")
        assert cli.main(["export", str(net), "--to", target, "-o", file]) == 0
        assert cli.main(["import", file, "--classes", "a,b", "-o", str(again)]) == 0
        assert load_network(again) == load_network(net)
        assert cli.main(["verify", str(again), points, "--ieee", "float32"]) == 0
    file = str(tmp_path / "net.vnnlib")
    assert cli.main(["export", str(net), points, "--to", "vnnlib", "--vnnlib-version", "1.0", "-o", file]) == 0
    assert "declare-const" in (tmp_path / "net.vnnlib").read_text()
    assert cli.main(["export", str(net), "--to", "vnnlib", "-o", file]) == 2
    assert cli.main(["export", str(net), points, "--to", "onnx", "-o", file]) == 2
    assert cli.main(["import", str(tmp_path / "none.onnx"), "-o", str(again)]) == 2
    save_network(LNNet((Affine.of([[1]], ["1/3"]),), (0, 1)), again)
    assert cli.main(["export", str(again), "--to", "torch", "-o", file]) == 2
    assert "float" in capsys.readouterr().err
