"""Intervals: a hierarchy that replaces a number by an interval of numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from lookalike.errors import UnknownValue
from lookalike.hierarchy.decimal_text import (
    AnyNumber,
    canonical_number,
    check_multiples,
    read_number,
    to_decimal,
    to_units,
    write_number,
)
from lookalike.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.spans import (
    Span,
    check_span_levels,
    find_span,
    label_span,
    show_span,
    whole_of,
)


@dataclass(frozen=True)
class Intervals(Hierarchy):
    """Generalizes a number to the interval that contains it; the top is the suppressed value.

    The intervals of a level are either equally wide (`widths`) or listed (`ranges`). Bottom-
    and top-coding, "releasing the information that a value is smaller or higher than a given
    amount", is generalization too (Samarati, section 7).

    Parameters
    ----------
    widths
        Width of the intervals at levels 1, 2, …, each a multiple of the previous one.
    ranges
        Intervals at levels 1, 2, … as [low, high], both inclusive, without gaps. The intervals
        of a level are unions of intervals of the level below.
    origin
        With `widths`: a number at which an interval of every width begins.
    decimals
        Maximum number of decimals of the values.
    bottom, top
        With `widths`: values below `bottom` become ``<bottom`` and values from `top` on
        become ``>=top``, at every level; the intervals between them end there.

    Examples
    --------
    >>> Intervals([10, 20], top=90).ancestors("37")
    ('37', '30-39', '20-39', '*')
    >>> Intervals([10, 20], top=90).ancestors("93")
    ('93', '>=90', '>=90', '*')
    >>> Intervals(ranges=[[[0, 17], [18, 64], [65, 120]], [[0, 64], [65, 120]]]).ancestors("7")
    ('7', '0-17', '0-64', '*')
    """

    widths: Sequence[AnyNumber] | None = None
    ranges: Sequence[Sequence[tuple[AnyNumber, AnyNumber]]] | None = None
    origin: AnyNumber = 0
    decimals: int = 0
    bottom: AnyNumber | None = None
    top: AnyNumber | None = None
    kind: Literal["intervals"] = "intervals"

    def __post_init__(self) -> None:
        if (self.widths is None) == (self.ranges is None):
            raise self.invalid("give either widths or ranges, exactly one of the two")
        if self.decimals < 0:
            raise self.invalid(f"decimals must be 0 or more, not {self.decimals}")
        self._make_exact()
        if self.widths is not None:
            self._check_widths(self.widths)
        else:
            self._check_ranges()
        super().__post_init__()

    @property
    def ends_suppressed(self) -> bool:  # noqa: D102
        return True

    @property
    def rule_height(self) -> int:  # noqa: D102
        return len(self.widths or self.ranges or ()) + 1

    def climb(self, value: str) -> Sequence[str]:  # noqa: D102
        units = self._read(value)
        bottom, top = self._limits
        if bottom is not None and units < bottom:
            labels = [f"<{write_number(bottom, self.decimals)}"] * (self.rule_height - 1)
        elif top is not None and units >= top:
            labels = [f">={write_number(top, self.decimals)}"] * (self.rule_height - 1)
        else:
            labels = [label_span(span, self.decimals) for span in self._enclose(units)]
        return (*labels, SUPPRESSED)

    def parse(self, value: str) -> str:
        """Return the number without a plus sign and without redundant zeros."""
        self.climb(value)
        return canonical_number(value)

    def lower(self, label: str, level: int) -> str:  # noqa: ARG002  (the label has the interval)
        """Return the lowest number of an interval, or the one next to the edge of an open one."""
        if label.startswith(">="):
            return label[2:]
        if label.startswith("<"):
            return write_number(self._read(label[1:]) - 1, self.decimals)
        low, _, _ = label.partition(" to ")
        return low if low.startswith("-") else low.partition("-")[0]

    def count_children(self, value: str, level: int) -> int | None:
        """Return the number of intervals below that of a value; None if there is no end of them.

        Examples
        --------
        >>> ages = Intervals([5, 10], bottom=20, top=60)
        >>> ages.count_children("37", 1), ages.count_children("37", 2), ages.count_children("37", 3)
        (5, 2, 6)
        >>> ages.count_children("70", 1)
        """
        if level == self.rule_height:
            edges = sum(limit is not None for limit in self._limits)
            return None if self._whole is None else edges + self._count(self._whole, level - 1)
        if self._is_open(value):
            return None if level == 1 else 1
        return self._count(self._enclose(self._read(value))[level - 1], level - 1)

    @property
    def _whole(self) -> Span | None:
        """All numbers that intervals cover, if there is an end of them."""
        if self.ranges is not None:
            return whole_of(self._spans[0])
        bottom, top = self._limits
        return None if bottom is None or top is None else (bottom, top - 1)

    def _is_open(self, value: str) -> bool:
        """Return whether a value is below `bottom`, or at or above `top`."""
        units, (bottom, top) = self._read(value), self._limits
        return (bottom is not None and units < bottom) or (top is not None and units >= top)

    def _count(self, span: Span, level: int) -> int:
        """Count the numbers, or the intervals of a level above 0, within a span."""
        low, high = span
        if level == 0:
            return high - low + 1
        if self.ranges is not None:
            return sum(low <= one[0] and one[1] <= high for one in self._spans[level - 1])
        origin, widths = self._grid
        width = widths[level - 1]
        return (high - origin) // width - (low - origin) // width + 1

    def _make_exact(self) -> None:
        """Replace every number by an exact decimal."""
        for field in ("origin", "bottom", "top"):
            number = getattr(self, field)
            if number is not None:
                object.__setattr__(self, field, to_decimal(number, _where(field)))
        if self.widths is not None:
            widths = tuple(to_decimal(width, _where("widths")) for width in self.widths)
            object.__setattr__(self, "widths", widths)
        if self.ranges is not None:
            levels = tuple(tuple(map(self._exact_pair, level)) for level in self.ranges)
            object.__setattr__(self, "ranges", levels)

    def _exact_pair(self, pair: Iterable[AnyNumber]) -> tuple[AnyNumber, ...]:
        """Return the two ends of a range as exact decimals."""
        ends = tuple(to_decimal(end, _where("ranges")) for end in pair)
        if len(ends) != 2:
            raise self.invalid(f"ranges: a range is [low, high], not {len(ends)} numbers")
        return ends

    def _check_widths(self, widths: Sequence[AnyNumber]) -> None:
        """Check that the widths nest and fit the decimals, and that bottom is below top."""
        check_multiples([to_decimal(width, _where("widths")) for width in widths], _where("widths"))
        _ = self._grid
        bottom, top = self._limits
        if bottom is not None and top is not None and bottom >= top:
            raise self.invalid(f"bottom = {self.bottom} must be less than top = {self.top}")

    def _check_ranges(self) -> None:
        """Check that the ranges nest and that no field of widths is given."""
        if self.bottom is not None or self.top is not None or self.origin != 0:
            raise self.invalid("origin, bottom and top go with widths, not with ranges")
        check_span_levels(self._spans, self.decimals)

    @cached_property
    def _limits(self) -> tuple[int | None, int | None]:
        """Bottom and top in units."""
        bottom = None if self.bottom is None else self._units(self.bottom, "bottom")
        top = None if self.top is None else self._units(self.top, "top")
        return bottom, top

    @cached_property
    def _grid(self) -> tuple[int, list[int]]:
        """The origin and the widths in units."""
        widths = [self._units(width, "widths") for width in self.widths or ()]
        return self._units(self.origin, "origin"), widths

    @cached_property
    def _spans(self) -> list[list[Span]]:
        """The ranges of every level in units, from low to high."""
        return [
            sorted((self._units(low, "ranges"), self._units(high, "ranges")) for low, high in level)
            for level in self.ranges or ()
        ]

    def _enclose(self, units: int) -> list[Span]:
        """Return the intervals that contain a number, level by level."""
        if self.ranges is None:
            origin, widths = self._grid
            return [self._clip(origin + (units - origin) // w * w, w) for w in widths]
        low, high = whole_of(self._spans[0])
        if not low <= units <= high:
            raise UnknownValue(
                f"extend ranges, which cover {show_span((low, high), self.decimals)}"
            )
        return [find_span(spans, units) for spans in self._spans]

    def _clip(self, low: int, width: int) -> Span:
        """Return the interval of a width from a number on, clipped at bottom and top."""
        bottom, top = self._limits
        return (
            low if bottom is None else max(low, bottom),
            low + width - 1 if top is None else min(low + width, top) - 1,
        )

    def _read(self, value: str) -> int:
        """Return a value in units, or raise if it cannot be read."""
        units, places = read_number(value)
        if places > self.decimals:
            raise UnknownValue(
                f"they have more decimals than decimals = {self.decimals}: set decimals = {places}"
            )
        return units * int(10 ** (self.decimals - places))

    def _units(self, number: AnyNumber, field: str) -> int:
        """Return a number of the specification in units."""
        return to_units(to_decimal(number, _where(field)), self.decimals, _where(field))


def _where(field: str) -> str:
    """Return the name of a field for an error message."""
    return f"{field} of an intervals hierarchy"
