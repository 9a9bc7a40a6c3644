"""Where points come from: CSV files, read as exact decimals, data sets of scikit-learn, and sets with a pattern."""

from __future__ import annotations

import argparse
import csv
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from constructions.errors import EmptyInputError, InputError, NonFiniteError, ShapeError, UnreadableFileError
from constructions.limited_file import read_limited
from constructions.points import LabeledPoints
from constructions.rational import parse_rational
from constructions.structured_sets import STRUCTURED, structured_set

_INTEGER = re.compile(r"[+-]?\d+")
DATASETS = ("iris", "digits", "wine", "breast_cancer")


def add_point_arguments(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Declare POINTS (which may be left out if ``optional``), --labels and --random-labels."""
    parser.add_argument(
        "points",
        nargs="?" if optional else None,
        metavar="POINTS",
        help=f"a CSV file; dataset:NAME with NAME in {', '.join(DATASETS)}; "
        f"or PATTERN:SIZE, such as spirals:97, with PATTERN in {', '.join(STRUCTURED)}",
    )
    parser.add_argument(
        "--labels", metavar="COLUMN", help="label column, by name or by number from 0 (default: the last)"
    )
    parser.add_argument(
        "--random-labels",
        type=int,
        metavar="K",
        help="replace the labels by K random classes, one draw a distinct point",
    )
    parser.add_argument("--label-seed", type=int, metavar="N", help="seed of the random labels (default: --seed, or 0)")


def read_points(options: argparse.Namespace) -> LabeledPoints:
    """The labelled points that the options of `add_point_arguments` name.

    Raises:
        InputError: in all the ways of `read_csv`, `load_dataset` and `LabeledPoints.of`.
    """
    return LabeledPoints.of(*read_samples(options))


def read_samples(options: argparse.Namespace) -> tuple[Any, Any]:
    """Rows and labels that the options name, repetitions kept (except under random labels).

    Raises:
        InputError: in all the ways of `read_csv` and `load_dataset`.
    """
    source, classes = options.points, options.random_labels
    if source.startswith("dataset:"):
        if options.labels is not None:
            raise InputError(f"Option --labels names a column of a file; {source} has labels of its own.")
        rows, labels = load_dataset(source.removeprefix("dataset:"))
        labels = labels.tolist()
    elif source.partition(":")[0] in STRUCTURED and not Path(source).exists():
        if options.labels is not None:
            raise InputError(f"Option --labels names a column of a file; {source} has labels of its own.")
        patterned = load_pattern(source)
        rows, labels = list(patterned.points), list(patterned.labels)
    elif source in DATASETS and not Path(source).exists():
        raise UnreadableFileError(f"Cannot read {source}: No such file. Did you mean dataset:{source}?")
    else:
        rows, labels = read_csv(source, options.labels)
    if classes is None:
        return rows, labels
    if classes < 1:
        raise InputError(f"Argument '--random-labels' must be at least 1, not {classes}.")
    seed = options.label_seed if options.label_seed is not None else getattr(options, "seed", 0)
    points = random_labels(rows, classes, seed)
    return points.points, points.labels


def random_labels(rows: Any, classes: int, seed: int) -> LabeledPoints:
    """The distinct points among ``rows`` under labels drawn uniformly from 0, …, classes − 1."""
    distinct = LabeledPoints.of(rows, [0] * len(rows))
    generator = random.Random(seed)
    return distinct.relabel([generator.randrange(classes) for _ in range(len(distinct))])


def load_dataset(name: str) -> tuple[Any, Any]:
    """Points and labels of a data set that ships with scikit-learn.

    Raises:
        InputError: unknown name, or scikit-learn is not installed.
    """
    if name not in DATASETS:
        raise InputError(f"Unknown data set {name!r}; available are {', '.join(DATASETS)}.")
    try:
        from sklearn import datasets
    except ImportError:
        raise InputError("Data sets need scikit-learn: install it with  pip install 'lnnet[datasets]'.") from None
    rows, labels = getattr(datasets, f"load_{name}")(return_X_y=True)
    return rows, labels


def load_pattern(source: str) -> LabeledPoints:
    """The set of `constructions.structured_sets` that ``"PATTERN:SIZE"`` names.

    Raises:
        InputError: unknown pattern, or no size.

    >>> load_pattern("checkerboard:8")
    LabeledPoints(64 points in R^2, 2 classes)
    """
    name, _, size = source.partition(":")
    if name in STRUCTURED and not _is_index(size):
        raise InputError(f"{source!r} needs a size, as in {name}:8.")
    return structured_set(name, int(size) if _is_index(size) else 0)


def read_csv(path: str | Path, label_column: str | None = None) -> tuple[list[list[Any]], list[Any]]:
    """Read points and labels from delimited text; coordinates are taken as the decimals written.

    The delimiter (comma, semicolon, tab, pipe or blank) is found out. The first row is a header if none of its
    coordinate cells is a number (a single odd cell is more likely a slip, and is reported). Labels that all read as
    integers are integers, else text.

    Args:
        path: the file.
        label_column: name in the header or number from 0 (negative from the end); the last by default.

    Returns:
        Rows of exact coordinates, and one label each.

    Raises:
        UnreadableFileError: missing, too large, or not text.
        EmptyInputError: no data row.
        ShapeError: rows of different lengths, or only one column.
        NonFiniteError: a cell that is empty or no finite number, named by row and column.
        InputError: no such label column.
    """
    lines = _lines(Path(path))
    delimiter = _delimiter(lines)
    table = [(number, _cells(line, delimiter)) for number, line in enumerate(lines, start=1) if line.strip()]
    if not table:
        raise EmptyInputError(f"{path} holds no data.")
    first = table[0][1]
    if len(first) < 2:
        raise ShapeError(f"{path} has a single column; expected coordinates and a label column.")
    for number, cells in table:
        if len(cells) != len(first):
            raise ShapeError(f"{path}, row {number}: {len(cells)} cells, but the first row has {len(first)}.")
    header = first if _is_header(first, label_column, path) else None
    column = _column(first if header else None, label_column, len(first), path)
    names = header or [str(k) for k in range(len(first))]
    rows, labels = [], []
    for number, cells in table[1:] if header else table:
        rows.append(
            [
                _coordinate(cells[k], f"{path}, row {number}, column {names[k]!r}", names[k])
                for k in range(len(cells))
                if k != column
            ]
        )
        if not cells[column]:
            raise NonFiniteError(f"{path}, row {number}, column {names[column]!r}: the label is missing.")
        labels.append(cells[column])
    if not rows:
        raise EmptyInputError(f"{path} holds a header but no data.")
    return rows, typed_labels(labels)


def read_coordinates(path: str | Path) -> list[list[Any]]:
    """Read points without labels from delimited text: every column is a coordinate, taken as the decimal written.

    The delimiter is found out as in `read_csv`; the first row is a header if none of its cells is a number.

    Raises:
        UnreadableFileError, EmptyInputError, ShapeError, NonFiniteError: as `read_csv`.
    """
    lines = _lines(Path(path))
    delimiter = _delimiter(lines)
    table = [(number, _cells(line, delimiter)) for number, line in enumerate(lines, start=1) if line.strip()]
    if table and not any(_is_number(cell) for cell in table[0][1]):
        table = table[1:]
    if not table:
        raise EmptyInputError(f"{path} holds no points.")
    width = len(table[0][1])
    for number, cells in table:
        if len(cells) != width:
            raise ShapeError(f"{path}, row {number}: {len(cells)} cells, but the first point has {width}.")
    return [
        [_coordinate(cell, f"{path}, row {number}, column {k}") for k, cell in enumerate(cells)]
        for number, cells in table
    ]


def _lines(path: Path) -> list[str]:
    try:
        return read_limited(path).decode("utf-8-sig").splitlines()
    except OSError as error:
        raise UnreadableFileError(f"Cannot read {path}: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise UnreadableFileError(f"{path} is not UTF-8 text.") from None


def _delimiter(lines: Sequence[str]) -> str | None:
    """The candidate that splits the first rows into equally many cells, most of them; None means white space."""
    sample = [line for line in lines if line.strip()][:20]
    best, most = None, 1
    for candidate in (",", ";", "\t", "|"):
        counts = {len(_cells(line, candidate)) for line in sample}
        if len(counts) == 1 and (count := counts.pop()) > most:
            best, most = candidate, count
    if best is None:  # ragged rows: the most frequent mark tells, so that the message names the odd row
        best = max((",", ";", "\t", "|"), key=lambda mark: sum(line.count(mark) for line in sample))
        best = best if any(best in line for line in sample) else None
    return best


def _cells(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.split()
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))]
    except csv.Error as error:
        raise UnreadableFileError(f"Cannot split the row {line[:40]!r} into cells: {error}.") from None


def _is_header(cells: Sequence[str], label_column: str | None, path: Any) -> bool:
    if label_column is not None and label_column in cells and not _is_number(label_column):
        return True
    column = _column(None, label_column, len(cells), path) if label_column is None or _is_index(label_column) else None
    coordinates = [cell for k, cell in enumerate(cells) if k != column and cell]
    return bool(coordinates) and not any(_is_number(cell) for cell in coordinates)


def _column(header: Sequence[str] | None, wanted: str | None, width: int, path: Any) -> int:
    if wanted is None:
        return width - 1
    if header is not None and wanted in header:
        return header.index(wanted)
    if _is_index(wanted) and -width <= int(wanted) < width:
        return int(wanted) % width
    known = (
        f"there are columns 0 to {width - 1}" if _is_index(wanted) or not header else f"its header is {list(header)}"
    )
    raise InputError(f"{path} has no label column {wanted!r}: {known}.")


def _is_index(text: str) -> bool:
    return _INTEGER.fullmatch(text) is not None and len(text) < 8


def _is_number(text: str) -> bool:
    try:
        parse_rational(text)
    except InputError:
        return text.lower() in ("nan", "inf", "-inf", "infinity", "-infinity")
    return True


def _coordinate(text: str, where: str, name: str | None = None) -> Any:
    if not text:
        raise NonFiniteError(f"{where}: the cell is empty.")
    try:
        return parse_rational(text)
    except InputError as error:
        word = name is not None and not _is_number(text)
        hint = f" If this column holds the labels, add --labels {name}" if word else ""
        raise type(error)(f"{where}: {error}{hint}") from None


def typed_labels(labels: list[str]) -> list[Any]:
    """Labels read from text: integers if all of them are."""
    return [int(x) for x in labels] if all(_INTEGER.fullmatch(x) and len(x) < 20 for x in labels) else labels
