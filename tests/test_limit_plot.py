"""The picture of depths between their bounds, the data behind it, and the page that shows both."""

import json
from pathlib import Path

import pytest

import viz
from benchmarks.bench_depth import (
    DATA,
    Row,
    cases,
    load_rows,
    main,
    measurements_of,
    row_of,
    split_page,
    spread,
    table_of,
)
from constructions.errors import InputError
from lnnet.cli import main as lnnet
from lnnet.methods import METHODS
from proofs.depth_bound import least_depth
from tests.test_figures import assert_texts_apart
from viz.limit_plot import SPARE, limit_scenes
from viz.scene import Label, Marker
from viz.scene import Path as Line


def document(*rows, classes=2):
    return {
        "rows": [
            {"family": "random", "dimension": 2, "classes": classes, "points": m, "depths": depths}
            for m, depths in rows
        ]
    }


def test_what_the_diagram_shows():
    (scene,) = limit_scenes(document((20, [4, 6, 5]), (80, [20])))
    assert [(m.x, m.y) for m in scene.of_type(Marker)] == [(20, 5), (80, 20)]
    lines = {label.text.split(",")[0]: (label.x, label.y) for label in scene.of_type(Label)}
    assert lines == {"$2(m-2)$": (80, 156), "$m-2$": (80, 78), "$(m-1)/2$": (80, 39.5)}
    (whisker,) = [path for path in scene.of_type(Line) if path.role == "mark"]
    assert whisker.points == ((20, 4), (20, 6))
    (stairs,) = [path for path in scene.of_type(Line) if path.role == "dashed"]
    assert stairs.points[-1] == (80, least_depth(80, 2, spare=SPARE))
    assert all(x0 == x1 or y0 == y1 for (x0, y0), (x1, y1) in zip(stairs.points, stairs.points[1:], strict=False))


def test_what_is_not_drawn():
    wanted = document((20, [4]), (80, [20]), (160, []))
    others = [{"family": "true", "points": 149}, {**wanted["rows"][0], "dimension": 64, "depths": [900]}]
    (scene,) = limit_scenes({"rows": [*others, *wanted["rows"], *document((50, [40]), classes=10)["rows"]]})
    assert [m.y for m in scene.of_type(Marker)] == [4, 20]


@pytest.mark.parametrize(
    "bad",
    [
        {},
        [],
        {"rows": 3},
        {"rows": [3]},
        {"rows": []},
        document((20, [4])),
        document((20, [0]), (30, [4])),
        document((20, ["4"]), (30, [4])),
        document((2, [4]), (30, [4])),
        document((None, [4]), (30, [4])),
    ],
)
def test_documents_that_are_none(bad):
    with pytest.raises(InputError):
        limit_scenes(bad)


@pytest.mark.parametrize("size", ["column", "page", "notebook"])
def test_no_text_overlaps(size):
    assert_texts_apart(viz.plot_depth_limits(json.loads(DATA.read_text(encoding="utf-8")), size=size))


def test_it_can_be_drawn(tmp_path):
    assert lnnet(["draw", "depth-limits", str(DATA), "-o", str(tmp_path / "f.png")]) == 0
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")


def test_the_page_shows_what_was_measured():
    assert split_page("measured")[1] == measurements_of(list(load_rows().values()))
    assert split_page("methods")[1].count("\n") == len(
        METHODS
    )  # a line each but for the one as printed, and the header


def test_what_was_measured_obeys_the_bounds():
    rows = load_rows()
    assert set(rows) <= set(cases())
    for row in rows.values():
        assert not row.failures
        assert 1 <= len(row.depths) == len(row.seconds) <= 5
        assert min(row.depths) >= (row.below or 0)


def test_what_was_not_measured_is_named():
    rows = list(load_rows().values())
    first, *others = cases()
    assert f"`{first}`" not in measurements_of(rows)
    assert f"take long: `{first}`" in measurements_of([row for row in rows if row.name != first])
    assert all(f"`{name}`" in measurements_of([]) for name in others)


def test_a_failure_is_named_in_its_row():
    row = row_of("random-2-12", "shallow", [(3, 256, 0.1), "UndecidedError: no", (5, 512, 0.3)])
    assert isinstance(row, Row)
    assert (row.depths, row.bits, row.paper) == ([3, 5], [256, 512], 10)
    assert "4 (3–5), 3 seeds only **1 of 3 failed: UndecidedError: no**" in table_of([row])
    assert "-, 1 seed only **1 of 1 failed: refuted: x**" in table_of([row_of("iris", "pma", ["refuted: x"])])


def test_a_run_that_fails_says_so(monkeypatch, capsys):
    broken = row_of("random-2-12", "shallow", ["UndecidedError: no"])
    monkeypatch.setattr("benchmarks.bench_depth.measured", lambda names, method, processes, seeds: iter([broken]))
    monkeypatch.setattr("sys.argv", ["bench_depth.py", "--only", "random-2-12"])
    assert main() == 1
    assert "failed" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["bench_depth.py", "--only", "random-3"])
    with pytest.raises(SystemExit):
        main()


def test_a_spread():
    assert [spread([2, 2, 2]), spread([9, 3, 4]), spread([1, 2]), spread([])] == ["2", "4 (3–9)", "1.5 (1–2)", "-"]


def test_the_picture_is_there():
    assert (Path(DATA).parent / "depths.svg").read_text(encoding="utf-8").count("<svg") == 1
