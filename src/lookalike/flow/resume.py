"""Resume: begin an interrupted release of large files with the list that it counted."""

import time
from contextlib import suppress

import narwhals as nw

from lookalike.errors import LookalikeError
from lookalike.model.progress import Stopwatch
from lookalike.search.methods import TAKES
from lookalike.spec.specification import Specification
from lookalike.tables.count import StoredCount, count_within
from lookalike.tables.counted import Counted
from lookalike.tables.engines import engine_of
from lookalike.tables.engines.join_tables import read_grouped
from lookalike.tables.engines.spark import Spark
from lookalike.tables.saved_count import SavedCount, find_saved_count
from lookalike.tables.source import Source, is_address
from lookalike.tables.table import Table

SAVED_AFTER_SECONDS = 10.0
"""A list that was counted in less time is not worth a private file."""
MOST_HASHED = 4
"""The bits of more columns would take more memory than the sequences."""


def count_or_resume(
    specification: Specification, table: Table, most: int, stopwatch: Stopwatch
) -> Counted | StoredCount:
    """Count a table, or read the list that an interrupted release of the same files saved."""
    saved = find_saved(specification) if isinstance(table.frame, nw.LazyFrame) else None
    entries = None if saved is None else saved.load()
    if entries is not None and entries.num_rows <= most:
        stopwatch.report("resuming with the sequences of an interrupted release")
        return read_grouped(entries, table.quasi_identifier, None)
    begin = time.monotonic()
    hashed = find_hashed(specification, table)
    counted = count_within(table.frame, table.quasi_identifier, most, hashed)
    took_long = time.monotonic() - begin >= SAVED_AFTER_SECONDS
    if saved is not None and took_long and isinstance(counted, Counted):
        saved.save(counted)
    return counted


def find_hashed(specification: Specification, table: Table) -> tuple[str, ...]:
    """Return the columns in whose classes dominant values are looked for.

    They are hashed in the pass that counts a large table, which saves another pass. At the cell
    level the rows of a sequence may be in several classes, so that its hashes say nothing.
    """
    method = specification.release.method
    is_read_again = table.from_files is not None or isinstance(engine_of(table.frame), Spark)
    if not is_read_again or method not in TAKES or TAKES[method].cells:
        return ()
    return table.sensitive if len(table.sensitive) <= MOST_HASHED else ()


def forget_saved(specification: Specification) -> None:
    """Remove the list of files that are released now; files that are gone have none."""
    with suppress(LookalikeError, OSError):
        saved = find_saved(specification)
        if saved is not None:
            saved.remove()


def find_saved(specification: Specification) -> SavedCount | None:
    """Return where the list of a release is saved, if it is of files that can be read again."""
    source = specification.source
    if source is None or not _has_plain_files(source) or specification.release.ledger is not None:
        return None
    attributes = [
        name
        for name, attribute in specification.attributes.items()
        if attribute.role == "quasi-identifier"
    ]
    return find_saved_count(source, attributes, specification.cleaning)


def _has_plain_files(source: Source) -> bool:
    """Return whether DuckDB reads the rows from local files, all of them."""
    if source.path is None or source.engine != "duckdb" or source.where is not None:
        return False
    return not is_address(source.path)
