"""``lnnet shatter``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from lnnet.report import Report

if TYPE_CHECKING:
    from fractions import Fraction

    from proofs.shattering.engine import Shattered
    from proofs.shattering.task import Task

HELP = "certify a network of one depth for every labelling of some points (Corollary 3: L + 2 points at depth L)"
#: How many labelings are named on the screen; the report names all.
_SHOWN = 10


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--depth", type=int, metavar="L", help="LN layers of every network (default: m - 2)")
    parser.add_argument(
        "--points", metavar="FILE", help="a CSV file of coordinates, without labels; default: --depth + 2 points"
    )
    parser.add_argument(
        "--dim",
        type=int,
        metavar="d",
        help="dimension of the default points (k, k^2, ..., k^d), k = 0, ..., L + 1 (default 1)",
    )
    parser.add_argument("--classes", type=int, default=2, metavar="K", help="number of classes (default %(default)s)")
    parser.add_argument(
        "--method",
        metavar="NAME",
        help="trie: two classes, all at once; or a method of 'lnnet build', one by one (default: trie or auto)",
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="local processes (default %(default)s)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, such as tcp://host:8786")
    parser.add_argument("--resume", metavar="FILE", help="keep finished chunks here, and go on from them")
    parser.add_argument(
        "--limit", type=int, metavar="N", help="labelings tried at most (default 2^24; built alone, one counts as 512)"
    )
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="draw N labelings instead of taking all")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the drawing (default %(default)s)")
    parser.add_argument("--confidence", default="0.99", metavar="P", help="of the statement (default %(default)s)")
    parser.add_argument(
        "--labelling", metavar="0110...", help="rebuild and check this labelling alone, digit k for point k"
    )
    parser.add_argument(
        "--against", metavar="REPORT.json", help="with --labelling: compare with the digest in an earlier report"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE.json", help="write the report; with --labelling, the certificate"
    )
    parser.epilog = "Exit codes: 0 every labelling is certified, 1 some is not, 2 bad input."


def run(options: argparse.Namespace) -> Report:
    """Shatter, or replay one labelling."""
    from constructions.errors import InputError

    task = _task(options)
    if options.labelling is not None:
        if options.sample or options.resume or options.cluster:
            raise InputError("Option --labelling goes with none of --sample, --resume and --cluster.")
        return _replay(task, options)
    if options.against is not None:
        raise InputError("Option --against goes with --labelling.")
    return _shatter(task, options)


def _task(options: argparse.Namespace) -> Task:
    from constructions.errors import InputError
    from lnnet.shattering import task_for
    from lnnet.sources import read_coordinates
    from proofs.shattering.task import default_points

    if options.depth is None and options.points is None:
        raise InputError("Give --depth L, for the default L + 2 points, or --points FILE.")
    if options.points is not None and options.dim is not None:
        raise InputError("Option --dim is for the default points; the file fixes the dimension.")
    if options.depth is not None and options.depth < 1:
        raise InputError(f"Argument '--depth' must be at least 1, not {options.depth}.")
    if options.points is not None:
        points: Any = read_coordinates(options.points)
    else:
        points = default_points(options.depth + 2, 1 if options.dim is None else options.dim)
    return task_for(
        points,
        options.depth,
        classes=options.classes,
        method=options.method,
        sample=options.sample,
        seed=options.seed,
    )


def _shatter(task: Task, options: argparse.Namespace) -> Report:
    from pathlib import Path

    from constructions.errors import InputError, UnreadableFileError
    from constructions.network_file import write_json
    from lnnet.progress import progress_bar
    from lnnet.shattering import network_for
    from proofs.shattering.engine import MAX_LABELINGS, shatter_task

    if options.cluster is not None and options.workers != 1:
        raise InputError("Give --workers or --cluster, not both.")
    confidence = _confidence(options.confidence)
    if options.output is not None and not Path(options.output).absolute().parent.is_dir():
        raise UnreadableFileError(f"Cannot write {options.output}: its folder does not exist.")  # before hours of work
    with progress_bar(quiet=options.json) as watch:
        result = shatter_task(
            task,
            builder=network_for,
            workers=options.workers,
            cluster=options.cluster,
            resume=options.resume,
            limit=MAX_LABELINGS if options.limit is None else options.limit,
            watch=watch,
        )
    document = result.document(confidence)
    if options.output:
        write_json(options.output, document)
    return _report(result, confidence, document if options.json else {}, options.output)


def _confidence(text: str) -> Fraction:
    from fractions import Fraction

    from constructions.errors import InputError
    from constructions.rational import parse_rational

    value = parse_rational(text)
    if not 0 < value < 1:
        raise InputError(f"Argument '--confidence' must be strictly between 0 and 1, not {text}.")
    return Fraction(int(value.p), int(value.q))


def _report(result: Shattered, confidence: Fraction, extra: dict[str, Any], output: str | None) -> Report:
    from proofs.certificate import approximate

    task, margin, missing = result.task, result.margin, result.unrealised
    facts: dict[str, Any] = {
        "points": len(task.points),
        "dimension": len(task.points[0]),
        "classes": task.classes,
        "depth": task.depth,
        "method": task.method,
        "labelings": f"{result.labelings:,}"
        + (f" ({result.examined:,} up to renaming)" if not task.sample else " drawn"),
        "by_filter": f"{result.total('filtered'):,}",
        "fell_through": f"{result.examined - result.total('filtered'):,}",
        "certified_by_balls": result.total("by_balls") + result.total("by_builder"),
        "not_certified": result.total("failed"),
        "margin": None if margin is None else f"{approximate(margin[0])} for {margin[1]}",
        "bits": max((chunk.bits for chunk in result.chunks), default=0),
        "layers_before_padding": ", ".join(f"{k}: {n:,}" for k, n in result.depths.items()) or None,
        "checked_again_with_balls": len(result.spot_checked),
        "seconds": result.seconds,
        "report": output,
    }
    notes = [f"{text}: {reason}" for text, reason in list(missing.items())[:_SHOWN]]
    if len(missing) > _SHOWN:
        notes.append(f"... and {len(missing) - _SHOWN} more; -o writes them all.")
    statement = result.statement(confidence)
    title = "shattered" if result else "not every labelling is certified"
    if statement is not None:
        notes.append(statement)
        title = "every drawn labelling is certified" if result else "not every drawn labelling is certified"
    elif result and task.classes == 2:
        notes.append(
            f"Every labelling of these {len(task.points)} points has a certified LN-Net of depth exactly {task.depth} "
            f"and width 3: on R^{len(task.points[0])} the VC dimension of such networks is at least {len(task.points)}."
        )
    return Report(title, 0 if result else 1, facts, notes=notes, extra={"result": extra} if extra else {})


def _replay(task: Task, options: argparse.Namespace) -> Report:
    from constructions.network_file import digest, network_document
    from lnnet.shattering import settle_labelling
    from proofs.certificate import certificate_facts
    from proofs.shattering.labelings import parse_labelling

    labels = parse_labelling(options.labelling, len(task.points), task.classes)
    settled = settle_labelling(task, labels)
    facts: dict[str, Any] = {"labelling": options.labelling}
    if settled.certificate is not None:
        facts |= certificate_facts(settled.certificate)
        facts["network_sha256"] = digest(network_document(settled.certificate.network))
    facts |= {
        "reason": settled.reason,
        "source": settled.source,
        "digest": settled.digest,
        "layers_before_padding": settled.layers,
    }
    if options.against is not None:
        facts["report"] = _compared(task, labels, options.against)
    if options.output and settled.certificate is not None:
        settled.certificate.save(options.output)
        facts["certificate"] = options.output
    return Report("certified" if settled else "not certified", 0 if settled else 1, facts)


def _compared(task: Task, labels: tuple[int, ...], path: str) -> str:
    """Compute the labelling's chunk again and compare its digest with a report's."""
    from constructions.errors import InputError
    from constructions.network_file import read_json
    from lnnet.shattering import network_for
    from proofs.shattering.chunk import chunk_of, run_chunk

    document = read_json(path)
    if not isinstance(document, dict) or document.get("task_sha256") != task.identity:
        raise InputError(f"{path} is no report on these points with this depth, method and number of classes.")
    index = chunk_of(task, labels)
    if index is None:
        raise InputError("Option --against is for the method 'trie', without --sample.")
    chunk = run_chunk(task, index, network_for)
    recorded = [c.get("sha256") for c in document.get("chunks", []) if isinstance(c, dict) and c.get("index") == index]
    if recorded != [chunk.digest]:
        raise InputError(f"Chunk {index}, which holds the labelling, has another digest than {path} says.")
    return f"chunk {index} agrees: {chunk.digest}"
