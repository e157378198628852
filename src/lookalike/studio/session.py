"""Session: what is open in the studio: the project, what is known of its table, and the work."""

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from lookalike.draft.write_draft import write_private
from lookalike.draft.write_toml import name_release
from lookalike.errors import InvalidInput, LookalikeError, Unavailable
from lookalike.examine.verify import Verification
from lookalike.studio.blockers import Blocker, list_blockers
from lookalike.studio.counted_list import CountedList, find_counting_key
from lookalike.studio.editing.project import (
    ColumnPath,
    DraftStore,
    FileStamps,
    Project,
    Stamps,
    find_problems,
    find_table,
    rewrite,
    stamp_files,
)
from lookalike.studio.releases.linked_summary import LinkedSummary
from lookalike.studio.releases.release_summary import (
    ReleaseComparison,
    ReleaseSummary,
    is_same_release,
)
from lookalike.studio.table_facts import (
    ColumnFacts,
    LinkedFacts,
    Readings,
    TableFacts,
    draft_linked,
    find_person_field,
    find_reading,
    find_reads,
    profile,
    profile_linked,
    settle_files,
)
from lookalike.studio.work import GRACE_SECONDS, Bell, Task, Work

TaskResult = TypeVar("TaskResult")
Made = ReleaseSummary | LinkedSummary


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
        self.record_facts: Mapping[str, TableFacts] = {}
        self.left_out: Mapping[str, str] = {}
        self.table: Path | None = None
        self.read_as: dict[str, Any] = {}
        self._profiled: FileStamps = ()
        self._linked_stamps: Stamps = {}
        self._linked_readings: Readings = {}
        self.work: Work | None = None
        self.bell = Bell()
        self.is_touring = False
        self.last_request = time.monotonic()
        self._collected: Work | None = None
        self._keeper: Work | None = None
        self._kept: ReleaseSummary | LinkedSummary | None = None
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
        if isinstance(result, ReleaseSummary | LinkedSummary):
            self._results.pop(Verification, None)
        self._results[type(result)] = result

    def find_made(self) -> Made | None:
        """Return the release that was made last."""
        if self.project.is_linked:
            return self.find_result(LinkedSummary)
        return self.find_result(ReleaseSummary)

    @property
    def counted(self) -> CountedList | None:
        """The frequency list of the table, if it was counted set in the specification now."""
        found = self.find_result(CountedList)
        return found if found is not None and found.key == find_counting_key(self.project) else None

    def find_facts(self, column: ColumnPath) -> ColumnFacts | None:
        """Return what is known of a column."""
        facts = self.find_table_facts(find_table(column))
        return None if facts is None else facts.find(column[-1])

    def find_table_facts(self, table: str | None) -> TableFacts | None:
        """Return what is known of a table; the one of persons, or the only one, has no name."""
        return self.facts if table is None else self.record_facts.get(table)

    def open_table(self, table: Path) -> None:
        """Open the specification of a table, and profile the table."""
        self._open(f"{name_release(str(table))}.toml")
        self.table = table
        self.profile(find_reading(self.project.table("source")))

    def open_specification(self, path: Path) -> None:
        """Open a specification, and profile its table if that is one file."""
        self._open(path.name)
        if self.project.table("records"):
            self._profile_linked()
            return
        source = self.project.table("source")
        table = source.get("path")
        if isinstance(table, str) and (self.project.folder / table).is_file():
            self.table = self.project.folder / table
            self.profile(find_reading(source))

    def open_linked(self, tables: Sequence[Path]) -> None:
        """Open the specification of tables whose rows belong to the same persons, and profile them.

        It has the name of the folder, with a number if other tables have a specification there.
        """
        folder, names = self.project.folder, {one.name for one in tables}
        base = name_release(str(folder)) or "tables"
        for number in itertools.count(1):
            name = f"{base}.toml" if number == 1 else f"{base}-{number}.toml"
            found = self.store.read(name)
            if not found.text or {one.get("path") for one in found.tables.values()} == names:
                break
        self._open(name)
        if self.project.text:
            self._profile_linked()
            return
        self._linked_stamps = {one.name: stamp_files(folder, one.name) for one in tables}
        self.begin("profile", draft_linked, tables)

    def _profile_linked(self) -> None:
        """Begin to profile the tables of the specification that are one file each."""
        folder, read = self.project.folder, self.project.tables
        paths = {name: one.get("path") for name, one in read.items()}
        tables = {
            name: (folder / path, find_reading(read[name]) | find_person_field(read[name]))
            for name, path in paths.items()
            if isinstance(path, str) and (folder / path).is_file()
        }
        self._linked_stamps, self._linked_readings = find_reads(self.project)
        if tables:
            self.begin("profile", profile_linked, tables)

    def _open(self, name: str) -> None:
        """Open a specification, and forget what is known of another one's table."""
        self.refuse_busy()
        self.store.open(name)
        self.facts = self.table = None
        self.record_facts, self.left_out = {}, {}
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
        return list_blockers(self.project, self.find_facts if self.is_read_so else None)

    def require_counted(self) -> CountedList:
        """Return the frequency list of the table; raise if it was not counted."""
        if self.counted is None:
            raise InvalidInput("count the table first")
        return self.counted

    @property
    def is_read_so(self) -> bool:
        """Whether the profile is of the table as it is, and as the specification reads it."""
        if self.record_facts:
            return (self._linked_stamps, self._linked_readings) == find_reads(self.project)
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
        return (
            self._keeper
            if is_same_release(self._kept.text, self._kept.stamps, self.project)
            else None
        )

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
        if isinstance(work.result, LinkedSummary):
            self._kept = work.result
        if isinstance(work.result, TableFacts):
            self._take_facts(LinkedFacts({None: work.result}, work.result.text))
        elif isinstance(work.result, LinkedFacts):
            self._take_facts(work.result)
        else:
            self.keep_result(work.result)

    def _take_facts(self, found: LinkedFacts) -> None:
        """Take over the profile of one or several tables, and its draft if there is no text."""
        tables, text = settle_files(found, self.project.folder)
        self.facts, self.left_out = tables.get(None), found.left_out
        self.record_facts = {name: one for name, one in tables.items() if name is not None}
        if not self.project.text:
            self.store.change(lambda project: rewrite(project, text, "drafted roles"))
            self._linked_readings = find_reads(self.project)[1]
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
        for facts in (self.facts, *self.record_facts.values()):
            for name, text in () if facts is None else facts.files_of(self.project.text):
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
