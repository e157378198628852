"""Source: where the rows of a release come from, as a specification describes it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, get_args

from pydantic import ConfigDict, Field, StrictBool, StrictInt

from lookalike.errors import InvalidInput, not_one_of
from lookalike.tables.cleaning import Cleaning, Markers, read_markers
from lookalike.tables.databases.database import DatabaseAddress
from lookalike.tables.files.header import DuplicateHeaders
from lookalike.tables.resources import Resources
from lookalike.tables.table import PERSON

ReadBy = Literal["duckdb", "spark"]
"""The engines that can read a source."""
EACH_ROW = "row"
"""The person of a source in which each row is a person; a column of that name is ``["row"]``."""
UNDECIDED: Final = "?"
"""The person of a source, or the role of a column, that is still to be decided."""
MOST_ROWS_OF_FILE = 2**40
"""More rows than a file has."""
NEEDS_PLACE = (
    "[source] needs either path, or query with tables, or database with table or with query"
)


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the rows come from: files, a query over several of them, or a database.

    Parameters
    ----------
    path
        A file, a folder of Parquet files, or a glob such as ``visits-*.csv`` for one table in many
        files; with Spark also an address of Parquet files, such as ``s3a://clinic/visits``.
    engine
        What reads, counts and recodes the rows.
    master
        The cluster that Spark uses, such as ``local[4]``, ``yarn`` or ``sc://host`` for Spark
        Connect; without it, as Spark is configured.
    partitions
        Whether the names of folders such as ``zip=02138`` are columns of text, for Parquet files;
        if there are such folders, it must be said.
    tables
        Named tables for a query, each a path as above.
    query
        SQL over the named tables, to join them first (Samarati, section 2); with a database, SQL
        that the database runs.
    database
        An SQLite file, ``sqlite:clinic.db``, a PostgreSQL server, ``postgres:dbname=clinic``, or a
        URL of SQLAlchemy, ``mysql+pymysql://user@host/clinic``.
    table
        A table of the database, such as ``patients`` or ``clinic.patients``.
    where
        A condition for the eligible rows, in the engine's SQL. CSV, TSV and JSON lines hold text,
        so a number needs a cast: ``CAST(age AS INTEGER) >= 18``.
    delimiter
        CSV field delimiter; detected in the header line if not given.
    encoding
        Text encoding of CSV, TSV and JSON Lines files.
    duplicate_headers
        What is done with columns of the same name in text files and sheets, and with columns
        without a name: ``"refuse"``, or ``"number"`` to call them ``name (2)`` and ``column 3``.
    header_row
        Number of the line of a text file, or of the row of a sheet, that holds the names of the
        columns; what is above is not read. Default: the first line, or the first row that is not
        empty, which is refused if it does not look like names.
    skip_rows
        Number of rows between the names and the first row of data, such as units.
    last_rows
        Number of rows at the end that are no data, such as totals and footnotes.
    sheet
        Sheet of an Excel file; by default the first.
    value_labels
        Whether values of SPSS and Stata files that have a label become that label.
    missing
        Texts that stand for missing values in every column, such as ``("", "?", "NA")``.
    trim
        Whether blanks around text values are removed.
    memory
        How much memory DuckDB may use before it works on disk, such as ``"4GB"``. Default: half of
        the memory that is free.
    spill
        Folder for what does not fit into memory; each run has a private folder in it, which is
        removed at the end. With Spark also an address, for the rows that it keeps.
    name
        Name of the source in a ledger; releases of one name are judged against each other.
        Default: the row key.
    row_key
        Column with a distinct value for each row, by which the ledger recognizes rows in the next
        release; never released.
    person
        Who a person is. A column that identifies persons, who may have several rows, or a list of
        columns that identify them together: k then counts the distinct persons of a class. Rows
        without a value count as rows of one person. Never released. ``"row"``: each row is a
        person. ``"?"``: to be decided, so that nothing is released.
    new_people
        The holder's assurance that people whose row key is not in the ledger are in no earlier
        release, under any key or name.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    path: str | None = None
    engine: ReadBy = "duckdb"
    master: str | None = field(default=None, repr=False)
    partitions: StrictBool | None = None
    tables: Mapping[str, str] = field(default_factory=dict)
    query: str | None = field(default=None, repr=False)
    database: str | None = field(default=None, repr=False)
    table: str | None = None
    where: str | None = field(default=None, repr=False)
    delimiter: str | None = None
    encoding: str = "utf-8"
    duplicate_headers: DuplicateHeaders = "refuse"
    header_row: StrictInt | None = None
    skip_rows: StrictInt = 0
    last_rows: StrictInt = 0
    sheet: str | None = None
    value_labels: StrictBool = False
    missing: Markers = ()
    trim: StrictBool = False
    memory: str | None = None
    spill: str | None = None
    name: Annotated[str, Field(min_length=1)] | None = None
    row_key: str | None = None
    person: str | tuple[str, ...] | None = None
    new_people: StrictBool = False

    def __post_init__(self) -> None:
        problems = [*self._check_place(), *self._check_engine(), *self._check_format()]
        if self.person == () or len({*self.person_columns}) < len(self.person_columns):
            problems.append('[source] person needs different columns, such as ["clinic", "number"]')
        if self.new_people and self.row_key is None:
            problems.append("[source] new_people is about the people of row_key; name it, too")
        if problems:
            raise InvalidInput("; ".join(problems))
        read_markers(self.missing)
        self.resources  # noqa: B018  (refuses an amount that cannot be read)

    @property
    def resources(self) -> Resources:
        """The memory and the spill folder of every connection of the release."""
        return Resources(self.memory, self.spill)

    @property
    def cleaning(self) -> Cleaning:
        """How the values of every column are read."""
        combined = self.person_columns if self.person_column == PERSON else ()
        return Cleaning(tuple(self.missing), self.trim, combined=combined)

    @property
    def person_columns(self) -> tuple[str, ...]:
        """The columns that identify persons together; none if each row is a person."""
        if isinstance(self.person, tuple):
            return self.person
        return () if self.person in (None, EACH_ROW, UNDECIDED) else (self.person,)

    @property
    def person_column(self) -> str | None:
        """The column by which persons are counted, which several columns are combined to."""
        columns = self.person_columns
        return PERSON if len(columns) > 1 else next(iter(columns), None)

    @property
    def is_person_undecided(self) -> bool:
        """Whether it is still to be decided who is a person."""
        return self.person == UNDECIDED

    @property
    def surrounding(self) -> dict[str, int]:
        """The fields that say which rows of a file are no data, as far as they are given."""
        first = {} if self.header_row is None else {"header_row": self.header_row}
        others = {"skip_rows": self.skip_rows, "last_rows": self.last_rows}
        return first | {name: number for name, number in others.items() if number}

    @property
    def is_frame(self) -> bool:
        """Whether the rows are given as a frame, so that nothing else is read."""
        return self.path is None and self.query is None and self.database is None

    def _check_place(self) -> Iterator[str]:
        """Yield what is wrong with the place of the rows: there must be exactly one."""
        if self.database is not None:
            DatabaseAddress.parse(self.database)
            if self.path is not None or self.tables or (self.table is None) == (self.query is None):
                yield NEEDS_PLACE
            return
        own = (self.row_key, self.person, self.name, self.memory, self.spill)
        nowhere = self.is_frame and not any((*own, self.missing, self.trim))
        if nowhere or (self.path is not None and self.query is not None):
            yield NEEDS_PLACE
        if self.table is not None:
            yield "[source] table is one of a database; name the database, too"
        if (self.query is None) != (not self.tables):
            yield (
                '[source] query and tables go together: tables = { patients = "patients.csv" } '
                "names the files that the query reads"
            )

    def _check_engine(self) -> Iterator[str]:
        """Yield what the engine does not read."""
        known = get_args(ReadBy)
        if self.engine not in known:
            yield f"[source] {not_one_of('engine', self.engine, known)}"
        if self.engine == "spark" and self.path is None:
            yield (
                '[source] engine = "spark" reads path only; for a query or a database let Spark '
                "make the DataFrame, and release that: la.release(dataframe, ...)"
            )
        if self.engine != "spark" and self.master is not None:
            yield '[source] master is for Spark: add engine = "spark"'

    def _check_format(self) -> Iterator[str]:
        """Yield a delimiter, a policy, a number of rows or an encoding that cannot be read."""
        policies = get_args(DuplicateHeaders)
        if self.duplicate_headers not in policies:
            yield f"[source] {not_one_of('duplicate_headers', self.duplicate_headers, policies)}"
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            yield f"delimiter must be one character such as ;, not {self.delimiter!r}"
        if self.header_row is not None and not 1 <= self.header_row < MOST_ROWS_OF_FILE:
            yield f"[source] header_row is counted from 1, so it cannot be {self.header_row}"
        for name in ("skip_rows", "last_rows"):
            if (number := getattr(self, name)) < 0:
                yield f"[source] {name} is a number of rows, so it cannot be {number}"
        try:
            "".encode(self.encoding)
        except (LookupError, ValueError):
            yield f"encoding {self.encoding!r} is not known; try utf-8"


def is_address(path: str) -> bool:
    """Return whether a path is the address of something that is not in the local file system.

    Examples
    --------
    >>> is_address("s3a://clinic/visits"), is_address("/data/visits")
    (True, False)
    """
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path) is not None


def resolve_path(path: str, base: Path) -> str:
    """Resolve a relative path against a folder; an address stays as it is."""
    return path if is_address(path) else str(base / path)
