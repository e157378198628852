"""Check whether persons have several rows, so that k rows may be fewer than k persons."""

from collections.abc import Iterator

from lookalike.flow.preflight.facts import MOST_ROWS, Facts
from lookalike.flow.preflight.finding import FEW_ROWS, SMALL_SHARE, PreflightFinding
from lookalike.spec.preflight_names import REPEATED_PERSONS
from lookalike.spec.specification import Specification
from lookalike.tables.count import count_distinct

MOST_ROWS_OF_A_PERSON = 20
"""An identifier with more rows per value on average does not stand for persons."""


def check_persons(facts: Facts) -> Iterator[PreflightFinding]:
    """Check the columns with role identifier for values that repeat.

    The table is checked, since identifiers are not released.
    """
    attributes = facts.specification.attributes
    identifiers = [name for name, one in attributes.items() if one.role == "identifier"]
    if not identifiers or _declares_persons(facts.specification):
        return
    exact = facts.frequency.rows <= MOST_ROWS
    counted = count_distinct(facts.table.frame, identifiers, exact=exact)
    repeated = {
        name: (known - distinct, distinct)
        for name, (distinct, known) in counted.items()
        if distinct < known <= MOST_ROWS_OF_A_PERSON * distinct
    }
    if repeated:
        name = max(repeated, key=lambda one: repeated[one][0])
        yield _describe(facts, name, *repeated[name], about="" if exact else "about ")


def _declares_persons(specification: Specification) -> bool:
    """Return whether the specification says whom the rows are about."""
    return bool(specification.persons)


def _describe(
    facts: Facts, name: str, repeats: int, distinct: int, *, about: str
) -> PreflightFinding:
    """Describe an identifier whose values repeat."""
    rows = facts.frequency.rows
    many = repeats >= SMALL_SHARE * rows and rows >= FEW_ROWS
    return PreflightFinding(
        REPEATED_PERSONS,
        "error" if many else "warning",
        f"identifier {name!r} has {about}{distinct:,} different values in {rows:,} rows: if they "
        "are persons, some have several rows, and a class of k rows may be fewer than k persons.",
        f'name the column under [source], person = "{name}", so that k counts persons; or keep '
        "one row for each person; if the values are not persons, give the column the role drop",
    )
