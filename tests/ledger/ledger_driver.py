"""Publish with a ledger in child processes that are killed at each operation, or run concurrently.

``test_ledger_crash.py`` runs this script. Each attempt is a fork of this process, which opens
neither DuckDB nor a database, because neither survives a fork. The script prints one line of JSON
per attempt.
"""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as change
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import narwhals._duckdb.namespace  # noqa: F401  (imported once here, and not in every fork)
import pyarrow as pa
from sqlalchemy import Engine, event

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.flow.result import Release
from lookalike.ledger.policies.label_paths import hash_label_paths
from lookalike.ledger.record import _write_files, enroll
from lookalike.ledger.store.ledger import open_at
from lookalike.model.progress import Stopwatch
from lookalike.publish.digest import describe_file
from lookalike.publish.place import is_release
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.read import read_frame
from lookalike.tables.recode import recode_with_trail

sys.path[:0] = [str(folder) for folder in Path(__file__).parents[:2]]

from steward import fields_of, reopen, table_of  # noqa: E402

from crash_driver import Stop, in_fork, kill, names, start_fork, wait_for  # noqa: E402
from postgres import make_schema  # noqa: E402

AT_ONCE = 2
RACERS = 8
STATEMENTS = ("before_cursor_execute", "commit", "rollback")


class StopAnywhere(Stop):
    """Stops the process at its n-th change of a file or its n-th operation on a database."""

    def __init__(self, folder: Path, turn: int) -> None:
        super().__init__(folder, turn, kill)
        for name in STATEMENTS:
            event.listen(Engine, name, self.count)

    def changes(self, event: str, arguments: tuple[Any, ...]) -> bool:
        return event == "sqlite3.connect" or super().changes(event, arguments)

    def count(self, *_: Any) -> None:
        self.hear("sqlite3.connect", ())


def prepare_once(place: Path) -> Release:
    """Prepare a release, and do once what is slow the first time: compile, import, make statements.

    DuckDB is not opened by that.
    """
    made = decide_on(table_of(), place)
    record = enroll(made.specification, made.plan, recode_with_trail(made.plan)[1])
    assert record is not None
    ledger = open_at(record.address, create=True)
    paths = hash_label_paths(made.plan.counted, made.plan.frequency, ledger.secret())
    with ledger.holding("people"):
        _write_files(record, ledger.secret(), place, paths)
    return made


def decide_on(table: pa.Table, place: Path) -> Release:
    """Prepare a release of a table."""
    fields = fields_of({"ledger": str(place / "ledger.db"), "ledger_key": str(place / "key")})
    attributes, source = fields.pop("attributes"), fields.pop("source")
    release = {**fields, "report": False}
    specification = {"attributes": attributes, "source": source, "release": release}
    return prepare(la.Specification.build(specification), frame=read_frame(table))


def at(made: Release, place: Mapping[str, str | None]) -> Release:
    """Return the release with another ledger."""
    asked = made.specification.release.model_copy(update=place)
    return change(made, specification=made.specification.model_copy(update={"release": asked}))


def place_of(private: Path, url: str) -> dict[str, str]:
    """Return the fields with the address of the ledger, its files and its key."""
    return {
        "ledger": url or str(private / "ledger.db"),
        "ledger_files": str(private / "files"),
        "ledger_key": str(private / "key"),
    }


def publish(made: Release, folder: Path) -> dict[str, Any]:
    """Publish, and report what the certificate states, or why it was refused."""
    try:
        earlier = made.publish(folder / "table.csv", replace=True).earlier_releases
    except la.RequirementNotMet as refused:
        return {"refused": str(refused)}
    return {"considered": None if isinstance(earlier, str) else earlier.considered}


def publish_until(made: Release, folder: Path, turn: int) -> dict[str, Any]:
    """Publish, and die at a turn, counted from the step that opens the ledger.

    What comes before has nothing to do with a ledger, and is tested without one.
    """

    def listen(step: str) -> None:
        if step == "publish":
            StopAnywhere(folder.parent, turn)

    return publish(change(made, stopwatch=Stopwatch(listen)), folder)


