"""Whole runs: every labelling accounted for, on any kind of worker, after any interruption."""

import itertools
import json
import os
import random
import signal
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile_points

import proofs.shattering.chunk as chunk_module
import proofs.shattering.engine as engine
import proofs.shattering.settle as settle_module
from constructions.errors import InputError, LNNetError, UnreadableFileError
from constructions.points import LabeledPoints
from lnnet.shattering import network_for, settle_labelling, shatter, task_for
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath
from proofs.shattering import trie
from proofs.shattering.chunk import chunk_of, number_of_chunks, run_chunk
from proofs.shattering.enclosure import Folds
from proofs.shattering.labelings import from_bits, to_text
from proofs.shattering.recipe import read_out
from proofs.shattering.schedule import WorkersLostError, run_on_cluster, run_on_processes
from proofs.shattering.task import Task, default_points


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(chunk_module, "_TRIE_CHUNK_BITS", 4)


def outcome(result):
    """What a run found, without times."""
    return {**result.document(), "chunks": [{**c.document(), "seconds": 0} for c in result.chunks]}


@pytest.mark.parametrize("depth", range(1, 7))
def test_corollary_3(depth):
    result = shatter(range(depth + 2), depth)
    assert result
    assert result.labelings == 2 ** (depth + 2)
    assert sum(result.depths.values()) == result.examined == 2 ** (depth + 1)
    assert max(result.depths) == depth


def test_a_notebook_shows_it():
    assert "every labelling" in shatter(range(4))._repr_html_()
    assert "all but 1" in shatter(range(4), 1)._repr_html_()
    assert "20 drawn" in shatter(range(4), sample=20)._repr_html_()


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_the_default_points_lie_in_general_position(dimension):
    points = default_points(7, dimension)
    for chosen in itertools.combinations(points, dimension + 1):
        matrix = [[1, *point] for point in chosen]
        assert round(np.linalg.det(np.array(matrix, float))) != 0
    assert shatter(points, 5)


@given(hostile_points(max_points=5, max_dimension=3, max_classes=1), st.data())
def test_points_that_are_meant_to_hurt(points, data):
    result = shatter(points.points)
    assert result, result.unrealised
    assert result.labelings == 2 ** len(points)
    labels = tuple(data.draw(st.integers(0, 1)) for _ in range(len(points)))
    settled = settle_labelling(result.task, labels)
    assert settled.certificate.network.depth == result.task.depth
    assert settled.certificate.network.width == 3
    assert settled.certificate.points.labels == labels


@pytest.mark.parametrize(
    ("points", "falls"),
    [
        ([x for k in range(3) for x in (k, f"{k}.0000000000001")], True),  # pairs 10^13 times closer than the rest
        ([f"1e-{4 * k}" for k in range(7)], True),
        ([10**20 + k for k in range(7)], False),
        ([f"0.{'3' * 60}{k}" for k in range(7)], False),
        ([[i, j] for i in range(3) for j in range(3)], False),
    ],
)
def test_no_labelling_is_lost_where_float64_is_too_short(points, falls):
    result = shatter(points)
    assert result
    assert (result.total("filtered") < result.examined) == falls
    margin, text = result.margin
    settled = settle_labelling(result.task, tuple(map(int, text)))
    assert check(settled.certificate.network, settled.certificate.points, floor=margin)


def test_margin_and_tightest_are_those_of_the_checker():
    result = shatter([0, 1, 3, 7, 12, 20])
    margin, text = result.margin
    smallest = None
    for bits in range(64):
        settled = settle_labelling(result.task, from_bits(bits, 6))
        assert settled
        assert settled.certificate.network.depth == 4
        found = settled.certificate.margin
        smallest = found if smallest is None or found < smallest else smallest
    assert margin <= smallest * fmpq(2**20 + 1, 2**20)
    assert float(margin) == pytest.approx(float(smallest.p) / float(smallest.q), rel=1e-5)
    labels = tuple(map(int, text))
    assert float(settle_labelling(result.task, labels).certificate.margin.p) > 0


