"""Count_register: read the registers that a release is compared with, and count their people.

The people of a register are counted over the columns that stand for the attributes of the
quasi-identifier, and generalized by the same hierarchies as the table. A value that a hierarchy
does not know is suppressed, so it matches suppressed values only, and everything at the top.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lookalike.errors import Infeasible, InvalidInput
from lookalike.examine.people import read_register
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.model.population import KMap, PresenceBounds, RegisterCondition
from lookalike.model.register import Register, list_register
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.count import count
from lookalike.tables.counted import Counted


def count_registers(
    specification: Specification, hierarchies: Sequence[BoundHierarchy], rows: int
) -> tuple[Register, ...]:
    """Read and count every register that a specification names."""
    rules, found, cleaning = specification.hierarchies(), [], specification.cleaning
    for asked in specification.release.registers:
        name = asked.condition.register
        connection = Connection(specification.resources)
        frame = read_register(asked, name, tuple(rules), connection, cleaning)
        counted = count(frame, [asked.column_of(attribute) for attribute in rules])
        _check_people(asked.condition, counted.rows, rows)
        found.append(bind_register(name, rules, hierarchies, counted))
    return tuple(found)


def refuse_registers(specification: Specification, most: int) -> None:
    """Raise if a register is asked for: the sequences of the table are not in memory."""
    for asked in specification.release.registers:
        raise InvalidInput(
            f"{asked.condition.register} compares the list of all sequences of the table with a "
            f"register in memory, and there are more than max_sequences = {most:,}; raise "
            "max_sequences, or bin the quasi-identifier before"
        )


def _check_people(condition: RegisterCondition, people: int, rows: int) -> None:
    """Raise if a register has too few people for any release of a table with so many rows.

    The shares of people who are in the table, of all classes and of the suppressed rows, average to
    rows ∕ people. So one of them is out of bounds if that is.
    """
    name = condition.register
    if isinstance(condition, KMap) and people < condition.k:
        raise Infeasible(
            f"{name}: the register has {people:,} people, fewer than the {condition.k:,} that "
            "every class must match; lower k of k_map, or give the whole register"
        )
    if isinstance(condition, PresenceBounds) and condition.rest_fails(rows, people):
        raise Infeasible(
            f"{name}: the table has {rows:,} rows and the register {people:,} people, so their "
            "share is out of bounds for the table as a whole, and no release can be within them; "
            "choose other bounds, or give the whole register"
        )


def bind_register(
    name: str,
    rules: Mapping[str, Hierarchy],
    hierarchies: Sequence[BoundHierarchy],
    counted: Counted,
) -> Register:
    """Generalize the people of a register as the table is generalized."""
    paths = [
        _fit(rule, bound).released_paths(bound.column, values, bound.suppressed)
        for rule, bound, values in zip(rules.values(), hierarchies, counted.values, strict=True)
    ]
    return list_register(name, hierarchies, paths, counted.positions, counted.counts)


def _fit(rule: Hierarchy, bound: BoundHierarchy) -> Hierarchy:
    """Fit a rule to the values of the table; it suppresses what it does not know."""
    known = [label for label in bound.labels[0] if label not in (None, bound.suppressed)]
    return replace(rule.fit([label for label in known if label is not None]), unknown="suppress")
