"""Screen: a page of the studio and the actions of its forms; those that every screen has."""

import shlex
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, BinaryIO, Literal

from starlette.datastructures import FormData, UploadFile

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.studio.counted_list import count_list, load_compiled
from lookalike.studio.editing.project import redo_change, undo_change
from lookalike.studio.session import Session

Action = Callable[[Session, FormData], None]
"""What a form does to the session; it raises :class:`InvalidInput` to refuse."""
Query = Mapping[str, str]
"""What the address of a page asks for after its ``?``: what to look at, never a change."""
Download = Callable[[Session, Query], tuple[str, bytes]]
"""Returns the name and the content of a file for the user to save."""


TAKES_ONE_TABLE = (
    "this part of the studio takes one table, and the specification has linked tables; make a dry "
    "run under Publish"
)


def write_command(verb: str, *options: str) -> Callable[[Session], str]:
    """Return a function that writes a command about the open specification."""
    return lambda session: " ".join(
        ("lookalike", verb, shlex.quote(session.project.name), *options)
    )


command_of_dry_run = write_command("release", "--dry-run")
"""Writes the command that shows what the specification would release."""


StepState = Literal["open", "done", "attention"]
"""How a step stands: nothing was done yet; it is done; it was done, and needs another look."""


def settle_state(is_done: bool, is_current: bool = True) -> StepState:
    """Return how a step stands that was done, or not, of the specification as it is."""
    return "open" if not is_done else "done" if is_current else "attention"


@dataclass(frozen=True)
class Screen(Discreet):
    """A page of the studio and the actions of its forms.

    Its name is the last part of its address and the name of its template, and those of actions and
    downloads the last part of theirs. ``show`` returns what the template shows of the session, for
    the query of the address; it raises :class:`InvalidInput` if that asks for what does not exist.
    ``command`` returns the command line that does the same, and ``state`` how its step stands,
    apart from what must be decided there. ``step``: the step of the navigation that it belongs to,
    if that is another screen; ``step_title``: the title of its step, if that has several parts.
    ``takes_linked``: whether it shows linked tables, too; ``for_linked``: the screen that shows
    them in its place. ``template``: the name of its template, if that is not its own.
    """

    name: str
    title: str
    show: Callable[[Session, Query], dict[str, Any]]
    command: Callable[[Session], str] = command_of_dry_run
    actions: Mapping[str, Action] = field(default_factory=dict)
    downloads: Mapping[str, Download] = field(default_factory=dict, repr=False)
    needs_table: bool = True
    state: Callable[[Session], StepState] = lambda session: settle_state(bool(session.project.text))
    step: str = ""
    step_title: str = ""
    takes_linked: bool = False
    for_linked: "Screen | None" = None
    template: str = ""

    def suit(self, session: Session) -> "Screen":
        """Return the screen that shows what is open: for linked tables it may be another one."""
        return self.for_linked if self.for_linked and session.project.is_linked else self

    def takes(self, session: Session) -> bool:
        """Whether it takes what is open: one table, or linked ones."""
        return self.takes_linked or not session.project.is_linked

    def can_show(self, session: Session) -> bool:
        """Whether there is what it needs, and it takes what is open."""
        return self.takes(session) and (bool(session.project.text) or not self.needs_table)

    @property
    def has_style(self) -> bool:
        """Whether it has a style sheet of its own."""
        return files("lookalike.studio").joinpath(f"static/{self.name}.css").is_file()

    @property
    def own_step(self) -> str:
        """The name of its step in the navigation."""
        return self.step or self.name


def read_text(form: FormData, name: str) -> str:
    """Return a text field of a form."""
    value = form.get(name)
    if not isinstance(value, str):
        raise InvalidInput(f"the form has no field {name!r}; reload the page")
    return value


def read_texts(form: FormData) -> dict[str, str]:
    """Return all text fields of a form."""
    return {name: value for name, value in form.items() if isinstance(value, str)}


def read_upload(form: FormData) -> tuple[str, BinaryIO]:
    """Return the name and the content of the file of a form."""
    sent = form.get("file")
    if not isinstance(sent, UploadFile) or not sent.filename:
        raise InvalidInput("choose a file to upload")
    return sent.filename, sent.file


def _count(session: Session, _form: FormData) -> None:
    """Count the table, so that settings can be tried at once.

    Meanwhile the loops are loaded; the first time of all, they are compiled.
    """
    if session.project.is_linked:
        raise InvalidInput(TAKES_ONE_TABLE)
    session.begin_release("count", count_list, session.project)
    threading.Thread(target=load_compiled, daemon=True).start()


COMMON_ACTIONS: Mapping[str, Action] = {
    "undo": lambda session, _: session.store.change(undo_change),
    "redo": lambda session, _: session.store.change(redo_change),
    "edit": lambda session, form: session.change(
        read_text(form, "text").replace("\r\n", "\n"), "text of the specification"
    ),
    "save": lambda session, _: session.store.save(),
    "load": lambda session, _: session.store.load(),
    "count": _count,
    "end-tour": lambda session, _: session.end_tour(),
    "cancel": lambda session, _: session.cancel(),
    "enough": lambda session, _: session.end_early(),
    "dismiss": lambda session, _: session.dismiss(),
}
"""The actions that every screen has."""
