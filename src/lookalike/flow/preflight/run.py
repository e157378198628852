"""Run the checks before publishing, and refuse to publish what they stop."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from lookalike.errors import RequirementNotMet
from lookalike.flow.preflight import as_is, columns, derived, kept, persons, requested, sensitive
from lookalike.flow.preflight.facts import Facts
from lookalike.publish.review import Review
from lookalike.risk.finding import PreflightFinding, list_remedies
from lookalike.spec import preflight_names as names
from lookalike.spec.release_fields import ReleaseFields

_SEVEREST_FIRST = ("error", "warning", "note")
"""The order of findings."""


@dataclass(frozen=True)
class PreflightCheck:
    """One check.

    ``name``: its name.
    ``find``: the function that makes it.
    ``needs_release``: whether it can be made only when the release is decided on.
    """

    name: str
    find: Callable[[Facts], Iterator[PreflightFinding]]
    needs_release: bool = False


CHECKS = (
    PreflightCheck(names.REPEATED_PERSONS, persons.check_persons),
    PreflightCheck(names.AS_IS_UNIQUE, as_is.check_unique),
    PreflightCheck(names.AS_IS_UNIQUE_IN_CLASS, as_is.check_unique_in_class, needs_release=True),
    PreflightCheck(names.DERIVED_COLUMN, derived.check_derived, needs_release=True),
    PreflightCheck(names.ONE_SENSITIVE_VALUE, sensitive.check_sensitive, needs_release=True),
    PreflightCheck(names.FREE_TEXT, as_is.check_free_text),
    PreflightCheck(names.UNKNOWN_VALUES, columns.check_unknown),
    PreflightCheck(names.LAST_ROWS, columns.check_last_rows),
    PreflightCheck(names.SMALL_K, requested.check_small_k, needs_release=True),
    PreflightCheck(names.SEARCHED_VALUES, requested.check_secrecy),
    PreflightCheck(names.ONE_VALUE, columns.check_one_value, needs_release=True),
    PreflightCheck(names.COLUMN_LITTLE_KEPT, kept.check_little_kept, needs_release=True),
    PreflightCheck(names.EARLIER_RELEASES, requested.check_earlier),
    PreflightCheck(names.PROTECTED_BY_ITSELF, requested.check_protections_over_time),
    PreflightCheck(names.ROLES_BY_RULE, columns.check_rules),
    PreflightCheck(names.NOT_CHECKED, as_is.list_incomparable),
)


def run_checks(facts: Facts) -> tuple[PreflightFinding, ...]:
    """Make every check that the facts allow; the most serious findings come first."""
    possible = [check for check in CHECKS if facts.plan is not None or not check.needs_release]
    found = chain.from_iterable(check.find(facts) for check in possible)
    return mark_accepted(found, facts.specification.release)


def mark_accepted(
    found: Iterable[PreflightFinding], asked: ReleaseFields
) -> tuple[PreflightFinding, ...]:
    """Mark what the specification or a reviewer accepts; the most serious findings come first."""
    review = None if asked.review is None else Review.read(Path(asked.review))
    marked = [
        replace(one, accepted=one.name in asked.accept or _accepts(review, one)) for one in found
    ]
    return tuple(sorted(marked, key=lambda one: _SEVEREST_FIRST.index(one.severity)))


def _accepts(review: Review | None, finding: PreflightFinding) -> bool:
    """Return whether a reviewer accepted this finding, as it is now."""
    decided = None if review is None else review.find(finding.name, finding.sentence)
    return decided is not None and decided.decision == "accept"


def refuse_to_publish(findings: Sequence[PreflightFinding]) -> None:
    """Raise if a finding stops publishing."""
    stopping = [finding for finding in findings if finding.stops]
    if not stopping:
        return
    listed = "\n".join(
        f"- {one.name}: {one.sentence}\n  Remedy: {remedy}."
        for one, remedy in zip(stopping, list_remedies(stopping), strict=True)
    )
    stopped = list(dict.fromkeys(one.name for one in stopping))
    accept = ", ".join(f'"{name}"' for name in stopped)
    raise RequirementNotMet(
        f"nothing was published, because people would be exposed although k holds:\n{listed}\n"
        f"To publish nevertheless, write accept = [{accept}] under [release], or give "
        f"{' '.join(f'--accept {name}' for name in stopped)}. To let somebody else decide, make a "
        "page for the reviewer with lookalike review."
    )
