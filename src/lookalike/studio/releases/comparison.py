"""ReleaseComparison: a release beside the private table, made in a process of its own."""

from dataclasses import dataclass, replace

from lookalike.describe.attributes import AttributeFacts, compare_attributes
from lookalike.describe.classes import ClassFacts, measure_classes
from lookalike.errors import InvalidInput
from lookalike.flow.make_release import make_release
from lookalike.flow.result import Release
from lookalike.flow.utility.trial import ModelTrial
from lookalike.flow.utility.utility_figures import Utility
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.risk.table.exposure import Exposure
from lookalike.spec.specification import Specification
from lookalike.studio.editing.project import Project
from lookalike.studio.releases.release_summary import (
    ReleaseSummary,
    decide_roles,
    summarize_release,
)
from lookalike.studio.releases.row_sample import RowSample, compare_rows
from lookalike.studio.stamps import find_stamps

BASED_ON_EARLIER = (
    "This release is based on earlier ones and shows values that they have shown, so its rows and "
    "its utility are not compared with the private table."
)


@dataclass(frozen=True)
class AskedUtility:
    """What is asked of a comparison beyond rows, risk and exposure.

    Parameters
    ----------
    target
        The column that models predict; None for distances only.
    """

    target: str | None = None


@dataclass(frozen=True)
class ReleaseComparison(Discreet):
    """A release beside the private table. It stays with the data holder.

    Parameters
    ----------
    summary
        The release itself, which was not published.
    sample
        Some rows; None if they cannot be compared.
    attributes
        The distribution of each attribute, before and after.
    classes
        The classes and their risk, before and after.
    exposure
        What classes show beyond their values; None if it is not defined or nothing.
    utility
        What the release is good for, if it was asked for.
    remark
        Why something is missing.
    """

    summary: ReleaseSummary
    sample: RowSample | None
    attributes: tuple[AttributeFacts, ...]
    classes: tuple[ClassFacts, ...]
    exposure: Exposure | None
    utility: Utility | None = None
    remark: str = ""

    @property
    def text(self) -> str:
        """The specification that the release was made from."""
        return self.summary.text


def compare_release(
    announce: Announce, project: Project, asked: AskedUtility | None
) -> ReleaseComparison:
    """Make the release that a project asks for, write nothing, and compare it with the table."""
    specification = decide_roles(project)
    trial = _ask_trial(specification, asked)
    stamps = find_stamps(project)
    made = make_release(specification, announce, dry_run=True)
    summary, release = summarize_release(made, project, stamps), made.release
    announce("comparing rows")
    compared = ReleaseComparison(
        summary=summary,
        sample=None if release.basis is not None else compare_rows(release),
        attributes=compare_attributes(release.specification, release.plan),
        classes=measure_classes(release.plan),
        exposure=release.exposure,
        remark="" if release.basis is None else BASED_ON_EARLIER,
    )
    if asked is None or release.basis is not None:
        return compared
    announce("measuring utility")
    return _with_utility(compared, release, trial)


def _ask_trial(specification: Specification, asked: AskedUtility | None) -> ModelTrial | None:
    """Return what models are to predict, before the long work; refuse what cannot be tried."""
    if asked is None or asked.target is None:
        return None
    from lookalike.flow.utility.utility import ask_trial  # imports scipy

    return ask_trial(specification, asked.target)


def _with_utility(
    compared: ReleaseComparison, release: Release, trial: ModelTrial | None
) -> ReleaseComparison:
    """Add what the release is good for, or why that cannot be measured."""
    from lookalike.flow.utility.utility import measure_utility  # imports scipy

    try:
        return replace(compared, utility=measure_utility(release, trial))
    except InvalidInput as error:
        return replace(compared, remark=f"{str(error).capitalize()}.")
