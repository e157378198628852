"""Make the page on which a reviewer decides about the findings of a planned release."""

from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Unpack

from lookalike.flow.linked_release import LinkedRelease
from lookalike.flow.release import prepare
from lookalike.flow.report_folder import read_new_path, write_new
from lookalike.flow.require_review import describe_subject
from lookalike.flow.result import Release
from lookalike.flow.source import describe_table
from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.model.progress import Announce
from lookalike.publish.review import Subject
from lookalike.report.review_page import PlannedRelease, write_review_page
from lookalike.risk.finding import PreflightFinding
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import name_options


@dataclass(frozen=True)
class ReviewPage(Discreet, JsonResult):
    """A page for the reviewer of a release that is planned.

    Parameters
    ----------
    html
        The page.
    subject
        What the answer will be about: specification and source by their digests, recipient and
        purpose.
    findings
        The findings that the reviewer decides about.
    page
        The file that the page was written to, if one was asked for.
    """

    json_names = "**subject findings page"

    html: str
    subject: Subject
    findings: tuple[PreflightFinding, ...]
    page: Path | None = None


@name_options
def review(
    spec: Specification | str | PathLike[str],
    *,
    page: str | PathLike[str] | None = None,
    announce: Announce = lambda _: None,
    **changes: Unpack[SpecificationOptions],
) -> ReviewPage:
    """Make the page on which a reviewer accepts or refuses the findings of a planned release.

    The release is decided on as for publishing, and nothing is published. The page saves the
    answer of the reviewer as a file, which ``review`` of a specification names.

    Parameters
    ----------
    spec
        A specification or its file.
    page
        A new file to write the page to, outside of any release.
    announce
        Callback that receives the name of each step as it begins.
    **changes
        Fields that replace those of the specification, as for :func:`release`.

    Raises
    ------
    InvalidInput
        If the source is not files of this machine, or the page cannot be written.
    """
    target = read_new_path("page", page)
    given, _ = describe_table(None, spec, None, {**changes, "review": None})
    drawn = _draw_linked(given, announce) if given.is_linked else _draw(given, announce)
    if target is not None:
        write_new("page", target, drawn.html.encode(), mode=0o600)
    return replace(drawn, page=target)


def _draw(given: Specification, announce: Announce) -> ReviewPage:
    """Draw the page for the reviewer of a release of one table."""
    specification = settle_columns(given)
    subject = describe_subject(specification)
    return draw_review(prepare(specification, announce), subject)


def _draw_linked(specification: Specification, announce: Announce) -> ReviewPage:
    """Draw the page for the reviewer of a release of linked tables."""
    from lookalike.flow.release_records import prepare_records  # what one table does not need

    subject = describe_subject(specification)
    return draw_linked_review(prepare_records(specification, announce), subject)


def draw_linked_review(made: LinkedRelease, subject: Subject) -> ReviewPage:
    """Draw the page for the reviewer of linked tables that were decided on."""
    tables = made.certificate.tables
    planned = PlannedRelease(
        subject,
        made.preflight,
        quasi_identifiers=(),
        as_they_are=[f"{one.name}.{name}" for one in tables for name in one.released_as_they_are],
        method=made.specification.release.method,
        rows_in=made.persons_in,
        rows_out=made.persons_out,
        precision=made.overall_precision,
        promise=made.certificate.statement,
        units=made.certificate.units,
    )
    return ReviewPage(write_review_page(planned), subject, made.preflight)


def draw_review(made: Release, subject: Subject) -> ReviewPage:
    """Draw the page for the reviewer of a release that was decided on."""
    findings = made.check()
    promised = made.plan.requirement.protected(made.plan.frequency.attributes)
    known = made.plan.requirement.answers
    planned = PlannedRelease(
        subject,
        findings,
        quasi_identifiers=tuple(
            (one.attributes, one.k, "rows" if one.respondent is None else "persons")
            for one in promised
        ),
        as_they_are=made.plan.unchanged,
        method=made.specification.release.method,
        rows_in=made.plan.frequency.rows,
        rows_out=made.plan.rows_out,
        precision=made.measures.precision,
        answers=None
        if known is None
        else (made.plan.answers, known.known, promised[0].k if known.k is None else known.k),
    )
    return ReviewPage(write_review_page(planned), subject, findings)
