"""LinkedSummary: what a page shows of a release of linked tables, made in a process of its own."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.flow.explore.linked import LinkedExploration, explore_linked
from lookalike.flow.linked_release import LinkedRelease
from lookalike.flow.release_records import PublishedRecords, make_records, publish_records
from lookalike.flow.review import draw_linked_review
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.linked_certificate import LinkedCertificate
from lookalike.publish.review import Subject
from lookalike.risk.finding import PreflightFinding
from lookalike.studio.editing.project import Project, Stamps, find_stamps, list_changed
from lookalike.studio.releases.release_summary import (
    describe_changed,
    is_read_alike,
    prepare_review,
    refuse_changed,
)
from lookalike.studio.work import TaskLine


@dataclass(frozen=True)
class LinkedSummary(Discreet):
    """A release of linked tables, and whether it was published: then it has files.

    The fields are those of :class:`~lookalike.studio.releases.release_summary.ReleaseSummary`.
    """

    text: str
    certificate: LinkedCertificate
    loss: float
    findings: tuple[PreflightFinding, ...]
    stamps: Stamps
    files: tuple[Path, ...] = ()
    own_files: tuple[Path, ...] = ()
    subject: Subject | None = None
    review_page: str = ""


@dataclass(frozen=True)
class KeptRecords(Discreet):
    """A release that stays in the process that made it, and the stamps of what it was made from."""

    release: LinkedRelease
    stamps: Stamps


def try_records(line: TaskLine, project: Project) -> LinkedSummary:
    """Make the release that a project asks for, keep it in this process, and write nothing."""
    stamps = find_stamps(project)
    specification = project.specification()
    made = make_records(specification, line, dry_run=True)
    review = prepare_review(specification, partial(draw_linked_review, made.release))
    refuse_changed(stamps, project)
    line.kept = KeptRecords(made.release, stamps)
    return replace(_summarize(made, project, stamps), **review)


def publish_linked(
    line: TaskLine, project: Project, replaces: bool, shown: LinkedSummary | None = None
) -> LinkedSummary:
    """Publish the release that this process keeps, or make the one that a project asks for."""
    kept: KeptRecords | None = line.kept
    stamps, asked = find_stamps(project) if kept is None else kept.stamps, project.specification()

    def confirm(release: LinkedRelease) -> None:
        now = find_stamps(project)
        changed = list_changed(stamps, now) or (shown and list_changed(shown.stamps, now))
        if changed or (shown and _has_other_rows(shown, release, project)):
            raise InvalidInput(describe_changed(changed or ()))

    if kept is None:
        made = make_records(asked, line, replace=replaces, confirm=confirm)
    else:
        confirm(kept.release)
        made = publish_records(kept.release, asked, replace=replaces)
    line.kept = None
    return _summarize(made, project, stamps)


def _has_other_rows(shown: LinkedSummary, release: LinkedRelease, project: Project) -> bool:
    """Return whether other rows were read than those shown, perhaps of a source without files."""
    before = {one.name: one.rows_in for one in shown.certificate.tables}
    return is_read_alike(shown.text, project) and before != release.rows_in


def _summarize(made: PublishedRecords, project: Project, stamps: Stamps) -> LinkedSummary:
    """Return what a page shows of a release, and of which files it was made."""
    return LinkedSummary(
        text=project.text,
        certificate=made.certificate or made.release.certificate,
        loss=made.release.loss,
        findings=made.release.preflight,
        stamps=stamps,
        files=made.files,
        own_files=() if made.report is None else (made.report,),
    )


@dataclass(frozen=True)
class TriedKnowledge(Discreet):
    """What known records cost, and the specification that it was tried for."""

    text: str
    ks: tuple[int, ...]
    time_limit: float | None
    found: LinkedExploration


def try_knowledge(
    line: TaskLine, project: Project, ks: tuple[int, ...], time_limit: float | None
) -> TriedKnowledge:
    """Make a release for every k and number of known records, and write none."""
    found = explore_linked(project.specification(), ks, time_limit, line)
    return TriedKnowledge(project.text, ks, time_limit, found)
