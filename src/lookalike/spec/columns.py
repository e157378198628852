"""Columns: which columns the patterns under ``[attributes]`` and ``[defaults]`` stand for.

``[attributes."lab_*"]`` is for every column that matches and is not named: ``*`` stands for any
text, ``?`` for one character. The longest pattern that matches a column applies, and ``[defaults]``
where none does. The columns are known when the table is read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lookalike.errors import suggest
from lookalike.spec.fields import Attribute

BY_DEFAULT = "[defaults]"
"""What names the rule of columns that neither a name nor a pattern stands for."""


def is_pattern(name: str) -> bool:
    """Return whether a name under ``[attributes]`` can stand for several columns.

    Examples
    --------
    >>> is_pattern("lab_*"), is_pattern("lab")
    (True, False)
    """
    return "*" in name or "?" in name


def matches(pattern: str, column: str) -> bool:
    """Return whether a pattern stands for a column; case matters.

    Examples
    --------
    >>> matches("lab_*", "lab_[hb]"), matches("lab_?", "lab_12"), matches("lab_*", "LAB_1")
    (True, False, False)
    """
    parts = (".*" if one == "*" else "." if one == "?" else re.escape(one) for one in pattern)
    return re.fullmatch("".join(parts), column, re.DOTALL) is not None


@dataclass(frozen=True)
class ColumnRules:
    """What a specification says of columns: by name, by pattern, and by default."""

    attributes: Mapping[str, Attribute]
    defaults: Attribute | None = None

    def find_keys(self, column: str) -> list[str]:
        """Return the rule of a column: its name, its pattern, or :data:`BY_DEFAULT`.

        Several are equally long patterns, of which none can be preferred.
        """
        if column in self.attributes:
            return [column]
        found = [key for key in self.attributes if is_pattern(key) and matches(key, column)]
        longest = max(map(len, found), default=0)
        if not found and self.defaults is not None:
            return [BY_DEFAULT]
        return [key for key in found if len(key) == longest]

    def of(self, key: str) -> Attribute:
        """Return what a rule says."""
        if key == BY_DEFAULT and self.defaults is not None:
            return self.defaults
        return self.attributes[key]

    def find(self, column: str) -> Attribute | None:
        """Return what is said of a column, if anything is."""
        return next(map(self.of, self.find_keys(column)), None)

    def choose(self, columns: Sequence[str]) -> dict[str, str]:
        """Return the rule of each column that is not named."""
        unnamed = [column for column in columns if column not in self.attributes]
        found = {column: self.find_keys(column) for column in unnamed}
        return {column: keys[0] for column, keys in found.items() if keys}

    def find_problems(self, columns: Sequence[str]) -> Iterator[str]:
        """Yield the columns that two patterns stand for, and the patterns that match no column.

        If no column is named or matched, the names of columns may be values of a first row, and
        are not shown.
        """
        for column in columns:
            keys = self.find_keys(column)
            if len(keys) > 1:
                yield (
                    f"column {column!r} matches {' and '.join(map(repr, keys))}, which are equally "
                    "long; name the column, or make one pattern longer"
                )
        used = {key for key in self.attributes if any(matches(key, column) for column in columns)}
        for key in self.attributes:
            if is_pattern(key) and key not in used:
                near = suggest(key, columns) if used else ""
                yield f"no column matches {key!r}" + (f"; {near}" if near else "")
