"""Network and point documents: exact numbers in plain JSON (the formats are described in docs/formats.md)."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flint import fmpq

from constructions.algebraic import Algebraic, algebraic
from constructions.errors import InputError, UnreadableFileError
from constructions.limited_file import read_limited
from constructions.network import Affine, LNNet
from constructions.points import Label, LabeledPoints
from constructions.rational import format_rational, parse_rational

FORMAT, VERSION = "lnnet-network", 1
_REFERENCE = re.compile("#(0|[1-9][0-9]{0,9})")
_ARITY = {"add": 2, "sub": 2, "mul": 2, "div": 2, "sqrt": 1}


def save_network(net: LNNet, path: str | os.PathLike[str]) -> None:
    """Write a network file, atomically.

    Args:
        net: the network.
        path: the file, replaced as a whole.

    Raises:
        InputError: a class label that JSON cannot hold (allowed are text, integers, floats, booleans and None).
    """
    write_json(path, network_document(net))


def load_network(path: str | os.PathLike[str]) -> LNNet:
    """Read a network file.

    Args:
        path: a file that `save_network` wrote, or one in the same format (docs/formats.md).

    Returns:
        The network, with exactly the weights in the file.

    Raises:
        UnreadableFileError: missing, too large, truncated, or not a network document.
        ShapeError: weights that do not fit together.
        InputError: values that the document's semantics forbid.
    """
    return network_from_document(read_json(path))


def network_document(net: LNNet) -> dict[str, Any]:
    """The JSON-ready document of a network."""
    table = _ExpressionTable()
    layers = [
        {
            "weight": [[table.entry(x) for x in row] for row in layer.weight],
            "bias": [table.entry(x) for x in layer.bias],
        }
        for layer in net.layers
    ]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "semantics": net.semantics,
        "epsilon": format_rational(net.epsilon),
        "layers": layers,
        "readout": net.readout,
        "classes": [label_entry(label) for label in net.classes],
    }
    if table.rows:
        document["expressions"] = table.rows
    return document


def network_from_document(document: Any) -> LNNet:
    """The network that a document describes; raises as `load_network`."""
    fields = expect_keys(
        document,
        "network",
        required=("format", "version", "semantics", "epsilon", "layers", "readout", "classes"),
        optional=("expressions",),
    )
    expect_format(fields, FORMAT, VERSION)
    nodes = _expressions(fields.get("expressions", []))
    layers = []
    for number, layer in enumerate(_expect_list(fields["layers"], "layers")):
        where = f"layer {number}"
        entry = expect_keys(layer, where, required=("weight", "bias"))
        rows = [_expect_list(row, f"{where} weight") for row in _expect_list(entry["weight"], f"{where} weight")]
        weight = tuple(tuple(_number(x, nodes, where) for x in row) for row in rows)
        layers.append(Affine(weight, tuple(_number(x, nodes, where) for x in _expect_list(entry["bias"], where))))
    if "expressions" in fields and fields["semantics"] != "exact":
        raise UnreadableFileError("Only a network with semantics 'exact' can have expressions.")
    return LNNet(
        tuple(layers),
        tuple(_label(x) for x in _expect_list(fields["classes"], "classes")),
        fields["readout"],
        rational_entry(fields["epsilon"], "epsilon"),
        fields["semantics"],
    )


def canonical_network(document: dict[str, Any]) -> dict[str, Any]:
    """A readable network document with all numbers in their shortest form: what its digest is over."""

    def short(value: Any) -> Any:
        return value if isinstance(value, str) and value.startswith("#") else _short(value)

    layers = [
        {"weight": [[short(w) for w in row] for row in layer["weight"]], "bias": [short(b) for b in layer["bias"]]}
        for layer in document["layers"]
    ]
    result = {**document, "epsilon": _short(document["epsilon"]), "layers": layers}
    if "expressions" in document:
        rows = document["expressions"]
        result["expressions"] = [row if isinstance(row, list) else _short(row) for row in rows]
    return result


def canonical_points(document: dict[str, Any]) -> dict[str, Any]:
    """Points and labels of a readable document with all numbers in their shortest form."""
    return {"points": [[_short(x) for x in row] for row in document["points"]], "labels": document["labels"]}


def _short(value: Any) -> str:
    return format_rational(rational_entry(value, "a document"))


def points_document(points: LabeledPoints) -> dict[str, Any]:
    """The JSON-ready coordinates and labels of a point set."""
    return {
        "points": [[format_rational(x) for x in point] for point in points.points],
        "labels": [label_entry(label) for label in points.labels],
    }


def points_from_document(document: Any) -> LabeledPoints:
    """The point set that `points_document` wrote; raises as `load_network` and `LabeledPoints.of`."""
    fields = expect_keys(document, "points", required=("points", "labels"))
    rows = [_expect_list(row, f"point {k}") for k, row in enumerate(_expect_list(fields["points"], "points"))]
    points = [[rational_entry(x, f"point {k}") for x in row] for k, row in enumerate(rows)]
    result = LabeledPoints.of(points, [_label(x) for x in _expect_list(fields["labels"], "labels")])
    if len(result) < len(points):
        raise UnreadableFileError(
            f"The points of a document must be distinct: {len(points) - len(result)} are repeated."
        )
    return result


def digest(document: Any) -> str:
    """SHA-256 of a document's canonical JSON (sorted keys, no white space, ASCII), in hexadecimal."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def write_json(path: str | os.PathLike[str], document: Any) -> None:
    """Write a document so that a reader sees either the old file or the whole new one."""
    target = Path(path)
    if not target.name or "\0" in str(target):
        raise UnreadableFileError(f"{str(target)!r} cannot be the name of a file.")
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        temporary.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(temporary, target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise UnreadableFileError(f"Cannot write {target}: {error.strerror or error}.") from None


def read_json(path: str | os.PathLike[str]) -> Any:
    """Read a JSON file, refusing what is too large, truncated, too deep, ambiguous or not finite.

    Raises:
        UnreadableFileError: for any of these, or if the file cannot be opened.
    """
    source = Path(path)
    try:
        return json.loads(
            read_limited(source).decode("utf-8"),
            parse_constant=_no_constant,
            parse_int=_json_integer,
            object_pairs_hook=_unique_keys,
        )
    except OSError as error:
        raise UnreadableFileError(f"Cannot read {source}: {error.strerror or error}.") from None
    except UnreadableFileError as error:
        raise UnreadableFileError(f"{source}: {error}") from None
    except RecursionError:
        raise UnreadableFileError(f"{source} nests too deeply to be a document of lnnet.") from None
    except ValueError as error:  # malformed JSON or bytes that are not UTF-8
        raise UnreadableFileError(f"{source} is not complete, valid JSON: {error}.") from None


def label_entry(label: Label) -> Any:
    """A label as JSON writes it.

    Raises:
        InputError: a label that would not read back as an equal one.
    """
    if _is_plain(label):
        return label
    raise InputError(
        f"Label {_shown(label)} of type {type(label).__name__} cannot be written to a file; use text or short integers."
    )


def _is_plain(label: Label) -> bool:
    if isinstance(label, str):
        return not any("\ud800" <= mark <= "\udfff" for mark in label)  # half a character: no UTF-8 file holds it
    if isinstance(label, float):
        return abs(label) < float("inf")
    return label is None or (isinstance(label, int) and abs(label) < 1 << 4096)


def rational_entry(value: Any, where: str) -> fmpq:
    """A rational written as text or as a JSON integer."""
    if isinstance(value, str):
        try:
            return parse_rational(value)
        except InputError as error:
            raise type(error)(f"In {where}: {error}") from None
    if isinstance(value, int) and not isinstance(value, bool):
        return fmpq(value)
    raise UnreadableFileError(
        f'In {where}: expected an exact number as text, such as "1/3" or "5*2^-3", not {_shown(value)}.'
    )


def expect_keys(value: Any, where: str, *, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    """A JSON object with exactly these keys."""
    if not isinstance(value, dict):
        raise UnreadableFileError(f"Expected an object for {where}, not {_shown(value)}.")
    missing = [key for key in required if key not in value]
    unknown = [key for key in value if key not in required and key not in optional]
    if missing or unknown:
        kind = f"; its format is {_shown(value['format'])}" if "format" in value else ""
        raise UnreadableFileError(f"The {where} object lacks {missing} and has unknown keys {unknown}{kind}.")
    return value


def expect_format(fields: dict[str, Any], name: str, version: int) -> None:
    """Check the two fields that say what a document is."""
    if fields["format"] != name or type(fields["version"]) is not int or fields["version"] != version:
        found = f"{_shown(fields['format'])} version {_shown(fields['version'])}"
        raise UnreadableFileError(f"Expected a document of format {name!r} version {version}, not {found}.")


class _ExpressionTable:
    """Shared algebraic numbers as rows that refer to earlier rows."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self._known: dict[int, int] = {}
        self._rationals: dict[str, int] = {}

    def entry(self, value: fmpq | Algebraic) -> str:
        if isinstance(value, fmpq):
            return format_rational(value)
        if value.value is not None:
            return format_rational(value.value)
        for node in value.nodes():
            if id(node) not in self._known:
                self._known[id(node)] = self._row(node)
        return f"#{self._known[id(value)]}"

    def _row(self, node: Algebraic) -> int:
        if node.value is None:
            self.rows.append([node.operation, *(self._known[id(a)] for a in node.arguments)])
            return len(self.rows) - 1
        text = format_rational(node.value)
        if text not in self._rationals:
            self.rows.append(text)
            self._rationals[text] = len(self.rows) - 1
        return self._rationals[text]


def _expressions(rows: Any) -> list[Algebraic]:
    nodes: list[Algebraic] = []
    for number, row in enumerate(_expect_list(rows, "expressions")):
        where = f"expression {number}"
        if isinstance(row, (str, int)):
            nodes.append(algebraic(rational_entry(row, where)))
            continue
        operation, *arguments = _expect_list(row, where) or [None]
        ok = isinstance(operation, str) and _ARITY.get(operation) == len(arguments)
        if not ok or not all(type(k) is int and 0 <= k < number for k in arguments):
            raise UnreadableFileError(f"{where} must be an operation on earlier rows, not {_shown(row)}.")
        operands = [nodes[k] for k in arguments]
        if operation == "sqrt" or operation == "div":
            _check_domain(operation, operands[-1], where)
        nodes.append(Algebraic(operation, tuple(operands)))
    return nodes


def _check_domain(operation: str, operand: Algebraic, where: str) -> None:
    sign = operand.sign()
    if (operation == "sqrt" and sign < 0) or (operation == "div" and sign == 0):
        raise UnreadableFileError(f"{where} divides by zero or takes the root of a negative number.")


def _number(value: Any, nodes: list[Algebraic], where: str) -> fmpq | Algebraic:
    if isinstance(value, str) and value.startswith("#"):
        index = int(value[1:]) if _REFERENCE.fullmatch(value) else len(nodes)
        if index >= len(nodes):
            raise UnreadableFileError(f"In {where}: {value!r} refers to no expression.")
        return nodes[index]
    return rational_entry(value, where)


def _expect_list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise UnreadableFileError(f"Expected a list for {where}, not {_shown(value)}.")
    return value


def _label(value: Any) -> Label:
    if isinstance(value, (list, dict)):
        raise UnreadableFileError(f"Expected a label (text, number, boolean or null), not {_shown(value)}.")
    return label_entry(value)  # type: ignore[no-any-return]


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # an integer too long for Python to print
        text = "a very long integer"
    return text if len(text) <= 60 else text[:57] + "..."


def _no_constant(text: str) -> Any:
    raise UnreadableFileError(f"{text} is not a number that lnnet can use.")


def _json_integer(text: str) -> int:
    if len(text) > 4000:
        raise UnreadableFileError("an integer of more than 4000 digits must be written as text.")
    return int(text)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise UnreadableFileError("an object holds the same key twice.")
    return result
