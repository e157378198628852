"""The actions of every screen: undo, redo, edit, save, load, count, cancel or dismiss a task."""

from collections.abc import Mapping

from starlette.datastructures import FormData

from lookalike.studio.counted_list import count_list
from lookalike.studio.editing.project import redo_change, undo_change
from lookalike.studio.preload import begin_loading
from lookalike.studio.screens.screen import Action, read_text
from lookalike.studio.session import Session


def _undo(session: Session, _form: FormData) -> None:
    """Undo the latest change."""
    session.store.change(undo_change)


def _redo(session: Session, _form: FormData) -> None:
    """Make the change again that was undone last."""
    session.store.change(redo_change)


def _edit(session: Session, form: FormData) -> None:
    """Replace the text of the specification by what the user has written."""
    session.change(read_text(form, "text").replace("\r\n", "\n"), "text of the specification")


def _save(session: Session, _form: FormData) -> None:
    """Write the specification to its file."""
    session.store.save()


def _load(session: Session, _form: FormData) -> None:
    """Replace the specification by its file."""
    session.store.load()


def _count(session: Session, _form: FormData) -> None:
    """Count the table, so that settings can be tried at once."""
    session.begin_release("count", count_list, session.project)
    begin_loading()


def _cancel(session: Session, _form: FormData) -> None:
    """Stop the running task."""
    if session.work is not None:
        session.work.cancel()


def _dismiss(session: Session, _form: FormData) -> None:
    """Show no more how the latest task ended."""
    session.dismiss()


COMMON_ACTIONS: Mapping[str, Action] = {
    "undo": _undo,
    "redo": _redo,
    "edit": _edit,
    "save": _save,
    "load": _load,
    "count": _count,
    "cancel": _cancel,
    "dismiss": _dismiss,
}
