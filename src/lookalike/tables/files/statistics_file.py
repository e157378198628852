"""Statistics file: a table of SPSS, Stata or SAS, with its types.

pyreadstat is imported only when it is needed, because it is an optional dependency. It reads a
file into memory.
"""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as arrow_compute

from lookalike.errors import InvalidInput
from lookalike.tables.labels import label
from lookalike.tables.source import Source

_READERS = {
    ".sav": "read_sav",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}


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


def read_labels(file: Path, encoding: str) -> dict[str, tuple[str, dict[str, str]]]:
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
    try:
        import pyreadstat
    except ModuleNotFoundError:
        raise InvalidInput(
            f"{file.name}: SPSS, Stata and SAS files need pyreadstat: "
            "pip install 'lookalike[statistics]'"
        ) from None
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
