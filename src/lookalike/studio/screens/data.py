"""The screen *Data*: choose a table, say how it is read, and see what its columns look like."""

import re
import shlex
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData, UploadFile

from lookalike.errors import InvalidInput
from lookalike.studio.editing.edit_toml import set_field
from lookalike.studio.folder import (
    find_specification,
    find_table,
    list_specifications,
    list_tables,
    receive_table,
)
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Session
from lookalike.studio.table_facts import find_reading

DELIMITER_NAMES = {"": "detected", ",": "comma ,", ";": "semicolon ;", "\t": "tab", "|": "bar |"}
"""The delimiters of a CSV file that can be chosen, with their names."""
SURROUNDING_NAMES = {
    "header_row": "Row with the column names",
    "skip_rows": "Rows between names and data",
    "last_rows": "Rows at the end that are no data",
}
"""The fields that say which rows of a file are no data, with their labels."""


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return the tables of the folder and the profile of the one that was chosen."""
    reading = find_reading(session.project.table("source"))
    return {
        "tables": list_tables(session.project.folder),
        "specifications": list_specifications(session.project.folder),
        "facts": session.facts,
        "chosen": _find_chosen(session),
        "table": session.table,
        "reading": reading if session.project.text else session.read_as,
        "is_read_so": session.facts is None or session.is_read_so,
        "delimiters": DELIMITER_NAMES,
        "surroundings": SURROUNDING_NAMES,
    }


def _find_chosen(session: Session) -> str:
    """Return the name of the table that the specification reads, or that was chosen last."""
    path = session.project.table("source").get("path") or session.table or ""
    return Path(str(path)).name


def _choose(session: Session, form: FormData) -> None:
    """Profile a table of the folder."""
    session.open_table(find_table(session.project.folder, read_text(form, "table")))


def _open(session: Session, form: FormData) -> None:
    """Open a specification of the folder."""
    name = read_text(form, "specification")
    session.open_specification(find_specification(session.project.folder, name))


def _upload(session: Session, form: FormData) -> None:
    """Receive a table, and profile it."""
    sent = form.get("file")
    if not isinstance(sent, UploadFile) or not sent.filename:
        raise InvalidInput("choose a file to upload")
    session.open_table(receive_table(session.project.folder, sent.filename, sent.file))


def _read(session: Session, form: FormData) -> None:
    """Read the table in another way, and profile it again."""
    asked = _read_reading(form)
    session.refuse_busy()
    if session.project.text:
        text = session.project.text
        for name, value in asked.items():
            text = set_field(text, ("source",), name, value)
        session.change(text, "how the table is read")
    reading = {**find_reading(session.project.table("source")), **asked}
    session.profile({name: value for name, value in reading.items() if value is not None})


def _read_reading(form: FormData) -> dict[str, Any]:
    """Return how a form asks to read a table; `None` for a field that is not needed."""
    delimiter = read_text(form, "source.delimiter")
    if delimiter not in DELIMITER_NAMES:
        raise InvalidInput("choose one of the delimiters")
    lines = read_text(form, "source.missing").splitlines()
    markers = [one for one in dict.fromkeys(map(str.strip, lines)) if one]
    empty = [""] if "missing-empty" in form else []
    return {
        "encoding": read_text(form, "source.encoding").strip() or None,
        "delimiter": delimiter or None,
        **{name: _read_rows(form, name) for name in SURROUNDING_NAMES},
        "missing": [*empty, *markers] or None,
        "trim": True if "trim" in form else None,
        "where": read_text(form, "source.where").strip() or None,
    }


def _read_rows(form: FormData, name: str) -> int | None:
    """Return a number of rows in a form; `None` if there is none."""
    text = read_text(form, f"source.{name}").strip()
    if not re.fullmatch("[0-9]{0,9}", text):
        raise InvalidInput(f"{SURROUNDING_NAMES[name]}: give a number of rows, such as 3")
    return int(text or 0) or None


def _command(session: Session) -> str:
    """Return the command that drafts the specification."""
    chosen = _find_chosen(session)
    return f"lookalike init {shlex.quote(chosen)}" if chosen else "lookalike init TABLE"


DATA_SCREEN = Screen(
    name="data",
    title="Data",
    show=_show,
    command=_command,
    actions={"choose": _choose, "open": _open, "upload": _upload, "read": _read},
    needs_table=False,
)
