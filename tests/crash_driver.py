"""Publish again and again, stop each attempt at another point, and print what it leaves.

``test_crash.py`` runs this file as a script. Each attempt is a fork of this process, which has
imported and compiled everything but has not opened DuckDB, whose threads do not survive a fork.
The script prints one line of JSON for each attempt.
"""

import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace as change
from functools import partial
from itertools import chain, count, product
from pathlib import Path
from typing import Any

import narwhals._duckdb.namespace  # noqa: F401  (imported once here, and not in every fork)
import numpy as np
import pyarrow as pa
import sqlalchemy.dialects.sqlite  # noqa: F401  (likewise)

import lookalike as la
from lookalike.examine.verify import verify
from lookalike.flow.release import prepare
from lookalike.flow.result import Release
from lookalike.model.proved_bound import Duals
from lookalike.model.recoding import Optimality
from lookalike.publish.certificate import Certificate
from lookalike.publish.place import recover
from lookalike.tables.read import read_frame
from lookalike.verify.bound.proof import find_proof

TURNS_AT_ONCE = 2
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = {"os.mkdir", "os.rename", "os.chmod", "os.remove", "os.rmdir", "shutil.rmtree"}
DIRECTORY_HANDLE = {"os.mkdir": 2, "os.chmod": 2, "os.remove": 1, "os.rmdir": 1, "shutil.rmtree": 1}


def prove_something(made: Release) -> Release:
    """Add a bound to a release, so that a dossier keeps its proof."""
    frequency = made.plan.frequency
    duals = Duals(5, np.zeros(len(frequency), dtype=np.int64))
    known = Optimality("precision", made.measures.precision, 1.0, False, 0, duals)
    recoding = change(made.recoding, optimality=known)
    return change(made, plan=change(made.plan, recoding=recoding))


