"""Publish part files again and again, stop each attempt at another point, print what it leaves.

``publish/test_parts_crash.py`` runs this file as a module, which prints one line of JSON for each
attempt. An attempt is a fork of this process. With ``spark``, all forks use the Spark of this
process, one after the other; otherwise a store on this machine stands for it.
"""

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import lookalike as la
from lookalike.errors import InvalidInput, LookalikeError
from lookalike.publish.address import (
    RecountedParts,
    digest_parts,
    publish_parts,
    staging_parts,
    write_parts,
)
from lookalike.publish.certificate import Certificate, list_below
from lookalike.publish.certified import CertifiedQuasiIdentifier, ReleasedFile
from lookalike.publish.digest import describe_file
from lookalike.tables.engines.spark_files import Store
from lookalike.tables.storage_url import StorageUrl

from .crash_driver import in_fork, kill
from .folder_store import FolderStore, path_of

CHANGES = ("make_private", "make", "write", "move", "remove", "write_rows")
READS = ("read_rows", "digest_files")
Publish = Callable[[str, "Stop", bool], None]
"""Publishes a release of some name; may replace one."""


class Stop:
    """Calls a function at its n-th step, before the step."""

    def __init__(self, turn: int, strike: Callable[[], None] = kill) -> None:
        self.left, self.strike = turn, strike

    def __call__(self) -> None:
        self.left -= 1
        if not self.left:
            self.strike()


def certify(files: dict[str, ReleasedFile]) -> Certificate:
    """Return a certificate of some files; nothing else in it is looked at."""
    protected = (CertifiedQuasiIdentifier("zip", ("zip",), k=3, k_reached=3, classes=1),)
    return Certificate(
        statement="", quasi_identifiers=protected, generalized={}, released_as_they_are=(),
        pseudonyms=(),
        columns=(), rows_in=3, rows_out=3, rows_suppressed=0, rows_complementary=0,
        suppressed_rows="drop", suppressed_label="*", method="datafly", max_suppressed=None,
        precision=1.0, accuracy=1.0, completeness=1.0, order="randomized", files=files,
    )  # fmt: skip


def publish_on_folder(
    place: StorageUrl, name: str, stop: Stop, replace: bool, *, copies: bool
) -> None:
    """Publish three part files with a name of their own, as Spark names them."""
    store = FolderStore(copies=copies, step=stop)
    rows: Any = {f"part-{number}-{name}.parquet": name.encode() * 9 for number in range(3)}
    with staging_parts(store, place / "table.parquet", replace=replace) as staged:
        write_parts(rows, staged)
        files = digest_parts(staged, staged.rows)
        publish_parts(RecountedParts(staged, rows, (), files), certify(files), replace=replace)


def publish_by_spark(
    made: la.Release, place: StorageUrl, name: str, stop: Stop, replace: bool
) -> None:
    """Publish a release by Spark, with a step before every call of the store."""
    for method in (*CHANGES, *READS):
        setattr(Store, method, stepping(getattr(Store, method), stop))
    made.publish(str(place / f"{name}.parquet"), replace=replace)


def stepping(method: Callable[..., Any], stop: Stop) -> Callable[..., Any]:
    """Return a method with a step before it."""

    def call(*arguments: Any) -> Any:
        stop()
        return method(*arguments)

    return call


def attempt(
    publish: Publish, place: Path, name: str, turn: int, *, replace: bool
) -> dict[str, Any]:
    """Publish in a fork until the n-th step; report how it ended and what is in place."""

    def work() -> dict[str, Any]:
        stop = Stop(turn)
        try:
            publish(name, stop, replace)
        except LookalikeError as error:
            return {"how": "refused", "message": str(error)}
        return {"how": "published", "early": stop.left > 0}

    ended, left = in_fork(work), in_fork(partial(inspect, place))
    return {**ended, "left": {name: left[name] for name in ("state", "beside", "modes")}}


def inspect(place: Path) -> dict[str, Any]:
    """Report which release is in place, and what is beside it."""
    beside = sorted(path.name for path in place.parent.iterdir() if path != place)
    seen = {"state": state_of(place), "beside": [name.rsplit("-", 2)[0] for name in beside]}
    return seen | {"modes": [(place.parent / name).stat().st_mode & 0o777 for name in beside]}


def state_of(place: Path) -> str:
    """Return which release a reader finds: the old one, the new one, none, or a broken one."""
    try:
        certificate = Certificate.read(place)
    except InvalidInput:
        return "none"
    names = list_below(place) - {"certificate.json"}
    if {name: describe_file(place / name) for name in names} != certificate.files:
        return "broken"
    return "old" if "old" in next(iter(certificate.files)) else "new"


def stop_at_each(
    publish_at: Callable[[StorageUrl], Publish], folder: Path, *, replace: bool
) -> None:
    """Kill the process at its first step, its second, …, until it survives."""
    for turn in count(1):
        place = StorageUrl("file://", (*folder.parts[1:], str(turn), "released"))
        path_of(place).parent.mkdir(parents=True)
        publish = publish_at(place)
        if replace:
            attempt(publish, path_of(place), "old", 0, replace=False)
        killed = attempt(publish, path_of(place), "new", turn, replace=replace)
        again = attempt(publish, path_of(place), "new", 0, replace=True)
        print(json.dumps({"killed": killed, "again": again}), flush=True)
        if not killed["killed"]:
            return


def stop_in_one_place(publish: Publish, place: Path) -> None:
    """Kill the process at its first step, its second, …; each finds what the last one left."""
    for turn in count(1):
        killed = attempt(publish, place, "new", turn, replace=True)
        print(json.dumps({"killed": killed}), flush=True)
        if killed["left"]["state"] != "none":
            break
    survivor = attempt(publish, place, "new", 0, replace=True)
    print(json.dumps({"killed": survivor}), flush=True)


def make_release(rows: int) -> la.Release:
    """Make a release of rows in Spark."""
    from .tables.conftest import start_spark  # imports every kind of frame

    table = start_spark().range(rows).selectExpr("CAST(id % 4 AS STRING) AS zip", "id % 2 AS ill")
    linkable = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
    attributes = {"zip": linkable, "ill": {"role": "sensitive"}}
    accept = ["one-sensitive-value"]
    return la.release(table, k=3, method="datafly", attributes=attributes, accept=accept)


def main(folder: Path, kind: str, *options: str) -> None:
    """Run the attempts that the test asks for."""
    if kind == "spark":
        place = StorageUrl("file://", (*folder.parts[1:], "released"))
        stop_in_one_place(partial(publish_by_spark, make_release(40), place), path_of(place))
        os._exit(0)
    copies = kind == "copies"
    stop_at_each(
        lambda place: partial(publish_on_folder, place, copies=copies),
        folder,
        replace="replace" in options,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
