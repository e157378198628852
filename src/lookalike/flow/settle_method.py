"""Settle the method of a specification that names none, once its table is counted."""

from functools import partial

from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.source import most_sequences
from lookalike.search.cells.ambiguous_labels import list_ambiguous_columns
from lookalike.search.methods import TAKES
from lookalike.spec.choose_method import choose_method
from lookalike.spec.specification import Specification


def settle_method(
    specification: Specification, counted: CountedTable | StoredTable
) -> tuple[Specification, str | None]:
    """Choose the method for a counted table, if the specification names none."""
    rows = counted.frequency.rows
    return choose_method(specification, partial(_find_obstacle, counted), rows)


def _find_obstacle(counted: CountedTable | StoredTable, specification: Specification) -> str | None:
    """Return why the method of a specification cannot be used on a table, if it cannot."""
    method = specification.release.method
    if not TAKES[method].cells:
        return None
    if isinstance(counted, StoredTable):
        return (
            f"{method} needs all {counted.sequences:,} distinct sequences in memory, where "
            f"max_sequences = {most_sequences(specification):,} may be"
        )
    lattice, _ = specification.options().lattice_of(counted.frequency)
    ambiguous = next(list_ambiguous_columns(counted.frequency, lattice), None)
    if ambiguous is None:
        return None
    return (
        f"{method} mixes levels, and the hierarchy of column {ambiguous[0]!r} writes different "
        "values alike at different levels"
    )