def test_both_checkers_agree_on_replayed_labelings():
    task = task_for([0, 1, 2, 3, 4, 5, 6])
    for bits in random.Random(1).sample(range(128), 6):
        labels = from_bits(bits, 7)
        settled = settle_labelling(task, labels)
        points = LabeledPoints.of(task.points, labels)
        assert check(settled.certificate.network, points)
        assert check_with_mpmath(settled.certificate.network, points)
        wrong = points.relabel([labels[0], 1 - labels[1], *labels[2:]])
        assert check(settled.certificate.network, wrong).outcome == "refuted"


def test_a_complement_has_the_same_digest_and_the_opposite_network():
    task = task_for([0, 1, 2, 3, 4])
    one, other = settle_labelling(task, (0, 1, 0, 0, 1)), settle_labelling(task, (1, 0, 1, 1, 0))
    assert one.digest == other.digest
    assert one.certificate.network.layers[:-1] == other.certificate.network.layers[:-1]
    assert one.certificate.network.layers[-1] != other.certificate.network.layers[-1]


def test_replayed_digests_are_those_of_the_chunk(small_chunks):
    import hashlib

    task = task_for(range(7))
    chunks = [run_chunk(task, k) for k in range(number_of_chunks(task))]
    assert len(chunks) == 4
    members = {k: [] for k in range(4)}
    for bits in range(0, 128, 2):  # the leftmost point has label 0
        labels = from_bits(bits, 7)
        members[chunk_of(task, labels)].append((to_text(labels), bytes.fromhex(settle_labelling(task, labels).digest)))
        assert chunk_of(task, tuple(1 - x for x in labels)) == chunk_of(task, labels)
    for chunk in chunks:
        sha = hashlib.sha256(b"".join(text.encode() + code for text, code in sorted(members[chunk.index])))
        assert chunk.digest == sha.hexdigest()
        assert chunk.labelings == 16


@pytest.mark.parametrize("classes", [3, 4])
def test_more_classes(classes):
    result = shatter([0, 1, 2, 3, 4], classes=classes)
    assert result
    assert result.labelings == classes**5
    assert result.task.depth == 3
    settled = settle_labelling(result.task, (0, 2, 1, 0, 2))
    assert settled.certificate.network.depth == 3


def test_the_loop_finds_what_the_trie_finds():
    one, other = shatter(range(5)), shatter(range(5), method="pma")
    assert one
    assert other
    assert (one.examined, one.total("by_balls")) == (16, 0)
    assert (other.examined, other.total("by_builder")) == (16, 16)


def test_a_depth_that_does_not_suffice_names_what_is_missing():
    """On the line one layer has at most two sign changes, so exactly the labelings with four runs are missing."""
    result = shatter([0, 1, 2, 3], 1)
    assert not result
    assert result.labelings == 16
    assert list(result.unrealised) == ["0101"]
    assert "1" in result.unrealised["0101"]


def broken_choice(lower, upper):
    n = lower.shape[1]
    return Folds(upper[-1] + 1, np.ones(n), np.zeros(n), np.ones(n))


def test_broken_folds_fall_through_to_the_ball_checker_and_the_builder(monkeypatch):
    monkeypatch.setattr(trie, "choose", broken_choice)
    result = shatter(range(5))
    assert result
    folded = sum(number for layers, number in shatter_depths(5).items() if layers)
    assert result.total("filtered") == 16 - folded
    assert result.total("by_builder") == folded
    alone = engine.shatter_task(result.task)  # without a builder they are lost, and named
    assert len(alone.unrealised) == folded


def shatter_depths(m):
    """Layers needed before padding, by counting runs."""
    counts = {}
    for labels in itertools.product((0, 1), repeat=m):
        layers = max(0, sum(a != b for a, b in itertools.pairwise(labels)) - 1)
        counts[layers] = counts.get(layers, 0) + (labels[0] == 0)
    return counts


def test_layers_before_padding():
    assert shatter(range(6)).depths == shatter_depths(6)


