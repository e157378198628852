"""Make the checks that need no release, on the private table of a specification."""

from dataclasses import dataclass

from lookalike.flow.method import refuse_ignored
from lookalike.flow.preflight.facts import Facts
from lookalike.flow.preflight.run import CHECKS, run_checks
from lookalike.flow.release import follow_up
from lookalike.flow.source import read_or_store
from lookalike.json_result import JsonResult
from lookalike.model.progress import Announce, Stopwatch
from lookalike.risk.finding import PreflightFinding
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification


@dataclass(frozen=True)
class TablePreflight(JsonResult):
    """What the checks found in a table before a release is searched for.

    ``findings``: the findings.
    ``needs_release``: the checks that were not made, because they need a release.
    """

    json_names = "holds preflight=findings needs_release"

    findings: tuple[PreflightFinding, ...]
    needs_release: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing stops publishing so far."""
        return not any(finding.stops for finding in self.findings)


def preflight_table(
    specification: Specification, announce: Announce = lambda _: None
) -> TablePreflight:
    """Read and count the table of a specification, and make the checks that need no release."""
    specification = settle_columns(specification)
    specification, earlier = follow_up(specification, announce)
    refuse_ignored(specification)
    counted = read_or_store(specification, Stopwatch(announce))
    announce("checking")
    known = 0 if earlier is None else len(earlier.entries)
    facts = Facts(specification, counted.table, counted.frequency, earlier=known)
    waiting = tuple(check.name for check in CHECKS if check.needs_release)
    return TablePreflight(run_checks(facts), waiting)
