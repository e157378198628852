"""Read: from files or a frame to one kind of frame that the other steps work on.

Files are read by DuckDB and stay on disk: the frame is a query, run where it is needed.
Values of CSV, TSV and JSON lines are text, so that the ZIP code 02138 keeps its zero;
Parquet and Arrow files keep their types, as frames do. The names of folders are never data:
``zip=02138/visits.parquet`` has no column ``zip`` but its own.
"""

import codecs
import csv
import glob
import re
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, ClassVar

import duckdb
import narwhals as nw
import pyarrow as pa
from pydantic import ConfigDict, Field, StrictBool

from lookalike.errors import InvalidInput
from lookalike.tables.private_folders import scratch_folder
from lookalike.tables.sql import derive, engine_errors, quote_name, sources_of
from lookalike.tables.table import Frame, check_names, column_names

DELIMITERS = (",", ";", "\t", "|")
FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}

CERTIFICATE = "certificate.json"
"""The file that makes a folder a published release."""
NEEDS_PLACE = "[source] needs either path, or query with tables"


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the rows come from: one table in one or more files, or a query over several tables.

    Parameters
    ----------
    path
        A file, or a glob such as ``visits-*.csv`` for one table in many files.
    tables
        Named tables for a query, each a path as above.
    query
        SQL over the named tables, to join them first (Samarati, section 2).
    where
        An SQL condition for the eligible rows. CSV, TSV and JSON lines hold text, so a number
        needs a cast: ``CAST(age AS INTEGER) >= 18``.
    delimiter
        Between the fields of CSV; found in the header line if not given.
    encoding
        Of CSV, TSV and JSON lines.
    memory_limit
        How much memory DuckDB may use before it works on disk, such as ``"1GB"``.
    name
        What a ledger calls the source; releases of one name are judged against each other.
        Without it, the row key is the name.
    row_key
        The column that tells rows apart, and knows them again in the next release; only for the
        ledger, never released.
    new_people
        Whether people whom the ledger does not know by their row key are in no release that it
        remembers, under whatever key or name; said by the holder where the ledger cannot tell.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    path: str | None = None
    tables: Mapping[str, str] = field(default_factory=dict)
    query: str | None = field(default=None, repr=False)
    where: str | None = field(default=None, repr=False)
    delimiter: str | None = None
    encoding: str = "utf-8"
    memory_limit: str | None = None
    name: Annotated[str, Field(min_length=1)] | None = None
    row_key: str | None = None
    new_people: StrictBool = False

    def __post_init__(self) -> None:
        if self.path is not None and self.query is not None:
            raise InvalidInput(NEEDS_PLACE)
        if self.is_frame and self.row_key is None and self.name is None:
            raise InvalidInput(NEEDS_PLACE)
        if (self.query is None) != (not self.tables):
            raise InvalidInput(
                '[source] query and tables go together: tables = { patients = "patients.csv" } '
                "names the files that the query reads"
            )
        if self.new_people and self.row_key is None:
            raise InvalidInput("[source] new_people is about the people of row_key; name it, too")
        self._check_format()

    @property
    def is_frame(self) -> bool:
        """Whether the rows are given as a frame, so that there is nothing to read."""
        return self.path is None and self.query is None

    def _check_format(self) -> None:
        """Refuse a delimiter or an encoding that cannot be read."""
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise InvalidInput(f"delimiter must be one character such as ;, not {self.delimiter!r}")
        try:
            "".encode(self.encoding)
        except (LookupError, ValueError):
            raise InvalidInput(f"encoding {self.encoding!r} is not known; try utf-8") from None


