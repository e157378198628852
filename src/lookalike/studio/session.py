"""Session: what is open in the studio: the project, what is known of its table, and the work."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from lookalike.draft.toml_text import quote_toml
from lookalike.draft.write_draft import write_private
from lookalike.draft.write_toml import name_release
from lookalike.errors import InvalidInput, LookalikeError, Unavailable
from lookalike.examine.verify import Verification
from lookalike.flow.source import describe_nearly_unique, is_nearly_unique
from lookalike.hierarchy.discreet import Discreet
from lookalike.studio.counted_list import CountedList, find_counting_key
from lookalike.studio.editing.edit_toml import find_fields, set_field
from lookalike.studio.editing.project import (
    DraftStore,
    FileStamps,
    Project,
    find_problems,
    rewrite,
    stamp_files,
)
from lookalike.studio.folder import find_free_name
from lookalike.studio.releases.release_summary import (
    ReleaseComparison,
    ReleaseSummary,
    is_same_release,
)
from lookalike.studio.table_facts import ColumnFacts, TableFacts, find_reading, profile
from lookalike.studio.work import GRACE_SECONDS, Bell, Task, Work
from lookalike.tables.source import UNDECIDED

_ONE_TABLE = (
    "the specification has linked tables ([records]), and the studio works with one; release them "
    "with the command lookalike release"
)
_PLAIN_FIELDS = {"role", "protect"}
"""The fields of a column that leave its values as they were profiled."""


@dataclass(frozen=True)
class Blocker(Discreet):
    """A decision without which no release can be made, and where to make it.

    ``screen``: the name of the screen; ``rows``: by name of a column, the anchor of its row there.
    """

    title: str
    why: str
    screen: str
    rows: Mapping[str, str]


TaskResult = TypeVar("TaskResult")


class Refused(InvalidInput):
    """What a form asks for is wrong: for each field, or place of the specification, why."""

    def __init__(self, reasons: dict[str, str]) -> None:
        super().__init__("; ".join(reasons.values()))
        self.reasons = reasons


@contextmanager
def beside(field: str) -> Iterator[None]:
    """Refuse what is wrong beside a field of a form."""
    try:
        yield
    except Refused:
        raise
    except LookalikeError as error:
        raise Refused({field: str(error)}) from None


def read_each(
    given: Mapping[str, Any], readers: Mapping[str, Callable[[str], Any]]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Read the texts of fields, each by its reader, and return why some cannot be read, too.

    A field that a form does not have is read as an empty text.
    """
    found, wrong = dict[str, Any](), dict[str, str]()
    for name, read in readers.items():
        text = given.get(name)
        try:
            found[name] = read(text if isinstance(text, str) else "")
        except InvalidInput as error:
            wrong[name] = str(error)
    return found, wrong