def look(folder: Path, old: Path, where: dict[str, str]) -> dict[str, Any]:
    """Open the ledger, which settles what is pending, and compare it with what is in place."""
    try:
        entries = reopen(where).releases()
    except la.InvalidInput:
        entries = ()
    files = Path(where["ledger_files"])
    recorded = [path.name for entry in entries for path in entry.files.locations]
    digests = [entry.certificate_sha256 for entry in entries]
    found = digest_of(folder) if is_release(folder) else None
    return {
        "place": "old" if found == digest_of(old) else "new" if found in digests else "unknown",
        "entries": [entry.state for entry in entries],
        "rows": [entry.files.read_rows().num_rows for entry in entries],
        "files": sorted(path.name for path in files.rglob("*.parquet")) == sorted(recorded),
        "hidden": names([path for path in folder.parent.rglob(".*") if path.is_dir()]),
    }


def digest_of(folder: Path) -> str:
    """Return the digest of a release's certificate."""
    return describe_file(folder / CERTIFICATE).sha256


def kill_at(made: Release, place: Path, base: str, turn: int) -> dict[str, Any]:
    """Kill a process at a turn, in a folder of its own, and report the result."""
    old, folder, private = (place / name for name in ("old", f"{turn}/released", f"{turn}/private"))
    private.mkdir(parents=True, mode=0o700)
    shutil.copytree(old, folder)
    where = place_of(private, make_schema(base) if base else "")
    made = at(made, where)
    ended = in_fork(partial(publish_until, made, folder, turn))
    return {"ended": ended, **in_fork(partial(go_on, made, folder, old, where))}


def go_on(made: Release, folder: Path, old: Path, where: dict[str, str]) -> dict[str, Any]:
    """Inspect what a killed process left, and publish again."""
    left = look(folder, old, where)
    again = publish(made, folder)
    return {"left": left, "again": again, "after": look(folder, old, where)}


def kill_at_each(made: Release, place: Path, base: str, step: int) -> None:
    """Kill a process at its first operation, and at every further one in steps, until it survives.

    There is no ledger yet, and a release in the place that was published without one.
    """
    nowhere = {"ledger": None, "ledger_files": None, "ledger_key": None}
    in_fork(partial(publish, at(made, nowhere), place / "old"))
    for turn in count(1, AT_ONCE * step):
        forks = [
            start_fork(partial(kill_at, made, place, base, turn + ahead * step))
            for ahead in range(AT_ONCE)
        ]
        for attempt in [wait_for(*fork) for fork in forks]:
            print(json.dumps(attempt))
            if not attempt["ended"]["killed"]:
                return


def race(made: Sequence[Release], place: Path, base: str) -> None:
    """Publish in many processes at once, each to a folder of its own."""
    private = place / "private"
    private.mkdir(mode=0o700)
    where = place_of(private, make_schema(base) if base else "")
    forks = [
        start_fork(partial(publish, at(one, where), place / f"{n}")) for n, one in enumerate(made)
    ]
    for fork in forks:
        print(json.dumps(wait_for(*fork)))
    print(json.dumps(in_fork(partial(list_times, where))))


def leave_one_by_one(place: Path) -> Iterator[Release]:
    """Prepare releases that each lack another person, as if each were the only one."""
    for person in range(RACERS):
        rows = [row for row in range(RACERS + 1) if row != person]
        yield decide_on(table_of().take(rows), place)


def under_many_names(made: Release) -> Iterator[Release]:
    """Return a release as one of many sources, each under a name of its own."""
    specification = made.specification
    for number in range(RACERS):
        source = change(specification.source, name=f"people {number}")
        renamed = specification.model_copy(update={"source": source})
        yield change(made, specification=renamed)


def list_times(where: dict[str, str]) -> dict[str, Any]:
    """Report when each release was entered and confirmed, and what it considered."""
    entries = reopen(where).releases()
    return {
        "times": [(entry.began, entry.published) for entry in entries],
        "considered": [entry.considered for entry in entries],
        "in place": [entry.certificate == la.Certificate.read(entry.folder) for entry in entries],
    }


def main(place: Path, base: str, work: str, step: str = "1") -> None:
    """Do the work that the test asks for."""
    (place / "warm").mkdir(mode=0o700)
    made = prepare_once(place / "warm")
    if work == "race":
        race([made] * RACERS, place, base)
    elif work == "race apart":
        race(list(leave_one_by_one(place / "warm")), place, base)
    elif work == "race names":
        race(list(under_many_names(made)), place, base)
    else:
        kill_at_each(made, place, base, int(step))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
