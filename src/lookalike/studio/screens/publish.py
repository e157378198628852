"""The screen *Publish*: where the release goes, try it, publish it, verify it, open its reports."""

import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from starlette.datastructures import FormData

from lookalike.draft.toml_text import quote_key
from lookalike.draft.write_draft import write_private
from lookalike.errors import InvalidInput, not_one_of
from lookalike.examine.verify import Verification
from lookalike.flow.preflight.run import mark_accepted
from lookalike.publish.review import Review
from lookalike.risk.finding import PreflightFinding
from lookalike.spec import preflight_names as names
from lookalike.spec.policies import POLICIES
from lookalike.studio.editing.edit_toml import parse_toml, set_field
from lookalike.studio.editing.form_fields import list_form, set_fields
from lookalike.studio.editing.project import Project, find_stamps, list_changed
from lookalike.studio.folder import find_free_name
from lookalike.studio.releases import release_summary
from lookalike.studio.releases.past_releases import recall_ledger
from lookalike.studio.screens.screen import (
    Action,
    Query,
    Screen,
    StepState,
    read_text,
    read_upload,
    settle_state,
)
from lookalike.studio.session import Made, Refused, Session, beside
from lookalike.studio.work import Task
from lookalike.tables.files.file_format import CERTIFICATE

FOLDER_PLACES = {
    "release.out": "released/table.csv",
    "release.dossier": "private/dossier",
    "release.ledger": "ledger.db",
}
"""The fields that are places in the folder of the studio, each with an example."""
POLICY_TITLES = {
    "based-on": "keep what earlier releases showed (based-on)",
    "check-only": "make it freely, refuse it if together they show too much (check-only)",
    "all-released-attributes": "protect every column ever released (all-released-attributes)",
    "increments": "show only rows that no release has shown (increments)",
}
"""What each policy does, with its name."""
_SPECIAL = re.compile(r"[\x00-\x1f\\]|://")


_LONGEST_REVIEW = 2**20
_CONTRACT, _FLAGS = "recipients.contract", ("release.report", "source.new_people")


def find_wrong_fields(
    asked: Mapping[str, Any], project: Project, contract: str
) -> Iterator[tuple[str, str]]:
    """Yield each field that is wrong, by its place in the specification, and why."""
    yield from find_wrong_places(asked, project)
    if asked["release.policy"] not in POLICIES:
        yield "release.policy", not_one_of("the policy", asked["release.policy"] or "", POLICIES)
    if asked["release.ledger"] and not asked["source.row_key"]:
        yield "source.row_key", "a ledger recognizes rows by a column; choose one"
    if contract and not asked["release.recipient"]:
        yield _CONTRACT, "name the recipient whom it binds"


def find_wrong_places(asked: Mapping[str, Any], project: Project) -> Iterator[tuple[str, str]]:
    """Yield each place of the release that is wrong, and why.

    A place outside the folder can stay if it was written in the text of the specification.
    """
    for place, example in FOLDER_PLACES.items():
        before, given = project.table("release").get(place.partition(".")[2]), asked.get(place)
        if given not in (None, before) and not _is_inside(given):
            yield place, f"name a place in this folder, such as {example}"
    if not asked["release.out"]:
        yield "release.out", f"name the file of the release, such as {FOLDER_PLACES['release.out']}"


def _is_inside(path: str) -> bool:
    """Return whether a path leads to a place in the folder of the studio."""
    parts = PurePosixPath(path).parts
    return not (_SPECIAL.search(path) or path.startswith(("/", "~")) or ".." in parts)


