"""Rounding: a hierarchy that rounds a number to multiples of larger and larger bases."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from lookalike.hierarchy import decimal_text
from lookalike.hierarchy.hierarchy import SUPPRESSED, Hierarchy

BASES = "bases of a rounding hierarchy"


@dataclass(frozen=True)
class Rounding(Hierarchy):
    """Rounds to the nearest multiple of a base, "incomes to the nearest one thousand dollars".

    Rounding can be represented as generalization (Samarati, section 7). Each level rounds
    the level below, halves away from zero. Rounding the ground value again would not nest: 45
    and 54 are both 50 to the nearest 10, but 0 and 100 to the nearest 100, two parents of one
    value. The level above the last base is the suppressed value.

    Parameters
    ----------
    bases
        Bases at levels 1, 2, …; each is a multiple of the previous one.

    Examples
    --------
    >>> Rounding([10, 100]).ancestors("45"), Rounding([10, 100]).ancestors("54")
    (('45', '50', '100', '*'), ('54', '50', '100', '*'))
    """

    bases: Sequence[decimal_text.AnyNumber]
    kind: Literal["rounding"] = "rounding"
    ends_suppressed: ClassVar[bool] = True

    def __post_init__(self) -> None:
        bases = tuple(decimal_text.to_decimal(base, BASES) for base in self.bases)
        decimal_text.check_multiples(bases, BASES)
        object.__setattr__(self, "bases", bases)
        super().__post_init__()

    @property
    def rule_height(self) -> int:  # noqa: D102
        return len(self.bases) + 1

    def climb(self, value: str) -> Sequence[str]:  # noqa: D102
        units, places = decimal_text.read_number(value)
        finest = max(places, *(base_places for _, base_places in self._split_bases))
        rounded = units * 10 ** (finest - places)
        labels = []
        for base, base_places in self._split_bases:
            shift = 10 ** (finest - base_places)
            rounded = _round(rounded, base * shift)
            labels.append(decimal_text.write_number(rounded // shift, base_places))
        return (*labels, SUPPRESSED)

    def parse(self, value: str) -> str:
        """Return the number without a plus sign and without redundant zeros."""
        return decimal_text.canonical_number(value)

    @cached_property
    def _split_bases(self) -> tuple[tuple[int, int], ...]:
        """The bases as (units, places)."""
        return tuple(
            decimal_text.split_decimal(decimal_text.to_decimal(base, BASES)) for base in self.bases
        )


def _round(units: int, base: int) -> int:
    """Return the nearest multiple of a base, halves away from zero.

    Examples
    --------
    >>> _round(45, 10), _round(44, 10), _round(-45, 10)
    (50, 40, -50)
    """
    nearest = (2 * abs(units) + base) // (2 * base) * base
    return nearest if units >= 0 else -nearest
