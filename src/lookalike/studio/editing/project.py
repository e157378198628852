"""Project: a specification while it is edited, with its history. Every change returns a new one."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lookalike.hierarchy.discreet import Discreet
from lookalike.spec.specification import Specification
from lookalike.studio.editing.edit_toml import parse_toml
from lookalike.tables.source import UNDECIDED

MOST_STEPS = 200
"""How many changes can be undone."""


@dataclass(frozen=True)
class HistoryStep(Discreet):
    """A change that was made.

    Parameters
    ----------
    what
        What was changed, in words: ``"role of zip"``.
    text
        The specification before the change; after an undo, the one that the change had made.
    """

    what: str
    text: str


@dataclass(frozen=True)
class Project(Discreet):
    """A specification while it is edited.

    Parameters
    ----------
    folder
        The folder that the studio was opened in; paths of the specification are relative to it.
    name
        The name of the specification's file.
    text
        The specification; empty if no table was chosen yet.
    saved
        The text of the file when it was last read or written; `None` if there is no file.
    revision
        The number of changes, by which a page notices that it is out of date.
    past, future
        The changes that can be undone and made again, the latest last.
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


ProjectChange = Callable[[Project], Project]
"""A change of a project."""


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
    if not project.past:
        return project
    *past, last = project.past
    future = (*project.future, HistoryStep(last.what, project.text))
    return _go_to(project, last.text, tuple(past), future)


def redo_change(project: Project) -> Project:
    """Return a project with the change that was undone last."""
    if not project.future:
        return project
    *future, last = project.future
    past = (*project.past, HistoryStep(last.what, project.text))
    return _go_to(project, last.text, past, tuple(future))


def _go_to(
    project: Project, text: str, past: tuple[HistoryStep, ...], future: tuple[HistoryStep, ...]
) -> Project:
    """Return a project with another text and history."""
    return replace(project, text=text, past=past, future=future, revision=project.revision + 1)
