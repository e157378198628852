"""File: a hierarchy in a text file with one line per ground value; it is read and written here."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from lookalike.errors import InvalidInput, UnknownValue, name_some
from lookalike.hierarchy.hierarchy import Hierarchy
from lookalike.hierarchy.listed import Line, Listed, ListedHierarchy, collect_paths


@dataclass(frozen=True)
class File(ListedHierarchy):
    r"""A hierarchy file with lines ``value;level 1;level 2;…`` and no header, as in ARX.

    Fields may be quoted as in CSV, blank lines are skipped, and a byte order mark at the
    start is ignored. The file is read once, when it is first needed.

    Parameters
    ----------
    path
        Path of the file; in a specification, relative to the specification.
    delimiter
        Field delimiter; by default ``;`` if the first line contains one, else ``,``.
    encoding
        Character encoding of the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "race.csv")
    ...     _ = path.write_text("asian;person\nblack;person\nwhite;person\n")
    ...     File(path).ancestors("black")
    ('black', 'person')
    """

    path: Path
    delimiter: str | None = None
    encoding: str = "utf-8"
    kind: Literal["file"] = "file"

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise self.invalid(f"delimiter must be one character such as ;, not {self.delimiter!r}")
        try:
            "".encode(self.encoding)
        except LookupError:
            raise self.invalid(f"encoding {self.encoding!r} is not known; try utf-8") from None
        super().__post_init__()

    @cached_property
    def listing(self) -> Mapping[str, tuple[str, ...]]:
        """The lines of the file."""
        listing = collect_paths(self.lines(), self.suppression_level)
        if not listing:
            raise InvalidInput(
                f"{self.path}: the file is empty; write one line per value: value;level 1;…"
            )
        return listing

    @property
    def how_to_add(self) -> str:  # noqa: D102
        return f"add a line for it to {self.path.name}"

    def lines(self) -> Iterator[Line]:
        """Read the file line by line: the place of each line, and its fields."""
        text = self._text()
        delimiter = self.delimiter or _detect(text)
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            for row in rows:
                if row:
                    yield f"{self.path}, line {rows.line_num}", row
        except csv.Error as error:
            raise InvalidInput(
                f"{self.path}, line {rows.line_num}: not valid CSV ({error}); correct the quotes"
            ) from None

    def _text(self) -> str:
        """Return the text of the file without a byte order mark."""
        try:
            content = self.path.read_bytes()
            return content.decode(self.encoding).removeprefix("\ufeff")
        except OSError as error:
            raise InvalidInput(
                f"hierarchy file {self.path}: {error.strerror}; give the path of a file that "
                "can be read"
            ) from None
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise InvalidInput(
                f"{self.path}, line {line}: not in the encoding {self.encoding}; "
                "set encoding to that of the file, such as latin-1"
            ) from None


def _detect(text: str) -> str:
    """Return the delimiter of the first line that is not blank, ignoring quoted parts.

    Examples
    --------
    >>> _detect('"a;b",c'), _detect("a;b,c")
    (',', ';')
    """
    unquoted = re.sub('"[^"]*"', "", text).lstrip()
    return ";" if ";" in unquoted.partition("\n")[0] else ","


def write_hierarchy(
    hierarchy: Hierarchy, values: Iterable[str | None], path: str | Path, delimiter: str = ";"
) -> None:
    """Write the ancestors of some values, and of the ground domain if the hierarchy lists it.

    :class:`~lookalike.hierarchy.File` reads the same ancestors back. Missing values get no
    line. Values that the hierarchy does not know are omitted if it suppresses them, and an
    error otherwise.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    values
        The values of a column; each is written once.
    path
        The file to write.
    delimiter
        The field delimiter.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from lookalike.hierarchy import Mask
    >>> with TemporaryDirectory() as folder:
    ...     target = Path(folder, "zip.csv")
    ...     write_hierarchy(Mask(), ["02", "13"], target)
    ...     print(target.read_text(), end="")
    "02";"0*";"*"
    "13";"1*";"*"
    """
    given = [value for value in values if value is not None]
    rule = hierarchy.fit(given)
    paths, unknown = rule.list_ancestors(dict.fromkeys((*given, *rule.domain())))
    if unknown and hierarchy.unknown == "error":
        named = name_some(sorted(unknown))
        first = unknown[min(unknown)]
        raise UnknownValue(f"the hierarchy does not know {named}; {first}", named=named)
    if not paths:
        raise InvalidInput("there is no value to write; give the values of a column")
    checked = Listed(paths)
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerows(checked.paths.values())
