"""FileFormat: what the suffix of a file's name says about its content."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

Compression = Literal["gzip", "zstd"]

CERTIFICATE = "certificate.json"
"""The file that makes a folder a published release."""
REPORT = "report.html"
"""The report for the recipient, in the folder of a release."""


@dataclass(frozen=True)
class FileFormat:
    """The format of a file.

    ``kind``: how its rows are written.
    ``delimiter``: the CSV field delimiter of a released file.
    ``compression``: how the whole file is compressed, if it is.
    """

    kind: Literal["csv", "json", "parquet", "arrow", "excel", "statistics"]
    delimiter: str | None = None
    compression: Compression | None = None


_RELEASED = {
    ".csv": FileFormat("csv", ","),
    ".tsv": FileFormat("csv", "\t"),
    ".jsonl": FileFormat("json"),
    ".ndjson": FileFormat("json"),
    ".parquet": FileFormat("parquet"),
    ".arrow": FileFormat("arrow"),
    ".feather": FileFormat("arrow"),
    ".sav": FileFormat("statistics"),
    ".dta": FileFormat("statistics"),
}
_ONLY_READ = {
    ".txt": FileFormat("csv"),
    ".xlsx": FileFormat("excel"),
    ".sas7bdat": FileFormat("statistics"),
    ".xpt": FileFormat("statistics"),
}
_PLAIN = _RELEASED | _ONLY_READ
_COMPRESSIONS: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}
_COMPRESSED_TEXT = "or text compressed as .csv.gz or .csv.zst"
KNOWN_SUFFIXES = f"{', '.join(_PLAIN)}, {_COMPRESSED_TEXT}"
"""The suffixes of files that can be read, for error messages."""
RELEASED_SUFFIXES = f"{', '.join(_RELEASED)}, {_COMPRESSED_TEXT}"
"""The suffixes of files that a release can have, for error messages."""


def format_of(path: Path) -> FileFormat | None:
    """Return the format that the suffix of a path chooses, or nothing if none has that suffix.

    Examples
    --------
    >>> format_of(Path("visits.2024.CSV.gz"))
    FileFormat(kind='csv', delimiter=',', compression='gzip')
    >>> format_of(Path("visits.pdf"))
    """
    compression = _COMPRESSIONS.get(path.suffix.lower())
    if compression is None:
        return _PLAIN.get(path.suffix.lower())
    inside = _PLAIN.get(path.with_suffix("").suffix.lower())
    if inside is None or inside.kind not in ("csv", "json"):
        return None
    return replace(inside, compression=compression)


def released_format_of(path: Path) -> FileFormat | None:
    r"""Return the format of a released file; nothing if files of that suffix are only read.

    Examples
    --------
    >>> released_format_of(Path("visits.xlsx"))
    >>> released_format_of(Path("visits.tsv.gz"))
    FileFormat(kind='csv', delimiter='\t', compression='gzip')
    """
    chosen = format_of(path)
    inside = path.with_suffix("") if chosen is not None and chosen.compression else path
    return None if inside.suffix.lower() in _ONLY_READ else chosen


def without_compression(path: Path) -> Path:
    """Return a path without the suffix of its compression.

    Examples
    --------
    >>> print(without_compression(Path("visits.csv.gz")), without_compression(Path("visits.csv")))
    visits.csv visits.csv
    """
    chosen = format_of(path)
    return path.with_suffix("") if chosen is not None and chosen.compression else path