REMEDY_SCREENS = {
    "roles": (
        names.AS_IS_UNIQUE,
        names.AS_IS_UNIQUE_IN_CLASS,
        names.DERIVED_COLUMN,
        names.FREE_TEXT,
        names.ROLES_BY_RULE,
        names.NOT_CHECKED,
        names.DATES_AS_IS,
    ),
    "protection": (
        names.REPEATED_PERSONS,
        names.ONE_SENSITIVE_VALUE,
        names.SEARCHED_VALUES,
        names.SMALL_K,
        names.RECORD_NUMBERS,
    ),
    "hierarchies": (names.UNKNOWN_VALUES, names.ONE_VALUE),
}
"""The findings of the pre-flight that the fields of each screen fix."""


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return the release of the latest run, and whether one is in its place already."""
    release, attributes = session.project.table("release"), session.project.attributes.items()
    keys = [name for name, one in attributes if one["role"] == "identifier"]
    own = str(session.project.table("source").get("row_key") or "")
    known = session.project.table("recipients").get(str(release.get("recipient")))
    return {
        **show_made(session),
        "row_keys": {"": "none"} | {name: name for name in (*keys, own) if name},
        "contract": known.get("contract") or "" if isinstance(known, dict) else "",
        "history": recall_ledger(session.project),
        "policy": release.get("policy"),
        "policies": POLICY_TITLES,
    }


def show_made(session: Session) -> dict[str, Any]:
    """Return the release of the latest run, its review, and whether one is in its place already."""
    made, review = session.find_made(), _read_review(session)
    return {
        "made": made,
        "is_current": made is not None and is_still_asked(made, session),
        "findings": () if made is None else settle_findings(made, session),
        "review": review,
        "is_about_this": None if review is None else is_about_shown(review, session),
        "is_for_review": made is not None and made.text == session.project.text,
        "changed_files": list_changed_files(session),
        "verification": session.find_result(Verification),
        "remedies": REMEDY_SCREENS,
        "exists": (locate_release(session) / CERTIFICATE).is_file(),
    }


def is_still_asked(made: Made, session: Session) -> bool:
    """Return whether the specification asks for a release; for a published one, in its place."""
    if made.files:
        return made.text == session.project.text
    return release_summary.asks_for_same(made.text, session.project)


def settle_findings(made: Made, session: Session) -> tuple[PreflightFinding, ...]:
    """Return the findings of a release, as they are accepted now."""
    with suppress(InvalidInput):  # of a specification with errors, as they were
        return mark_accepted(made.findings, session.project.specification().release)
    return made.findings


def _read_review(session: Session) -> Review | None:
    """Return the answer of the reviewer that the specification names, if it can be read."""
    with suppress(InvalidInput):
        named = session.project.specification().release.review
        return None if named is None else Review.read(Path(named))
    return None


def is_about_shown(review: Review, session: Session) -> bool | None:
    """Return whether a review is about the release that is shown; None if that is not known."""
    made, purpose = session.find_made(), session.project.table("release").get("purpose")
    if made is None or made.subject is None or not is_still_asked(made, session):
        return None
    return not review.list_changed(replace(made.subject, purpose=purpose))


def locate_release(session: Session) -> Path:
    """Return the folder of the release that the specification describes."""
    project = session.project
    is_right = bool(project.text) and not project.problems
    asked = project.specification().release.out if is_right else None
    return (project.folder / (asked or "released/table.csv")).parent


def _settle(session: Session, form: FormData) -> None:
    """Change where the release goes, for whom it is, and what remembers it."""
    project, contract = session.project, read_text(form, _CONTRACT).strip()
    fields = (*list_form("places"), *list_form("ledger"))
    asked = {one.place: one.read(read_text(form, one.place)) for one in fields}
    asked["source.row_key"] = read_text(form, "source.row_key") or None  # may end in blanks
    wrong = dict(find_wrong_fields(asked, project, contract))
    if wrong:
        raise Refused(wrong)
    if not asked["release.ledger"]:
        asked["release.policy"] = None
    text = set_fields(project.text, asked | {place: place in form for place in _FLAGS})
    if name := asked["release.recipient"]:
        if name not in parse_toml(text).get("recipients", {}):
            text = f"{text.rstrip()}\n\n[recipients.{quote_key(name)}]\n"
        text = set_field(text, ("recipients", name), "contract", contract or None)
    session.change(text, "ledger and reports")


def publish_by(task: Task) -> Action:
    """Return the action that saves the specification and lets a task publish the release.

    It is refused if the release that is shown was made of other files.
    """

    def publish(session: Session, form: FormData) -> None:
        changed, shown = list_changed_files(session), session.find_made()
        if changed:
            raise InvalidInput(release_summary.describe_changed(changed))
        session.store.save()
        asked = session.project, "replace" in form, shown
        session.begin_release("publish", task, *asked, takes_kept=True)

    return publish


def list_changed_files(session: Session) -> list[str]:
    """Return the paths whose files have changed since the release that is shown was made."""
    made = session.find_made()
    return [] if made is None else list_changed(made.stamps, find_stamps(session.project))


def begin_verifying(session: Session, _form: FormData) -> None:
    """Verify the published release."""
    session.begin("verify", release_summary.verify_release, session.project)


def accept(session: Session, form: FormData) -> None:
    """Accept a finding that stops publishing."""
    name = read_text(form, "finding")
    accepted = session.project.table("release").get("accept", [])
    listed = [*dict.fromkeys((*accepted, name))]
    text = set_field(session.project.text, ("release",), "accept", listed)
    session.change(text, f"{name} accepted")


def give_review_page(session: Session, _query: Query) -> tuple[str, bytes]:
    """Return the page on which a reviewer decides about the latest dry run."""
    made = session.find_made()
    if made is None or made.files or made.text != session.project.text:
        raise InvalidInput("make a dry run first: the reviewer decides about what it finds")
    if not made.review_page:
        raise InvalidInput("only a source that is files of this machine can be reviewed")
    return "review.html", made.review_page.encode()


def take_review(session: Session, form: FormData) -> None:
    """Store the answer of a reviewer in the folder, and name it in the specification."""
    folder = session.project.folder
    with beside("answer"):
        _, sent = read_upload(form)
        content = sent.read(_LONGEST_REVIEW)
        review = Review.parse(content, "the file")
        if is_about_shown(review, session) is False:
            raise InvalidInput(
                "this answer is about another specification, source, recipient or purpose than the "
                "release that is shown; save its page for the reviewer, and send that"
            )
    text = content.decode("utf-8")
    name = find_free_name(folder, "review.json", text)
    if not (folder / name).exists():
        write_private(folder / name, text)
    changed = set_field(session.project.text, ("release",), "review", name)
    session.change(changed, f"review by {review.reviewer}")


def set_review_aside(session: Session, _form: FormData) -> None:
    """Name no answer of a reviewer any more; its file stays."""
    text = set_field(session.project.text, ("release",), "review", None)
    session.change(text, "review set aside")


def write_publishing(session: Session) -> str:
    """Return the commands that publish and verify; linked tables are verified by themselves."""
    name, folder = shlex.quote(session.project.name), locate_release(session)
    home = session.project.folder
    place = folder.relative_to(home) if folder.is_relative_to(home) else folder
    against = "" if session.project.is_linked else f" --spec {name}"
    return f"lookalike release {name} && lookalike verify {shlex.quote(str(place))}{against}"


def find_publishing_state(session: Session) -> StepState:
    """Return whether the release was published as specified; a finding that stops it shows, too."""
    made = session.find_made()
    if made is None:
        return "open"
    if not (made.files or any(one.stops for one in settle_findings(made, session))):
        return "open"
    return settle_state(True, bool(made.files) and is_still_asked(made, session))


PUBLISH_SCREEN = Screen(
    name="publish",
    title="Publish",
    show=_show,
    command=write_publishing,
    actions={
        "settle": _settle,
        "try": lambda session, _: session.begin_release(
            "dry run", release_summary.compare_release, session.project, None
        ),
        "publish": publish_by(release_summary.publish_release),
        "verify": begin_verifying,
        "accept": accept,
        "answer": take_review,
        "set-aside": set_review_aside,
    },
    downloads={"review": give_review_page},
    state=find_publishing_state,
)
