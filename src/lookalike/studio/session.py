"""Session: what is open in the studio: the project, what is known of its table, and the work."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from lookalike.errors import InvalidInput
from lookalike.flow.draft.write_draft import write_private
from lookalike.flow.draft.write_toml import name_release
from lookalike.flow.verify.folder import Verification
from lookalike.studio.counted_list import CountedList, find_counting_key
from lookalike.studio.editing.draft_store import DraftStore
from lookalike.studio.editing.project import Project, find_problems, rewrite
from lookalike.studio.hierarchies.settle_files import settle_files
from lookalike.studio.releases.comparison import ReleaseComparison
from lookalike.studio.releases.release_summary import ReleaseSummary
from lookalike.studio.table_facts import ColumnFacts, TableFacts, find_reading, profile
from lookalike.studio.work import Task, Work

TaskResult = TypeVar("TaskResult")


class Refused(InvalidInput):
    """What a form asks for is wrong.

    Parameters
    ----------
    reasons
        For each field, or place of the specification, why.
    """

    def __init__(self, reasons: dict[str, str]) -> None:
        super().__init__("; ".join(reasons.values()))
        self.reasons = reasons


class Session:
    """What is open in the studio.

    Parameters
    ----------
    folder
        The folder that the studio was opened in.
    """

    def __init__(self, folder: Path) -> None:
        self.store = DraftStore(folder)
        self.facts: TableFacts | None = None
        self.table: Path | None = None
        self.read_as: dict[str, Any] = {}
        self.work: Work | None = None
        self.last_request = time.monotonic()
        self._collected: Work | None = None
        self._results: dict[type, Any] = {}

    @property
    def project(self) -> Project:
        """The project that is open."""
        return self.store.project

    @property
    def is_busy(self) -> bool:
        """Whether a task runs."""
        return self.work is not None and self.work.is_running

    def find_result(self, kind: type[TaskResult]) -> TaskResult | None:
        """Return the latest result of a kind that a task has returned for this table."""
        return self._results.get(kind)

    def keep_result(self, result: Any) -> None:
        """Keep the result of a task as the latest of its kind; what was compared was made, too."""
        if isinstance(result, ReleaseComparison) and not self._is_published(result.text):
            self.keep_result(result.summary)
        if isinstance(result, ReleaseSummary):
            self._results.pop(Verification, None)
        self._results[type(result)] = result

    def _is_published(self, text: str) -> bool:
        """Return whether the latest release was published, and made from a specification."""
        made = self.find_result(ReleaseSummary)
        return made is not None and bool(made.files) and made.text == text

    @property
    def counted(self) -> CountedList | None:
        """The frequency list of the table, if it was counted as the specification says now."""
        found = self.find_result(CountedList)
        return found if found is not None and found.key == find_counting_key(self.project) else None

    def find_facts(self, column: str) -> ColumnFacts | None:
        """Return what is known of a column."""
        return None if self.facts is None else self.facts.find(column)

    def open_table(self, table: Path) -> None:
        """Open the specification of a table, and profile the table."""
        self._open(f"{name_release(str(table))}.toml")
        self.table = table
        self.profile(find_reading(self.project.table("source")))

    def open_specification(self, path: Path) -> None:
        """Open a specification, and profile its table if that is one file."""
        self._open(path.name)
        source = self.project.table("source")
        table = source.get("path")
        if isinstance(table, str) and (self.project.folder / table).is_file():
            self.table = self.project.folder / table
            self.profile(find_reading(source))

    def _open(self, name: str) -> None:
        """Open a specification, and forget what is known of another one's table."""
        self.refuse_busy()
        self.store.open(name)
        self.facts = self.table = None
        self._results.clear()

    def profile(self, reading: Mapping[str, Any]) -> None:
        """Begin to profile the table, read in some way."""
        if self.table is None:
            raise InvalidInput("choose a table first")
        self.begin("profile", profile, self.table, dict(reading))
        self.read_as = dict(reading)

    def begin(self, name: str, task: Task, *given: Any) -> None:
        """Begin a task in a process of its own, one at a time."""
        self.refuse_busy()
        self.work = Work(name, task, *given)

    def refuse_busy(self) -> None:
        """Raise if a task runs."""
        if self.is_busy:
            raise InvalidInput("wait until the running task is done, or cancel it")

    def collect(self) -> None:
        """Take over the result of a task that is done."""
        work = self.work
        if work is None or work.state != "done" or work is self._collected:
            return
        self._collected = work
        if isinstance(work.result, TableFacts):
            self._take_facts(work.result)
        else:
            self.keep_result(work.result)

    def _take_facts(self, facts: TableFacts) -> None:
        """Take over the profile of a table, and its draft if there is no specification."""
        facts = settle_files(facts, self.project.folder)
        self.facts = facts
        if not self.project.text:
            self.store.change(lambda project: rewrite(project, facts.text, "drafted roles"))
        self._write_hierarchies()

    def change(self, text: str, what: str) -> None:
        """Change the text of the specification, unless that makes something wrong.

        Raises
        ------
        Refused
            With what would be wrong, and was not before.
        """
        known = self.project.problems
        wrong = {place: why for place, why in find_problems(text).items() if place not in known}
        if wrong:
            raise Refused(wrong)
        self.store.change(lambda project: rewrite(project, text, what))
        self._write_hierarchies()

    def _write_hierarchies(self) -> None:
        """Write the hierarchy files that the specification names; an existing one stays."""
        for name, text in () if self.facts is None else self.facts.files_of(self.project.text):
            if not (self.project.folder / name).exists():
                write_private(self.project.folder / name, text)

    def close(self) -> None:
        """End the running task, and let another studio use the folder."""
        if self.work is not None:
            self.work.cancel()
            self.work.wait()
        self.store.close()
