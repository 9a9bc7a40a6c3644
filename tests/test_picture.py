import subprocess
import sys

import matplotlib
import pytest
from matplotlib.figure import Figure

import viz
from constructions.errors import InputError, UnreadableFileError
from lnnet.cli import main
from viz.output import output_path
from viz.scene import Label, Marker, Scene

SCENE = Scene((Marker(0, 0), Label(0, 0, "$x_1$")), (-1, 1, -1, 1), "title")
SIGNATURES = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("kind", SIGNATURES)
def test_two_saves_are_byte_identical(kind, tmp_path):
    contents = []
    for number in range(2):
        path = tmp_path / f"{number}.{kind}"
        viz.figure2().save(path)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    assert contents[0].startswith(SIGNATURES[kind])
    assert not any(word in contents[0] for word in (b"CreationDate", b"ModDate", b"dc:date", b"tIME"))


@pytest.mark.parametrize("kind", SIGNATURES)
def test_settings_of_the_user_change_nothing(kind):
    plain = viz.figure3().render(kind)
    with matplotlib.rc_context({"font.size": 30, "lines.linewidth": 9, "axes.grid": True, "font.family": "serif"}):
        assert viz.figure3().render(kind) == plain


def test_no_global_state(tmp_path):
    """Neither pyplot nor any changed setting is left behind, and no display is needed."""
    code = (
        "import sys, matplotlib, viz\n"
        "before = matplotlib.rcParams.copy()\n"
        f"viz.figure1().save({str(tmp_path / 'f.png')!r})\n"
        "assert all(matplotlib.rcParams._get(k) == v for k, v in dict.items(before))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PATH": "", "HOME": str(tmp_path)})


def test_importing_viz_does_not_import_matplotlib():
    code = "import sys, viz, viz.scene, viz.painter, viz.figure_xor; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_plot_functions_draw_on_given_axes_and_return_what_they_drew():
    figure = Figure()
    axes = figure.subplots(1, 3)
    picture = viz.figure2(ax=axes)
    assert picture.axes == tuple(axes)
    assert picture.figure is figure
    assert all(len(drawn) >= 5 for drawn in picture.artists)
    assert all(artist.axes is ax for ax, drawn in zip(axes, picture.artists, strict=True) for artist in drawn)
    single = Figure().add_subplot()
    assert viz.figure3(single).axes == (single,)


def test_wrong_number_of_axes():
    with pytest.raises(InputError, match="3 axes"):
        viz.figure2(ax=Figure().add_subplot())


def test_shows_in_notebooks_with_a_description():
    picture = viz.show([SCENE], "a name")
    assert picture._repr_png_().startswith(SIGNATURES["png"])
    assert picture.alt == "a name. title."


@pytest.mark.parametrize(
    ("name", "message"),
    [("f.bmp", "unknown suffix '.bmp'"), ("f", "no suffix"), ("missing/f.png", "no folder")],
)
def test_bad_targets_are_named_before_any_work(name, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("viz.catalogue.figure_named", lambda name: pytest.fail("work was done"))
    assert main(["draw", "figure2", "-o", name]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_folder_is_no_target(tmp_path):
    (tmp_path / "f.png").mkdir()
    with pytest.raises(UnreadableFileError, match="is a folder"):
        output_path(tmp_path / "f.png", (".png",))


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".PNG"])
def test_draw_command(suffix, tmp_path, capsys):
    target = tmp_path / f"f{suffix}"
    assert main(["draw", "figure3", "-o", str(target), "--size", "column", "--theme", "dark"]) == 0
    assert target.read_bytes().startswith(SIGNATURES[suffix[1:].lower()])
    assert str(target) in capsys.readouterr().out


@pytest.mark.parametrize("extra", [["--dpi", "0"], ["--dpi", "999999"]])
def test_draw_refuses_absurd_resolutions(extra, tmp_path, capsys):
    assert main(["draw", "figure3", "-o", str(tmp_path / "f.png"), *extra]) == 2
    assert "--dpi" in capsys.readouterr().err


def test_draw_refuses_unknown_figures(tmp_path, capsys):
    assert main(["draw", "figure4", "-o", str(tmp_path / "f.png")]) == 2
    assert "figureA3" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["figure1", "figure2", "figure3", "figure_a2", "figure_a3"])
def test_figures_describe_every_panel(name):
    picture = getattr(viz, name)()
    assert all(scene.caption for scene in picture.scenes)
    assert all(scene.caption in picture.alt for scene in picture.scenes)
    assert picture.alt in picture.render("svg").decode("utf-8")