def test_what_the_filter_cannot_see_the_balls_decide(monkeypatch):
    """The networks are right, and a filter that is too weak changes neither them nor the verdict."""
    strong = shatter(range(6))

    def too_weak(leaves):
        out = read_out(leaves)
        return replace(out, margin=out.margin - 2)

    monkeypatch.setattr(chunk_module, "read_out", too_weak)
    weak = shatter(range(6))
    assert weak
    assert (weak.total("filtered"), weak.total("by_balls"), weak.total("by_builder")) == (0, 32, 0)
    assert [c.digest for c in weak.chunks] == [c.digest for c in strong.chunks]
    assert weak.depths == strong.depths
    assert weak.margin[1] == strong.margin[1]


def test_a_lying_filter_is_caught(monkeypatch):
    def pretend(folds, lower, upper):
        values = np.array([2.0, 5.0, 2.0, *range(1, -len(lower), -1)][: len(lower)])
        bounds = np.repeat(values[:, None], lower.shape[1], axis=1)
        return bounds, bounds

    monkeypatch.setattr(trie, "choose", broken_choice)
    monkeypatch.setattr(trie, "image", pretend)
    with pytest.raises(engine.FilterContradictedError, match="refutes"):
        shatter(range(6))


def test_a_filter_that_exaggerates_its_margins_is_caught(monkeypatch):
    def exaggerated(leaves):
        out = read_out(leaves)
        return replace(out, margin=out.margin * 1.5)

    monkeypatch.setattr(settle_module, "read_out", exaggerated)
    with pytest.raises(engine.FilterContradictedError, match="misses the margin"):
        shatter(range(6))


def test_an_interrupted_run_goes_on(tmp_path, small_chunks):
    whole = outcome(shatter(range(8)))
    path = tmp_path / "run.json"
    done = []

    def interrupt(text, count, total):
        done.append(count)
        if len(done) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shatter(range(8), resume=path, watch=interrupt)
    assert len(json.loads(path.read_text())["chunks"]) == 3
    assert [p.name for p in tmp_path.iterdir()] == ["run.json"]
    again = []
    result = shatter(range(8), resume=path, watch=lambda text, count, total: again.append((count, total)))
    assert [count for count, _ in again] == [16 * k for k in range(4, 9)]
    assert outcome(result) == whole
    assert outcome(shatter(range(8), resume=path)) == whole


def test_a_resume_file_that_does_not_fit(tmp_path, small_chunks):
    path = tmp_path / "run.json"
    shatter(range(6), resume=path)
    with pytest.raises(InputError, match="another run"):
        shatter(range(7), resume=path)
    with pytest.raises(InputError, match="another run"):
        shatter(range(6), 5, resume=path)
    document = json.loads(path.read_text())
    document["chunks"][0]["represented"] -= 2
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match="altered"):
        shatter(range(6), resume=path)
    document["chunks"][0]["represented"] = "32"
    path.write_text(json.dumps(document))
    with pytest.raises(UnreadableFileError, match="represented"):
        shatter(range(6), resume=path)
    path.write_text("{")
    with pytest.raises(UnreadableFileError):
        shatter(range(6), resume=path)


class Dying:
    """Runs chunks; the first worker to touch chunk 2 is killed in the middle of it."""

    def __init__(self, task, marker, always=False):
        self.task, self.marker, self.always = task, str(marker), always

    def __call__(self, index):
        if index == 2 and (self.always or not os.path.exists(self.marker)):
            Path(self.marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return run_chunk(self.task, index)


def seven_points(tmp_path):
    # Sampled chunks are small whatever the process; 5 chunks of the trie's sampler.
    task = Task.of(range(7), sample=chunk_module._SAMPLE_CHUNK * 4 + 10)
    return task, [{**run_chunk(task, k).document(), "seconds": 0} for k in range(5)], tmp_path / "killed"


@pytest.mark.filterwarnings("ignore:A worker stopped")
def test_a_killed_worker_loses_nothing(tmp_path):
    task, expected, marker = seven_points(tmp_path)
    results = list(run_on_processes(Dying(task, marker), range(5), 2))
    assert marker.exists()
    found = sorted(({**r.document(), "seconds": 0} for r in results), key=lambda r: r["index"])
    assert found == expected


@pytest.mark.filterwarnings("ignore:A worker stopped")
def test_workers_that_always_die_are_reported(tmp_path):
    task = Task.of(range(4), sample=chunk_module._SAMPLE_CHUNK * 4)
    with pytest.raises(WorkersLostError, match="died"):
        list(run_on_processes(Dying(task, tmp_path / "killed", always=True), [2], 2))


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_and_survives_a_killed_worker(tmp_path):
    distributed = pytest.importorskip("distributed")
    task, expected, marker = seven_points(tmp_path)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)
    ) as cluster:
        results = list(run_on_cluster(Dying(task, marker), range(5), cluster.scheduler_address))
    assert marker.exists()
    found = sorted(({**r.document(), "seconds": 0} for r in results), key=lambda r: r["index"])
    assert found == expected


