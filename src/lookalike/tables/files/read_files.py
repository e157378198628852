"""Files: the tables of files, read by DuckDB or handed to it.

Files stay on disk: a relation is a query, run where it is needed. Values of CSV, TSV and JSON
Lines and the cells of Excel are text, so that the ZIP code 02138 keeps its zero; Parquet and Arrow
files and those of SPSS, Stata and SAS keep their types. A source with folders such as
``zip=02138/visits.parquet`` must say whether ``zip`` is a column, because a folder may be named for
another purpose.
"""

import glob
import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

import duckdb
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables.connection import Connection
from lookalike.tables.files.excel_file import read_excel
from lookalike.tables.files.file_format import (
    CERTIFICATE,
    KNOWN_SUFFIXES,
    format_of,
    without_compression,
)
from lookalike.tables.files.header_and_delimiter import find_delimiter, read_header
from lookalike.tables.files.plain_text import (
    as_plain_text,
    cut_surroundings,
    keep_last_rows,
    read_last_rows,
)
from lookalike.tables.files.statistics_file import read_statistics_file
from lookalike.tables.source import MOST_ROWS_OF_FILE, Source
from lookalike.tables.sql import engine_errors, quote_name
from lookalike.tables.table import POSITION, check_names

_WILDCARD = re.compile(r"[*?\[]")


def read_files(
    path: str, source: Source, connection: Connection, *, numbered: bool = False
) -> duckdb.DuckDBPyRelation:
    """Read the files of one table.

    ``numbered``: whether to add the position of each row as
    :data:`~lookalike.tables.table.POSITION`, if the format gives it, which Parquet does.
    """
    files = find_files(path)
    kind = find_kind(path, files)
    names = partition_names(path, files) if source.partitions and kind == "parquet" else []
    if source.partitions is None and recognize_partitions(path):
        raise InvalidInput(
            f"{path}: some folders have names such as zip=02138, which may be columns; set "
            "partitions = true under [source] to read them as columns, or partitions = false if "
            "they are no data"
        )
    if source.partitions and source.path is not None and not names:
        raise InvalidInput(
            f"{path}: partitions = true is for Parquet files below folders such as zip=02138, and "
            "there are none"
        )
    _refuse_ignored(path, kind, source)
    if kind in ("csv", "json"):
        files = [as_plain_text(file, source.encoding, connection) for file in files]
    with engine_errors(path):
        if kind == "csv":
            return _read_csv(path, files, source, connection)
        if kind == "json":
            return _read_json(files, connection)
        if kind == "parquet":
            return _read_parquet(path, files, names, connection, numbered=numbered)
        if kind == "arrow":
            return _read_arrow(path, files, connection)
        read = read_excel if kind == "excel" else read_statistics_file
        tables = [read(file, source) for file in files]
        if kind == "excel":
            connection.last_rows[path] = tuple(map(keep_last_rows, files, tables))
        return _join_tables(path, files, tables, connection)


def recognize_partitions(path: str) -> bool:
    """Return whether the folders of Parquet files have names such as ``zip=02138``."""
    files = find_files(path)
    return find_kind(path, files) == "parquet" and has_partition_names(path, files)


def _refuse_ignored(path: str, kind: str, source: Source) -> None:
    """Refuse fields of a source that files of another format would need."""
    if source.sheet is not None and kind != "excel":
        raise InvalidInput(f"{path}: sheet is for Excel files (.xlsx); leave it out")
    for name in source.surrounding if kind not in ("csv", "excel") else ():
        raise InvalidInput(f"{path}: {name} is for text files and Excel files; leave it out")
    if source.value_labels and kind != "statistics":
        raise InvalidInput(f"{path}: value_labels is for SPSS and Stata files; leave it out")


def find_files(path: str) -> list[Path]:
    """List the files that a path, a folder or a glob names."""
    if Path(path).is_file():
        files = [Path(path)]
    elif Path(path).is_dir():
        files = _find_in_folder(path)
    else:
        files = _find_by_glob(path)
        _check_sources(path, files)
    if not files:
        raise InvalidInput(f"no file is found at {path}")
    for file in files:
        try:
            file.open("rb").close()
        except OSError as error:
            raise InvalidInput(f"{file} cannot be read: {error.strerror}") from None
    return files


