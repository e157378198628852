"""Check whether classes of the release share one sensitive value, or nearly, which discloses it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lookalike.flow.preflight.facts import MOST_ROWS, Facts
from lookalike.flow.preflight.place_rows import NOT_RELEASED, PlacedRows
from lookalike.kernels.types import Codes, Counts
from lookalike.risk.finding import PreflightFinding, count_share, grade
from lookalike.spec.preflight_names import NOT_CHECKED, ONE_SENSITIVE_VALUE
from lookalike.tables.count import count_within
from lookalike.tables.counted import Counted
from lookalike.tables.plan import Plan
from lookalike.tables.sample import group_codes, take_entries

NEARLY = (9, 10)
"""The share of one value from which a class nearly shares it."""
LESS_DOUBT = 2
"""A class says something of a value if its other values are so many times rarer than in the whole
release: what 95 % of all rows have is no news of a class in which 96 % have it."""
COMMON = 2
"""A value among others of a person is news if fewer than one in so many of all persons have it."""


@dataclass(frozen=True)
class AlikeClasses:
    """The classes in which one value of a column has all rows or persons, or nearly all.

    Parameters
    ----------
    rows
        The number of rows of classes that share one value.
    classes
        The number of these classes.
    nearly_rows
        The number of rows of further classes that nearly share one.
    nearly_classes
        The number of these classes.
    worst
        The largest share of a value among these.
    usual
        The share of that value in the whole release.
    """

    rows: int
    classes: int
    nearly_rows: int
    nearly_classes: int
    worst: float
    usual: float


def check_sensitive(facts: Facts) -> Iterator[PreflightFinding]:
    """Check every sensitive column; of several quasi-identifiers, the one with the most rows.

    A column with one value in the whole release discloses nothing by its classes.
    """
    for name in facts.as_is:
        if facts.table.roles[name] == "sensitive":
            found = compare_all(facts, name)
            yield from _judge(facts, name, found) if found else [_not_checked(name)]


def compare_all(facts: Facts, name: str) -> list[AlikeClasses]:
    """Compare the values of a column in the classes of each quasi-identifier, if they fit."""
    requirement = facts.specification.requirement(facts.frequency.rows)
    protected = requirement.protected(facts.frequency.attributes)
    found = (_compare(facts, one.attributes, one.respondent, name) for one in protected)
    return [one for one in found if one is not None]


def _compare(
    facts: Facts, attributes: tuple[str, ...], person: str | None, name: str
) -> AlikeClasses | None:
    """Compare the values in the classes of one quasi-identifier; by persons if k counts them."""
    if person is not None and facts.plan is not None:
        return _compare_persons(facts, facts.plan, attributes, (name, person))
    pairs = facts.sequences((*attributes, name))
    if pairs is None:
        return None
    class_of = pairs.project(range(len(attributes)))[0]
    return find_alike(class_of, pairs.codes[-1], pairs.counts)


def _compare_persons(
    facts: Facts, plan: Plan, attributes: tuple[str, ...], names: tuple[str, str]
) -> AlikeClasses | None:
    """Compare the persons of each class, of whom each may have several rows and values."""
    columns = [*dict.fromkeys((*facts.table.quasi_identifier, *names))]
    counted = count_within(facts.table.frame, columns, MOST_ROWS)
    if not isinstance(counted, Counted):
        return None
    placed = PlacedRows(plan, facts.specification, take_entries(columns, counted))
    kept = np.flatnonzero(placed.tuple_of != NOT_RELEASED)
    tuples = plan.recoding.visible(plan.frequency, plan.requirement)
    class_of = tuples.classes(plan.frequency, attributes)[0][placed.tuple_of[kept]]
    value, person = (placed.sample.codes[name][kept] for name in names)
    return find_alike(class_of, value, counted.counts[kept], person)


def find_alike(
    class_of: Codes, values: Codes, counts: Counts, person: Codes | None = None
) -> AlikeClasses:
    """Find the classes in which one value has all rows or persons, or nearly all.

    ``person``: the person whose rows these are. With it, a value has the persons with at least one
    row of it; what is one value of several of these persons, and most persons have it, is no news.

    Examples
    --------
    >>> class_of, values = np.repeat(np.arange(3), 2), np.array([0, 1, 0, 1, 1, 1])
    >>> find_alike(class_of, values, np.array([19, 1, 10, 10, 15, 5]))
    AlikeClasses(rows=20, classes=1, nearly_rows=20, nearly_classes=1, worst=0.95, usual=0.483...)
    """
    pair_of, begin, _ = group_codes([class_of, values])
    having = _count_units(pair_of, counts, person)
    of_class = _count_units(class_of, counts, person)[class_of[begin]]
    usual = _count_units(values + 1, counts, person)[values[begin] + 1]
    everybody = int(_count_units(np.zeros_like(class_of), counts, person).sum())
    only = np.bincount(class_of[begin])[class_of[begin]] == 1
    alike = (having == of_class) & (np.where(only, 1, COMMON) * usual < everybody)
    nearly = (having < of_class) & (NEARLY[1] * having >= NEARLY[0] * of_class)
    nearly &= LESS_DOUBT * (of_class - having) * everybody <= of_class * (everybody - usual)
    rows = np.bincount(class_of, counts).astype(np.int64)
    shared = np.isin(np.arange(len(rows)), class_of[begin[alike]])
    rest = np.isin(np.arange(len(rows)), class_of[begin[nearly]]) & ~shared
    nearly &= rest[class_of[begin]]
    share = np.where(nearly, having / of_class, 0.0)
    worst = int(share.argmax()) if len(share) else 0
    return AlikeClasses(
        rows=int(rows[shared].sum()),
        classes=int(shared.sum()),
        nearly_rows=int(rows[rest].sum()),
        nearly_classes=int(rest.sum()),
        worst=float(share[worst]) if rest.any() else 0.0,
        usual=float(usual[worst] / everybody) if rest.any() else 0.0,
    )


def _count_units(codes: Codes, counts: Counts, person: Codes | None) -> Counts:
    """Count the rows with each code, or the distinct persons."""
    if person is None:
        return np.bincount(codes, counts).astype(np.int64)
    first = group_codes([codes, person])[1]
    return np.bincount(codes[first], minlength=int(codes.max(initial=0)) + 1).astype(np.int64)


def _judge(facts: Facts, name: str, found: list[AlikeClasses]) -> Iterator[PreflightFinding]:
    """Report the rows of classes with one value, and with nearly one, if there are any."""
    most = max(found, key=lambda one: (one.rows, one.classes))
    nearly = max(found, key=lambda one: (one.nearly_rows, one.worst))
    whose = "persons" if facts.specification.persons else "rows"
    compared = ", which compares rows" if whose == "persons" else ""
    if most.rows:
        where = "a class" if most.classes == 1 else f"{most.classes:,} classes"
        shares = "that shares" if most.classes == 1 else "that each share"
        if whose == "persons":
            shares = "whose persons share"
        yield PreflightFinding(
            ONE_SENSITIVE_VALUE,
            grade(most.rows, facts.rows),
            f"{count_share(most.rows, facts.rows)} are in {where} {shares} one value of {name!r}: "
            "whoever knows that a person is in such a class knows the value.",
            f"protect the column (l-diversity): protect = {{ distinct = 2 }} under "
            f"[attributes.{name}]{compared}; or raise k, or leave the column out",
        )
    if nearly.nearly_rows:
        where = "a class" if nearly.nearly_classes == 1 else f"{nearly.nearly_classes:,} classes"
        yield PreflightFinding(
            ONE_SENSITIVE_VALUE,
            "note" if grade(nearly.nearly_rows, facts.rows) == "note" else "warning",
            f"{count_share(nearly.nearly_rows, facts.rows)} are in {where} in which at least 90 % "
            f"of the {whose} share one value of {name!r}: {100 * nearly.worst:.1f} % in the worst, "
            f"{100 * nearly.usual:.1f} % in the whole release. Whoever knows that a person is in "
            "such a class can be nearly sure of the value.",
            f"bound the share of a value: protect = {{ share = 0.8 }} under [attributes.{name}], "
            "or protect = { closeness = { t = 0.2 } } to stay near the whole table; or leave the "
            "column out",
        )


def _not_checked(name: str) -> PreflightFinding:
    """Say that there are too many classes and values to compare."""
    return PreflightFinding(
        NOT_CHECKED,
        "note",
        f"Not checked: whether classes share one value of {name!r}, since there are too many "
        "classes and values.",
        "count them in the published file with `lookalike risk`",
    )