class Engine:
    """A DuckDB connection of our own, with a private folder for its spill.

    Relations refer to the connection, so the folder stays until the last of them is gone.
    """

    def __init__(self, memory_limit: str | None = None, beside: Path | None = None) -> None:
        self.folder = scratch_folder(beside)
        self.connection = duckdb.connect()
        weakref.finalize(self.connection, self.folder.remove)
        self.connection.execute("SET temp_directory = ?", [str(self.folder.path / "spill")])
        if memory_limit is not None:
            try:
                self.connection.execute("SET memory_limit = ?", [memory_limit])
            except duckdb.Error:
                raise InvalidInput(
                    f'memory_limit = {memory_limit!r} is not an amount; write it like "512MB" or '
                    '"4GB"'
                ) from None


def read_source(source: Source, engine: Engine) -> nw.LazyFrame[Any]:
    """Return the eligible rows of a source, as a query that has not run yet."""
    if source.is_frame:
        raise InvalidInput(NEEDS_PLACE)
    if source.path is not None:
        relation = _read_path(source.path, source, engine)
    else:
        relation = _read_query(source, engine)
    if source.where is not None:
        with engine_errors("where"):
            relation = derive(relation, f"SELECT * FROM t WHERE ({source.where})")
    check_names(relation.columns)
    return nw.from_native(relation)


def read_frame(native: Any) -> Frame:
    """Take any frame that narwhals takes; a polars LazyFrame is collected.

    Raises
    ------
    InvalidInput
        If it is no frame, or a lazy one that is not supported.
    """
    try:
        frame: Frame = nw.from_native(native)
    except TypeError:
        raise InvalidInput(
            f"a {type(native).__name__} is not a table; give a path, or a pandas, polars or "
            "pyarrow table, or a DuckDB relation"
        ) from None
    except nw.exceptions.DuplicateError:
        raise InvalidInput("two columns of the table have the same name; rename one") from None
    check_names(native.columns if frame.implementation.is_duckdb() else column_names(frame))
    if isinstance(frame, nw.DataFrame) or frame.implementation.is_duckdb():
        return frame
    if frame.implementation.is_polars():
        return frame.collect()
    raise InvalidInput(
        f"lazy frames of {frame.implementation.value} are not supported; collect the frame first"
    )


def read_table(table: Any, source: Mapping[str, Any]) -> Frame:
    """Read a path, or take a frame as it is.

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow or DuckDB.
    source
        For a path, further fields of :class:`Source`.
    """
    if isinstance(table, str | PathLike):
        unknown = sorted(set(source) - {field.name for field in fields(Source)} - {"path"})
        if unknown:
            raise InvalidInput(f"{unknown[0]!r} is not a field of a source")
        described = Source(path=str(table), **source)
        return read_source(described, Engine(described.memory_limit))
    if source:
        raise InvalidInput(f"{', '.join(source)} can be given for a path only, not for a frame")
    return read_frame(table)


def is_lazy(native: Any, frame: Frame) -> bool:
    """Tell whether a frame was given lazy and has been collected."""
    return isinstance(frame, nw.DataFrame) and isinstance(nw.from_native(native), nw.LazyFrame)


def _read_query(source: Source, engine: Engine) -> duckdb.DuckDBPyRelation:
    """Join the named tables by the holder's query, which sees nothing but them."""
    for name, path in source.tables.items():
        with engine_errors(f"table {name}"):
            _read_path(path, source, engine).create_view(name)
    query = source.query or ""
    with engine_errors("query"):
        others = sorted(sources_of(query, engine.connection) - {t.lower() for t in source.tables})
        if others:
            raise InvalidInput(
                f"query: {others[0]!r} is not one of the tables {', '.join(source.tables)}; name "
                "its file under tables, so that it is read as text like the others"
            )
        return engine.connection.sql(query)


