"""The screen *Data*: choose or upload a table, and see what its columns look like."""

import shlex
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData, UploadFile

from lookalike.errors import InvalidInput
from lookalike.studio.folder import find_table, list_tables, receive_table
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Session


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return the tables of the folder and the profile of the one that was chosen."""
    return {
        "tables": list_tables(session.project.folder),
        "facts": session.facts,
        "chosen": _find_chosen(session),
    }


def _find_chosen(session: Session) -> str:
    """Return the name of the table that the specification reads."""
    return Path(str(session.project.table("source").get("path", ""))).name


def _choose(session: Session, form: FormData) -> None:
    """Profile a table of the folder."""
    session.open_table(find_table(session.project.folder, read_text(form, "table")))


def _upload(session: Session, form: FormData) -> None:
    """Receive a table, and profile it."""
    sent = form.get("file")
    if not isinstance(sent, UploadFile) or not sent.filename:
        raise InvalidInput("choose a file to upload")
    session.open_table(receive_table(session.project.folder, sent.filename, sent.file))


def _command(session: Session) -> str:
    """Return the command that drafts the specification."""
    chosen = _find_chosen(session)
    return f"lookalike init {shlex.quote(chosen)}" if chosen else "lookalike init TABLE"


DATA_SCREEN = Screen(
    name="data",
    title="Data",
    show=_show,
    command=_command,
    actions={"choose": _choose, "upload": _upload},
    needs_table=False,
)
