"""Spark rows: run a query once, and keep its rows as files that outlive the loss of an executor.

The files are Parquet in a private folder that the driver and all executors reach. If an executor is
lost, Spark repeats its tasks elsewhere and reads the same files. A checkpoint in the executors
would be lost with them, and running the query again may give other rows.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lookalike.errors import InvalidInput, LookalikeError
from lookalike.tables.engines.spark_handover import (
    keeping_zones,
    local_address,
    local_pattern,
    spark_errors,
    spark_name,
)
from lookalike.tables.engines.spark_store import Store
from lookalike.tables.private_folders import (
    PrivateFolder,
    list_living_tokens,
    machine_of,
    scratch_folder,
    token_of,
)
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import POSITION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PREFIX = "_lookalike-rows-"
"""The names of folders at an address; Spark and Hadoop skip names that begin so."""
_STRICT = {"ignoreMissingFiles": "false", "ignoreCorruptFiles": "false"}
"""A session may be set to skip files that it cannot read, and would lose their rows."""


def keep_in_files(native: DataFrame, place: Path | StorageUrl | None) -> DataFrame:
    """Run a query once, and return its rows with the position of each.

    The files are removed when nobody refers to the DataFrame that is returned; DataFrames that are
    derived from it do not.
    """
    lock = scratch_folder(place if isinstance(place, Path) else None)
    if not isinstance(place, StorageUrl):
        rows = lock.path / "rows"
        kept = _write(native, local_address(rows), local_pattern(rows))
        weakref.finalize(kept, lock.remove)
        return kept
    store = Store(native.sparkSession, place)
    _sweep(store, place, lock)
    folder = place / f"{_PREFIX}{machine_of(lock)}-{token_of(lock.path)}"
    store.make_private(folder)
    remove = partial(_remove, store, folder, lock, os.getpid())
    try:
        kept = _write(native, str(folder / "rows"), str(folder / "rows"))
    except BaseException:
        remove()
        raise
    atexit.register(remove)
    weakref.finalize(kept, _remove_apart, remove).atexit = False
    return kept


def _write(native: DataFrame, address: str, pattern: str) -> DataFrame:
    """Let the executors write the rows, and make sure that everybody finds all of them."""
    from pyspark.sql import Observation
    from pyspark.sql.functions import expr

    session, seen = native.sparkSession, Observation()
    numbered = native.selectExpr("*", f"monotonically_increasing_id() AS {spark_name(POSITION)}")
    with spark_errors(), keeping_zones(session):
        numbered.observe(seen, expr("count(*) AS rows")).write.parquet(address)
        kept: DataFrame = session.read.options(**_STRICT).schema(numbered.schema).parquet(pattern)
        written, found = seen.get["rows"], kept.count()
    if found != written:
        raise InvalidInput(
            f"Spark wrote {written:,} rows to {address}, but {found:,} are there: its executors "
            "have other disks than the driver; set spill under [source], or TMPDIR, to a folder or "
            "an address that all of them reach"
        )
    return kept


def _sweep(store: Store, place: StorageUrl, lock: PrivateFolder) -> None:
    """Remove the folders of processes of this machine that have ended."""
    own, living = f"{_PREFIX}{machine_of(lock)}-", list_living_tokens(lock)
    for name in store.list_folders(place):
        if name.startswith(own) and name.removeprefix(own) not in living:
            store.remove(place / name)


def _remove(store: Store, folder: StorageUrl, lock: PrivateFolder, owner: int) -> None:
    """Remove a folder, unless this process is a fork of its owner; the next start tries again."""
    if os.getpid() == owner:
        with suppress(LookalikeError, OSError):
            store.remove(folder)
            store.close()
        lock.remove()


def _remove_apart(remove: partial[None]) -> None:
    """Call Java from a thread of its own: garbage is collected in the middle of other calls."""
    atexit.unregister(remove)
    threading.Thread(target=remove).start()
