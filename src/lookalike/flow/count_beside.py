"""Count_beside: count the persons and the protected sensitive values of a table, too.

A requirement that speaks of persons or of sensitive values needs a frequency list that knows them
(:mod:`lookalike.model.beside`). The table is then counted over the quasi-identifier and these
columns together, in one query.
"""

from collections.abc import Sequence

import numpy as np

from lookalike.errors import Infeasible, InvalidInput
from lookalike.flow.resume import find_hashed
from lookalike.hierarchy.value_order import rank_values
from lookalike.model.beside import Beside, Persons, Sensitive, number_persons
from lookalike.model.requirement import Requirement
from lookalike.spec.specification import Specification
from lookalike.tables.count import StoredCount, count_distinct, count_within, number_of_rows
from lookalike.tables.counted import Counted
from lookalike.tables.table import Table


def find_beside(specification: Specification, table: Table) -> list[str]:
    """Return the columns that must be counted beside the quasi-identifier.

    Persons who have one row each need not be counted: k rows are then k persons. Rows without a
    person count as rows of one person.
    """
    persons = specification.persons
    if persons:
        rows = number_of_rows(table.frame)
        found = count_distinct(table.frame, persons)
        persons = tuple(name for name in persons if found[name] != (rows, rows))
    return [*persons, *specification.protected_columns]


def count_with_beside(
    specification: Specification, table: Table, beside: Sequence[str], most: int
) -> Counted:
    """Count a table over its quasi-identifier and further columns."""
    hashed = () if {*beside} & {*specification.persons} else find_hashed(specification, table)
    counted = count_within(table.frame, (*table.quasi_identifier, *beside), most, hashed)
    if isinstance(counted, StoredCount):
        raise InvalidInput(
            f"persons and protections of sensitive values need the list of all combinations of "
            f"the quasi-identifier with {', '.join(map(repr, beside))} in memory, and there are "
            f"more than max_sequences = {most:,}; raise max_sequences, or bin the quasi-identifier "
            "before"
        )
    return counted


def describe_beside(
    specification: Specification, counted: Counted, beside: Sequence[str]
) -> tuple[Beside, ...]:
    """Return the columns beside the quasi-identifier, with the code of each entry."""
    linkable = len(counted.values) - len(beside)
    return tuple(
        number_persons(name, counted.positions[place], counted.counts)
        if name in specification.persons
        else _describe_sensitive(specification, name, counted, place)
        for place, name in enumerate(beside, start=linkable)
    )


def _describe_sensitive(
    specification: Specification, name: str, counted: Counted, place: int
) -> Sensitive:
    """Number the values of a sensitive column, in their order if they are compared by it."""
    attribute, values = specification.attributes[name], counted.values[place]
    codes, levels = counted.positions[place], np.empty((0, len(values)), dtype=np.int32)
    if attribute.protect is not None and attribute.protect.compares_by("ordered"):
        codes = rank_values(name, values)[codes]
    if attribute.hierarchy is not None:
        bound = attribute.hierarchy.bind(name, values, specification.release.suppressed_label)
        levels = np.stack([level[bound.ground] for level in bound.levels])
    reference = np.bincount(codes, counted.counts).astype(np.int64)
    return Sensitive(name, codes, reference=reference, levels=levels)


def require_enough_values(beside: Sequence[Beside], requirement: Requirement) -> None:
    """Raise if a sensitive column has fewer values than a protection needs in every class."""
    columns = {one.column: one for one in beside if isinstance(one, Sensitive)}
    for asked in requirement.protections:
        column, found = columns[asked.column], np.count_nonzero(columns[asked.column].reference)
        needed = asked.protection.bound(column.levels).least_distinct(column.reference)
        if found < needed:
            raise Infeasible(
                f"{asked.protection.name} of column {asked.column!r} needs at least {needed:,} "
                f"different values in every class, and the whole column has {found:,} only, so "
                f"that no release satisfies it; ask for less under [attributes.{asked.column}]"
            )


def require_k_persons(beside: Sequence[Beside], counted: Counted, requirement: Requirement) -> None:
    """Raise if the persons, some of whom have several rows, cannot satisfy the requirement.

    There must be k of them, and rows that are kept blank are counted in rows.
    """
    k = requirement.largest_k
    for column in beside:
        if isinstance(column, Persons):
            if requirement.suppressed_rows == "blank":
                raise InvalidInput(
                    f'suppressed_rows = "blank" keeps suppressed rows as a class, which would need '
                    f"k persons, but persons in column {column.column!r} have several rows; leave "
                    'suppressed rows out (suppressed_rows = "drop")'
                )
            everybody = np.zeros(len(counted.counts), dtype=np.int32)
            [persons] = column.count(everybody, counted.counts, 1).tolist()
            if persons < k:
                raise Infeasible(
                    f"the table has {persons:,} persons in column {column.column!r}, fewer than k "
                    f"= {k}: no release of it can be {k}-anonymous; lower k or collect more rows"
                )
