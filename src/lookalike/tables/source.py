"""Source: where the rows of a release come from, as a specification describes it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, TypedDict, get_args

from pydantic import ConfigDict, Field, StrictBool, StrictInt

from lookalike.errors import InvalidInput, not_one_of
from lookalike.tables.cleaning import Cleaning, Markers, read_markers
from lookalike.tables.databases.database import DatabaseAddress
from lookalike.tables.files.header_and_delimiter import DuplicateHeaders
from lookalike.tables.name_options import Option, Shown, declare_defaults, find_defaults
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


_SPECIFIED = "release minimal compare explore"
"""The commands that take fields in place of those of a specification."""
_READ = "init hierarchy check risk link"
"""The commands that read a table without a specification."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the rows come from: files, a query over several of them, or a database.

    Each field is declared here: its type, default and help. docs/specification.md explains them.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    path: Annotated[
        str | None,
        Shown("Private table: a file, a folder of Parquet files, or a quoted glob for many files."),
        Option(_SPECIFIED, names="--table", metavar="FILE"),
    ] = None
    engine: Annotated[
        ReadBy, Shown("Engine that reads, counts and recodes the rows."), Option("release check")
    ] = "duckdb"
    master: Annotated[
        str | None,
        Shown('Cluster that Spark uses: "local[4]", "yarn", "spark://host:7077", "sc://host".'),
        Option("release check", metavar="URL"),
    ] = field(default=None, repr=False)
    partitions: Annotated[
        StrictBool | None,
        Shown("Whether names of folders such as zip=02138 are columns, for Parquet files."),
    ] = None
    tables: Annotated[
        Mapping[str, str], Shown("Named tables for a query, each a path as above.")
    ] = field(default_factory=dict)
    query: Annotated[
        str | None, Shown("SQL over the named tables; with a database, SQL that it runs.")
    ] = field(default=None, repr=False)
    database: Annotated[
        str | None,
        Shown("SQLite or DuckDB file, PostgreSQL server or URL of SQLAlchemy: sqlite:clinic.db."),
    ] = field(default=None, repr=False)
    table: Annotated[
        str | None, Shown("Table of the database, such as patients or clinic.patients.")
    ] = None
    where: Annotated[
        str | None,
        Shown("SQL condition that selects the rows."),
        Option(f"{_SPECIFIED} hierarchy check risk link"),
    ] = field(default=None, repr=False)
    delimiter: Annotated[str | None, Shown("CSV field delimiter."), Option(_READ)] = None
    encoding: Annotated[
        str,
        Shown("Text encoding of CSV and JSON Lines input."),
        Option("hierarchy check risk link"),
    ] = "utf-8"
    duplicate_headers: Annotated[
        DuplicateHeaders, Shown("What to do with columns of the same name, or without a name.")
    ] = "refuse"
    header_row: Annotated[
        StrictInt | None,
        Shown("Line of a text file, or row of a sheet, with the column names."),
        Option(_READ, least=1),
    ] = None
    skip_rows: Annotated[
        StrictInt,
        Shown("Rows between the names and the first row of data, such as units."),
        Option(_READ, least=0),
    ] = 0
    last_rows: Annotated[
        StrictInt,
        Shown("Rows at the end that are no data, such as totals."),
        Option(_READ, least=0),
    ] = 0
    sheet: Annotated[str | None, Shown("Sheet of an Excel file; by default the first.")] = None
    value_labels: Annotated[
        StrictBool, Shown("Whether labelled values of SPSS and Stata files become their labels.")
    ] = False
    missing: Annotated[
        Markers,
        Shown('Text that stands for a missing value, such as "NA".'),
        Option("hierarchy check risk link", metavar="TEXT"),
    ] = ()
    trim: Annotated[
        StrictBool, Shown("Remove blanks around text values."), Option("hierarchy check risk link")
    ] = False
    memory: Annotated[
        str | None,
        Shown('Memory that DuckDB may use, such as "4GB"; by default half of what is free.'),
        Option(f"{_SPECIFIED} check risk link report verify", metavar="SIZE"),
    ] = None
    spill: Annotated[
        str | None,
        Shown("Folder for private temporary files beyond that memory; emptied at the end."),
        Option(f"{_SPECIFIED} check risk link report verify", metavar="FOLDER"),
    ] = None
    name: Annotated[
        Annotated[str, Field(min_length=1)] | None,
        Shown("Name of the source in a ledger; by default the row key."),
    ] = None
    row_key: Annotated[
        str | None,
        Shown("Column by which a ledger recognizes rows in the next release; never released."),
    ] = None
    person: Annotated[
        str | tuple[str, ...] | None,
        Shown("Column that identifies persons, who may have several rows: count persons."),
        Option("check risk", metavar="COLUMN"),
    ] = None
    new_people: Annotated[
        StrictBool,
        Shown("Whether people with an unknown row key are assured to be in no earlier release."),
    ] = False

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


class ReadingOptions(TypedDict, total=False):
    """How a table is read: every field for a path, ``missing`` and ``trim`` for a frame."""

    engine: ReadBy
    master: str | None
    partitions: bool | None
    where: str | None
    delimiter: str | None
    encoding: str
    duplicate_headers: DuplicateHeaders
    header_row: int | None
    skip_rows: int
    last_rows: int
    sheet: str | None
    value_labels: bool
    missing: Sequence[str]
    trim: bool
    memory: str | None
    spill: str | None


class SourceOptions(ReadingOptions, total=False):
    """How a table is read, and who its rows are."""

    name: str | None
    row_key: str | None
    person: str | Sequence[str] | None
    new_people: bool


for _options in (ReadingOptions, SourceOptions):
    declare_defaults(_options, find_defaults(Source))


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
