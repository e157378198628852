"""Explain_records: what it costs to release linked tables, before it is searched or written."""

from collections.abc import Mapping
from dataclasses import dataclass

from lookalike.flow.count_linked import LinkedSources
from lookalike.flow.read_linked import read_linked
from lookalike.model.lattice import Lattice
from lookalike.model.linked import KnownRecords
from lookalike.model.progress import Announce, Stopwatch
from lookalike.search.lattice.constraints import restrict
from lookalike.spec.specification import Specification

MOST_NUMBERED = 2**31 - 1
"""So many combinations of one vector can be numbered."""
COUNTING_SHARE = 2
"""One of so many parts of the memory is for the combinations of one vector."""


@dataclass(frozen=True)
class ExplainedRecords:
    """What it costs to release linked tables.

    ``persons``: the number of persons.
    ``rows``: the number of rows of each table.
    ``most_records``: the most rows of a person in each table.
    ``knows``: how many of them an attacker may know; None for the person table.
    ``combinations``: the most combinations of records that one vector has.
    ``megabytes``: the memory that they need while a vector is counted.
    ``available_megabytes``: the memory that they may use.
    ``method``: the method.
    ``vectors``: the number of vectors that the constraints leave.
    ``refused``: why the release cannot be made like this, if it cannot, and the way out.
    """

    persons: int
    rows: Mapping[str, int]
    most_records: Mapping[str, int]
    knows: Mapping[str, KnownRecords | None]
    combinations: int
    megabytes: int
    available_megabytes: int
    method: str
    vectors: int
    refused: str | None


def explain_records(
    specification: Specification, announce: Announce = lambda _: None
) -> ExplainedRecords:
    """Read linked tables, and explain what their release would cost."""
    stopwatch = Stopwatch(announce)
    sources = read_linked(specification, stopwatch)
    stopwatch.begin(None)
    asked, linked = specification.release, sources.linked
    whole = Lattice.of_heights(linked.heights)
    lattice, _ = restrict(whole, linked.attributes, asked.read_constraints())
    combinations, needed, available = _estimate(sources)
    tables = sources.tables
    return ExplainedRecords(
        persons=sources.persons,
        rows={one.name: one.rows_in for one in tables},
        most_records={one.name: int(one.linked.sizes.max(initial=0)) for one in tables},
        knows={one.name: one.linked.knows if one.linked.name else None for one in tables},
        combinations=combinations,
        megabytes=needed // 2**20,
        available_megabytes=available // 2**20,
        method=asked.method,
        vectors=lattice.size,
        refused=find_refusal(sources),
    )


def find_refusal(sources: LinkedSources) -> str | None:
    """Return why the combinations of records cannot be counted, if they do not fit in memory."""
    combinations, needed, available = _estimate(sources)
    if needed <= available and combinations <= MOST_NUMBERED:
        return None
    longest = max(int(one.sizes.max(initial=0)) for one in sources.linked.records)
    return (
        f"what may be known of these persons are up to {combinations:,} combinations of records, "
        f"about {needed // 2**20:,} MiB, of which {available // 2**20:,} MiB may be used; one "
        f"person has {longest:,} records. Keep fewer of each, drawn at random (at_most = 20 under "
        "[records.NAME]), lower knows, or give more memory"
    )


def _estimate(sources: LinkedSources) -> tuple[int, int, int]:
    """Return the most combinations of a vector, their memory, and the memory they may use."""
    combinations = sources.linked.estimate_combinations()
    available = sources.tables[0].specification.resources.bytes // COUNTING_SHARE
    return combinations, combinations * sources.linked.bytes_of_combination, available