def _read_path(path: str, source: Source, engine: Engine) -> duckdb.DuckDBPyRelation:
    """Read the files of one table."""
    files = _find_files(path)
    kinds = {FORMATS.get(file.suffix.lower()) for file in files}
    if len(kinds) > 1 or None in kinds:
        raise InvalidInput(
            f"{path}: the kind of file is told by its suffix, one of {', '.join(FORMATS)}; "
            "the files of one table must be of one kind"
        )
    kind = kinds.pop()
    if kind in ("csv", "json"):
        files = [_as_utf8(file, source, engine) for file in files]
    with engine_errors(path):
        if kind == "csv":
            return _read_csv(path, files, source.delimiter, engine)
        if kind == "json":
            return _read_json(files, engine)
        if kind == "parquet":
            return _read_parquet(path, files, engine)
        return _read_arrow(path, files, engine)


def _find_files(path: str) -> list[Path]:
    """List the files that a path or a glob names."""
    if Path(path).is_dir():
        raise InvalidInput(f"{path} is a folder; name a file, or a glob such as {path}/*.csv")
    if Path(path).exists():
        files = [Path(path)]
    else:
        found = sorted(glob.glob(path, recursive=True))  # noqa: PTH207
        files = [Path(name) for name in found if Path(name).is_file()]
        _check_sources(path, files)
    if not files:
        raise InvalidInput(f"no file is found at {path}")
    for file in files:
        try:
            file.open("rb").close()
        except OSError as error:
            raise InvalidInput(f"{file} cannot be read: {error.strerror}") from None
    return files


def _check_sources(path: str, files: Sequence[Path]) -> None:
    """Refuse a glob that reaches a release, or one file twice: some people would count twice."""
    first: dict[Path, Path] = {}
    for file in files:
        target = file.resolve()
        if any((folder / CERTIFICATE).exists() for folder in (file.parent, target.parent)):
            raise InvalidInput(
                f"{path}: {file} is part of a published release, because a {CERTIFICATE} lies "
                "beside it; its rows would count as further people: use a glob that reaches the "
                "source only"
            )
        if first.setdefault(target, file) != file:
            raise InvalidInput(
                f"{path}: {first[target]} and {file} are the same file, so its rows would count "
                "twice; use a glob that reaches it once"
            )


