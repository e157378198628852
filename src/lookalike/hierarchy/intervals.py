"""Intervals: a hierarchy that replaces a number by an interval of numbers."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import ClassVar, Literal

from lookalike.errors import InvalidInput, UnknownValue
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

Span = tuple[int, int]
"""The lowest and the highest number of a range, inclusive, in units of 10^-places."""

LEAST_TRIMMED = 3
"""From so many decimals on, nobody reads the last number of an interval: 0 to <12 says the same
as 0.000-11.999."""
_WHERE = "ranges of an intervals hierarchy"


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
    ends_suppressed: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if (self.widths is None) == (self.ranges is None):
            raise self.invalid("give either widths or ranges, exactly one of the two")
        if self.decimals < 0:
            raise self.invalid(f"decimals must be 0 or more, not {self.decimals}")
        self._make_exact()
        if self.widths is not None:
            self._check_widths(self.widths)
        else:
            if self.bottom is not None or self.top is not None or self.origin != 0:
                raise self.invalid("origin, bottom and top go with widths, not with ranges")
            self._check_ranges()
        super().__post_init__()

    @property
    def rule_height(self) -> int:  # noqa: D102
        return len(self.widths or self.ranges or ()) + 1

    def climb(self, value: str) -> Sequence[str]:  # noqa: D102
        units = self._read(value)
        beyond = self._label_beyond(units)
        if beyond is not None:
            return (*[beyond] * (self.rule_height - 1), SUPPRESSED)
        return (*(label_span(span, self.decimals) for span in self._enclose(units)), SUPPRESSED)

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
        if self._label_beyond(self._read(value)) is not None:
            return None if level == 1 else 1
        return self._count(self._enclose(self._read(value))[level - 1], level - 1)

    @property
    def _whole(self) -> Span | None:
        """All numbers that intervals cover, if there is an end of them."""
        if self.ranges is not None:
            return whole_of(self._spans[0])
        bottom, top = self._limits
        return None if bottom is None or top is None else (bottom, top - 1)

    def _label_beyond(self, units: int) -> str | None:
        """Return the label of a number below `bottom`, or at or above `top`."""
        bottom, top = self._limits
        if bottom is not None and units < bottom:
            return f"<{write_edge(bottom, self.decimals)}"
        if top is not None and units >= top:
            return f">={write_edge(top, self.decimals)}"
        return None

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
            raise UnknownValue(f"extend ranges, which cover {self._show((low, high))}")
        begins = [bisect_right(spans, units, key=itemgetter(0)) for spans in self._spans]
        return [spans[begin - 1] for spans, begin in zip(self._spans, begins, strict=True)]

    def _clip(self, low: int, width: int) -> Span:
        """Return the interval of a width from a number on, clipped at bottom and top."""
        bottom, top = self._limits
        return (
            low if bottom is None else max(low, bottom),
            low + width - 1 if top is None else min(low + width, top) - 1,
        )

    def _show(self, span: Span) -> str:
        """Return a span as a specification writes it."""
        low, high = (write_number(units, self.decimals) for units in span)
        return f"[{low}, {high}]"

    def _check_ranges(self) -> None:
        """Check that every level covers the same numbers and consists of spans of the one below."""
        if not self._spans:
            raise InvalidInput(f"{_WHERE}: give the ranges of at least one level")
        for level, spans in enumerate(self._spans, start=1):
            self._check_row(level, spans)
        for level, (finer, coarser) in enumerate(pairwise(self._spans), start=2):
            self._check_union(level, finer, coarser)

    def _check_row(self, level: int, spans: Sequence[Span]) -> None:
        """Check that the spans of a level have no gaps and no overlaps."""
        if not spans:
            raise InvalidInput(f"{_WHERE}: level {level} is empty; give it at least one range")
        for span in spans:
            if span[0] > span[1]:
                raise InvalidInput(
                    f"{_WHERE}: {self._show(span)} at level {level} is reversed; give each range "
                    "as [low, high]"
                )
        for span, following in pairwise(spans):
            if following[0] != span[1] + 1:
                problem = "overlap" if following[0] <= span[1] else "leave a gap"
                raise InvalidInput(
                    f"{_WHERE}: {self._show(span)} and {self._show(following)} at level {level} "
                    f"{problem}; with decimals = {self.decimals} the second must begin at "
                    f"{write_number(span[1] + 1, self.decimals)}"
                )

    def _check_union(self, level: int, finer: Sequence[Span], coarser: Sequence[Span]) -> None:
        """Check that each span of a level is a union of spans of the level below."""
        if whole_of(finer) != whole_of(coarser):
            raise InvalidInput(
                f"{_WHERE}: level {level} covers {self._show(whole_of(coarser))}, but the level "
                f"below covers {self._show(whole_of(finer))}; every level must cover the same "
                "numbers"
            )
        starts = {low for low, _ in finer}
        for span in coarser:
            if span[0] not in starts:
                raise InvalidInput(
                    f"{_WHERE}: the levels do not nest: {self._show(span)} at level {level} "
                    "begins inside a range of the level below"
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


def label_span(span: Span, places: int) -> str:
    """Return the label of a span in a release.

    Examples
    --------
    >>> label_span((20, 29), 0), label_span((200, 299), 1), label_span((-10, -1), 0)
    ('20-29', '20.0-29.9', '-10 to -1')
    >>> label_span((0, 11_999), 3)
    '0 to <12'
    """
    low, high = (write_edge(units, places) for units in span)
    if low == high:
        return low
    if places >= LEAST_TRIMMED:
        return f"{low} to <{write_edge(span[1] + 1, places)}"
    return f"{low} to {high}" if min(span) < 0 else f"{low}-{high}"


def write_edge(units: int, places: int) -> str:
    """Write the edge of an interval; of many decimals, those that are needed.

    Examples
    --------
    >>> write_edge(120, 1), write_edge(12_000, 3), write_edge(12_500, 3)
    ('12.0', '12', '12.5')
    """
    text = write_number(units, places)
    return text.rstrip("0").rstrip(".") if places >= LEAST_TRIMMED else text


def whole_of(spans: Sequence[Span]) -> Span:
    """Return the span from the first to the last of several ordered spans."""
    return spans[0][0], spans[-1][1]
