"""What a page shows of a release, made in a process of its own: summaries and comparisons.

ReleaseSummary: what it keeps and promises. ReleaseComparison: the same beside the private table,
with the rows of both.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from lookalike.describe import attributes
from lookalike.describe.classes import ClassFacts, measure_classes
from lookalike.describe.utility.utility_figures import Utility
from lookalike.errors import InvalidInput
from lookalike.examine.verify import Verification, verify
from lookalike.flow.make_release import PublishedRelease, ask_again, make_release, publish_kept
from lookalike.flow.require_review import DECIDES_NOTHING, describe_subject
from lookalike.flow.result import Release
from lookalike.flow.review import ReviewPage, draw_review
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.publish.review import Subject
from lookalike.risk.finding import PreflightFinding
from lookalike.risk.table.exposure import Exposure
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.studio.editing.edit_toml import parse_toml
from lookalike.studio.editing.project import Project, Stamps, find_stamps, list_changed
from lookalike.studio.releases.candidates import EarlierRelease, see_earlier_releases
from lookalike.studio.releases.paired_table import PairedTable, pair_table
from lookalike.studio.work import TaskLine


@dataclass(frozen=True)
class ReleaseSummary:
    """What a release keeps and promises, and whether it was published: then it has files.

    ``text``: the specification that it was made from; another one makes another release.
    ``own_files``: what was written for the holder, in the dossier. ``stamps``: those of the files
    that it was made from, before they were read. ``subject``, ``review_page``: what a review of a
    dry run is about, and the page for the reviewer; none if the source is not files.
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
    subject: Subject | None = None
    review_page: str = ""


@dataclass(frozen=True)
class KeptRelease(Discreet):
    """A release that stays in the process that made it, and the stamps of what it was made from."""

    made: PublishedRelease
    stamps: Stamps


def is_same_release(text: str, stamps: Stamps, project: Project) -> bool:
    """Return whether a project asks for the release that was made, from files that did not change.

    ``text``, ``stamps``: what it was made from.

    Without files, such as of a server, nobody knows whether the source has changed.
    """
    paths = [one.get("path") for one in project.tables.values()]
    has_files = all(isinstance(path, str) and stamps.get(path) for path in paths)
    return has_files and asks_for_same(text, project) and find_stamps(project) == stamps


def asks_for_same(text: str, project: Project) -> bool:
    """Return whether a project asks for the rows that a specification asks for."""
    asked = [_list_deciding(fields) for fields in (parse_toml(text), project.fields)]
    return asked[0] == asked[1]


def _list_deciding(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a specification that decide what is released."""
    release = dict(fields.get("release", {}))
    return {**fields, "release": {name: release[name] for name in release.keys() - DECIDES_NOTHING}}


def publish_release(
    line: TaskLine, project: Project, replaces: bool, shown: ReleaseSummary | None = None
) -> ReleaseSummary:
    """Publish the release that this process keeps, or make the one that a project asks for."""
    kept: KeptRelease | None = line.kept
    stamps = find_stamps(project) if kept is None else kept.stamps

    def confirm(release: Release) -> None:
        now = find_stamps(project)
        changed = list_changed(stamps, now) or (shown and list_changed(shown.stamps, now))
        if changed or (shown and _has_other_rows(shown, release, project)):
            raise InvalidInput(describe_changed(changed or ()))

    asked = decide_roles(project)
    if kept is None:
        made = make_release(asked, line, replace=replaces, confirm=confirm)
    else:
        made = publish_kept(kept.made.release, asked, replace=replaces, confirm=confirm)
    line.kept = None
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
    read = release.plan.frequency.rows, release.plan.frequency.distinct_sequences
    return is_read_alike(shown.text, project) and read != (shown.rows_in, shown.sequences)


def is_read_alike(text: str, project: Project) -> bool:
    """Return whether a specification and that of a project differ in ``[release]`` only."""
    before, now = ({**fields, "release": {}} for fields in (parse_toml(text), project.fields))
    return before == now


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
    ``earlier``: the earlier releases that somebody may have together with it.
    """

    summary: ReleaseSummary
    table: PairedTable | None
    attributes: tuple[attributes.AttributeFacts, ...]
    classes: tuple[ClassFacts, ...]
    exposure: Exposure | None
    utility: Utility | None = None
    remark: str = ""
    earlier: tuple[EarlierRelease, ...] = ()


def compare_release(line: TaskLine, project: Project, target: str | None) -> ReleaseComparison:
    """Make the release that a project asks for, write nothing, and compare it with the table.

    The process keeps the release, so that the next comparison and publishing search no more.

    ``target``: the column that models are to predict; if it is empty, only distances measure the
    utility, and if it is None, nothing does.
    """
    specification, trial = decide_roles(project), None
    if target:
        from lookalike.flow.utility import ask_trial

        trial = ask_trial(specification, target)  # refuses before the long work
    if line.kept is None:
        stamps = find_stamps(project)
        made = make_release(specification, line, dry_run=True, replace=True)
    else:
        stamps = line.kept.stamps
        made = replace(line.kept.made, release=ask_again(line.kept.made.release, specification))
    line.kept = KeptRelease(made, stamps)
    summary, release = summarize_release(made, project, stamps), made.release
    asked = settle_columns(specification)
    summary = replace(summary, **prepare_review(asked, partial(draw_review, release)))
    line("comparing rows")
    earlier, problem = see_earlier_releases(release.specification)
    refuse_changed(stamps, project)
    is_current = release.basis is None or release.basis.shows_current
    compared = ReleaseComparison(
        summary=summary,
        table=pair_table(release) if is_current else None,
        attributes=attributes.compare_attributes(release.specification, release.plan),
        classes=measure_classes(release.plan),
        exposure=release.exposure,
        remark=problem if is_current else BASED_ON_EARLIER,
        earlier=earlier,
    )
    if target is None or release.basis is not None:
        return compared
    from lookalike.flow.utility import measure_utility

    line("measuring utility")
    try:
        return replace(compared, utility=measure_utility(release, trial))
    except InvalidInput as error:
        return replace(compared, remark=f"{str(error).capitalize()}.")


def prepare_review(
    specification: Specification, draw: Callable[[Subject], ReviewPage]
) -> dict[str, Any]:
    """Return what a review is about, and the page for it; nothing if the source has no digest."""
    unreviewed = specification.release.model_copy(update={"review": None})
    try:
        subject = describe_subject(specification.model_copy(update={"release": unreviewed}))
    except InvalidInput:
        return {}
    return {"subject": subject, "review_page": draw(subject).html}


def refuse_changed(stamps: Stamps, project: Project) -> None:
    """Raise if a file has changed since a release was begun, whose digest would be another one."""
    changed = list_changed(stamps, find_stamps(project))
    if changed:
        raise InvalidInput(describe_changed(changed))
