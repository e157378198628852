"""DraftStore: the project that is open, saved as a draft at each change.

The draft lies in a private folder beside the specification, so that a crash or a restart loses
nothing. One studio at a time uses it.
"""

import fcntl
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.studio.editing.edit_toml import parse_toml
from lookalike.studio.editing.project import HistoryStep, Project, ProjectChange, rewrite
from lookalike.tables.private_folders import write_whole

PRIVATE = ".lookalike-studio"


class OutOfDate(InvalidInput):
    """A form was sent from a page that shows an earlier revision."""


class DraftStore:
    """The project that is open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._private = _open_private(folder / PRIVATE)
        self._lock = _lock_folder(self._private)
        self.project = Project(folder)

    def open(self, name: str) -> None:
        """Open a specification: its draft if there is one, else its file."""
        saved, draft = _read_toml(self._folder / name), _read(self._draft(name))
        fresh = Project(self._folder, name, saved or "", saved)
        found = fresh if draft is None else _restore(self._folder, draft)
        if found.is_saved and found.saved != saved:
            found = replace(rewrite(found, fresh.text, "file read again"), saved=saved)
        self._keep(found)

    def find_latest(self) -> str | None:
        """Return the name of the specification that was edited last, if there is a draft of one."""
        drafts = sorted(self._private.glob("*.toml.json"), key=lambda one: one.stat().st_mtime_ns)
        for draft in reversed(drafts):
            if json.loads(_read(draft) or "{}").get("text"):
                return draft.name.removesuffix(".json")
        return None

    def require(self, mark: str) -> None:
        """Raise unless a page shows the project as it is."""
        if mark != self.project.mark:
            raise OutOfDate("the specification was changed since this page was made")

    def change(self, change: ProjectChange) -> None:
        """Change the project and keep the result."""
        changed = change(self.project)
        if changed is not self.project:
            self._keep(changed)

    def save(self) -> None:
        """Write the specification to its file."""
        project = self.project
        if _read(project.path) != project.saved:
            raise InvalidInput(
                f"{project.name} was changed outside the studio; load the file, then undo if you "
                "prefer what you have here"
            )
        write_whole(project.path, project.text.encode())
        self._keep(replace(project, saved=project.text))

    def load(self) -> None:
        """Replace the specification by its file, as a change that can be undone."""
        found = _read_toml(self.project.path)
        changed = rewrite(self.project, found or "", f"{self.project.name} loaded")
        self._keep(replace(changed, saved=found))

    def close(self) -> None:
        """Let another studio use the folder."""
        os.close(self._lock)

    def _keep(self, project: Project) -> None:
        """Write the draft, then make it the project that is open."""
        write_whole(self._draft(project.name), _dump(project))
        self.project = project

    def _draft(self, name: str) -> Path:
        """Return the file of the draft of a specification."""
        return self._private / f"{name}.json"


def _open_private(folder: Path) -> Path:
    """Create a folder that only its owner can enter, or check that it is one."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if folder.is_symlink() or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise InvalidInput(
            f"{folder} is not a folder that only you can enter; remove it, or run chmod 700 on it"
        )
    return folder


def _lock_folder(folder: Path) -> int:
    """Lock the private folder as long as this process uses it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise InvalidInput(
            f"a studio is open in {folder.parent} already; use that one, or end it first"
        ) from None
    return handle


def _read(path: Path) -> str | None:
    """Return the text of a file; `None` if there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path} is not UTF-8, as TOML must be; save it as UTF-8") from None


def _read_toml(path: Path) -> str | None:
    """Return the text of a specification; `None` if there is none."""
    found = _read(path)
    try:
        parse_toml(found or "")
    except InvalidInput as error:
        raise InvalidInput(f"{path.name}: {error}; correct it in an editor") from None
    return found


def _dump(project: Project) -> bytes:
    """Write a project as JSON."""
    steps = {
        side: [[one.what, one.text] for one in getattr(project, side)]
        for side in ("past", "future")
    }
    plain = {name: getattr(project, name) for name in ("name", "text", "saved", "revision")}
    return json.dumps({**plain, **steps}).encode()


def _restore(folder: Path, draft: str) -> Project:
    """Read a project from JSON."""
    plain: dict[str, Any] = json.loads(draft)
    for side in ("past", "future"):
        plain[side] = tuple(HistoryStep(what, text) for what, text in plain[side])
    return Project(folder, **plain)
