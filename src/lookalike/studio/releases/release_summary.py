"""What a page shows of a release, made in a process of its own: summaries and comparisons.

ReleaseSummary: what it keeps and promises. ReleaseComparison: the same beside the private table,
with the rows of both.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from lookalike.describe import attributes
from lookalike.describe.classes import ClassFacts, measure_classes
from lookalike.describe.utility.utility_figures import Utility
from lookalike.errors import InvalidInput
from lookalike.examine.verify import Verification, verify
from lookalike.flow.release import PublishedRelease, make_release
from lookalike.flow.require_review import describe_subject
from lookalike.flow.result import Release
from lookalike.flow.review import draw_review
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.risk.finding import PreflightFinding
from lookalike.risk.table.exposure import Exposure
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.studio.editing.edit_toml import parse_toml
from lookalike.studio.editing.project import Project, Stamps, find_stamps, list_changed
from lookalike.studio.releases.candidates import EarlierRelease, see_earlier_releases
from lookalike.studio.releases.paired_table import PairedTable, pair_table


@dataclass(frozen=True)
class ReleaseSummary:
    """What a release keeps and promises, and whether it was published: then it has files.

    ``text``: the specification that it was made from; another one makes another release.
    ``own_files``: what was written for the holder, in the dossier. ``stamps``: those of the files
    that it was made from, before they were read.
    """

    text: str
    rows_in: int
    rows_out: int
    classes: int
    smallest: int
    precision: float
    sentences: tuple[str, ...]
    kept: tuple[attributes.AttributeFigures, ...]
    findings: tuple[PreflightFinding, ...]
    files: tuple[Path, ...] = ()
    own_files: tuple[Path, ...] = ()
    sequences: int = 0
    stamps: Stamps = field(default_factory=dict)


def publish_release(
    announce: Announce, project: Project, replaces: bool, shown: ReleaseSummary | None = None
) -> ReleaseSummary:
    """Make the release that a project asks for, and publish it."""
    stamps = find_stamps(project)

    def confirm(release: Release) -> None:
        now = find_stamps(project)
        changed = list_changed(stamps, now) or (shown and list_changed(shown.stamps, now))
        if changed or (shown and _has_other_rows(shown, release, project)):
            raise InvalidInput(describe_changed(changed or ()))

    made = make_release(decide_roles(project), announce, replace=replaces, confirm=confirm)
    return summarize_release(made, project, stamps)


def describe_changed(paths: Iterable[str]) -> str:
    """Say that what was shown is not what would be published, and what to do."""
    named = ", ".join(paths) or "the source"
    return (
        f"{named}: changed since the release was shown, so a different one would be published; "
        "make a dry run again, review it, then publish"
    )


def _has_other_rows(shown: ReleaseSummary, release: Release, project: Project) -> bool:
    """Return whether other rows were counted in the same way, perhaps of a source without files."""
    before, now = ({**fields, "release": {}} for fields in (parse_toml(shown.text), project.fields))
    read = release.plan.frequency.rows, release.plan.frequency.distinct_sequences
    return before == now and read != (shown.rows_in, shown.sequences)


def verify_release(announce: Announce, project: Project) -> Verification:
    """Verify the published release of a project against its certificate and its source."""
    announce("verify")
    specification = project.specification()
    if specification.release.out is None:
        raise InvalidInput("the specification names no output file, so nothing was published")
    return verify(Path(specification.release.out).parent, spec=specification)


def decide_roles(project: Project) -> Specification:
    """Return the specification of a project, if every role is decided."""
    specification = project.specification()
    specification.decided_roles()
    return specification


def summarize_release(made: PublishedRelease, project: Project, stamps: Stamps) -> ReleaseSummary:
    """Return what a page shows of a release, and of which files it was made."""
    release = made.release
    certificate = made.certificate or release.verify()
    return ReleaseSummary(
        text=project.text,
        rows_in=release.plan.frequency.rows,
        rows_out=release.plan.rows_out,
        classes=release.measures.classes,
        smallest=release.measures.smallest_class,
        precision=release.measures.precision,
        sentences=tuple(summarize_certificate(certificate)),
        kept=attributes.describe_attributes(release.specification, release.plan),
        findings=release.preflight,
        files=tuple(path for path in made.files if isinstance(path, Path)),
        own_files=tuple(path for path in (made.report, made.proof) if path is not None),
        sequences=release.plan.frequency.distinct_sequences,
        stamps=stamps,
    )


BASED_ON_EARLIER = (
    "This release is based on earlier ones and shows values that they have shown, so its rows and "
    "its utility are not compared with the private table."
)


@dataclass(frozen=True)
class ReleaseComparison(Discreet):
    """A release beside the private table. It stays with the data holder.

    ``remark``: why something is missing, such as rows that cannot be compared.
    ``earlier``: the earlier releases that somebody may have together with it. ``review_page``: the
    page for a reviewer; empty if the source is not files.
    """

    summary: ReleaseSummary
    table: PairedTable | None
    attributes: tuple[attributes.AttributeFacts, ...]
    classes: tuple[ClassFacts, ...]
    exposure: Exposure | None
    utility: Utility | None = None
    remark: str = ""
    earlier: tuple[EarlierRelease, ...] = ()
    review_page: str = ""


def compare_release(announce: Announce, project: Project, target: str | None) -> ReleaseComparison:
    """Make the release that a project asks for, write nothing, and compare it with the table.

    ``target``: the column that models are to predict; if it is empty, only distances measure the
    utility, and if it is None, nothing does.
    """
    specification, trial = decide_roles(project), None
    if target:
        from lookalike.flow.utility import ask_trial

        trial = ask_trial(specification, target)  # refuses before the long work
    stamps = find_stamps(project)
    made = make_release(specification, announce, dry_run=True)
    summary, release = summarize_release(made, project, stamps), made.release
    announce("comparing rows")
    earlier, problem = see_earlier_releases(release.specification)
    is_current = release.basis is None or release.basis.shows_current
    compared = ReleaseComparison(
        summary=summary,
        table=pair_table(release) if is_current else None,
        attributes=attributes.compare_attributes(release.specification, release.plan),
        classes=measure_classes(release.plan),
        exposure=release.exposure,
        remark=problem if is_current else BASED_ON_EARLIER,
        earlier=earlier,
        review_page=_draw_review_page(specification, release),
    )
    if target is None or release.basis is not None:
        return compared
    from lookalike.flow.utility import measure_utility

    announce("measuring utility")
    try:
        return replace(compared, utility=measure_utility(release, trial))
    except InvalidInput as error:
        return replace(compared, remark=f"{str(error).capitalize()}.")


def _draw_review_page(specification: Specification, release: Release) -> str:
    """Return the page for a reviewer, unless the source has no digest."""
    unreviewed = specification.release.model_copy(update={"review": None})
    asked = settle_columns(specification.model_copy(update={"release": unreviewed}))
    try:
        return draw_review(release, describe_subject(asked)).html
    except InvalidInput:
        return ""
