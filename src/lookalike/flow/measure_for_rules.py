"""Measure a release for the rules of laws, agencies and standards; for its holder."""

from typing import TYPE_CHECKING

import numpy as np

from lookalike.draft.column import ColumnProfile
from lookalike.draft.profile import VALUES_OF_COLUMN, profile_column
from lookalike.flow.preflight.facts import Facts
from lookalike.flow.preflight.sensitive import compare_classes
from lookalike.kernels.types import Counts
from lookalike.model.tuples import Tuples
from lookalike.publish.certificate import Certificate
from lookalike.report.rules import measured
from lookalike.report.rules.shown_identifiers import recognize_identifier
from lookalike.tables.plan import Plan

if TYPE_CHECKING:
    from lookalike.flow.result import Release


def measure_for_rules(
    release: "Release", certificate: Certificate | None = None
) -> measured.MeasuredFigures:
    """Measure a release for :func:`~lookalike.report.rules.judge.judge_rules`.

    ``certificate``: the certificate of the written file, if there is one; else that of
    ``release.table``.
    """
    facts, plan = release.facts, release.plan
    certified = release.certificate if certificate is None else certificate
    visible = plan.recoding.visible(plan.frequency, plan.requirement)
    together = visible.classes(plan.frequency, plan.frequency.attributes)[1]
    identifiers, unrecognized = _recognize(facts, plan, visible)
    return measured.MeasuredFigures(
        rows=certified.rows_out,
        rows_suppressed=certified.rows_suppressed,
        smallest=_list_smallest(certified),
        smallest_together=int(together.min()),
        as_is=plan.table.unchanged,
        unique_as_is=_count_unique_as_is(facts),
        unique_rows=_count_unique(facts, plan, together),
        pseudonyms=tuple(plan.table.pseudonym_keys),
        sensitive=_list_sensitive(facts),
        identifiers=identifiers,
        unrecognized=unrecognized,
        earlier_releases=certified.earlier_considered,
        rows_complementary=certified.rows_complementary,
    )


def _list_smallest(certificate: Certificate) -> tuple[measured.SmallestClass, ...]:
    """Return the smallest class over each quasi-identifier, in persons where k counts them."""
    return tuple(
        measured.SmallestClass(
            one.attributes,
            "rows" if one.persons_reached is None else "persons",
            one.k_reached if one.persons_reached is None else one.persons_reached,
            one.classes,
        )
        for one in certificate.quasi_identifiers
    )


def _count_unique_as_is(facts: Facts) -> int | None:
    """Return the rows that the columns released as they are single out together, if counted."""
    if facts.incomparable or not facts.as_is:
        return None if facts.incomparable else 0
    return None if facts.singled_out is None else facts.singled_out.jointly.rows


def _count_unique(facts: Facts, plan: Plan, together: Counts) -> int | None:
    """Count the rows that are unique over all columns; without columns as they are, by class."""
    if facts.incomparable:
        return None
    if not facts.as_is:
        return int((together == 1).sum())
    found = facts.sequences((*plan.frequency.attributes, *facts.as_is))
    return None if found is None else int((found.counts == 1).sum())


def _list_sensitive(facts: Facts) -> tuple[measured.SensitiveColumn, ...]:
    """Measure every sensitive column: the rows that share one value with their class.

    Of several quasi-identifiers, the one with the most rows counts.
    """
    compared, listed = compare_classes(facts), []
    for name in facts.table.unchanged:
        if facts.table.roles[name] == "sensitive":
            counted = [(one.rows, one.classes) for one in compared.get(name, ())]
            protected = facts.specification.attributes[name].protect is not None
            rows, classes = max(counted, default=(None, None))
            listed.append(measured.SensitiveColumn(name, rows, classes, protected))
    return tuple(listed)


def _recognize(
    facts: Facts, plan: Plan, visible: Tuples
) -> tuple[tuple[measured.RecognizedIdentifier, ...], tuple[str, ...]]:
    """Return the released columns that are identifiers, and those that were not recognized."""
    identifiers, unrecognized = [], []
    for name in plan.table.released:
        profile, released = _list_values(facts, plan, visible, name)
        pseudonym = name in plan.table.pseudonym_keys
        meaning, identifier = recognize_identifier(profile, released, pseudonym=pseudonym)
        if identifier is not None:
            identifiers.append(identifier)
        elif meaning is None:
            unrecognized.append(name)
    return tuple(identifiers), tuple(unrecognized)


def _list_values(
    facts: Facts, plan: Plan, visible: Tuples, name: str
) -> tuple[ColumnProfile, list[str]]:
    """Return the private values of a column, and its different values in the release."""
    if name in plan.frequency.attributes:
        return _list_generalized(plan, visible, plan.frequency.attributes.index(name))
    rows = plan.frequency.rows
    if name in facts.incomparable or name in plan.table.pseudonym_keys:
        return ColumnProfile(name, rows, (), (), 0), []
    profile = _profile(facts, name)
    return profile, list(profile.values)


def _profile(facts: Facts, name: str) -> ColumnProfile:
    """Return the values of a column in the release; of very many, those of the private table."""
    found = facts.sequences([name])
    if found is None:
        return profile_column(facts.table.frame, name, facts.rows)
    texts = [found.values[0][code] for code in found.codes[0].tolist()]
    pairs = zip(texts, found.counts.tolist(), strict=True)
    counts = {text: rows for text, rows in pairs if text is not None}
    known = sorted(counts, key=lambda text: (-counts[text], text))[:VALUES_OF_COLUMN]
    return ColumnProfile(
        name=name,
        rows=facts.rows,
        values=tuple(known),
        counts=tuple(counts[text] for text in known),
        distinct=len(counts),
        missing=facts.rows - sum(counts.values()),
    )


def _list_generalized(
    plan: Plan, visible: Tuples, attribute: int
) -> tuple[ColumnProfile, list[str]]:
    """Return the private values of an attribute, and its labels in the release."""
    frequency, hierarchy = plan.frequency, plan.frequency.hierarchies[attribute]
    texts = tuple(text for text in hierarchy.labels[0] if text is not None)
    profile = ColumnProfile(
        name=hierarchy.column,
        rows=frequency.rows,
        values=texts,
        counts=(1,) * len(texts),
        distinct=len(texts),
    )
    labels, shown = visible.shown(frequency, attribute)
    released = (labels[place] for place in np.unique(shown))
    return profile, [text for text in released if text not in (None, hierarchy.suppressed)]
