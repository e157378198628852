"""Check whether classes of the release share one sensitive value, or nearly, which discloses it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lookalike.draft.toml_text import quote_key
from lookalike.flow.preflight.facts import Facts
from lookalike.kernels.types import Counts
from lookalike.risk.finding import PreflightFinding, count_share, grade
from lookalike.spec.preflight_names import ONE_SENSITIVE_VALUE
from lookalike.tables.dominant import DominantValues, Dominated, list_dominant
from lookalike.tables.engines import engine_of
from lookalike.tables.plan import Plan, class_fates, list_fates

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

    ``rows``: the number of rows of classes that share one value.
    ``classes``: the number of these classes.
    ``nearly_rows``: the number of rows of further classes that nearly share one.
    ``nearly_classes``: the number of these classes.
    ``worst``: the largest share of a value among these.
    ``usual``: the share of that value in the whole release.
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
    for name, found in compare_classes(facts).items():
        yield from _judge(facts, name, found)


def compare_classes(facts: Facts) -> dict[str, list[AlikeClasses]]:
    """Compare the values of each sensitive column in the classes of each quasi-identifier."""
    columns = facts.table.sensitive
    if facts.plan is None or not columns:
        return {}
    compared = []
    for one in facts.requirement.protected(facts.frequency.attributes):
        asked = Dominated(columns, NEARLY, one.respondent)
        found = None
        if not facts.is_large and one.respondent is None:
            found = _compare_sequences(facts, one.attributes, asked)
        compared.append(found or _compare_rows(facts.plan, one.attributes, asked))
    return {name: [*found] for name, *found in zip(columns, *compared, strict=True)}


def _compare_sequences(
    facts: Facts, attributes: tuple[str, ...], columns: Dominated
) -> list[AlikeClasses] | None:
    """Compare the values in the distinct sequences of a small table, counted for other checks."""
    found = []
    for name in columns.names:
        pairs = facts.sequences((*attributes, name))
        if pairs is None:
            return None
        class_of, classes = pairs.project(range(len(attributes)))
        dominant = list_dominant(class_of, pairs.codes[-1], pairs.counts, columns.share)
        found.append(judge_dominant(dominant, classes.counts))
    return found


def _compare_rows(
    plan: Plan, attributes: tuple[str, ...], columns: Dominated
) -> list[AlikeClasses]:
    """Let the engine compare the values of the rows."""
    fates = list_fates(plan.frequency, plan.recoding)
    class_of, rows = class_fates(plan, fates, attributes)
    found = engine_of(plan.table.frame).list_dominant(plan, fates, class_of, columns)
    return [judge_dominant(values, rows) for values in found]


def judge_dominant(found: DominantValues, rows: Counts) -> AlikeClasses:
    """Judge the values that have all rows or persons of a class, or nearly all.

    What is one value of several of a class's persons, and most persons have it, is no news.

    ``rows``: the number of rows of each class.

    Examples
    --------
    >>> class_of, values = np.repeat(np.arange(3), 2), np.array([0, 1, 0, 1, 1, 1])
    >>> found = list_dominant(class_of, values, np.array([19, 1, 10, 10, 15, 5]), NEARLY)
    >>> judge_dominant(found, np.array([20, 20, 20]))
    AlikeClasses(rows=20, classes=1, nearly_rows=20, nearly_classes=1, worst=0.95, usual=0.483...)
    """
    having, members, everybody = found.having, found.members, found.everybody
    alike = (having == members) & (np.where(found.alone, 1, COMMON) * found.usual < everybody)
    nearly = (having < members) & (NEARLY[1] * having >= NEARLY[0] * members)
    nearly &= LESS_DOUBT * (members - having) * everybody <= members * (everybody - found.usual)
    shared = np.isin(np.arange(len(rows)), found.class_of[alike])
    rest = np.isin(np.arange(len(rows)), found.class_of[nearly]) & ~shared
    share = np.where(nearly & rest[found.class_of], having / members, 0.0)
    worst = int(share.argmax()) if len(share) else 0
    return AlikeClasses(
        rows=int(rows[shared].sum()),
        classes=int(shared.sum()),
        nearly_rows=int(rows[rest].sum()),
        nearly_classes=int(rest.sum()),
        worst=float(share[worst]) if rest.any() else 0.0,
        usual=float(found.usual[worst] / everybody) if rest.any() else 0.0,
    )


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
            f"[attributes.{quote_key(name)}]{compared}; or raise k, or leave the column out",
            share=most.rows / facts.rows,
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
            "bound the share of a value: protect = { share = 0.8 } under "
            f"[attributes.{quote_key(name)}], "
            "or protect = { closeness = { t = 0.2 } } to stay near the whole table; or leave the "
            "column out",
            share=nearly.nearly_rows / facts.rows,
        )
