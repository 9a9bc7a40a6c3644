"""A stranger's checker, written from docs/formats.md alone, against lnnet's: honest files, and files that lie."""

import copy
import json
import random
from itertools import pairwise

import pytest
import stranger

from constructions.algebraic import algebraic
from constructions.network import Affine, LNNet
from constructions.network_file import network_document
from constructions.points import LabeledPoints
from constructions.xor import figure1_network, xor_points
from lnnet.building import build_certified
from lnnet.cli import main
from proofs.certificate import certify
from proofs.ieee_checker import MODEL

EXIT_CODES = {"certified": 0, "refuted": 1, "undecided": 3}


def points(count, classes, dimension=1, seed=0):
    rng = random.Random(seed)
    rows = {tuple(rng.randrange(-60, 60) for _ in range(dimension)): rng.randrange(classes) for _ in range(2 * count)}
    rows = dict(list(rows.items())[:count])
    labels = [*range(classes), *list(rows.values())[classes:]]
    return LabeledPoints.of([[f"{x}/7" for x in row] for row in rows], labels)


def built(count, classes, arithmetic, dimension=1, method="pma", **options):
    return build_certified(
        points(count, classes, dimension), method=method, arithmetic=arithmetic, **options
    ).certificate


def random_network(seed, widths, readout="argmax", epsilon="0"):
    """Seeded weights in all forms; labels by chance, so most of these are refuted."""
    rng = random.Random(seed)
    layers = [
        Affine.of(
            [[f"{rng.randint(-9, 9)}/{rng.choice((1, 2, 3, 8))}" for _ in range(k)] for _ in range(n)],
            [rng.randint(-3, 3)] * n,
        )
        for k, n in pairwise(widths)
    ]
    classes = (None, "yes") if readout == "threshold" else tuple(f"{k}é" for k in range(widths[-1]))
    net = LNNet(tuple(layers), classes, readout, epsilon)
    rows = [[rng.randint(-9, 9) for _ in range(widths[0])] for _ in range(3)]
    return certify(net, LabeledPoints.of(rows, [rng.choice(classes) for _ in rows]))


def honest():
    yield "xor", certify(figure1_network(), xor_points())
    for classes in range(1, 6):
        for arithmetic in ("exact", "dyadic", "float64"):
            yield f"{arithmetic} {classes}", built(classes + 2 if arithmetic == "exact" else 9, classes, arithmetic)
    for arithmetic in ("dyadic", "float64"):
        yield f"searched {arithmetic}", built(14, 2, arithmetic, method="shallow")
    yield "plane", built(8, 2, "dyadic", dimension=2)
    yield "space", built(8, 3, "float64", dimension=3)
    yield "smoothed", built(8, 2, "dyadic", epsilon="1/100000")
    yield "smoothed floats", built(8, 3, "float64", epsilon="1/100000")
    for seed in range(4):
        yield f"depth 0, {seed}", random_network(seed, (2, 3))
        yield f"wide {seed}", random_network(seed, (2, 5, 4, 1), "threshold")
        yield f"wide argmax {seed}", random_network(seed, (3, 6, 3), epsilon="1/8")
    root = algebraic(2).sqrt()
    net = LNNet((Affine(((root,), (algebraic(1),)), (algebraic(0), -root)),), ("a", "b"), "argmax", semantics="exact")
    yield "roots", certify(net, LabeledPoints.of([[3], [-4]], ["b", "a"]))


HONEST = {name: certificate.document() for name, certificate in honest()}


def recheck(tmp_path, capsys, document, *options):
    """lnnet's verdict on a certificate (a document or a text); None if it is bad input."""
    path = tmp_path / "certificate.json"
    text = document if isinstance(document, str) else json.dumps(document)
    path.write_text(text, encoding="utf-8")
    code = main(["recheck", str(path), "--json", *options])
    answer = json.loads(capsys.readouterr().out)
    if code == 2:
        return None
    assert EXIT_CODES[answer["verdict"]] == code or "ieee" in document
    return answer["verdict"]


def strangers(document):
    try:
        return stranger.recheck(document if isinstance(document, str) else json.dumps(document))
    except stranger.Rejected:
        return None


def test_there_are_enough_honest_certificates_of_both_kinds():
    verdicts = [document["verdict"] for document in HONEST.values()]
    assert len(verdicts) >= 30
    assert min(verdicts.count("certified"), verdicts.count("refuted")) >= 5


