"""Beyond memory: what can be released of a table with more distinct sequences than fit in memory.

A search at the attribute level asks for counts at vectors, which the engine of the table counts.
Everything else needs the list of sequences in memory, and is refused here with the way out.
"""

from dataclasses import dataclass

from lookalike.errors import InvalidInput
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.source import most_sequences
from lookalike.model.lattice import raise_level
from lookalike.search.methods import TAKES
from lookalike.spec.specification import Specification

COUNTED_OBJECTIVES = ("precision", "loss", "entropy")
"""The objectives that need no list of the classes at every vector."""


@dataclass(frozen=True)
class _Need:
    """A part of a request that needs the list in memory, and what to do instead."""

    what: str
    remedy: str
    whole: bool = False


def refuse_beyond_memory(specification: Specification, counted: CountedTable | StoredTable) -> None:
    """Raise if a release needs a list of sequences that is not in memory.

    ``counted``: the table. If its list is shorter because levels are bounded from below, it is in
    memory, and only a ledger needs the sequences of the private table.
    """
    need = _find_need(specification, counted)
    if need is None:
        return
    remedies = [need.remedy, "raise max_sequences"]
    bounded = TAKES[specification.release.method].level_bounds and not need.whole
    if bounded and isinstance(counted, StoredTable):
        remedies.insert(0, _suggest_constraints(counted))
    raise InvalidInput(
        f"the table has {counted.sequences:,} distinct sequences, more than the max_sequences = "
        f"{most_sequences(specification):,} that may be in memory, and {need.what} needs them "
        f"there; {', or '.join(remedies)}"
    )


def _find_need(specification: Specification, counted: CountedTable | StoredTable) -> _Need | None:
    """Name the part of a request that needs a list which is not in memory, if there is one."""
    asked, frequency = specification.release, counted.frequency
    if asked.ledger is not None and (isinstance(counted, StoredTable) or counted.is_coarsened):
        return _Need("a ledger", "release it without a ledger", whole=True)
    if isinstance(counted, CountedTable):
        return None
    if TAKES[asked.method].cells:
        return _Need(f"the method {asked.method}", "use datafly, samarati or mingen")
    if not specification.requirement(frequency.rows).is_single(frequency.attributes):
        return _Need("a k of several quasi-identifiers", "protect all attributes together")
    if asked.average_risk is not None:
        return _Need("average_risk", "ask for highest_risk instead")
    if asked.objective not in COUNTED_OBJECTIVES:
        return _Need(f"the objective {asked.objective}", "use precision, loss or entropy")
    return None


def _suggest_constraints(stored: StoredTable) -> str:
    """Suggest the bounds on levels by which the list becomes short enough."""
    frequency = stored.frequency
    vector = frequency.vector
    while vector != frequency.heights and frequency.store.estimate(vector) > frequency.most:
        left = [place for place, top in enumerate(frequency.heights) if vector[place] < top]
        distinct = frequency.distinct(vector)
        vector = raise_level(vector, max(left, key=lambda place: distinct[place]))
    levels = zip(frequency.attributes, vector, strict=True)
    bounds = ", ".join(f'"{name} >= {level}"' for name, level in levels if level)
    return f"generalize first, with constraints = [{bounds}]"
