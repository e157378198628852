"""The screen *Publish*: where the release goes, try it, publish it, verify it, open its reports."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from starlette.datastructures import FormData

from lookalike.draft.toml_text import quote_key
from lookalike.draft.write_draft import write_private
from lookalike.errors import InvalidInput, not_one_of
from lookalike.examine.verify import Verification
from lookalike.publish.review import Review
from lookalike.spec import preflight_names as names
from lookalike.spec.policies import POLICIES
from lookalike.studio.editing.edit_toml import parse_toml, set_field
from lookalike.studio.editing.form_fields import list_form, set_fields
from lookalike.studio.editing.project import Project, find_stamps, list_changed
from lookalike.studio.folder import find_free_name
from lookalike.studio.releases import release_summary
from lookalike.studio.releases.past_releases import recall_ledger
from lookalike.studio.releases.release_summary import ReleaseSummary
from lookalike.studio.screens.screen import (
    Query,
    Screen,
    StepState,
    read_text,
    read_upload,
    settle_state,
)
from lookalike.studio.session import Refused, Session, beside
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
    """Yield each field that is wrong, by its place in the specification, and why.

    A place outside the folder can stay if it was written in the text of the specification.
    """
    for place, example in FOLDER_PLACES.items():
        before = project.table("release").get(place.partition(".")[2])
        if asked[place] not in (None, before) and not _is_inside(asked[place]):
            yield place, f"name a place in this folder, such as {example}"
    if not asked["release.out"]:
        yield "release.out", f"name the file of the release, such as {FOLDER_PLACES['release.out']}"
    if asked["release.policy"] not in POLICIES:
        yield "release.policy", not_one_of("the policy", asked["release.policy"] or "", POLICIES)
    if asked["release.ledger"] and not asked["source.row_key"]:
        yield "source.row_key", "a ledger recognizes rows by a column; choose one"
    if contract and not asked["release.recipient"]:
        yield _CONTRACT, "name the recipient whom it binds"


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
    ),
    "protection": (
        names.REPEATED_PERSONS,
        names.ONE_SENSITIVE_VALUE,
        names.SEARCHED_VALUES,
        names.SMALL_K,
    ),
    "hierarchies": (names.UNKNOWN_VALUES, names.ONE_VALUE),
}
"""The findings of the pre-flight that the fields of each screen fix."""


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return the release of the latest run, and whether one is in its place already."""
    made, history = session.find_result(ReleaseSummary), recall_ledger(session.project)
    release, attributes = session.project.table("release"), session.project.attributes.items()
    keys = [name for name, one in attributes if one["role"] == "identifier"]
    own = str(session.project.table("source").get("row_key") or "")
    known = session.project.table("recipients").get(str(release.get("recipient")))
    return {
        "made": made,
        "is_current": made is not None and made.text == session.project.text,
        "changed_files": _list_changed_files(session),
        "verification": session.find_result(Verification),
        "row_keys": {"": "none"} | {name: name for name in (*keys, own) if name},
        "contract": known.get("contract") or "" if isinstance(known, dict) else "",
        "history": history,
        "policy": release.get("policy"),
        "policies": POLICY_TITLES,
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


def _publish(session: Session, form: FormData) -> None:
    """Save the specification, make the release and publish it, if it is of the source as shown."""
    changed, shown = _list_changed_files(session), session.find_result(ReleaseSummary)
    if changed:
        raise InvalidInput(release_summary.describe_changed(changed))
    session.store.save()
    session.begin_release(
        "publish",
        release_summary.publish_release,
        session.project,
        "replace" in form,
        shown,
        takes_kept=True,
    )


def _list_changed_files(session: Session) -> list[str]:
    """Return the paths whose files have changed since the release that is shown was made."""
    made = session.find_result(ReleaseSummary)
    return [] if made is None else list_changed(made.stamps, find_stamps(session.project))


def _accept(session: Session, form: FormData) -> None:
    """Accept a finding that stops publishing."""
    name = read_text(form, "finding")
    accepted = session.project.table("release").get("accept", [])
    listed = [*dict.fromkeys((*accepted, name))]
    text = set_field(session.project.text, ("release",), "accept", listed)
    session.change(text, f"{name} accepted")


def _give_review_page(session: Session, _query: Query) -> tuple[str, bytes]:
    """Return the page on which a reviewer decides about the latest dry run."""
    compared = session.find_result(release_summary.ReleaseComparison)
    if compared is None or compared.summary.text != session.project.text:
        raise InvalidInput("make a dry run first: the reviewer decides about what it finds")
    if not compared.review_page:
        raise InvalidInput("only a source that is files of this machine can be reviewed")
    return "review.html", compared.review_page.encode()


def _take_review(session: Session, form: FormData) -> None:
    """Store the answer of a reviewer in the folder, and name it in the specification."""
    folder = session.project.folder
    with beside("answer"):
        _, sent = read_upload(form)
        content = sent.read(_LONGEST_REVIEW)
        review = Review.parse(content, "the file")
    text = content.decode("utf-8")
    name = find_free_name(folder, "review.json", text)
    if not (folder / name).exists():
        write_private(folder / name, text)
    changed = set_field(session.project.text, ("release",), "review", name)
    session.change(changed, f"review by {review.reviewer}")


def _command(session: Session) -> str:
    """Return the commands that publish and verify."""
    name, folder = shlex.quote(session.project.name), locate_release(session)
    home = session.project.folder
    place = folder.relative_to(home) if folder.is_relative_to(home) else folder
    return f"lookalike release {name} && lookalike verify {shlex.quote(str(place))} --spec {name}"


def _find_state(session: Session) -> StepState:
    """Return whether the release was published as specified; a finding that stops it shows, too."""
    made = session.find_result(ReleaseSummary)
    if made is None or not (made.files or any(one.stops for one in made.findings)):
        return "open"
    return settle_state(True, bool(made.files) and made.text == session.project.text)


PUBLISH_SCREEN = Screen(
    name="publish",
    title="Publish",
    show=_show,
    command=_command,
    actions={
        "settle": _settle,
        "try": lambda session, _: session.begin_release(
            "dry run", release_summary.compare_release, session.project, None
        ),
        "publish": _publish,
        "verify": lambda session, _: session.begin(
            "verify", release_summary.verify_release, session.project
        ),
        "accept": _accept,
        "answer": _take_review,
    },
    downloads={"review": _give_review_page},
    state=_find_state,
)
