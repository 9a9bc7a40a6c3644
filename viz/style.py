"""The one style sheet: themes, sizes, and what every role looks like.

Classes differ in colour *and* shape. The colours are Okabe and Ito's ("Color universal design", 2008), which readers
with any common colour vision tell apart; light and dark themes use the same hues in the order that contrasts best.
"""

from __future__ import annotations

from dataclasses import dataclass

from constructions.errors import InputError

#: Marker shapes in matplotlib's notation, one a class.
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "*")


@dataclass(frozen=True)
class Theme:
    """Colours.

    Attributes:
        background, ink, muted, faint: paper, text, helping lines, and what should barely be seen.
        merge, confusion: the two accents.
        classes: eight colours.
    """

    name: str
    background: str
    ink: str
    muted: str
    faint: str
    merge: str
    confusion: str
    classes: tuple[str, ...]


LIGHT = Theme(
    "light",
    "#ffffff",
    "#1b1b1b",
    "#6d6d6d",
    "#dcdcdc",
    "#009e73",
    "#c0004e",
    ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#1b1b1b", "#b8aa00"),
)
DARK = Theme(
    "dark",
    "#14171a",
    "#ececec",
    "#9aa0a6",
    "#3a3f44",
    "#2fd0a3",
    "#ff6f9f",
    ("#56b4e9", "#e69f00", "#2fd0a3", "#cc79a7", "#d55e00", "#4c8fd0", "#ececec", "#f0e442"),
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


@dataclass(frozen=True)
class Size:
    """Where a picture will be looked at.

    Attributes:
        width: of the whole picture, inches.
        font: of labels, points; nothing is set smaller.
        marker: diameter of a point's marker, points.
        stroke: width of a main line, points.
        dpi: of a raster image.
        narrow: whether panels have to be stacked.
    """

    name: str
    width: float
    font: float
    marker: float
    stroke: float
    dpi: int
    narrow: bool = False


COLUMN = Size("column", 3.3, 7.0, 4.6, 0.8, 300, narrow=True)
PAGE = Size("page", 6.9, 7.5, 5.2, 0.9, 300)
NOTEBOOK = Size("notebook", 9.0, 9.5, 7.0, 1.2, 110)
SIZES = {size.name: size for size in (COLUMN, PAGE, NOTEBOOK)}


@dataclass(frozen=True)
class Stroke:
    """How a line is drawn: colour, width (points), dashes (points on, off), layer, and fill."""

    colour: str
    width: float
    dashes: tuple[float, ...] = ()
    order: int = 1
    fill: str | None = None
    opacity: float = 1.0


#: Role → (colour name of the theme, width relative to the main stroke, dashes, order). "class" means the item's class.
_ROLES: dict[str, tuple[str, float, tuple[float, ...], int]] = {
    "axis": ("muted", 0.8, (), 1),
    "guide": ("muted", 0.7, (1.5, 2.0), 2),
    "circle": ("ink", 0.9, (), 2),
    "ray": ("muted", 0.7, (3.0, 2.0), 2),
    "cut": ("ink", 1.0, (4.0, 2.0), 3),
    "plane": ("muted", 0.6, (), 0),
    "mark": ("ink", 0.8, (), 3),
    "curve": ("class", 1.3, (), 3),
    "dashed": ("class", 1.1, (4.0, 2.0), 3),
    "thread": ("class", 0.8, (), 2),
    "level": ("ink", 0.9, (4.0, 2.0), 2),
    "bar": ("class", 0.6, (), 2),
    "band": ("class", 0.0, (), 0),
    "motion": ("ink", 0.8, (), 4),
    "vector": ("ink", 1.1, (), 4),
    "alarm": ("confusion", 1.1, (), 7),
    "ghost": ("muted", 0.7, (), 2),
}
_FILLED = {"bar": 0.85, "plane": 0.12, "band": 0.13}


@dataclass(frozen=True)
class Style:
    """A theme at a size."""

    theme: Theme
    size: Size

    @classmethod
    def named(cls, theme: str = "light", size: str = "notebook") -> Style:
        """By names.

        Raises:
            InputError: unknown theme or size.
        """
        if theme not in THEMES:
            raise InputError(f"Argument 'theme' must be one of {list(THEMES)}, not {theme!r}.")
        if size not in SIZES:
            raise InputError(f"Argument 'size' must be one of {list(SIZES)}, not {size!r}.")
        return cls(THEMES[theme], SIZES[size])

    def colour(self, group: int) -> str:
        """The colour of a class."""
        return self.theme.classes[group % len(self.theme.classes)]

    def shape(self, group: int) -> str:
        """The shape of a class; colour and shape together tell 64 classes apart."""
        return SHAPES[(group + group // len(self.theme.classes)) % len(SHAPES)]

    def stroke(self, role: str, group: int = 0) -> Stroke:
        """How lines of a role are drawn.

        Raises:
            InputError: unknown role.
        """
        if role not in _ROLES:
            raise InputError(f"Unknown role {role!r}; there are {', '.join(_ROLES)}.")
        name, width, dashes, order = _ROLES[role]
        colour = self.colour(group) if name == "class" else getattr(self.theme, name)
        fill = colour if role in _FILLED else None
        return Stroke(colour, width * self.size.stroke, dashes, order, fill, _FILLED.get(role, 1.0))

    def accent(self, accent: str) -> str:
        """The colour of an accent."""
        return self.theme.merge if accent == "merge" else self.theme.confusion
