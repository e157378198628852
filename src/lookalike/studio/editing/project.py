"""Project: a specification while it is edited, with its history; DraftStore: where it is kept.

The draft lies in a private folder beside the specification, so that a crash or a restart loses
nothing. One studio at a time uses it. Stamps show whether the files that it reads have changed.
"""

import difflib
import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.spec.specification import Specification
from lookalike.studio.editing.edit_toml import find_place, parse_toml
from lookalike.tables.files.read_files import find_files
from lookalike.tables.private_folders import write_whole
from lookalike.tables.source import UNDECIDED, resolve_path

MOST_STEPS = 200
"""How many changes can be undone."""
ColumnPath = tuple[str, ...]
"""Where a specification describes a column: ``("attributes", "zip")``."""


@dataclass(frozen=True)
class HistoryStep(Discreet):
    """A change that was made, such as ``"role of zip"``, and the text before it.

    After an undo, ``text`` is the specification that the change had made.
    """

    what: str
    text: str


@dataclass(frozen=True)
class Project(Discreet):
    """A specification while it is edited.

    Paths are relative to the folder that the studio was opened in. ``text`` is empty if no table
    was chosen yet; ``saved`` is the text of the file when it was last read or written, `None` if
    there is no file. By ``revision`` a page notices that it is out of date. Of ``past`` and
    ``future``, the changes that can be undone and made again, the latest is last.
    """

    folder: Path
    name: str = "release.toml"
    text: str = ""
    saved: str | None = None
    revision: int = 0
    past: tuple[HistoryStep, ...] = field(default=())
    future: tuple[HistoryStep, ...] = field(default=())

    @property
    def path(self) -> Path:
        """The file of the specification."""
        return self.folder / self.name

    @property
    def mark(self) -> str:
        """The mark of this revision, by which a form proves that it shows the project as it is."""
        return f"{self.revision} {self.name}"

    @property
    def is_saved(self) -> bool:
        """Whether the file has the specification as it is."""
        return self.text == (self.saved or "")

    @property
    def fields(self) -> dict[str, Any]:
        """The tables of the specification."""
        return parse_toml(self.text)

    def table(self, name: str) -> dict[str, Any]:
        """Return a table of the specification; empty if there is none."""
        found = self.fields.get(name)
        return found if isinstance(found, dict) else {}

    @property
    def attributes(self) -> dict[str, dict[str, Any]]:
        """What the specification says of each column; without a role, it is undecided."""
        named = self.table("attributes").items()
        return {name: {"role": UNDECIDED, **one} for name, one in named if isinstance(one, dict)}

    @property
    def is_linked(self) -> bool:
        """Whether the rows of persons are in several tables, or in sets of a column."""
        has_sets = any("separator" in one for one in self.attributes.values())
        return bool(self.table("records")) or has_sets

    @property
    def tables(self) -> dict[str | None, Mapping[str, Any]]:
        """How each table is read, by its name; the one of persons, or the only one, has none."""
        fields, records = self.fields, self.table("records")
        named: dict[str | None, Mapping[str, Any]] = {
            name: one for name, one in records.items() if isinstance(one, dict)
        }
        if named and not fields.keys() & {"source", "attributes"}:
            return named
        return {None: self.table("source"), **named}

    @property
    def columns(self) -> dict[ColumnPath, dict[str, Any]]:
        """What the specification says of each column of all tables; without a role, undecided."""
        fields, found = self.fields, dict[ColumnPath, dict[str, Any]]()
        for table in self.tables:
            place = find_columns(table)
            for name, one in find_place(fields, place).items():
                if isinstance(one, dict):
                    found[*place, name] = {"role": UNDECIDED, **one}
        return found

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong with the specification: for each place, such as ``release.k``, why."""
        return find_problems(self.text) if self.text else {}

    def specification(self) -> Specification:
        """Return the specification with its paths resolved."""
        return Specification.build(self.fields, self.name).located(self.folder)

    def latest_lines(self) -> frozenset[int]:
        """Return the places of the lines that the latest change has made; of a draft, none."""
        before = self.past[-1].text if self.past else ""
        if not before:
            return frozenset()
        compared = difflib.SequenceMatcher(None, before.splitlines(), self.text.splitlines())
        changed = (one for one in compared.get_opcodes() if one[0] != "equal")
        return frozenset(line for *_, first, end in changed for line in range(first, end))

    def diff(self) -> list[str]:
        """Compare the specification with its file, line by line."""
        before, after = (self.saved or "").splitlines(), self.text.splitlines()
        return list(difflib.unified_diff(before, after, self.name, "as edited", lineterm="", n=2))


def name_column(place: ColumnPath) -> str:
    """Return the name of a column; of a table with records, behind the name of the table.

    Examples
    --------
    >>> name_column(("attributes", "zip"))
    'zip'
    >>> name_column(("records", "admissions", "attributes", "day"))
    'admissions.day'
    """
    return ".".join((*place[1:-2], place[-1]))


def find_columns(table: str | None) -> ColumnPath:
    """Return where a specification describes the columns of a table."""
    return ("attributes",) if table is None else ("records", table, "attributes")


def find_table(place: ColumnPath) -> str | None:
    """Return the name of the table that a column belongs to; the one of persons has none."""
    return place[1] if place[0] == "records" else None


def find_problems(text: str) -> dict[str, str]:
    """Return what is wrong with a specification: for each place why."""
    found = [one.partition(": ") for one in Specification.gather_problems(parse_toml(text))]
    return {place: reason or place for place, _, reason in found}


def rewrite(project: Project, text: str, what: str) -> Project:
    r"""Return a project with another text; it is the same project if nothing changes.

    Examples
    --------
    >>> project = rewrite(Project(Path()), "[release]\nk = 5\n", "k")
    >>> project.revision, undo_change(project).text, redo_change(undo_change(project)).text
    (1, '', '[release]\nk = 5\n')
    """
    if text == project.text:
        return project
    past = (*project.past, HistoryStep(what, project.text))[-MOST_STEPS:]
    return replace(project, text=text, past=past, future=(), revision=project.revision + 1)


def undo_change(project: Project) -> Project:
    """Return a project without its latest change."""
    return _step(project, "past", "future")


def redo_change(project: Project) -> Project:
    """Return a project with the change that was undone last."""
    return _step(project, "future", "past")


def _step(project: Project, away: str, to: str) -> Project:
    """Return a project with the text of the last step of one side, which goes to the other."""
    if not getattr(project, away):
        return project
    *rest, last = getattr(project, away)
    moved = (*getattr(project, to), HistoryStep(last.what, project.text))
    sides: dict[str, Any] = {away: tuple(rest), to: moved}
    return replace(project, text=last.text, revision=project.revision + 1, **sides)


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
        self._keep(self.read(name))

    def read(self, name: str) -> Project:
        """Read a specification: its draft if there is one, else its file."""
        saved, draft = _read_toml(self._folder / name), _read(self._draft(name))
        fresh = Project(self._folder, name, saved or "", saved)
        found = fresh if draft is None else _restore(self._folder, draft)
        if found.is_saved and found.saved != saved:
            found = replace(rewrite(found, fresh.text, "file read again"), saved=saved)
        return found

    def find_latest(self) -> str | None:
        """Return the name of the specification that was edited last, if there is a draft of one."""
        return next((name for name, _ in self.list_drafts()), None)

    def list_drafts(self) -> Iterator[tuple[str, datetime]]:
        """Yield the specifications that were edited, and when, the latest first."""
        drafts = ((one.stat().st_mtime, one) for one in self._private.glob("*.toml.json"))
        for edited, draft in sorted(drafts, reverse=True):
            if json.loads(_read(draft) or "{}").get("text"):
                yield draft.name.removesuffix(".json"), datetime.fromtimestamp(edited).astimezone()

    def require(self, mark: str) -> None:
        """Raise unless a page shows the project as it is."""
        if mark != self.project.mark:
            raise OutOfDate("the specification was changed since this page was made")

    def change(self, change: Callable[[Project], Project]) -> None:
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
    kept = ("name", "text", "saved", "revision", "past", "future")
    return json.dumps({name: getattr(project, name) for name in kept}, default=astuple).encode()


def _restore(folder: Path, draft: str) -> Project:
    """Read a project from JSON."""
    plain: dict[str, Any] = json.loads(draft)
    for side in ("past", "future"):
        plain[side] = tuple(HistoryStep(what, text) for what, text in plain[side])
    return Project(folder, **plain)


FileStamps = tuple[tuple[str, int, int, int, int], ...]
"""The files of a path: name, inode, size, and when each was written and last changed in any way,
which programs cannot set. None of an address, or if there is no file."""
Stamps = Mapping[str, FileStamps]
"""For each path of a specification its files."""
_PATHS = ("path", "population", "withdrawn", "map", "key_file")
"""The fields that name files: of a table, a hierarchy, a register, people, values or a key."""
_FILES = ("sqlite", "duckdb")
"""How the address of a database in a file begins."""


def find_stamps(project: Project) -> Stamps:
    """Return the stamps of the files that a specification reads."""
    return {path: stamp_files(project.folder, path) for path in _list_paths(project.fields)}


def list_changed(before: Stamps, after: Stamps) -> list[str]:
    """Return the paths of both whose files are not the same any more."""
    return [path for path, files in before.items() if after.get(path, files) != files]


def _list_paths(fields: Any) -> Iterator[str]:
    """Yield the paths of the files that decide what a specification releases."""
    for name, value in fields.items() if isinstance(fields, dict) else ():
        if isinstance(value, str) and name in _PATHS:
            yield value
        elif isinstance(value, str) and name == "database" and value.startswith(_FILES):
            file = value.partition(":")[2].removeprefix("///")
            yield from (file, f"{file}-wal", f"{file}.wal")
        elif isinstance(value, dict) and name == "tables":
            yield from (path for path in value.values() if isinstance(path, str))
        yield from _list_paths(value)


def stamp_files(folder: Path, path: str) -> FileStamps:
    """Return the stamps of the files of a path, a folder or a glob.

    An empty file counts as none: reading an SQLite database creates an empty log beside it.
    """
    with suppress(InvalidInput, OSError):
        place = resolve_path(path, folder)
        files = [Path(place)] if Path(place).is_file() else sorted(find_files(place))
        found = [(str(file), file.stat()) for file in files]
        return tuple(
            (name, one.st_ino, one.st_size, one.st_mtime_ns, one.st_ctime_ns)
            for name, one in found
            if one.st_size
        )
    return ()