def _find_by_glob(pattern: str) -> list[Path]:
    """List the files that a glob matches, without those in hidden folders."""
    found = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207
    return [Path(name) for name in found if Path(name).is_file()]


def _find_in_folder(folder: str) -> list[Path]:
    """List the Parquet files of a folder, without what begins with a dot or an underscore.

    Spark and others write files such as ``_SUCCESS`` beside the rows.
    """
    files = [
        file
        for file in _find_by_glob(f"{glob.escape(folder)}/**/*")
        if not any(part.startswith("_") for part in file.relative_to(folder).parts)
    ]
    _check_sources(folder, files)
    others = [file for file in files if file.suffix.lower() != ".parquet"]
    if others or not files:
        which = f"{others[0].relative_to(folder)} is none" if others else "it holds none"
        raise InvalidInput(
            f"{folder} is a folder, which must hold Parquet files only, but {which}; name a file, "
            "or a glob such as visits/*.csv"
        )
    return files


def find_kind(path: str, files: Sequence[Path]) -> str:
    """Return how the rows of all files are written."""
    kinds = {found.kind if (found := format_of(file)) else None for file in files}
    kind = kinds.pop()
    if kind is None or kinds:
        raise InvalidInput(
            f"{path}: the suffix determines the format, one of {KNOWN_SUFFIXES}; the files of one "
            "table must have the same format"
        )
    return kind


def _check_sources(path: str, files: Sequence[Path]) -> None:
    """Refuse files of a release, and a file that is listed twice: rows would count twice."""
    first: dict[Path, Path] = {}
    named = Path(path).resolve()
    for file in files:
        target = file.resolve()
        around = {file.parent, target.parent}
        around |= {folder.parent for folder in around if folder.resolve() != named}
        if any((folder / CERTIFICATE).exists() for folder in around):
            raise InvalidInput(
                f"{path}: {file} is part of a published release, because a {CERTIFICATE} lies "
                "beside it or beside its folder; its rows would count as further people: use a "
                "path that reaches the source only"
            )
        other = first.setdefault(without_compression(target), file)
        if other != file:
            same = "the same file" if other.resolve() == target else "the same but compressed"
            raise InvalidInput(
                f"{path}: {other} and {file} are {same}, so its rows would count twice; use a glob "
                "that reaches it once"
            )


def _read_csv(
    path: str, files: Sequence[Path], source: Source, connection: Connection
) -> duckdb.DuckDBPyRelation:
    """Read CSV as text: an unquoted empty field is missing, a quoted one is empty text."""
    row, duplicates = source.header_row, source.duplicate_headers
    delimiter = find_delimiter(files[0], source.delimiter, row, duplicates)
    headers = [read_header(file, delimiter, duplicates, row or 1) for file in files]
    _check_same_columns(path, files, headers)
    cut = [cut_surroundings(file, source, connection) for file in files]
    connection.last_rows[path] = tuple(
        read_last_rows(file, header, delimiter, has_header=not lines)
        for (file, lines), header in zip(cut, headers, strict=True)
    )
    parts = [
        connection.duckdb.read_csv(
            glob.escape(str(file)),
            header=not lines,
            skiprows=lines,
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
            compression="none",
        )
        for (file, lines), header in zip(cut, headers, strict=True)
    ]
    return _stack(parts, headers[0])


def _read_json(files: Sequence[Path], connection: Connection) -> duckdb.DuckDBPyRelation:
    """Read JSON lines as text; a key that a line lacks, or null, is missing."""
    names = [glob.escape(str(file)) for file in files]
    found = connection.duckdb.read_json(
        names,  # type: ignore[arg-type]
        format="newline_delimited",
        sample_size=-1,
        union_by_name=True,
        records="true",
        hive_partitioning=False,
        compression="none",
    )
    return connection.duckdb.read_json(
        names,  # type: ignore[arg-type]
        format="newline_delimited",
        columns=dict.fromkeys(found.columns, "VARCHAR"),
        hive_partitioning=False,
        compression="none",
    )


