"""The screen *Publish*: where the release goes, try it, publish it, verify it, open its reports."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData

from lookalike.errors import InvalidInput
from lookalike.examine.verify import Verification
from lookalike.spec.policies import POLICIES
from lookalike.spec.preflight_names import (
    AS_IS_UNIQUE,
    AS_IS_UNIQUE_IN_CLASS,
    DERIVED_COLUMN,
    FREE_TEXT,
    NOT_CHECKED,
    ONE_SENSITIVE_VALUE,
    ONE_VALUE,
    REPEATED_PERSONS,
    ROLES_BY_RULE,
    SEARCHED_VALUES,
    SMALL_K,
    UNKNOWN_VALUES,
)
from lookalike.studio.editing.changes import accept_finding
from lookalike.studio.releases.comparison import compare_release
from lookalike.studio.releases.ledger_history import recall_ledger
from lookalike.studio.releases.publishing_fields import (
    PublishingFields,
    find_wrong_fields,
    read_publishing_fields,
    set_publishing_fields,
)
from lookalike.studio.releases.release_summary import (
    ReleaseSummary,
    describe_changed,
    publish_release,
    verify_release,
)
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Refused, Session
from lookalike.studio.stamps import find_stamps, list_changed
from lookalike.tables.files.file_format import CERTIFICATE

REMEDY_SCREENS: Mapping[str, str] = {
    AS_IS_UNIQUE: "roles",
    AS_IS_UNIQUE_IN_CLASS: "roles",
    DERIVED_COLUMN: "roles",
    FREE_TEXT: "roles",
    ROLES_BY_RULE: "roles",
    NOT_CHECKED: "roles",
    REPEATED_PERSONS: "protection",
    ONE_SENSITIVE_VALUE: "protection",
    SEARCHED_VALUES: "protection",
    SMALL_K: "protection",
    UNKNOWN_VALUES: "hierarchies",
    ONE_VALUE: "hierarchies",
}
"""For a finding of the pre-flight the screen with the fields that fix it."""


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return the release of the latest run, and whether one is in its place already."""
    made, history = session.find_result(ReleaseSummary), recall_ledger(session.project)
    fields = read_publishing_fields(session.project)
    attributes = session.project.attributes.items()
    return {
        "made": made,
        "is_current": made is not None and made.text == session.project.text,
        "changed_files": _list_changed_files(session),
        "verification": session.find_result(Verification),
        "fields": fields,
        "policies": POLICIES,
        "row_keys": [name for name, one in attributes if one["role"] == "identifier"],
        "recipients": [*session.project.table("recipients")],
        "history": history,
        "next_words": () if history is None else history.state_next(fields.policy),
        "remedies": REMEDY_SCREENS,
        "exists": (locate_release(session) / CERTIFICATE).is_file(),
    }


def locate_release(session: Session) -> Path:
    """Return the folder of the release that the specification describes."""
    project = session.project
    is_right = bool(project.text) and not project.problems
    asked = project.specification().release.out if is_right else None
    return (project.folder / (asked or "released/table.csv")).parent


def _settle(session: Session, form: FormData) -> None:
    """Change where the release goes, for whom it is, and what remembers it."""
    asked = PublishingFields(
        out=read_text(form, "release.out").strip(),
        dossier=read_text(form, "release.dossier").strip(),
        ledger=read_text(form, "release.ledger").strip(),
        row_key=read_text(form, "source.row_key"),
        source_name=read_text(form, "source.name").strip(),
        policy=read_text(form, "release.policy"),
        recipient=read_text(form, "release.recipient").strip(),
        contract=read_text(form, "recipients.contract").strip(),
        has_report="release.report" in form,
        has_new_people="source.new_people" in form,
    )
    wrong = dict(find_wrong_fields(asked, read_publishing_fields(session.project)))
    if wrong:
        raise Refused(wrong)
    session.change(set_publishing_fields(session.project.text, asked), "ledger and reports")


def _try(session: Session, _form: FormData) -> None:
    """Make the release and write nothing."""
    session.begin_release("dry run", compare_release, session.project, None)


def _publish(session: Session, form: FormData) -> None:
    """Save the specification, make the release and publish it, if it is of the source as shown."""
    changed, shown = _list_changed_files(session), session.find_result(ReleaseSummary)
    if changed:
        raise InvalidInput(describe_changed(changed))
    session.store.save()
    session.begin_release("publish", publish_release, session.project, "replace" in form, shown)


def _list_changed_files(session: Session) -> list[str]:
    """Return the paths whose files have changed since the release that is shown was made."""
    made = session.find_result(ReleaseSummary)
    return [] if made is None else list_changed(made.stamps, find_stamps(session.project))


def _verify(session: Session, _form: FormData) -> None:
    """Verify the published release, with its ledger."""
    session.begin("verify", verify_release, session.project)


def _accept(session: Session, form: FormData) -> None:
    """Accept a finding that stops publishing."""
    name = read_text(form, "finding")
    session.change(accept_finding(session.project.text, name), f"{name} accepted")


def _command(session: Session) -> str:
    """Return the commands that publish and verify."""
    name, folder = shlex.quote(session.project.name), locate_release(session)
    place = folder.relative_to(session.project.folder) if _is_here(session, folder) else folder
    return f"lookalike release {name} && lookalike verify {shlex.quote(str(place))} --spec {name}"


def _is_here(session: Session, folder: Path) -> bool:
    """Return whether a folder is in the one that the studio was opened in."""
    return folder.is_relative_to(session.project.folder)


PUBLISH_SCREEN = Screen(
    name="publish",
    title="Publish",
    show=_show,
    command=_command,
    actions={
        "settle": _settle,
        "try": _try,
        "publish": _publish,
        "verify": _verify,
        "accept": _accept,
    },
    makes_release=True,
    has_style=True,
)
