"""Run the checks before publishing, and refuse to publish what they stop."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from lookalike.errors import RequirementNotMet
from lookalike.flow.preflight.as_is import (
    check_free_text,
    check_unique,
    check_unique_in_class,
    list_incomparable,
)
from lookalike.flow.preflight.columns import (
    check_last_rows,
    check_one_value,
    check_rules,
    check_unknown,
)
from lookalike.flow.preflight.derived import check_derived
from lookalike.flow.preflight.facts import Facts
from lookalike.flow.preflight.persons import check_persons
from lookalike.flow.preflight.requested import (
    check_earlier,
    check_protections_over_time,
    check_secrecy,
    check_small_k,
)
from lookalike.flow.preflight.sensitive import check_sensitive
from lookalike.risk.finding import PreflightFinding, list_remedies
from lookalike.spec.preflight_names import (
    AS_IS_UNIQUE,
    AS_IS_UNIQUE_IN_CLASS,
    DERIVED_COLUMN,
    EARLIER_RELEASES,
    FREE_TEXT,
    LAST_ROWS,
    NOT_CHECKED,
    ONE_SENSITIVE_VALUE,
    ONE_VALUE,
    PROTECTED_BY_ITSELF,
    REPEATED_PERSONS,
    ROLES_BY_RULE,
    SEARCHED_VALUES,
    SMALL_K,
    UNKNOWN_VALUES,
)

_ORDER = ("error", "warning", "note")


@dataclass(frozen=True)
class PreflightCheck:
    """One check.

    Parameters
    ----------
    name
        Its name.
    find
        The function that makes it.
    needs_release
        Whether it can be made only when the release is decided on.
    """

    name: str
    find: Callable[[Facts], Iterator[PreflightFinding]]
    needs_release: bool = False


CHECKS = (
    PreflightCheck(REPEATED_PERSONS, check_persons),
    PreflightCheck(AS_IS_UNIQUE, check_unique),
    PreflightCheck(AS_IS_UNIQUE_IN_CLASS, check_unique_in_class, needs_release=True),
    PreflightCheck(DERIVED_COLUMN, check_derived, needs_release=True),
    PreflightCheck(ONE_SENSITIVE_VALUE, check_sensitive, needs_release=True),
    PreflightCheck(FREE_TEXT, check_free_text),
    PreflightCheck(UNKNOWN_VALUES, check_unknown),
    PreflightCheck(LAST_ROWS, check_last_rows),
    PreflightCheck(SMALL_K, check_small_k, needs_release=True),
    PreflightCheck(SEARCHED_VALUES, check_secrecy),
    PreflightCheck(ONE_VALUE, check_one_value, needs_release=True),
    PreflightCheck(EARLIER_RELEASES, check_earlier),
    PreflightCheck(PROTECTED_BY_ITSELF, check_protections_over_time),
    PreflightCheck(ROLES_BY_RULE, check_rules),
    PreflightCheck(NOT_CHECKED, list_incomparable),
)


def run_checks(facts: Facts) -> tuple[PreflightFinding, ...]:
    """Make every check that the facts allow; the most serious findings come first."""
    accepted = facts.specification.release.accept
    found = [
        replace(finding, accepted=finding.name in accepted)
        for check in CHECKS
        if facts.plan is not None or not check.needs_release
        for finding in check.find(facts)
    ]
    return tuple(sorted(found, key=lambda finding: _ORDER.index(finding.severity)))


def refuse_to_publish(findings: Sequence[PreflightFinding]) -> None:
    """Raise if a finding stops publishing."""
    stopping = [finding for finding in findings if finding.stops]
    if not stopping:
        return
    listed = "\n".join(
        f"- {one.name}: {one.sentence}\n  Remedy: {remedy}."
        for one, remedy in zip(stopping, list_remedies(stopping), strict=True)
    )
    names = list(dict.fromkeys(one.name for one in stopping))
    accept = ", ".join(f'"{name}"' for name in names)
    raise RequirementNotMet(
        f"nothing was published, because people would be exposed although k holds:\n{listed}\n"
        f"To publish nevertheless, write accept = [{accept}] under [release], or give "
        f"{' '.join(f'--accept {name}' for name in names)}."
    )
