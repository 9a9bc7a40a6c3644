"""Where chunks are run: here, on local processes (joblib), or on a cluster (Dask distributed).

All three take a function of the chunk's number and yield results in any order. Chunks are idempotent, so what a lost
worker was doing is simply done again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from constructions.errors import InputError, LNNetError

#: How often in a row workers may be lost without a single chunk done.
_RETRIES = 3


class WorkersLostError(LNNetError):
    """Worker processes die again and again; most likely memory runs out."""


class Numbered(Protocol):
    """A result that knows the number of its chunk."""

    index: int


T = TypeVar("T", bound=Numbered)


def run_here(function: Callable[[int], T], indices: Sequence[int]) -> Iterator[T]:
    """One after the other in this process."""
    return map(function, indices)


def run_on_processes(function: Callable[[int], T], indices: Sequence[int], workers: int) -> Iterator[T]:
    """On local processes.

    Args:
        function: picklable; its results have an ``index``.
        indices: chunk numbers.
        workers: number of processes.

    Raises:
        InputError: fewer than one worker, or joblib is not installed.
        WorkersLostError: workers keep dying.
    """
    if workers < 1:
        raise InputError(f"Argument 'workers' must be at least 1, not {workers}.")
    try:
        from joblib import Parallel, delayed
        from joblib.externals.loky.process_executor import BrokenProcessPool
    except ImportError:
        raise InputError("Several workers need joblib: install it with  pip install 'lnnet[parallel]'.") from None
    waiting, failures = list(indices), 0
    while waiting:
        pool = Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1)
        try:
            for result in pool(delayed(function)(index) for index in list(waiting)):
                waiting.remove(result.index)
                failures = 0
                yield result
        except BrokenProcessPool:  # includes a killed worker; what it had not delivered is run again
            failures += 1
            if failures > _RETRIES:
                raise WorkersLostError(
                    f"Worker processes died {failures} times in a row with {len(waiting)} chunks to do; "
                    "use fewer workers or a machine with more memory."
                ) from None


def run_on_cluster(
    function: Callable[[int], T], indices: Sequence[int], address: str, *, timeout: float = 10.0
) -> Iterator[T]:
    """On a Dask distributed cluster, whose workers must have lnnet installed. Dask itself reruns what workers lose.

    Args:
        address: of the scheduler, such as ``tcp://host:8786``.
        timeout: seconds to wait for it.

    Raises:
        InputError: distributed is not installed, or the scheduler cannot be reached.
        WorkersLostError: a chunk has cost several workers their lives.
    """
    try:
        from distributed import Client, KilledWorker, as_completed
    except ImportError:
        raise InputError("A cluster needs Dask distributed: install it with  pip install 'lnnet[cluster]'.") from None
    try:
        client = Client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"The cluster at {address!r} cannot be reached within {timeout:g} seconds: {reason}") from None
    with client:
        futures = client.map(function, list(indices), pure=False)
        try:
            for future in as_completed(futures, loop=client.loop):
                yield future.result()
        except KilledWorker as error:
            raise WorkersLostError(f"The cluster's workers die on a chunk: {str(error)[:200]}") from None
        finally:
            client.cancel(futures)