def _as_utf8(file: Path, source: Source, engine: Engine) -> Path:
    """Return the file itself, or a copy in UTF-8 in the private folder."""
    encoding = source.encoding
    if codecs.lookup(encoding).name == "utf-8":
        with file.open("rb") as stream:
            mark = stream.read(3)
        if mark[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            raise InvalidInput(f'{file} is UTF-16; set encoding = "utf-16"')
        if mark != codecs.BOM_UTF8:
            return file
        encoding = "utf-8-sig"
    copy = Path(tempfile.mkdtemp(dir=engine.folder.path)) / file.name
    try:
        with (
            file.open(encoding=encoding, newline="") as text,
            copy.open("x", encoding="utf-8", newline="") as out,
        ):
            while block := text.read(1 << 20):
                out.write(block)
    except UnicodeError:
        raise InvalidInput(
            f"{file} is not in the encoding {encoding!r}; set encoding to the file's own"
        ) from None
    return copy


def _read_csv(
    path: str, files: Sequence[Path], delimiter: str | None, engine: Engine
) -> duckdb.DuckDBPyRelation:
    """Read CSV as text: an unquoted empty field is missing, a quoted one is empty text."""
    if delimiter is None:
        delimiter = "\t" if files[0].suffix.lower() == ".tsv" else _find_delimiter(files[0])
    headers = [_read_header(file, delimiter) for file in files]
    _check_same_columns(path, files, headers)
    parts = [
        engine.connection.read_csv(
            glob.escape(str(file)),
            header=True,
            delimiter=delimiter,
            quotechar='"',
            escapechar='"',
            columns=dict.fromkeys(header, "VARCHAR"),
            auto_detect=False,
            na_values="",
            allow_quoted_nulls=False,
            null_padding=False,
            strict_mode=True,
            hive_partitioning=False,
        )
        for file, header in zip(files, headers, strict=True)
    ]
    return _stack(parts, headers[0])


def _find_delimiter(file: Path) -> str:
    """Return the delimiter that the header line has most of, outside of quotes."""
    with file.open(encoding="utf-8-sig", errors="replace") as stream:
        header = re.sub(r'"[^"]*"', "", stream.readline())
    return max(DELIMITERS, key=header.count)


def _read_header(file: Path, delimiter: str) -> list[str]:
    """Return the names in the first line of a CSV file."""
    with file.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
        line = stream.readline()
    try:
        line.encode()
        header = next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except UnicodeError:
        raise InvalidInput(
            f'{file}, line 1: not UTF-8; give the encoding, such as encoding = "latin-1"'
        ) from None
    except csv.Error:
        raise InvalidInput(
            f'{file}, line 1: a quoted field is not closed; write a quote inside as ""'
        ) from None
    if not header:
        raise InvalidInput(f"{file}, line 1: is empty, but must hold the column names")
    if "" in header:
        raise InvalidInput(
            f"{file}, line 1: column {header.index('') + 1} has no name; give it one"
        )
    check_names(header, f"{file}, line 1")
    return header


def _read_json(files: Sequence[Path], engine: Engine) -> duckdb.DuckDBPyRelation:
    """Read JSON lines as text; a key that a line lacks, or null, is missing."""
    names = [glob.escape(str(file)) for file in files]
    found = engine.connection.read_json(
        names,  # type: ignore[arg-type]
        format="newline_delimited",
        sample_size=-1,
        union_by_name=True,
        records="true",
        hive_partitioning=False,
    )
    return engine.connection.read_json(
        names,  # type: ignore[arg-type]
        format="newline_delimited",
        columns=dict.fromkeys(found.columns, "VARCHAR"),
        hive_partitioning=False,
    )


def _read_parquet(path: str, files: Sequence[Path], engine: Engine) -> duckdb.DuckDBPyRelation:
    """Read Parquet files with the types that they hold."""
    try:
        parts = [
            engine.connection.read_parquet(glob.escape(str(file)), hive_partitioning=False)
            for file in files
        ]
    except (duckdb.InvalidInputException, duckdb.IOException):
        raise InvalidInput(f"{path} is not a Parquet file") from None
    _check_same_columns(path, files, [part.columns for part in parts])
    return _stack(parts, parts[0].columns)


def _read_arrow(path: str, files: Sequence[Path], engine: Engine) -> duckdb.DuckDBPyRelation:
    """Read Arrow files, block by block each time they are scanned."""
    import pyarrow.dataset as arrow_dataset  # imports pandas, so no sooner than it is needed

    try:
        data = [arrow_dataset.dataset(str(file), format="ipc") for file in files]
    except (pa.ArrowInvalid, OSError):
        raise InvalidInput(f"{path} is not an Arrow file") from None
    _check_same_columns(path, files, [part.schema.names for part in data])
    return _stack([engine.connection.from_arrow(part) for part in data], data[0].schema.names)


def _check_same_columns(path: str, files: Sequence[Path], columns: Sequence[Sequence[str]]) -> None:
    """Make sure that the files of one table have the same columns, in any order.

    A message gives positions, not names: the names may be values, if a file has no header line.
    """
    first = (files[0], columns[0])
    for other in zip(files[1:], columns[1:], strict=True):
        for (here, names), (there, known) in ((other, first), (first, other)):
            strange = [number for number, name in enumerate(names, 1) if name not in known]
            if strange:
                raise InvalidInput(
                    f"{path}: the files of one table must have the same columns, but column "
                    f"{strange[0]} of {here.name} is not in {there.name}; rename it, or add the "
                    "header line if it is missing"
                )


def _stack(
    parts: Sequence[duckdb.DuckDBPyRelation], columns: Sequence[str]
) -> duckdb.DuckDBPyRelation:
    """Put the rows of several relations below each other, column by name."""
    order = ", ".join(quote_name(name) for name in columns)
    stacked = parts[0]
    for part in parts[1:]:
        stacked = stacked.union(derive(part, f"SELECT {order} FROM t"))
    return stacked
