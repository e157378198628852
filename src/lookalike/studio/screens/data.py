"""The screen *Data*: choose a table, say how it is read, and see what its columns look like."""

import shlex
from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib.resources import files
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData

from lookalike.errors import InvalidInput
from lookalike.spec.record_fields import PERSONS
from lookalike.studio import folder
from lookalike.studio.editing.edit_toml import set_field
from lookalike.studio.editing.form_fields import list_form, read_form, read_whole
from lookalike.studio.screens.screen import Query, Screen, read_text, read_upload, settle_state
from lookalike.studio.session import Session
from lookalike.studio.table_facts import TableFacts, find_reading

DELIMITER_NAMES = {"": "detected", ",": "comma ,", ";": "semicolon ;", "\t": "tab", "|": "bar |"}
"""The delimiters of a CSV file that can be chosen, with their names."""
MOST_DRAFTS = 3
"""How many earlier drafts are offered."""
TOUR_TABLE = "tour-hospital.csv"
"""The table of the tour."""
_SAMPLE = "shell/data/hospital/hospital.csv"


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return the tables of the folder and the profile of the one that was chosen."""
    reading, linked = find_reading(session.project.table("source")), [*session.project.tables]
    shown = read_whole(query["table"], "table", len(linked) - 1) if query.get("table") else 0
    return {
        "tables": folder.list_files(session.project.folder, "table"),
        "specifications": folder.list_files(session.project.folder, "specification"),
        "facts": session.find_table_facts(linked[shown]),
        "linked": list(_list_linked(session)),
        "shown": shown,
        "left_out": session.left_out,
        "chosen": _find_chosen(session),
        "drafts": list(_list_other_drafts(session)),
        "table": session.table,
        "reading": reading if session.project.text else session.read_as,
        "is_read_so": session.facts is None or session.is_read_so,
        "delimiters": DELIMITER_NAMES,
    }


def _list_linked(session: Session) -> Iterator[tuple[str, Mapping[str, Any], TableFacts | None]]:
    """Yield the linked tables: how each is called and read, and what is known of it."""
    for name, one in session.project.tables.items() if session.project.is_linked else ():
        yield PERSONS if name is None else name, one, session.find_table_facts(name)


def _find_chosen(session: Session) -> str:
    """Return the name of the table that the specification reads, or that was chosen last."""
    path = session.project.table("source").get("path") or session.table or ""
    return Path(str(path)).name


def _list_other_drafts(session: Session) -> Iterator[tuple[str, str]]:
    """Yield the latest drafts that are not open, and when they were edited, in words."""
    today = datetime.now().astimezone().date()
    others = (one for one in session.store.list_drafts() if one[0] != session.project.name)
    for name, edited in islice(others, MOST_DRAFTS):
        yield name, f"{edited:%H:%M}" if edited.date() == today else f"{edited:%Y-%m-%d %H:%M}"


def _continue(session: Session, form: FormData) -> None:
    """Open a draft, whose specification need not be saved yet."""
    name = read_text(form, "draft")
    if name not in dict(session.store.list_drafts()):
        raise InvalidInput("there is no such draft; reload the page")
    session.open_specification(session.project.folder / name)


def _begin_tour(session: Session, _form: FormData) -> None:
    """Copy an invented hospital's table into the folder, and open it."""
    session.refuse_busy()
    sample, path = files("lookalike").joinpath(_SAMPLE), session.project.folder / TOUR_TABLE
    content = sample.read_bytes()
    if not folder.is_plain_file(path) or path.read_bytes() != content:
        path = folder.receive_table(session.project.folder, TOUR_TABLE, BytesIO(content))
    session.open_table(path)
    session.is_touring = True


def _choose(session: Session, form: FormData) -> None:
    """Profile a table of the folder."""
    name = read_text(form, "table")
    session.open_table(folder.find_file(session.project.folder, name, "table"))


def _link(session: Session, form: FormData) -> None:
    """Profile several tables of the folder whose rows belong to the same persons."""
    names = dict.fromkeys(str(one) for one in form.getlist("together"))
    if len(names) < 2:
        raise InvalidInput("select the table of persons and at least one with their records")
    folder_of = session.project.folder
    session.open_linked([folder.find_file(folder_of, one, "table") for one in names])


def _open(session: Session, form: FormData) -> None:
    """Open a specification of the folder."""
    name = read_text(form, "specification")
    session.open_specification(folder.find_file(session.project.folder, name, "specification"))


def _upload(session: Session, form: FormData) -> None:
    """Receive a table, and profile it."""
    session.open_table(folder.receive_table(session.project.folder, *read_upload(form)))


def _read(session: Session, form: FormData) -> None:
    """Read the table in another way, and profile it again."""
    asked = read_form(form, list_form("reading"))
    asked["source.delimiter"] = form.get("source.delimiter", "")  # a tab is not stripped
    if asked["source.delimiter"] not in DELIMITER_NAMES:
        raise InvalidInput("choose one of the delimiters")
    empty = [""] if "missing-empty" in form else []
    asked["source.missing"] = [*empty, *(asked["source.missing"] or [])]
    asked["source.trim"] = "trim" in form
    reading = {place.partition(".")[2]: value or None for place, value in asked.items()}
    session.refuse_busy()
    if session.project.text:
        text = session.project.text
        for name, value in reading.items():
            text = set_field(text, ("source",), name, value)
        session.change(text, "how the table is read")
    reading = {**find_reading(session.project.table("source")), **reading}
    session.profile({name: value for name, value in reading.items() if value is not None})


def _command(session: Session) -> str:
    """Return the command that drafts the specification."""
    chosen = _find_chosen(session)
    paths = [str(one.get("path", "")) for one in session.project.tables.values()]
    if session.project.is_linked and all(paths):
        return shlex.join(("lookalike", "init", *paths))
    return f"lookalike init {shlex.quote(chosen)}" if chosen else "lookalike init TABLE"


DATA_SCREEN = Screen(
    name="data",
    title="Data",
    show=_show,
    command=_command,
    actions={
        "choose": _choose,
        "link": _link,
        "open": _open,
        "continue": _continue,
        "tour": _begin_tour,
        "upload": _upload,
        "read": _read,
    },
    needs_table=False,
    takes_linked=True,
    state=lambda session: settle_state(
        bool(session.project.text), session.facts is None or session.is_read_so
    ),
)