def _read_parquet(
    path: str,
    files: Sequence[Path],
    partitions: Sequence[str],
    connection: Connection,
    *,
    numbered: bool,
) -> duckdb.DuckDBPyRelation:
    """Read Parquet files with the types that they hold, and partitions as text."""
    places = [glob.escape(str(file)) for file in files]
    try:
        columns = [
            connection.duckdb.read_parquet(place, hive_partitioning=False).columns
            for place in places
        ]
    except (duckdb.InvalidInputException, duckdb.IOException):
        raise InvalidInput(f"{path} is not a Parquet file") from None
    _check_same_columns(path, files, columns)
    check_names([*columns[0], *partitions], path)
    names = ", ".join(quote_name(name) for name in (*columns[0], *partitions))
    position = _position(columns[0]) if numbered else ""
    return connection.duckdb.sql(
        f"SELECT {names} {position} FROM read_parquet($places, union_by_name = true, "
        "hive_partitioning = $partitioned, hive_types_autocast = false)",
        params={"places": places, "partitioned": bool(partitions)},
    )


def _position(columns: Sequence[str]) -> str:
    """Return SQL for the position of a row, by the number of its file and its number there.

    A file has fewer rows than the factor, so that the positions of two files do not meet.
    A column of the table hides DuckDB's own of that name; then there is no position.
    """
    if {"file_index", "file_row_number"} & {name.lower() for name in columns}:
        return ""
    number = f"file_index::BIGINT * {MOST_ROWS_OF_FILE} + file_row_number + 1"
    return f", {number} AS {quote_name(POSITION)}"


def _read_arrow(
    path: str, files: Sequence[Path], connection: Connection
) -> duckdb.DuckDBPyRelation:
    """Read Arrow files, batch by batch each time they are scanned."""
    import pyarrow.dataset as arrow_dataset  # imports pandas, so no sooner than it is needed

    try:
        data = [arrow_dataset.dataset(str(file), format="ipc") for file in files]
    except (pa.ArrowInvalid, OSError):
        raise InvalidInput(f"{path} is not an Arrow file") from None
    _check_same_columns(path, files, [part.schema.names for part in data])
    return _stack([connection.duckdb.from_arrow(part) for part in data], data[0].schema.names)


def _join_tables(
    path: str, files: Sequence[Path], tables: Sequence[pa.Table], connection: Connection
) -> duckdb.DuckDBPyRelation:
    """Hand the tables of files that were read into memory to DuckDB."""
    names = [table.column_names for table in tables]
    check_names(names[0], path)
    _check_same_columns(path, files, names)
    return _stack([connection.duckdb.from_arrow(table) for table in tables], names[0])


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
    """Concatenate the rows of several relations, matching columns by name."""
    order = ", ".join(quote_name(name) for name in columns)
    stacked = parts[0]
    for part in parts[1:]:
        stacked = stacked.union(part.project(order))
    return stacked


def partition_names(path: str, files: Sequence[Path]) -> list[str]:
    """Return the names of the columns in the folder names of the files of one table.

    Only folders below the given one count, or from the first wildcard of a glob on: the place of
    a table is no data.

    Examples
    --------
    >>> partition_names("year=2024/visits/**", [Path("year=2024/visits/zip=02138/a.parquet")])
    ['zip']
    """
    depth = len(fixed_part(path).parts)
    found = {file: _names(file.parts[depth:-1]) for file in files}
    first = files[0]
    for file, names in found.items():
        if names != found[first]:
            raise InvalidInput(
                f"{path}: the folders of {first} and {file} name different columns; with "
                "partitions = true every file needs the same ones, in the same order"
            )
        if set(names) & set(_names(file.parts[:depth])) or len(set(names)) < len(names):
            raise InvalidInput(f"{path}: two folders of {file} name the same column; rename one")
    return found[first]


def has_partition_names(path: str, files: Sequence[Path]) -> bool:
    """Return whether a folder of some file of a table has a name such as ``zip=02138``."""
    depth = len(fixed_part(path).parts)
    return any(_names(file.parts[depth:-1]) for file in files)


def fixed_part(path: str) -> Path:
    """Return the place of a table: the path itself, or the part of a glob before a wildcard."""
    if Path(path).exists():
        return Path(path)
    return Path(*takewhile(lambda part: not _WILDCARD.search(part), Path(path).parts))


def _names(folders: Sequence[str]) -> list[str]:
    """Return the column names in folder names, in order."""
    return [name for name, sign, _ in (folder.partition("=") for folder in folders) if sign]
