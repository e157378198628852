"""Explain: how a release would be made, before anything is searched or written."""

from dataclasses import dataclass
from typing import Literal

from lookalike.errors import InvalidInput
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.method import refuse_beyond_memory, refuse_ignored, settle_method
from lookalike.flow.source import most_sequences, read_or_store
from lookalike.model.progress import Announce, Stopwatch
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.engines import engine_of
from lookalike.tables.resources import bytes_of_sequences


@dataclass(frozen=True)
class Explained:
    """How a release would be made, and why so.

    ``engine``: what holds the rows.
    ``rows``: the number of rows.
    ``sequences``: the number of distinct sequences of quasi-identifier values.
    ``max_sequences``: the number of distinct sequences that may come to memory.
    ``place``: where the frequency list is kept: in memory, or in the engine.
    ``least_levels``: the levels at which the list in memory begins, if the whole list does not fit.
    ``collected``: the greatest number of sequences that come to memory.
    ``megabytes``: an estimate of the memory that they need.
    ``method``: the method.
    ``method_reason``: why the method is not the default one, if the specification names none.
    ``vectors``: the number of vectors that the constraints leave.
    ``refused``: why the release cannot be made like this, if it cannot, and the way out.
    """

    engine: str
    rows: int
    sequences: int
    max_sequences: int
    place: Literal["memory", "engine"]
    least_levels: dict[str, int] | None
    collected: int
    megabytes: int
    method: str
    method_reason: str | None
    vectors: int
    refused: str | None


def explain(specification: Specification, announce: Announce = lambda _: None) -> Explained:
    """Read and count a table, and explain how its release would be made."""
    specification = settle_columns(specification)
    refuse_ignored(specification)
    stopwatch = Stopwatch(announce)
    counted = read_or_store(specification, stopwatch)
    stopwatch.begin(None)
    specification, reason = settle_method(specification, counted)
    frequency = counted.frequency
    collected = _count_collected(specification, counted)
    return Explained(
        engine=type(engine_of(counted.table.frame)).__name__,
        rows=frequency.rows,
        sequences=counted.sequences,
        max_sequences=most_sequences(specification),
        place="memory" if isinstance(counted, CountedTable) else "engine",
        least_levels=_least_levels(counted),
        collected=collected,
        megabytes=bytes_of_sequences(collected, len(frequency.attributes)) // 2**20,
        method=specification.release.method,
        method_reason=reason,
        vectors=specification.options().lattice_of(frequency)[0].size,
        refused=_find_refusal(specification, counted),
    )


def _least_levels(counted: CountedTable | StoredTable) -> dict[str, int] | None:
    """Return the levels at which a list in memory begins, if it was generalized first."""
    known = None if isinstance(counted, StoredTable) else counted.frequency.coarsened
    names = counted.frequency.attributes
    return None if known is None else dict(zip(names, known.vector, strict=True))


def _count_collected(specification: Specification, counted: CountedTable | StoredTable) -> int:
    """Return the greatest number of sequences that come to memory.

    That is the whole list; or, if it stays in the engine, as many as may be in memory, or the
    classes of the release if these are more.
    """
    if isinstance(counted, CountedTable):
        return len(counted.frequency)
    rows = counted.frequency.rows
    requirement = specification.requirement(rows)
    small = max(requirement.allowance(rows, requirement.k), requirement.k)
    return max(counted.frequency.most, small + (rows - min(small, rows)) // requirement.k)


def _find_refusal(specification: Specification, counted: CountedTable | StoredTable) -> str | None:
    """Return why the list that is in memory is not enough for what is asked."""
    try:
        refuse_beyond_memory(specification, counted)
    except InvalidInput as problem:
        return str(problem)
    return None
