"""Check whether classes of the release share one sensitive value, which is then disclosed."""

from collections.abc import Iterator

import numpy as np

from lookalike.flow.preflight.facts import Facts
from lookalike.flow.preflight.finding import PreflightFinding, count_share, grade
from lookalike.spec.preflight_names import NOT_CHECKED, ONE_SENSITIVE_VALUE


def check_sensitive(facts: Facts) -> Iterator[PreflightFinding]:
    """Check every sensitive column; of several quasi-identifiers, the one with the most rows.

    A column with one value in the whole release discloses nothing by its classes.
    """
    for name in facts.as_is:
        if facts.table.roles[name] == "sensitive":
            found = [count_alike(facts, one, name) for one in facts.quasi_identifiers]
            counted = [one for one in found if one is not None]
            yield from _judge(facts, name, max(counted)) if counted else [_not_checked(name)]


def count_alike(facts: Facts, attributes: tuple[str, ...], name: str) -> tuple[int, int] | None:
    """Count the rows, and the classes, that share one value with their whole class."""
    pairs = facts.sequences((*attributes, name))
    if pairs is None:
        return None
    if len(pairs.values[-1]) < 2:
        return 0, 0
    class_of, classes = pairs.project(range(len(attributes)))
    alike = np.bincount(class_of, minlength=len(classes)) == 1
    return int(classes.counts[alike].sum()), int(alike.sum())


def _judge(facts: Facts, name: str, found: tuple[int, int]) -> Iterator[PreflightFinding]:
    """Report the rows of classes with one value, if there are any."""
    rows, classes = found
    if rows:
        where = "a class that shares" if classes == 1 else f"{classes:,} classes that each share"
        yield PreflightFinding(
            ONE_SENSITIVE_VALUE,
            grade(rows, facts.rows),
            f"{count_share(rows, facts.rows)} are in {where} one value of {name!r}: "
            "whoever knows that a person is in such a class knows the value.",
            f"protect the column (l-diversity): protect = {{ distinct = 2 }} under "
            f"[attributes.{name}]; or raise k, or leave the column out",
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
