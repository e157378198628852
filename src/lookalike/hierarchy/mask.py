"""Mask: a hierarchy that replaces more characters by asterisks at each level."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Literal, Self

from lookalike.errors import UnknownValue
from lookalike.hierarchy.hierarchy import SUPPRESSED, Hierarchy

MOST_LENGTHS = 5
"""The number of different lengths that an error lists."""


@dataclass(frozen=True)
class Mask(Hierarchy):
    """Keeps fewer characters of a value at each level, as for ZIP codes.

    If the longest value has `length` characters, level *j* keeps the first ``length - j``
    characters and appends *j* asterisks. A value of which no character is kept is suppressed:
    at level `length`, and for an empty value at every level above the ground.

    A ZIP code that lost its leading zero, 1013, would become 1013*, which is false for 01013.
    So values of different lengths are an error, unless `length` or `steps` is given. Then an
    asterisk stands for one character or none: I21 and I21.4 both become I21**.

    Parameters
    ----------
    steps
        Number of levels to mask, at most `length`; by default all. Fewer steps may end in
        several values and then need ``suppression_level=True``.
    length
        Number of characters of the longest value. By default taken from the values of the
        table, which must then all have the same length unless `steps` is given. Longer values
        are unknown.
    keep
        Numbers of characters to keep at levels 1, 2, …, each fewer than the one before; the
        level above them is the suppressed value. By default one less at each level.
    from_left
        Whether to replace the first characters instead of the last ones.

    Examples
    --------
    The ZIP codes of Achieving, Figure 2:

    >>> Mask(steps=2, length=5, suppression_level=True).ancestors("02138")
    ('02138', '0213*', '021**', '*')
    >>> Mask(keep=[5, 3], length=10).ancestors("02138-1234")
    ('02138-1234', '02138*****', '021*******', '*')
    """

    steps: int | None = None
    length: int | None = None
    keep: Sequence[int] | None = None
    from_left: bool = False
    kind: Literal["mask"] = "mask"

    def __post_init__(self) -> None:
        for field, number in (("steps", self.steps), ("length", self.length)):
            if number is not None and number < 1:
                raise self.invalid(f"{field} must be at least 1, not {number}")
        if self.steps is not None and self.length is not None and self.steps > self.length:
            raise self.invalid(
                f"steps = {self.steps} is more than the {self.length} characters of the longest "
                f"value; set steps to at most {self.length}"
            )
        if self.keep is not None:
            object.__setattr__(self, "keep", tuple(self.keep))
            self._check_keep(self.keep)
        super().__post_init__()

    @property
    def ends_suppressed(self) -> bool:  # type: ignore[override]  # noqa: D102
        return self.steps is None or self.steps == self.length

    @property
    def hides_one_by_one(self) -> bool:
        """Whether every level hides one more character, so that the height is the length."""
        return self.steps is None and self.keep is None

    @property
    def rule_height(self) -> int:  # noqa: D102
        if self.keep is not None:
            return len(self.keep) + 1
        return self._known_length() if self.steps is None else self.steps

    def fit(self, values: Sequence[str]) -> Self:
        """Take the length from the values, unless it is given."""
        if self.length is not None or (not values and self.steps is not None):
            return self
        lengths = Counter(len(value) for value in values if value)
        if self.steps is None and len(lengths) > 1:
            raise self.invalid(_describe_lengths(lengths))
        return replace(self, length=max(lengths, default=1))

    def climb(self, value: str) -> Sequence[str]:  # noqa: D102
        length = self._known_length()
        if len(value) > length:
            raise UnknownValue(f"raise length, they have more than {length} characters")
        return [self._hide(value, length - kept, kept) for kept in self._kept(length)]

    def lower(self, label: str, level: int) -> str:
        """Return the characters that are kept, none above the levels of the rule."""
        length = self._known_length()
        hidden = length - next(islice(self._kept(length), level - 1, None), 0)
        return label[hidden:] if self.from_left else label[:-hidden]

    def _kept(self, length: int) -> Sequence[int]:
        """Return the number of characters kept at each level from 1 on."""
        if self.keep is not None:
            return (*self.keep, 0)
        return range(length - 1, length - self.rule_height - 1, -1)

    def _check_keep(self, keep: Sequence[int]) -> None:
        """Check that each level keeps fewer characters than the one below."""
        if self.steps is not None:
            raise self.invalid("give either steps or keep, not both")
        if not keep or keep[-1] < 1 or any(lower <= upper for lower, upper in pairwise(keep)):
            raise self.invalid("keep must list fewer and fewer characters, such as keep = [5, 3]")
        if self.length is not None and keep[0] >= self.length:
            raise self.invalid(
                f"keep = {keep[0]} is not fewer than the {self.length} characters of the longest "
                "value, so that level would hide nothing; leave it out"
            )

    def _hide(self, value: str, hidden: int, kept: int) -> str:
        """Replace all characters except the kept ones."""
        if not kept or not value:
            return SUPPRESSED
        return "*" * hidden + value[-kept:] if self.from_left else value[:kept] + "*" * hidden

    def _known_length(self) -> int:
        """Return the length that was given or taken from the values."""
        if self.length is None:
            raise self.invalid(
                "the length of the longest value is not known yet; give length, or bind the "
                "hierarchy to the values of a table first"
            )
        return self.length


def _describe_lengths(lengths: Mapping[int, int]) -> str:
    """Describe how many values have which length, and what to do."""
    most = sorted(lengths.items(), key=lambda one: -one[1])[:MOST_LENGTHS]
    counted = ", ".join(f"{number:,} have {length}" for length, number in most)
    more = (
        f", and others have {len(lengths) - len(most)} further lengths"
        if len(lengths) > len(most)
        else ""
    )
    return (
        f"the values have different lengths: {counted} characters{more}; restore lost leading "
        f"zeros with zero_pad = {max(lengths)} beside the role of the column, or set length = "
        f"{max(lengths)} if different lengths are intended"
    )
