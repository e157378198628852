"""Statistics file: a table of SPSS, Stata or SAS, with its types and labels.

pyreadstat is imported only when it is needed, because it is an optional dependency. It reads a
file into memory, and writes one from there.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as arrow_compute

from lookalike.errors import InvalidInput
from lookalike.tables.labels import label
from lookalike.tables.source import Source
from lookalike.tables.sql import quote_name

Labels = Mapping[str, tuple[str, Mapping[str, str]]]
"""What a file says of each column, and of its values by their text."""
_READERS = {
    ".sav": "read_sav",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_LONGEST_TEXT = {".sav": 32_767, ".dta": 2_045}
"""The number of bytes that a text of a written file can have."""
_WHOLE_NUMBERS = {"tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger"}
_EXACT = {
    **dict.fromkeys(_WHOLE_NUMBERS, "abs({0}::HUGEINT) <= 9007199254740992"),
    "float": "isfinite({0})",
    "double": "isfinite({0})",
    "decimal": "{0}::DOUBLE::VARCHAR::{1} = {0}",
    "date": "year({0}) BETWEEN 1600 AND 9999",
    "timestamp": "year({0}) BETWEEN 1600 AND 9999 AND epoch_us({0}) % 1000000 = 0",
}
"""SQL for the values that these formats hold as numbers and dates; others become text."""


def read_statistics_file(file: Path, source: Source) -> pa.Table:
    """Read a file of SPSS, Stata or SAS.

    Values that the file declares as missing are missing, and so is empty text, because these
    formats have no other text that is missing. Numbers that are all whole are integers.
    """
    columns, described = _read(file, source.encoding)
    if source.value_labels:
        columns |= {
            name: [known.get(value, label(value)) for value in columns[name]]
            for name, known in described.variable_value_labels.items()
            if name in columns
        }
    return pa.table({name: _convert(file, name, values) for name, values in columns.items()})


def read_labels(file: Path, encoding: str) -> Labels:
    """Return what a file says of each column and of its values, such as ``Male`` of ``1``."""
    _, described = _read(file, encoding, metadataonly=True)
    of_values = described.variable_value_labels
    return {
        name: (
            text or "",
            {str(label(value)): one for value, one in of_values.get(name, {}).items()},
        )
        for name, text in described.column_names_to_labels.items()
    }


def _read(file: Path, encoding: str, **options: bool) -> tuple[dict[str, list[Any]], Any]:
    """Return the values of each column, and what pyreadstat says of the columns."""
    pyreadstat = _import("pyreadstat", file)
    read = getattr(pyreadstat, _READERS[file.suffix.lower()])
    given = {} if encoding == "utf-8" else {"encoding": encoding}
    try:
        columns, described = read(str(file), output_format="dict", **given, **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeError):
        raise InvalidInput(
            f"{file.name}: cannot be read; is it a whole {file.suffix} file, and is its encoding "
            "another (encoding)?"
        ) from None
    return columns, described


def _import(name: str, file: Path) -> ModuleType:
    """Import a package of the extra for these files."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise InvalidInput(
            f"{file.name}: SPSS, Stata and SAS files need {name}: "
            "pip install 'lookalike[statistics]'"
        ) from None


def _convert(file: Path, name: str, values: list[Any]) -> pa.Array:
    """Convert the values of a column to Arrow."""
    try:
        column = pa.array([None if value == "" else value for value in values])
    except (pa.ArrowException, OverflowError):
        raise InvalidInput(
            f"{file.name}: the values of column {name!r} have different types; save it as text"
        ) from None
    if pa.types.is_null(column.type):
        return column.cast(pa.string())
    if not pa.types.is_floating(column.type):
        return column
    try:
        return arrow_compute.cast(column, pa.int64(), safe=True)
    except pa.ArrowInvalid:
        return column


def write_statistics_file(rows: duckdb.DuckDBPyRelation, file: Path, labels: Labels) -> None:
    """Write rows to a file of SPSS or Stata, with the labels of its columns and of their values.

    A value that does not occur in the rows gets no label: it may be one that is not released.
    """
    pyreadstat, polars = _import("pyreadstat", file), _import("polars", file)
    _refuse_ambiguous(rows, file)
    table = rows.project(", ".join(_write_columns(rows))).to_arrow_table()
    known = {name: one for name, one in labels.items() if name in table.column_names}
    of_values = {
        name: {one: texts[text] for one in found if (text := str(label(one))) in texts}
        for name, (_, texts) in known.items()
        if (found := _list_labelled(table[name], file) if texts else None)
    }
    write = pyreadstat.write_sav if file.suffix.lower() == ".sav" else pyreadstat.write_dta
    try:
        write(
            polars.from_arrow(table),
            str(file),
            column_labels={name: text for name, (text, _) in known.items() if text},
            variable_value_labels={name: one for name, one in of_values.items() if one},
        )
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError):
        raise InvalidInput(
            f"{file.name}: the file cannot be written; names of columns must begin with a letter, "
            "have letters, digits and _ only, and at most 64 bytes in SPSS, 32 in Stata"
        ) from None


def _refuse_ambiguous(rows: duckdb.DuckDBPyRelation, file: Path) -> None:
    """Refuse text that the file would not give back as it is."""
    longest = _LONGEST_TEXT[file.suffix.lower()]
    for name in rows.columns:
        text, column = f"{quote_name(name)}::VARCHAR", f"{file.name}: column {name!r}"
        found = f"count(*) FILTER ({text} = '' OR rtrim({text}, ' ') <> {text})"
        [(blank, most)] = rows.aggregate(f"{found}, max(strlen({text}))").fetchall()
        if blank:
            raise InvalidInput(
                f"{column} has {blank:,} values that are empty text or end with blanks, which the "
                'format does not keep; set missing = [""] or trim = true, or release a CSV file'
            )
        if (most or 0) > longest:
            raise InvalidInput(
                f"{column} has text of {most:,} bytes, and the format has room for {longest:,}; "
                "release a CSV file"
            )


def _write_columns(rows: duckdb.DuckDBPyRelation) -> list[str]:
    """Return SQL for each column, as text unless the format holds all of its values exactly."""
    written = []
    for name, kind in zip(rows.columns, rows.types, strict=True):
        cell, exact = quote_name(name), _EXACT.get(kind.id)
        if exact is not None:
            [(holds,)] = rows.aggregate(f"bool_and({exact.format(cell, kind)})").fetchall()
            exact = None if holds is False else exact
        as_number = "DOUBLE" if kind.id == "decimal" else str(kind)
        written.append(f"{cell}::{'VARCHAR' if exact is None else as_number} AS {cell}")
    return written


def _list_labelled(column: pa.ChunkedArray, file: Path) -> list[Any]:
    """Return the different values of a column that can have labels: in Stata, whole numbers."""
    kind = column.type
    if not pa.types.is_integer(kind) and (file.suffix.lower() == ".dta" or kind != pa.string()):
        return []
    return [one for one in column.unique().to_pylist() if one is not None]