def make_release(rows: int, *, report: bool = False) -> Release:
    """Decide on a release of a table in memory, without opening DuckDB."""
    zips = ["02138", "02139", "02141", "02142"] * (rows // 4)
    table = pa.table({"zip": [*zips, "99999"], "ill": ["flu", "ache"] * (rows // 2) + ["pox"]})
    attributes = {
        "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
        "ill": {"role": "sensitive"},
    }
    release = {"k": 3, "method": "datafly", "accept": ["one-sensitive-value"], "report": report}
    fields = {"release": release, "attributes": attributes}
    return prepare(la.Specification.build(fields), frame=read_frame(table))


class Stop:
    """Stops the process at its n-th change below a folder, before the change is made."""

    def __init__(self, folder: Path, turn: int, strike: Callable[[], None]) -> None:
        self.folder, self.left, self.strike = str(folder), turn, strike
        self.event: str | None = None
        sys.addaudithook(self.hear)

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.left and self.changes(event, arguments):
            self.left -= 1
            if not self.left:
                self.event = event
                self.strike()

    def changes(self, event: str, arguments: tuple[Any, ...]) -> bool:
        if event == "open":
            return bool(arguments[2] & WRITING) and self.is_inside(arguments[0], -1)
        if event not in CHANGES:
            return False
        position = DIRECTORY_HANDLE.get(event, len(arguments))
        handle = arguments[position] if position < len(arguments) else -1
        return self.is_inside(arguments[0], handle)

    def is_inside(self, path: Any, handle: int | None) -> bool:
        if isinstance(path, int):
            return False
        if handle is not None and handle >= 0:
            path = Path(f"/proc/self/fd/{handle}").readlink() / os.fsdecode(path)
        return os.fsdecode(path).startswith(self.folder)


def in_fork(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Run a function in a fork of this process and return its report, if it survives."""
    return wait_for(*start_fork(work))


def start_fork(work: Callable[[], dict[str, Any]]) -> tuple[int, int]:
    """Start a function in a fork of this process; return its process id and report pipe."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with os.fdopen(writing, "w") as report:
            report.write(json.dumps(work()))
        os._exit(0)
    os.close(writing)
    return child, reading


def wait_for(child: int, reading: int) -> dict[str, Any]:
    """Return the report of a fork, and whether it was killed."""
    with os.fdopen(reading) as report:
        text = report.read()
    _, status = os.waitpid(child, 0)
    return {"killed": os.WIFSIGNALED(status), **(json.loads(text) if text else {})}


def publish(made: Release, out: Path, *, replace: bool) -> dict[str, Any]:
    """Publish, with a dossier beside the folder if there is something to keep there."""
    dossier = dossier_of(out.parent) if made.has_proof else None
    try:
        made.publish(out, replace=replace, dossier=dossier)
    except la.LookalikeError as error:
        return {"how": "refused", "message": str(error)}
    except BaseException as error:
        return {"how": type(error).__name__, "message": str(error)}
    return {"how": "published"}


def inspect_place(folder: Path) -> dict[str, Any]:
    """Report what is in place, and which leftovers beside it other users can access."""
    apart = (folder, dossier_of(folder))
    hidden = [path for path in folder.parent.iterdir() if path not in apart]
    opened = [path for path in hidden if stat.S_IMODE(path.stat().st_mode) != 0o700]
    unverified = [path for path in opened if not is_verified(path)]
    seen = {"state": state_of(folder), "left": names(hidden), "unprotected": names(unverified)}
    return {**seen, **inspect_proof(folder)} if dossier_of(folder).exists() else seen


def dossier_of(folder: Path) -> Path:
    """Return where the proof of a release is kept."""
    return folder.parent / "private"


def inspect_proof(folder: Path) -> dict[str, Any]:
    """Report whether the release has its private documents, and how many files the dossier has."""
    dossier = dossier_of(folder)
    seen = {"files": len(list(dossier.iterdir())), "mode": stat.S_IMODE(dossier.stat().st_mode)}
    if not folder.exists():
        return {**seen, "proof": "of nothing"}
    certificate = Certificate.read(folder)
    digest = next(iter(certificate.files.values())).sha256
    try:
        own = find_proof(dossier, digest).release_sha256 == digest
    except la.InvalidInput:
        own = False
    for name in ["preflight.json", *(["report.html"] if certificate.report else [])]:
        kept = [path.read_text() for path in dossier.glob(f"*{name}*")]
        own = own and any(digest in text for text in kept)
    return {**seen, "proof": "its own" if own else "missing"}


def is_verified(folder: Path) -> bool:
    """Return whether a folder was verified before other users could access it."""
    return (folder / "certificate.json").exists() or ".lookalike-old-" in folder.name


def names(paths: list[Path]) -> list[str]:
    return sorted(path.name for path in paths)


def state_of(folder: Path) -> str:
    """Return which release is in a place: none, old, new, or a broken one."""
    if not folder.exists():
        return "none"
    try:
        whole = verify(folder).holds
    except la.LookalikeError:
        whole = False
    name = "old" if (folder / "old.csv").exists() else "new"
    return name if whole else "broken"


def go_on(made: Release, folder: Path) -> dict[str, Any]:
    """Report what a stopped process left, recover, and publish again."""
    before = inspect_place(folder)
    recover(folder)
    recovered = state_of(folder)
    again = publish(made, folder / "new.csv", replace=recovered != "none")
    return {
        "before": before,
        "recovered": recovered,
        "again": again,
        "after": inspect_place(folder),
    }


def stop_at_each_change(made: Release, place: Path, strike: str, *, replace: bool) -> None:
    """Stop the process at its first change, its second, …, until it survives."""
    old = place / "old" / "released"
    in_fork(partial(publish, made, old / "old.csv", replace=False))
    stopped = partial(stop_at, made, place, old if replace else None, strike)
    for turn in count(1, TURNS_AT_ONCE):
        forks = [start_fork(partial(stopped, turn + ahead)) for ahead in range(TURNS_AT_ONCE)]
        for attempt in [wait_for(*fork) for fork in forks]:
            print(json.dumps(attempt))
            if attempt["ended"].get("event", "killed") is None:
                return


def stop_at(made: Release, place: Path, old: Path | None, strike: str, turn: int) -> dict[str, Any]:
    """Stop a process at its n-th change, in a place of its own, and report the outcome."""
    folder = place / str(turn) / "released"
    if old is None:
        folder.parent.mkdir()
    else:
        shutil.copytree(old.parent, folder.parent)
    replace = old is not None
    ended = in_fork(partial(publish_until, made, folder, turn, strike, replace=replace))
    seen = in_fork(partial(go_on, made, folder) if strike == "kill" else dict)
    return {"ended": ended, **seen}


def publish_until(
    made: Release, folder: Path, turn: int, strike: str, *, replace: bool
) -> dict[str, Any]:
    """Publish until the n-th change; report what is left if the process survives that."""
    stop = Stop(folder.parent, turn, {"kill": kill, "interrupt": interrupt}[strike])
    ended = publish(made, folder / "new.csv", replace=replace)
    return {**ended, "event": stop.event, "left behind": inspect_place(folder)}


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> None:
    raise KeyboardInterrupt


def limit_file_size(made: Release, place: Path, suffix: str, *, replace: bool) -> None:
    """Limit files to 0 bytes, 1 byte, …, until the process survives."""
    for size in chain([0, 1], grow(64, 4)):
        folder = place / f"{suffix}-{size}" / "released"
        folder.parent.mkdir()
        if replace:
            in_fork(partial(publish, made, folder / "old.csv", replace=False))
        limited = partial(publish_limited, made, folder / f"new.{suffix}", size, replace=replace)
        if report(suffix, folder, in_fork(limited)):
            return


def publish_limited(made: Release, out: Path, size: int, *, replace: bool) -> dict[str, Any]:
    """Publish with a limit on the size of each file."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    return publish(made, out, replace=replace)


def fill_disk(made: Release, place: Path, suffix: str, option: str) -> None:
    """Mount disks with ever more room, or ever more inodes, until the process survives."""
    for room in grow(4096, 2) if option == "size" else count(1):
        disk = place / f"{suffix}-{option}-{room}"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"{option}={room}", "tmpfs"]
        subprocess.run([*mount, str(disk)], check=True)
        folder = disk / "released"
        ended = in_fork(partial(publish, made, folder / f"new.{suffix}", replace=False))
        survived = report(f"{suffix} {option}", folder, ended)
        subprocess.run(["umount", str(disk)], check=True)
        if survived:
            return


def report(series: str, folder: Path, ended: dict[str, Any]) -> bool:
    """Print how an attempt ended and what it left; return whether it survived."""
    after = in_fork(partial(inspect_place, folder))
    print(json.dumps({"series": series, "ended": ended, "after": after}))
    return ended.get("how") == "published"


def grow(size: int, factor: int) -> Iterator[int]:
    """Yield sizes that grow by a factor."""
    while True:
        yield size
        size *= factor


def main(place: Path, work: str, *options: str) -> None:
    """Run the attempts that the test asks for."""
    replace = "replace" in options
    if work in ("kill", "interrupt"):
        made = make_release(40, report="report" in options)
        made = prove_something(made) if "dossier" in options else made
        stop_at_each_change(made, place, work, replace=replace)
    elif work == "limit":
        made = make_release(4000)
        for suffix in ["csv"] if replace else ["csv", "parquet", "arrow"]:
            limit_file_size(made, place, suffix, replace=replace)
    else:
        made = make_release(4000)
        for suffix, option in product(["csv", "arrow"], ["size", "nr_inodes"]):
            fill_disk(made, place, suffix, option)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
