"""Source: from a specification to the frequency list of its table, read, checked and counted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from lookalike.draft.column import NEARLY_UNIQUE
from lookalike.draft.find_person import refuse_undecided_person
from lookalike.errors import InvalidInput
from lookalike.flow import count_beside
from lookalike.flow.count_register import count_registers, refuse_registers
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.resume import count_or_resume
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.model.frequency import list_frequencies
from lookalike.model.progress import Stopwatch
from lookalike.model.stored_list import StoredList
from lookalike.publish.publish import read_target
from lookalike.spec.settle_columns import require_source
from lookalike.spec.specification import Specification
from lookalike.tables.clean import clean
from lookalike.tables.connection import Connection, watching
from lookalike.tables.count import StoredCount, count, count_distinct, count_within, fetch
from lookalike.tables.counted import Counted
from lookalike.tables.engines import engine_of, settle_mixed
from lookalike.tables.engines.spark import Spark
from lookalike.tables.files.read_files import find_files, find_kind
from lookalike.tables.files.statistics_file import Labels, read_labels
from lookalike.tables.plan import Plan
from lookalike.tables.read import CLEANING_FIELDS, hold_rows, materialize, read_frame, read_source
from lookalike.tables.resources import sequences_that_fit
from lookalike.tables.sample import estimate_distinct, is_sampled, sample_table
from lookalike.tables.source import Source, is_address
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import PERSON, Frame, Role, Table, check_roles, column_names

CELLS_AT_ONCE = 4_000_000
"""How many cells one query counts the distinct values of: a query over many columns costs less than
many queries, but needs memory for their values."""
FRAME_FIELDS = {"name", "row_key", "person", "new_people", "memory", "spill", *CLEANING_FIELDS}
"""The fields of ``[source]`` that are not about how files are read."""
_TABLES = ("attributes", "defaults", "quasi_identifiers", "recipients", "records")
"""The tables of a specification that a call may give, besides ``release`` and ``source``."""


def describe_table(
    table: Any,
    spec: Specification | str | PathLike[str] | None,
    source: Mapping[str, Any] | None,
    changes: Mapping[str, Any],
) -> tuple[Specification, Frame | None]:
    """Build the specification of a table, or change one, and read the table if it is a frame."""
    own = dict(source or {})
    release = {name: value for name, value in changes.items() if name not in _TABLES}
    tables = {name: value for name, value in changes.items() if name in _TABLES and value}
    frame = None
    if isinstance(table, str | PathLike):
        own["path"] = str(table)
    elif table is not None:
        if set(own) - FRAME_FIELDS:
            raise InvalidInput("source is for a path; a frame holds the eligible rows already")
        frame = settle_mixed(read_frame(table))
    if spec is None:
        parts = {"attributes": {}, **tables, "release": release, **({"source": own} if own else {})}
        return Specification.build(parts, "release"), frame
    if isinstance(spec, Specification):
        asked = spec.changed(release, own, tables)
    else:
        asked = Specification.load(Path(spec), release, source=own, tables=tables)
    return (asked if frame is None else without_files(asked)), frame


def without_files(specification: Specification) -> Specification:
    """Return a specification for a frame, which holds the eligible rows already."""
    source = specification.source
    if source is None:
        return specification
    if source.where is not None:
        raise InvalidInput(
            "the specification selects rows by where, which is not applied to a frame; give the "
            "path of the table, or remove where and select the rows of the frame yourself"
        )
    kept = {name: getattr(source, name) for name in FRAME_FIELDS}
    own = Source(**kept) if any(kept.values()) else None
    return specification.model_copy(update={"source": own})


def read_and_count(
    specification: Specification,
    stopwatch: Stopwatch,
    frame: Frame | None = None,
    given: Any = None,
) -> CountedTable:
    """Read and count a table into memory, and refuse one that must not be released as specified.

    ``frame``: the eligible rows; without it they are read from the source of the specification.
    """
    stopwatch.begin("read")
    table = open_table(specification, stopwatch, frame, given)
    stopwatch.begin("count")
    with watching(table.connection, stopwatch.report):
        beside = count_beside.find_beside(specification, table)
        counted = count(table.frame, (*table.quasi_identifier, *beside))
        return _list_in_memory(specification, table, counted, beside)


def read_or_store(
    specification: Specification,
    stopwatch: Stopwatch,
    frame: Frame | None = None,
    given: Any = None,
    *,
    is_read_often: bool = False,
    select: Callable[[Table], Table] | None = None,
) -> CountedTable | StoredTable:
    """Read and count a table; leave its sequences in its engine if they do not fit in memory.

    If the constraints bound levels from below, the sequences at these levels are enough, and come
    to memory if they fit. The parameters are those of :func:`read_and_count`.

    ``is_read_often``: whether rows are read for a release as well, so that text is better parsed
    once.
    ``select``: selects the rows that are counted, and that a release is made of.
    """
    stopwatch.begin("read")
    table = open_table(specification, stopwatch, frame, given, is_read_often=is_read_often)
    if select is not None:
        # What is nearly unique in the whole table is; in a few rows of it almost everything is.
        refuse_nearly_unique(
            table, specification, sum(map(len, fetch(table.frame, [*table.roles][:1])))
        )
        table = select(table)
    stopwatch.begin("count")
    most = most_sequences(specification)
    with watching(table.connection, stopwatch.report):
        beside = count_beside.find_beside(specification, table)
        counted: Counted | StoredCount
        if beside:
            counted = count_beside.count_with_beside(specification, table, beside, most)
        elif select is not None:
            counted = count_within(table.frame, table.quasi_identifier, most)
        else:
            counted = count_or_resume(specification, table, most, stopwatch)
        checked = select is not None
        if isinstance(counted, Counted):
            return _list_in_memory(specification, table, counted, beside, checked=checked)
        refuse_registers(specification, most)
        bound = _bind_checked(specification, table, counted, checked=checked)
        sequences, ground_rows = counted.bind(bound)
    whole = StoredList(tuple(bound), (0,) * len(bound), tuple(ground_rows), sequences, most)
    least = specification.options().lattice_of(whole)[0].bottom
    stored = StoredTable(table, sequences, replace(whole, vector=least))
    return stored.settled(least) if sequences.count(least) <= most else stored


def most_sequences(specification: Specification) -> int:
    """Return how many distinct sequences may come to memory; by default half of it."""
    asked = specification.release.max_sequences
    if asked is not None:
        return asked
    return sequences_that_fit(len(specification.hierarchies()), specification.resources)


def _bind_checked(
    specification: Specification,
    table: Table,
    counted: Counted | StoredCount,
    *,
    checked: bool = False,
) -> list[BoundHierarchy]:
    """Refuse a table that must not be released as specified, and bind its hierarchies.

    ``checked``: whether its columns are known not to be nearly unique.
    """
    requirement = specification.requirement(counted.rows)
    requirement.check_feasible(counted.rows)
    rules = list(specification.hierarchies().items())
    if not checked:
        listed = zip(specification.hierarchies(), counted.values, strict=False)
        known = {name: len(values) for name, values in listed}
        refuse_nearly_unique(table, specification, counted.rows, known)
    _check_row_key(table, specification, counted.rows)
    return [
        hierarchy.bind(name, values, specification.release.suppressed_label)
        for (name, hierarchy), values in zip(rules, counted.values[: len(rules)], strict=True)
    ]


def _list_in_memory(
    specification: Specification,
    table: Table,
    counted: Counted,
    beside: Sequence[str],
    *,
    checked: bool = False,
) -> CountedTable:
    """List the frequencies of a table that was counted into memory."""
    bound = _bind_checked(specification, table, counted, checked=checked)
    columns = count_beside.describe_beside(specification, counted, beside)
    requirement = specification.requirement(counted.rows)
    count_beside.require_k_persons(columns, counted, requirement)
    count_beside.require_enough_values(columns, requirement)
    sequence_of, frequency = list_frequencies(
        bound, counted.positions[: len(bound)], counted.counts, beside=columns
    )
    frequency = replace(frequency, registers=count_registers(specification, bound, counted.rows))
    return CountedTable(table, counted, sequence_of, frequency)


def open_table(
    specification: Specification,
    stopwatch: Stopwatch,
    frame: Frame | None,
    given: Any,
    *,
    is_read_often: bool = False,
    is_linked: bool = False,
) -> Table:
    """Read the source if no frame is given, and give each column its role.

    ``is_linked``: whether it is one of several linked tables.
    """
    connection, source, cleaning = None, specification.source, specification.cleaning
    if frame is not None:
        frame = clean(frame, cleaning)
    else:
        source = require_source(specification)
        connection = Connection(source.resources, _beside(specification))
        frame = read_source(source, connection, cleaning)
    roles = specification.decided_roles()
    combined: dict[str, Role] = {PERSON: "identifier"} if cleaning.combined else {}
    check_roles(column_names(frame), roles | combined, is_linked=is_linked)
    keys = {
        name: attribute.pseudonym.key()
        for name, attribute in specification.attributes.items()
        if attribute.pseudonym is not None
    }
    table = Table(frame, roles | combined, keys, given, connection)
    refuse_undecided_person(specification, table)
    with watching(connection, stopwatch.report):
        if source is None or not _can_repeat(specification):
            return materialize(table, _find_place(specification))
        most = most_sequences(specification)
        return hold_rows(table, source, cleaning, most=most, is_read_often=is_read_often)


def _find_place(specification: Specification) -> Path | StorageUrl | None:
    """Return where Spark keeps private rows: in spill, or beside a release at an address."""
    out, resources = specification.release.out, specification.resources
    if resources.spill is not None:
        return resources.address or resources.place()
    target = None if out is None else read_target(out, None)
    return target.parent.parent if isinstance(target, StorageUrl) else None


def _beside(specification: Specification) -> Path | None:
    """Return the folder around the place of the release, if there is one already."""
    out = specification.release.out
    beside = Path(out).parent.parent if out else None
    return beside if beside is not None and beside.is_dir() else None


def _can_repeat(specification: Specification) -> bool:
    """Return whether reading the source again gives the same rows in the same order.

    Files do, and so do the rows of a database, which are kept. A query over files, a condition, a
    relation of DuckDB or a DataFrame of Spark may not; and what a ledger remembers must be the rows
    that were written, even if a file is replaced meanwhile.
    """
    source, ledger = specification.source, specification.release.ledger
    if source is None or source.where is not None or ledger is not None:
        return False
    if source.engine == "spark":
        return False
    return source.path is not None or source.database is not None


def refuse_nearly_unique(
    table: Table,
    specification: Specification,
    rows_in: int,
    known: Mapping[str, int] | None = None,
) -> None:
    """Refuse columns that are released unchanged and are nearly unique.

    Such a column links one release to the next, and to the private table.

    ``known``: the number of values of other columns, where it is known.
    """
    watched = [name for name in table.unchanged if not specification.attributes[name].unique]
    found = {}
    # A cluster counts the distinct values of many columns slowly, and sends the sample anyhow.
    if is_sampled(rows_in) or isinstance(engine_of(table.frame), Spark):
        samples = sample_table(table, specification.persons, rows_in, known)
        exact, estimates = samples[0].is_whole, estimate_distinct(samples, watched, rows_in)
        found = {name: one for name, one in estimates.items() if exact or 2 * one[0] <= one[1]}
    doubtful = [name for name in watched if name not in found]
    at_once = max(8, CELLS_AT_ONCE // max(1, rows_in))
    found |= count_distinct(table.frame, doubtful, at_once)
    for name, (distinct, rows) in found.items():
        if is_nearly_unique(distinct, rows):
            raise InvalidInput(describe_nearly_unique(name, distinct, rows))


def is_nearly_unique(distinct: int, rows: int) -> bool:
    """Return whether a column with so many different values identifies nearly every row."""
    return distinct > 1 and distinct > NEARLY_UNIQUE * rows


def describe_nearly_unique(name: str, distinct: int, rows: int) -> str:
    """Say why a column is not released as it is, and what to do."""
    return (
        f"column {name!r} has {distinct:,} different values in {rows:,} rows, so it "
        "identifies nearly every row and links this release to any other with the column; "
        "make it an identifier or a quasi-identifier, or set unique = true if that is meant"
    )


def _check_row_key(table: Table, specification: Specification, rows: int) -> None:
    """Refuse a row key that is not unique, where a ledger needs it."""
    source = specification.source
    if specification.release.ledger is None or source is None or source.row_key is None:
        return
    [(distinct, known)] = count_distinct(table.frame, [source.row_key]).values()
    if known < rows:
        raise InvalidInput(
            f"row_key: column {source.row_key!r} is missing in {rows - known:,} of {rows:,} rows; "
            "give every row its key, or leave these rows out"
        )
    if distinct < rows:
        raise InvalidInput(
            f"row_key: column {source.row_key!r} has {distinct:,} different values in {rows:,} "
            "rows; the row key must be unique: name a column that is"
        )


def list_labels(specification: Specification, plan: Plan, out: Path) -> Labels:
    """Return the labels of released columns and values, from a file of SPSS or Stata to one.

    The labels of values are left out where values became others, because they would be false.
    """
    source = specification.source
    if source is None or source.path is None or is_address(source.path):
        return {}
    files = find_files(source.path)
    if {find_kind(one.name, [one]) for one in (*files, out)} != {"statistics"}:
        return {}
    changed = {*plan.relabelled, *plan.table.pseudonym_keys}
    changed |= {name for name, one in specification.attributes.items() if one.coarsening.is_asked}
    return {
        name: (text, {} if name in changed or source.value_labels else of_values)
        for name, (text, of_values) in read_labels(files[0], source.encoding).items()
    }
