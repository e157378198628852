"""Meaning: what a column is about, which decides its role."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from lookalike.draft.column import ColumnProfile
from lookalike.draft.shape import Shape
from lookalike.tables.table import Role

Kind = Literal[
    "date",
    "postal code",
    "age",
    "year",
    "number",
    "amount",
    "sex",
    "race",
    "marital status",
    "education",
    "occupation",
    "country",
    "us state",
    "place",
    "category",
    "code",
]
"""The kinds of columns for which a hierarchy can be proposed."""


NUMBER_SHAPES: tuple[Shape, ...] = ("integer", "decimal")
WORDS_OR_NUMBERS: tuple[Shape, ...] = (
    *("text", "code", "sentence", "range", "written number"),
    *NUMBER_SHAPES,
)
"""The shapes of ordinary values."""


@dataclass(frozen=True)
class Meaning:
    """What a column is about.

    Parameters
    ----------
    name
        The meaning in words, such as ``birth date``.
    role
        The role of such a column.
    phrases
        Words in the names of such columns; of one language each, in lower case, without accents.
        One that begins with ``=`` must be the whole name, one that begins or ends with ``*`` the
        end or the begin of a word.
    kind
        The kind of its hierarchy, if the role is quasi-identifier.
    safe_harbor
        The identifiers of HIPAA Safe Harbor, 45 CFR 164.514(b)(2)(i), that it belongs to.
    shapes
        The shapes that its values may have.
    least
        How many distinct values such a column has at least: one that has fewer holds answers such
        as yes and no, whatever its name is.
    key
        Whether nearly every person has a value of their own, as with record numbers: a column
        whose values repeat more often holds categories.
    glued
        A pattern for the letters of the whole name, such as those of ``RIDAGEYR``.
    values
        Whether values can have the meaning, for one whose words are short or ambiguous.
    """

    name: str
    role: Role
    phrases: tuple[str, ...] = ()
    kind: Kind = "category"
    safe_harbor: str = ""
    shapes: tuple[Shape, ...] = WORDS_OR_NUMBERS
    least: int = 1
    key: bool = False
    glued: str = ""
    values: Callable[[ColumnProfile], bool] = lambda _: True


def means(
    name: str,
    role: Role,
    phrases: str,
    kind: Kind = "category",
    safe_harbor: str = "",
    *,
    shapes: tuple[Shape, ...] = WORDS_OR_NUMBERS,
    least: int = 1,
    key: bool = False,
) -> Meaning:
    """Return a meaning whose phrases are separated by bars."""
    listed = tuple(phrase.strip() for phrase in phrases.split("|"))
    return Meaning(name, role, listed, kind, safe_harbor, shapes, least, key)
