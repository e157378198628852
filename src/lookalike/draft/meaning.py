"""Meaning: what a column is about, which decides its role."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from lookalike.draft.column import ColumnProfile
from lookalike.tables.table import Role

Shape = Literal[
    "empty",
    "date",
    "e-mail",
    "url",
    "ip",
    "ssn",
    "phone",
    "integer",
    "decimal",
    "written number",
    "range",
    "code",
    "sentence",
    "text",
]
"""What the values of a column look like."""

MOST_EXAMINED = 2_000
"""How many values are compared with the patterns."""
NEARLY_ALL = 0.95
"""The share of the values that must have a shape."""
SENTENCE_WORDS = 4
"""The mean number of words from which texts are sentences."""
OWN_TEXTS = 0.5
"""The share of different values from which most rows have a text of their own."""

_DAY = (
    r"(?:[0-9]{1,2}[./-][0-9]{1,2}[./-](?:[0-9]{4}|[0-9]{2})|[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}"
)
_NAMED_DAY = r"|[0-9]{1,2}[- ][A-Za-z]{3}[- ][0-9]{2,4}|[A-Z][a-z]{2} [0-9]{1,2}, [0-9]{4})"
_CLOCK = r"(?:[ T][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9:]{4,5}|\+00:00)?)?"
_PATTERNS: tuple[tuple[Shape, re.Pattern[str]], ...] = (
    ("date", re.compile(_DAY + _NAMED_DAY + _CLOCK)),
    ("e-mail", re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")),
    ("url", re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)),
    ("ip", re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}|(?:[0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{0,4}")),
    ("ssn", re.compile(r"[0-9]{3}-[0-9]{2}-[0-9]{4}")),
    ("integer", re.compile(r"[+-]?[0-9]+")),
    ("decimal", re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")),
    (
        "written number",
        re.compile(r"[$€£¥]? ?[+-]?[0-9]{1,3}(?:[.,' ]?[0-9]{3})*(?:[.,][0-9]+)? ?[$€£¥%]?"),
    ),
    ("phone", re.compile(r"(?=(?:[^0-9]*[0-9]){7})\+?[0-9(][0-9 ()./-]{6,24}(?:x[0-9]+)?")),
    (
        "range",
        re.compile(r"[\[(<>=≥≤ ]*[0-9.,]+(?: ?(?:-|–|to|,) ?[0-9.,]+)?[\])+]?(?: ?\w+){0,3}"),
    ),
    ("code", re.compile(r"(?=[^0-9]*[0-9])[A-Za-z0-9][A-Za-z0-9_./-]*")),
)
"""The pattern of each shape; the first that nearly all values have is the shape of a column."""


def find_shape(column: ColumnProfile) -> Shape:
    """Return what the values of a column look like.

    Examples
    --------
    >>> def shape(*values):
    ...     rows = len(values)
    ...     return find_shape(ColumnProfile("x", rows, values, (1,) * rows, rows))
    >>> shape("1961-09-15", "15.9.1961"), shape("617-555-0100"), shape("078-05-1120")
    ('date', 'phone', 'ssn')
    >>> shape("02138", "1"), shape("2.5", "1"), shape("1,200.50", "$3"), shape("[10-20)", "> 8")
    ('integer', 'decimal', 'written number', 'range')
    >>> shape("E11.9", "I10"), shape("asthma", "flu"), shape("came in with fever")
    ('code', 'text', 'sentence')
    """
    values = column.values[:MOST_EXAMINED]
    if not values:
        return "empty"
    for shape, pattern in _PATTERNS:
        fitting = sum(pattern.fullmatch(value[:200]) is not None for value in values)
        if fitting >= NEARLY_ALL * len(values):
            return shape
    words = sum(len(value.split()) for value in values)
    own = column.distinct > OWN_TEXTS * (column.rows - column.missing)
    return "sentence" if own and words >= SENTENCE_WORDS * len(values) else "text"


NUMBER_SHAPES: tuple[Shape, ...] = ("integer", "decimal")
WORDS_OR_NUMBERS: tuple[Shape, ...] = (
    *("text", "code", "sentence", "range", "written number"),
    *NUMBER_SHAPES,
)
"""The shapes of ordinary values."""


@dataclass(frozen=True)
class Meaning:
    """What a column is about.

    ``name``: the meaning in words, such as ``birth date``.
    ``phrases``: words in the names of such columns; of one language each, in lower case, without
    accents. One that begins with ``=`` must be the whole name, one that begins or ends with ``*``
    the end or the begin of a word.
    ``kind``: the kind of its values, one of ``VALUE_KINDS``, if the role is quasi-identifier.
    ``safe_harbor``: the identifiers of HIPAA Safe Harbor, 45 CFR 164.514(b)(2)(i), that it belongs
    to.
    ``least``: how many distinct values such a column has at least: one that has fewer holds answers
    such as yes and no, whatever its name is.
    ``key``: whether nearly every person has a value of their own, as with record numbers: a column
    whose values repeat more often holds categories.
    ``glued``: a pattern for the letters of the whole name, such as those of ``RIDAGEYR``.
    ``values``: whether values can have the meaning, for one whose words are short or ambiguous.
    """

    name: str
    role: Role
    phrases: tuple[str, ...] = ()
    kind: str = "category"
    safe_harbor: str = ""
    shapes: tuple[Shape, ...] = WORDS_OR_NUMBERS
    least: int = 1
    key: bool = False
    glued: str = ""
    values: Callable[[ColumnProfile], bool] = lambda _: True
