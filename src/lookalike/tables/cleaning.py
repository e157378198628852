"""Cleaning: which texts of a table stand for missing values, and how its values are repaired."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import PlainValidator, WithJsonSchema

from lookalike.errors import InvalidInput


@dataclass(frozen=True)
class NumberCoarsening:
    """What is done to the numbers of a column: first rounded, then cut at both ends.

    ``round``: numbers become the nearest multiple; one in the middle becomes the greater one.
    ``top``: greater numbers become this one.
    ``bottom``: smaller numbers become this one.
    """

    round: int | None = None
    top: int | None = None
    bottom: int | None = None

    def __post_init__(self) -> None:
        """Raise if there are no multiples to round to, as a forged certificate may say."""
        if self.round is not None and self.round < 1:
            raise ValueError("round: must be at least 1")

    @property
    def is_asked(self) -> bool:
        """Whether anything is done."""
        return self != NumberCoarsening()


def read_markers(value: Any) -> tuple[str, ...]:
    """Read the texts that stand for missing values.

    Examples
    --------
    >>> read_markers(["", "?", "NA"])
    ('', '?', 'NA')
    >>> read_markers([-9])
    Traceback (most recent call last):
    lookalike.errors.InvalidInput: missing must be a list of texts, such as ["", "NA", "-9"]
    """
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise InvalidInput('missing must be a list of texts, such as ["", "NA", "-9"]')
    return tuple(value)


Markers = Annotated[
    tuple[str, ...],
    PlainValidator(read_markers),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]
"""Texts that stand for missing values, as a field of a specification."""


@dataclass(frozen=True)
class ColumnCleaning:
    """How the values of one column are read.

    ``missing``: texts that stand for missing values, in place of those of the whole table.
    ``zero_pad``: the number of digits to which shorter ones are filled with leading zeros.
    ``coarsening``: how its numbers are rounded and cut.
    ``map``: what texts mean: each is read as the text beside it.
    """

    missing: tuple[str, ...] | None = None
    zero_pad: int | None = None
    coarsening: NumberCoarsening = field(default_factory=NumberCoarsening)
    map: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Cleaning:
    """How the values of a table are read.

    They are first trimmed, then mapped, then compared with markers, then padded, and numbers made
    coarser.

    ``missing``: texts that stand for missing values in every column.
    ``trim``: whether blanks around text are removed.
    ``columns``: the columns that are read in their own way.
    ``combined``: the columns that identify persons together, where one does not.

    Examples
    --------
    >>> cleaning = Cleaning(("NA",), columns={"zip": ColumnCleaning(zero_pad=5)})
    >>> cleaning.of("zip").zero_pad, cleaning.of("zip").missing, cleaning.of("age").missing
    (5, ('NA',), ('NA',))
    """

    missing: tuple[str, ...] = ()
    trim: bool = False
    columns: Mapping[str, ColumnCleaning] = field(default_factory=dict)
    combined: tuple[str, ...] = ()

    def of(self, name: str) -> ColumnCleaning:
        """Return how the values of a column are read."""
        own = self.columns.get(name, ColumnCleaning())
        return own if own.missing is not None else replace(own, missing=self.missing)

    def renamed(self, names: Mapping[str, str]) -> "Cleaning":
        """Return the cleaning of a table in which some columns have another name."""
        return replace(
            self,
            columns={names.get(name, name): one for name, one in self.columns.items()},
            combined=tuple(names.get(name, name) for name in self.combined),
        )