def test_an_unreachable_cluster():
    with pytest.raises(InputError, match="cannot be reached"):
        list(run_on_cluster(abs, [1], "tcp://127.0.0.1:9", timeout=0.5))
    with pytest.raises(InputError, match="cannot be reached"):
        list(run_on_cluster(abs, [1], "nonsense://", timeout=0.5))


def test_a_sample():
    result = shatter(range(30), sample=200, seed=3)
    assert result
    assert (result.examined, result.labelings, result.task.depth) == (200, 200, 28)
    again = shatter(range(30), sample=200, seed=3)
    assert outcome(again) == outcome(result)
    assert outcome(shatter(range(30), sample=200, seed=4))["chunks"] != outcome(result)["chunks"]
    assert result.document()["fraction_at_least"] < 1
    assert "does not show" in result.statement(Fraction(99, 100))
    assert shatter(range(5)).statement(Fraction(99, 100)) is None


def test_a_sample_of_more_points_than_the_trie_takes():
    result = shatter(range(70), sample=2, method="pma")
    assert result
    assert (result.task.depth, result.total("by_builder")) == (68, 2)


def test_a_sample_of_an_unshattered_set_sees_what_is_missing():
    result = shatter([0, 1, 2, 3], 1, sample=400)
    assert not result
    assert set(result.unrealised) <= {"0101", "1010"}
    missing = result.examined - result.certified
    assert 20 < missing < 90  # 1/8 of 400, within five standard deviations


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"points": [0, 1, 1, 2]}, "Points 1 and 2 are equal"),
        ({"points": [[0, 1], [1, 1], ["0.0", 1]]}, "Points 0 and 2 are equal"),
        ({"points": []}, "at least one point"),
        ({"points": [0, float("nan")]}, "finite"),
        ({"points": range(3), "classes": 1}, "classes"),
        ({"points": range(3), "classes": 11}, "classes"),
        ({"points": range(3), "depth": 0}, "depth"),
        ({"points": range(3), "method": "nonsense"}, "method"),
        ({"points": range(3), "method": "trie", "classes": 3}, "trie"),
        ({"points": range(3), "sample": -1}, "sample"),
        ({"points": range(3), "workers": 0}, "workers"),
        ({"points": range(40)}, "--sample"),
        ({"points": range(63), "sample": 5}, "62"),
        ({"points": range(20), "depth": 3}, "one by one"),
        ({"points": range(14), "classes": 3}, "one by one"),
        ({"points": range(20), "sample": 10**9}, "limit"),
        ({"points": range(20), "sample": 10**6, "method": "pma"}, "limit"),
    ],
)
def test_bad_input(arguments, words):
    with pytest.raises(InputError, match=words):
        shatter(**arguments)


def test_the_limit_says_how_long_it_would_take():
    with pytest.raises(InputError, match=r"2,147,483,648 labelings .* about .* (hours|days)"):
        shatter(range(32))


@pytest.mark.parametrize("m", [1, 2, 3])
def test_small_sets(m):
    result = shatter(range(m))
    assert result
    assert result.task.depth == 1
    assert result.labelings == 2**m


def test_a_builder_that_cannot_is_reported():
    with pytest.raises(LNNetError, match="depth 1"):
        network_for(LabeledPoints.of([0, 1, 2, 3], [0, 1, 0, 1]), 1, "auto")
