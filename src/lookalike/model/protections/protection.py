"""Protection: what each class of a release must satisfy in one sensitive column, declared once."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from typing import Any, ClassVar, Literal, cast, get_args, get_origin, get_type_hints

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.model.protections.class_values import ClassValues

SLACK = 1e-9
"""Figures that differ by less count as equal, so that rounding decides no comparison."""
GroundDistance = Literal["equal", "ordered", "hierarchy"]
"""How far two values are from each other: equally far, by rank, or by their common ancestor."""


@dataclass(frozen=True)
class Parameter:
    """What is declared of a parameter, in the annotation of its field.

    ``label``: how a form asks for it.
    ``least``, ``most``: the range of a number.
    ``above``: whether a number must lie above `least`.
    ``choices``: a few words about each choice, for one that is not a number.
    ``meaning``: what it is, for one that is not a number: the protection explains its numbers.
    ``name``, ``kind``, ``default``: the name, the type and the default of its field; None if it
    must be given.
    """

    label: str
    least: float = -math.inf
    most: float = math.inf
    above: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    meaning: str = ""
    name: str = ""
    kind: Any = float
    default: Any = None

    @property
    def is_whole(self) -> bool:
        """Whether it is an integer."""
        return self.kind is int

    def check(self, protection: str, value: Any) -> None:
        """Raise if a value is not one of the choices, or a number out of its range."""
        if get_origin(self.kind) is Literal and value not in get_args(self.kind):
            known = ", ".join(get_args(self.kind))
            raise InvalidInput(f"{protection}: {self.name} must be one of {known}")
        if not self.choices and not self._is_within(value):
            raise InvalidInput(f"{protection}: {self.name} must {self._describe()}, not {value}")

    def _is_within(self, value: float) -> bool:
        """Return whether a number is finite, within its range, and whole if it must be."""
        if self.is_whole and not isinstance(value, int):
            return False
        low = self.least < value if self.above else self.least <= value
        return low and value <= self.most and value < math.inf

    def _describe(self) -> str:
        """Describe the range of a number."""
        least, most = f"{self.least:g}", f"{self.most:g}"
        if self.most < math.inf and self.above:
            return f"lie above {least} and at most {most}"
        if self.most < math.inf:
            return f"lie between {least} and {most}"
        noun = "an integer" if self.is_whole else "a number"
        return f"be {noun} {'above' if self.above else 'of at least'} {least}"


class Protection(ABC):
    """What each class of a release must satisfy in one sensitive column.

    A protection is a frozen dataclass whose fields are annotated with a :class:`Parameter`. What
    it declares here is all that specifications, forms, certificates and the reference know of it;
    only the verifier writes its formula a second time.

    The classes of a release that satisfies a protection can be united without losing it, for
    every protection of this room. Only some protections stay true when a class grows by any
    rows (`grows`); of the others, a search may use the consequences that do: the fewest distinct
    values and the fewest rows of a class that satisfies it.

    A class without rows has the figure nan and does not fail.
    """

    name: ClassVar[str]
    """Its name in specifications and certificates."""
    meaning: ClassVar[str]
    """What it asks for, in plain words."""
    grows: ClassVar[bool] = False
    """Whether it stays true when a class grows by any rows."""
    by_counts: ClassVar[bool] = False
    """Whether it judges a class by how often its own values occur, and the more evenly the better:
    it never fails for counts that those of a class which satisfies it majorize."""
    as_number: ClassVar[bool] = False
    """Whether a specification writes its only parameter as a number, not as a table."""
    often: ClassVar[int] = 0
    """Its place among the protections that a form always shows; 0 if it is folded."""
    distance: GroundDistance = "equal"
    """How values are compared, which one of its parameters may choose."""

    def __post_init__(self) -> None:
        for one in list_parameters(type(self)):
            one.check(self.name, getattr(self, one.name))

    @abstractmethod
    def state(self, column: str) -> str:
        """State what holds in every class, for the certificate."""

    @abstractmethod
    def measure(self, values: ClassValues) -> Reals:
        """Return the figure of each class that the protection compares with its parameter."""

    @abstractmethod
    def failing(self, values: ClassValues) -> Flags:
        """Return which classes do not satisfy the protection."""

    def bound(self, levels: Codes) -> "Protection":  # noqa: ARG002
        """Return the protection of a column with a hierarchy: the ancestors of its values."""
        return self

    @abstractmethod
    def least_distinct(self, reference: Counts) -> int:
        """Return the fewest distinct values of a class that satisfies the protection.

        Every such class has at least this number of values, but not every class with this number
        satisfies it.
        """

    def least_rows(self, reference: Counts) -> int:
        """Return the fewest rows of a class that satisfies the protection: one for each value."""
        return self.least_distinct(reference)

    def keeps_at_most(self, values: ClassValues) -> Reals:
        """Bound how many rows of each class can be kept in parts that satisfy the protection.

        No division of a class keeps more rows, so the bound holds at every vector below. Without
        a sharper formula, a class keeps all rows or, with too few values or rows, none.
        """
        distinct, rows = np.diff(values.starts), values.sizes
        enough = distinct >= self.least_distinct(values.reference)
        enough &= rows >= self.least_rows(values.reference)
        return np.where(enough, rows, 0).astype(np.float64)


@cache
def list_parameters(protection: type[Protection]) -> tuple[Parameter, ...]:
    """Return the parameters of a protection, in the order of its fields."""
    hints = get_type_hints(protection, include_extras=True)
    return tuple(
        replace(
            declared,
            name=one.name,
            kind=hints[one.name].__origin__,
            default=None if one.default is MISSING else one.default,
        )
        for one in fields(cast(Any, protection))
        for declared in getattr(hints[one.name], "__metadata__", ())
    )


def count_until(largest: Reals, enough: float) -> int:
    """Return how many of the largest parts are needed to reach a sum, at least 1.

    Examples
    --------
    >>> count_until(np.array([0.5, 0.8, 1.0]), 0.8)
    2
    """
    return 1 + int(np.count_nonzero(largest[:-1] < enough))