@pytest.mark.parametrize("name", HONEST)
def test_the_stranger_agrees(tmp_path, capsys, name):
    document = HONEST[name]
    assert strangers(document) == document["verdict"] == recheck(tmp_path, capsys, document)


def test_the_demonstration(tmp_path, capsys):
    assert main(["demo", "-o", str(tmp_path / "demo")]) == 0
    for path in sorted((tmp_path / "demo").glob("*.certificate.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        assert document["points_sha256"] == stranger.points_digest(document["points"], document["labels"])
        for key in ("points", "labels"):
            document[key] = document[key][:3]  # plain intervals and fractions are slow: a few of the points
        assert strangers(sealed(document)) == "certified"


# --- files written by hand -------------------------------------------------------------------------------------------


def by_hand(weight="1", expressions=None, **changes):
    network = {
        "format": "lnnet-network",
        "version": 1,
        "semantics": "dyadic" if expressions is None else "exact",
        "epsilon": "0",
        "layers": [{"weight": [[weight]], "bias": [0]}],
        "readout": "threshold",
        "classes": ["low", "high"],
    }
    if expressions is not None:
        network["expressions"] = expressions
    network.update(changes)
    document = {
        "format": "lnnet-certificate",
        "version": 1,
        "network": network,
        "points": [["1"], [-2]],
        "labels": [network["classes"][1], network["classes"][0]],
        "verdict": "certified",
        "reason": "",
        "margin": None,
        "bits": 64,
        "semantics": network["semantics"],
        "versions": {},
    }
    return sealed(document)


def sealed(document):
    """The document with the digests that belong to it, if it can be read."""
    for name, digest in (
        ("network", lambda: stranger.network_digest(document["network"])),
        ("points", lambda: stranger.points_digest(document["points"], document["labels"])),
    ):
        try:
            document[f"{name}_sha256"] = digest()
        except Exception:  # a mutant beyond repair keeps what it has
            document.setdefault(f"{name}_sha256", "0" * 64)
    return document


ZERO = ["2", "3", "6", ["sqrt", 0], ["sqrt", 1], ["sqrt", 2], ["mul", 3, 4], ["sub", 6, 5]]  # #7 = √2·√3 − √6 = 0
READABLE = {
    "integers": by_hand(7),
    "negative": by_hand("-1"),
    "ratio": by_hand("+14/6"),
    "dyadic": by_hand("12*2^-3"),
    "decimal": by_hand("0.10"),
    "decimal with an exponent": by_hand(" 25e-1 "),
    "no digit before the point": by_hand(".5"),
    "epsilon in words of its own": by_hand(epsilon="10/20"),
    "64 trailing zeros": by_hand(str(3 << 64)),
    "63 trailing zeros": by_hand(str(3 << 63)),
    "a root": by_hand("#1", ["2", ["sqrt", 0]]),
    "unused rows": by_hand("#3", ZERO),
    "a reference to a number": by_hand("#1", ["4/2", "6*2^-1"]),
    "rows twice": by_hand("#3", ["2", "2", ["sqrt", 0], ["sqrt", 1]]),
    "numbers as classes": by_hand(classes=[1e-7, 10**30]),
    "other scripts": by_hand(classes=["ä\u007f\n", "\U0001f600"]),
    "nothing and truth": by_hand(classes=[None, True]),
    "integers that are floats": {**by_hand(classes=[0, 1]), "labels": [1.0, False]},
}


@pytest.mark.parametrize("name", READABLE)
def test_documents_written_by_hand(tmp_path, capsys, name):
    document = sealed(READABLE[name])
    expected = "refuted" if name == "negative" else "certified"
    assert strangers(document) == recheck(tmp_path, capsys, document) == expected


INDEX_LOOP = by_hand("#1", ["2", ["sqrt", 1]])
UNREADABLE = {
    "another script's digits": by_hand("١"),
    "another script's reference": by_hand("#١", ["2", ["sqrt", 0]]),
    "zeros before a reference": by_hand("#01", ["2", ["sqrt", 0]]),
    "a negative reference": by_hand("#-1", ["2", ["sqrt", 0]]),
    "truth as an index": by_hand("#2", ["2", "3", ["sqrt", True]]),
    "a row that refers to itself": INDEX_LOOP,
    "expressions nobody may use": by_hand(expressions=["2"], semantics="dyadic"),
    "truth as a version": by_hand(version=True),
    "a float as a version": by_hand(version=1.0),
    "equal classes": by_hand(classes=[1, True]),
    "half a character": by_hand(classes=["\ud800", "b"]),
    "a point twice": sealed({**by_hand(), "points": [["1"], ["2/2"]], "labels": ["high", "high"]}),
    "a huge exponent": by_hand("1*2^99999999999"),
    "an infinite label": json.dumps(by_hand(classes=[0, 1])).replace('"labels": [1', '"labels": [1e999'),
    "no number": json.dumps(by_hand(classes=[0, 1])).replace('"labels": [1', '"labels": [NaN'),
    "a key twice": json.dumps(by_hand()).replace('{"format"', '{"version": 1, "format"', 1),
    "deep nesting": json.dumps(by_hand()).replace('"1"', "[" * 5000 + "]" * 5000),
    "a wrong digest": {**by_hand(), "network_sha256": "0" * 64},
    "a network altered": {**by_hand(), "points_sha256": "0" * 64},
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_documents_that_no_checker_reads(tmp_path, capsys, name):
    assert strangers(UNREADABLE[name]) is None
    assert recheck(tmp_path, capsys, UNREADABLE[name]) is None


def floats(dtype, **changes):
    claim = {"dtype": dtype, "verdict": "certified", "reason": "", "margin": None, "model": MODEL.format(dtype)}
    return {**by_hand(semantics="float64", **changes), "ieee": claim}


@pytest.mark.parametrize("dtype", [["float64"], None, "float16", {}, "exact"])
def test_claims_about_formats_that_are_none(tmp_path, capsys, dtype):
    assert recheck(tmp_path, capsys, floats(dtype)) is None


@pytest.mark.parametrize(
    ("dtype", "epsilon"), [("float64", "1*2^5000"), ("float32", "1*2^900"), ("float64", "1*2^-5000")]
)
def test_an_epsilon_beyond_the_format_is_never_certified(tmp_path, capsys, dtype, epsilon):
    layers = [{"weight": [["1"], ["-1"]], "bias": ["0", "0"]}, {"weight": [["1", "0"]], "bias": ["0"]}]
    document = floats(dtype, epsilon=epsilon, layers=layers)
    document["labels"] = ["high", "high"]  # a lie about −2
    assert recheck(tmp_path, capsys, sealed(document)) == "refuted"
    document["labels"] = ["high", "low"]
    assert recheck(tmp_path, capsys, sealed(document)) in ("certified", "refuted")


def squares(start, count):
    return by_hand(f"#{count}", [start, *(["mul", k, k] for k in range(count))])


@pytest.mark.parametrize("count", [20, 45, 62, 200])
def test_margins_are_never_overstated(tmp_path, capsys, count):
    """2^-(2^count): FLINT's shift returns its argument unshifted where memory must fail, so a margin came out as 1."""
    document = squares("1*2^-1", count)
    assert recheck(tmp_path, capsys, document) == "undecided"
    document["margin"] = "1*2^-1000000"
    assert recheck(tmp_path, capsys, document) == "refuted"
    document = squares("2", count)
    document["margin"] = "1*2^1000000"
    assert recheck(tmp_path, capsys, document) == "certified"


@pytest.mark.parametrize(
    ("weight", "rows", "expected"),
    [
        ("#7", [], "undecided"),
        ("#9", ["1", ["div", 8, 7]], None),
        ("#8", [["sqrt", 7]], "undecided"),
        ("#9", [["sub", 7, 7], ["div", 0, 8]], None),
        ("#9", [["sub", 6, 5], ["div", 7, 8]], None),
        ("#10", ["1*2^-4000", ["sub", 7, 8], ["sqrt", 9]], None),
        ("#10", ["1*2^-4000", ["add", 7, 8], ["sqrt", 9]], "certified"),
        ("#10", ["1*2^-4000", ["sub", 7, 8], ["div", 8, 9]], "refuted"),
    ],
)
def test_zeros_in_disguise(tmp_path, capsys, weight, rows, expected):
    document = by_hand(weight, [*ZERO, *rows])
    found = recheck(tmp_path, capsys, document)
    assert found == expected or (expected == "undecided" and found == "refuted")  # a zero output is a tie
    assert strangers(document) in (found, "undecided")


@pytest.mark.parametrize("readout", ["argmax", "threshold"])
@pytest.mark.parametrize("second", [[], ["--second"]])
def test_a_network_without_a_value_is_not_certified(tmp_path, capsys, readout, second):
    """Rows (√2·√3, √6) are equal, which no ball shows; a single class, or zero weights, must not hide it."""
    classes = ["only"] if readout == "argmax" else ["low", "high"]
    layers = [
        {"weight": [["0"], ["0"]], "bias": ["#6", "#5"]},
        {"weight": [["0", "0"]], "bias": ["1"]},
    ]
    document = by_hand(expressions=ZERO, layers=layers, readout=readout, classes=["low", "high"])
    document["network"]["classes"], document["labels"] = classes, [classes[-1]] * 2
    assert recheck(tmp_path, capsys, sealed(document), *second) == strangers(document) == "undecided"
    document["network"]["layers"][0]["bias"] = ["#4", "#5"]
    assert recheck(tmp_path, capsys, sealed(document), *second) == strangers(document) == "certified"


def test_claims_are_checked(tmp_path, capsys):
    for changes in ({"margin": "2"}, {"verdict": "refuted"}, {"verdict": "?"}, {"semantics": "float64"}):
        document = {**by_hand(), **changes}
        assert strangers(document) == recheck(tmp_path, capsys, document) == "refuted"
    for changes in ({"margin": "1"}, {"margin": "-1"}, {"verdict": "undecided"}):
        document = {**by_hand(), **changes}
        assert strangers(document) == recheck(tmp_path, capsys, document) == "certified"


# --- mutants ---------------------------------------------------------------------------------------------------------

SPITE = [
    *("NaN", "inf", "", "1/0", "0", "-0", "٣", "1e5", "1*2^20000", "1*2^-20000", "#0", "#99", "1e999999999", "x" * 50),
    *(None, True, 0, -1, 2, 0.5, [], {}, [["1"]], ["sqrt", 0], 1 << 70),
]


def places(value, path=()):
    """Paths to everything inside a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def mutant(document, rng):
    """A copy with one to three changes, the digests made good most of the time."""
    changed = copy.deepcopy(document)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        *path, last = rng.choice(list(places(changed)))
        parent = changed
        for key in path:
            parent = parent[key]
        old = parent[last]
        kind = rng.randrange(8)
        if kind == 0 and isinstance(parent, list):
            del parent[last]
        elif kind == 1 and isinstance(parent, list):
            parent.insert(last, copy.deepcopy(old))
        elif kind == 2 and isinstance(parent, list):
            other = rng.randrange(len(parent))
            parent[last], parent[other] = parent[other], old
        elif kind <= 5 and isinstance(old, str) and old:
            k = rng.randrange(len(old))  # one character: a digit, a sign, an exponent
            parent[last] = old[:k] + rng.choice("0123456789-/*^#.e") + old[k + rng.randrange(2) :]
        elif kind <= 5 and isinstance(old, int):
            parent[last] = old + rng.choice((-1, 1))
        elif kind == 6 and isinstance(parent, dict) and rng.random() < 0.3:
            del parent[last]
        else:
            parent[last] = copy.deepcopy(rng.choice(SPITE))
    return changed if rng.random() < 0.1 else sealed(changed)


SMALL = [name for name, document in HONEST.items() if len(json.dumps(document)) < 4500] + list(READABLE)


@pytest.mark.parametrize("seed", range(6))
def test_mutants_are_never_certified_by_mistake(tmp_path, capsys, seed):
    """No traceback, a known exit code, and certified only if the stranger says so."""
    rng = random.Random(seed)
    found = {}
    for _ in range(60):
        name = rng.choice(SMALL)
        document = mutant(HONEST.get(name) or READABLE[name], rng)
        ours, theirs = recheck(tmp_path, capsys, document), strangers(document)
        found[ours] = found.get(ours, 0) + 1
        if ours in ("certified", "refuted") and theirs is not None:
            assert theirs in (ours, "undecided") if ours == "refuted" else theirs == ours, document
        if ours == "certified":
            assert theirs == ours, document
        if theirs in ("certified", "refuted"):
            assert ours == theirs, document
    assert min(found.get(kind, 0) for kind in ("certified", "refuted", None)) >= 3


def test_the_stranger_would_notice_a_wrong_verdict():
    document = copy.deepcopy(HONEST["dyadic 2"])
    document["labels"][0] = 1 - document["labels"][0]
    assert strangers(sealed(document)) == "refuted"
    assert json.dumps(network_document(figure1_network())) == json.dumps(HONEST["xor"]["network"])
