"""Explain_records: what it costs to release linked tables, before it is searched or written."""

from collections.abc import Mapping
from dataclasses import dataclass

from lookalike.flow.count_linked import LinkedSources
from lookalike.flow.read_linked import read_linked
from lookalike.model.combinations import bytes_of_combination, find_room
from lookalike.model.lattice import Lattice
from lookalike.model.progress import Announce, Stopwatch
from lookalike.model.requirement import KnownRecords
from lookalike.search.lattice.constraints import restrict
from lookalike.spec.fields import PersonUnit, name_units
from lookalike.spec.specification import Specification

COUNTABLE = 10**10
"""More combinations of one vector would take minutes to count."""
ROOM_OF_PERSON = 4
"""A part must hold so many combinations for each person: all may have the same one."""


@dataclass(frozen=True)
class ExplainedRecords:
    """What it costs to release linked tables.

    ``persons``: the number of persons.
    ``rows``: the number of rows of each table.
    ``most_records``: the most rows of a person in each table.
    ``knows``: how many of them an attacker may know; None for the person table.
    ``combinations``: the most combinations of records that one vector has.
    ``megabytes``: the memory that they would need together; beyond what is available, they are
    counted in parts.
    ``available_megabytes``: the memory that they may use.
    ``method``: the method.
    ``vectors``: the number of vectors that the constraints leave.
    ``refused``: why the release cannot be made like this, if it cannot, and the way out.
    ``unit``: what a person is called.
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
    unit: PersonUnit = "person"


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
    combinations, tables = linked.estimate_combinations(), sources.tables
    return ExplainedRecords(
        persons=sources.persons,
        rows={one.name: one.rows_in for one in tables},
        most_records={one.name: int(one.linked.sizes.max(initial=0)) for one in tables},
        knows={one.name: one.linked.knows if one.linked.name else None for one in tables},
        combinations=combinations,
        megabytes=combinations * bytes_of_combination(len(linked.distinct)) // 2**20,
        available_megabytes=linked.memory // 2**20,
        method=asked.method,
        vectors=lattice.size,
        refused=find_refusal(sources, asked.unit),
        unit=asked.unit,
    )


def find_refusal(sources: LinkedSources, unit: PersonUnit) -> str | None:
    """Return why the combinations of records cannot be counted, if they are too many."""
    linked = sources.linked
    combinations = linked.estimate_combinations()
    room = find_room(linked.memory, len(linked.distinct))
    longest = max((int(one.sizes.max(initial=0)) for one in linked.records), default=0)
    if combinations > COUNTABLE:
        return (
            f"what may be known of these {name_units(unit)} are up to {combinations:,} "
            f"combinations of records, more than the {COUNTABLE:,} that can be counted in minutes; "
            f"one {unit} has {longest:,} records. Keep fewer of each, drawn at random (at_most = "
            "20 under [records.NAME]), or lower knows"
        )
    if linked.rows * ROOM_OF_PERSON > room:
        needed = linked.rows * ROOM_OF_PERSON * linked.memory // max(1, room)
        return (
            f"to count what may be known of {linked.rows:,} {name_units(unit)} takes at least "
            f"{needed // 2**20:,} MiB, of which {linked.memory // 2**20:,} MiB may be used; give "
            "more (memory)"
        )
    return None