class Session:
    """What is open in the studio."""

    def __init__(self, folder: Path) -> None:
        self.store = DraftStore(folder)
        self.facts: TableFacts | None = None
        self.table: Path | None = None
        self.read_as: dict[str, Any] = {}
        self._profiled: FileStamps = ()
        self.work: Work | None = None
        self.bell = Bell()
        self.is_touring = False
        self.last_request = time.monotonic()
        self._collected: Work | None = None
        self._keeper: Work | None = None
        self._kept: ReleaseSummary | None = None
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
        """Return the latest result of a kind for this table; of a task that runs what it has."""
        part = self.work.part if self.work is not None and self.is_busy else None
        return part if isinstance(part, kind) else self._results.get(kind)

    def keep_result(self, result: Any) -> None:
        """Keep the result of a task as the latest of its kind; what was compared was made, too."""
        made = self.find_result(ReleaseSummary)
        published = made.text if made is not None and made.files else None
        if isinstance(result, ReleaseComparison) and result.summary.text != published:
            self.keep_result(result.summary)
        if isinstance(result, ReleaseSummary):
            self._results.pop(Verification, None)
        self._results[type(result)] = result

    @property
    def counted(self) -> CountedList | None:
        """The frequency list of the table, if it was counted set in the specification now."""
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
        self._let_go()

    def profile(self, reading: Mapping[str, Any]) -> None:
        """Begin to profile the table, read in some way."""
        if self.table is None:
            raise InvalidInput("choose a table first")
        self.begin("profile", profile, self.table, dict(reading))
        self.read_as = dict(reading)
        self._profiled = stamp_files(self.table.parent, self.table.name)

    @property
    def blockers(self) -> list[Blocker]:
        """What must be decided before a release can be made, as far as that is known."""
        project, found = self.project, list[Blocker]()
        anchors = {name: f"role-{place}" for place, name in enumerate(project.attributes)}
        open_rows = {
            name: anchors[name]
            for name, asked in project.attributes.items()
            if asked["role"] == UNDECIDED
        }
        if open_rows:
            named = ", ".join(map(repr, open_rows))
            why = f"the role of {named} is not decided; choose one"
            found.append(Blocker("Role", why, "roles", open_rows))
        if project.table("source").get("person") == UNDECIDED:
            why = (
                "who is a person is not decided; name the column, or say that each row is a person"
            )
            found.append(Blocker("Person", why, "protection", {"who is a person": "person"}))
        if project.table("records"):
            found.append(Blocker("Linked tables", _ONE_TABLE, "data", {"records": "content"}))
        near = _list_nearly_unique(project, self.facts) if self.facts and self.is_read_so else ()
        for name, why in near:
            found.append(Blocker("Nearly unique", why, "roles", {name: anchors[name]}))
        return found

    def require_counted(self) -> CountedList:
        """Return the frequency list of the table; raise if it was not counted."""
        if self.counted is None:
            raise InvalidInput("count the table first")
        return self.counted

    @property
    def is_read_so(self) -> bool:
        """Whether the profile is of the table as it is, and as the specification reads it."""
        reading = find_reading(self.project.table("source"))
        found = {} if self.facts is None else find_reading(self.facts.source)
        if self.table is None or reading not in (self.read_as, found):
            return False
        return stamp_files(self.table.parent, self.table.name) == self._profiled

    def begin_release(self, name: str, task: Task, *given: Any, takes_kept: bool = False) -> None:
        """Begin a task that makes or counts a release, unless it is known to be refused.

        ``takes_kept``: whether it can go on with the release that a process keeps.
        """
        wrong = self.project.problems | {one.why: one.why for one in self.blockers}
        if wrong:
            raise Refused(wrong)
        after = self._find_keeper() if takes_kept else None
        self.begin(name, task, *given, **({} if after is None else {"after": after}))

    def begin(self, name: str, task: Task, *given: Any, after: Work | None = None) -> None:
        """Begin a task, one at a time, in a process of its own or in that of another task."""
        self.refuse_busy()
        if after is None:
            self._let_go()
        self.work = Work(name, task, *given, after=after, ring=self.bell.ring)

    def _find_keeper(self) -> Work | None:
        """Return the task that keeps the release that is asked for, if its process lives."""
        self.collect()
        if self._keeper is None or self._kept is None or not self._keeper.can_follow:
            return None
        return self._keeper if is_same_release(self._kept, self.project) else None

    def _let_go(self, seconds: float = 0.0) -> None:
        """Let the process end that keeps a release, and wait so many seconds until it has."""
        if self._keeper is not None:
            self._keeper.let_go(seconds)
        self._keeper = self._kept = None

    def cancel(self) -> None:
        """Stop the running task."""
        if self.work is not None:
            self.work.cancel()

    def end_tour(self) -> None:
        """Show no more of the tour."""
        self.is_touring = False

    def end_early(self) -> None:
        """Let the running task end with what it has found."""
        if self.work is not None:
            self.work.end_early()

    def dismiss(self) -> None:
        """Forget a task that is over; what it has returned is kept."""
        if not self.is_busy:
            self.work = None

    def refuse_busy(self) -> None:
        """Raise if a task runs."""
        if self.is_busy:
            raise Unavailable("wait until the running task is done, or cancel it")

    def collect(self) -> None:
        """Take over the result of a task that is done: a profile with its draft, or another."""
        work = self.work
        if work is None or work.is_running or work is self._collected:
            return
        self._collected = work
        if work.keeps:
            self._keeper = work
        if work.state != "done":
            return
        if isinstance(work.result, ReleaseComparison):
            self._kept = work.result.summary
        if not isinstance(work.result, TableFacts):
            self.keep_result(work.result)
            return
        facts = self.facts = settle_files(work.result, self.project.folder)
        if not self.project.text:
            self.store.change(lambda project: rewrite(project, facts.text, "drafted roles"))
        self._write_hierarchies()

    def change(self, text: str, what: str) -> None:
        """Change the text of the specification, unless that makes something wrong."""
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
        self.cancel()
        if self.work is not None:
            self.work.wait()
            self.work.let_go(GRACE_SECONDS)
        self._let_go(GRACE_SECONDS)
        self.store.close()


def settle_files(facts: TableFacts, folder: Path) -> TableFacts:
    """Return facts whose hierarchy files have free names, in the drafted specification too.

    A name is free if no file of the folder has it, or if that file has the same text.
    """
    names = {one.hierarchy_file[0] for one in facts.columns if one.hierarchy_file is not None}
    text, columns = facts.text, []
    for column in facts.columns:
        settled = _settle(column, folder, names)
        place = ("attributes", column.name)
        if find_fields(text, *place).get("hierarchy") == column.definition:
            text = set_field(text, place, "hierarchy", settled.definition)
        columns.append(settled)
    return replace(facts, columns=tuple(columns), text=text)


def _settle(column: ColumnFacts, folder: Path, names: set[str]) -> ColumnFacts:
    """Return a column whose hierarchy file has a free name, and take that name."""
    if column.hierarchy_file is None:
        return column
    name, text = column.hierarchy_file
    free = find_free_name(folder, name, text, names - {name})
    names.add(free)
    table = column.hierarchy.replace(quote_toml(name), quote_toml(free))
    return replace(column, hierarchy=table, hierarchy_file=(free, text))


def _list_nearly_unique(project: Project, facts: TableFacts) -> Iterator[tuple[str, str]]:
    """Yield the columns that would be refused because they identify nearly every row, and why."""
    for name, asked in project.attributes.items():
        column = facts.find(name)
        is_as_it_is = asked["role"] in ("sensitive", "other") and {*asked} <= _PLAIN_FIELDS
        if column is None or not is_as_it_is:
            continue
        distinct, rows = column.figures.distinct, column.figures.present
        if is_nearly_unique(distinct, rows):
            yield name, describe_nearly_unique(name, distinct, rows)
