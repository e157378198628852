"""Dates: a hierarchy that replaces a day by its month, its year or a span of years."""

import re
from calendar import monthrange
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import ClassVar, Literal

from lookalike.errors import UnknownValue
from lookalike.hierarchy.hierarchy import SUPPRESSED, Hierarchy

YEAR = 12
DAY = "day"
"""The step that writes every date alike, without the time of day."""
_NAMED_STEPS = {"month": 1, "quarter": 3, "year": YEAR}
_LABEL = re.compile(
    r"(?P<year>[0-9]{4})(?:-Q(?P<quarter>[1-4])|-(?P<month>0[1-9]|1[0-2])(?:-[0-9]{2})?|-[0-9]{4})?"
)
_ADJACENT = re.compile("%[a-zA-Z]%[a-zA-Z]")
_SPAN_OF_YEARS = re.compile(r"([1-9][0-9]{0,3}) years")


@dataclass(frozen=True)
class Dates(Hierarchy):
    """Generalizes a day to longer and longer calendar spans; the top is the suppressed value.

    The default is BirthDate of Achieving, Figure 6: day, month, year, 5 years, 10 years,
    suppressed. A span of N years begins at a multiple of N.

    Parameters
    ----------
    steps
        Spans at levels 1, 2, …: ``"month"``, ``"quarter"``, ``"year"`` or ``"N years"``,
        each a multiple of the previous one. ``"day"`` may come first: it writes every date as
        YYYY-MM-DD, without its time.
    formats
        Date formats, with the codes of :meth:`datetime.datetime.strptime`. A value that two
        formats read as different days is unknown, as is a value that no format reads. ``%m``
        and ``%d`` read 9 as well as 09 if there is a separator between the numbers.
    century
        First of the hundred years that two-digit years stand for: 1900 maps 61 to 1961, and so
        does 1930, which maps 29 to 2029. Required for a format with ``%y``, because the rule of
        the system would map 61 to 2061.
    fixed_day
        Day of the month that generalized dates show, so that they keep the form of a date: the
        first month of the span, with the day "set to a predefined specific value" (Samarati,
        section 4, footnote 4).

    Examples
    --------
    >>> Dates().ancestors("1965-09-20")
    ('1965-09-20', '1965-09', '1965', '1965-1969', '1960-1969', '*')
    >>> Dates(["day", "year"], ["%m/%d/%Y %H:%M"]).ancestors("9/20/1965 4:01")
    ('9/20/1965 4:01', '1965-09-20', '1965', '*')
    >>> Dates(["month", "year"], fixed_day=1).ancestors("1965-09-20")
    ('1965-09-20', '1965-09-01', '1965-01-01', '*')
    >>> Dates(formats=["%m/%d/%y"], century=1900).parse("9/15/61")
    '1961-09-15'
    """

    steps: Sequence[str] = ("month", "year", "5 years", "10 years")
    formats: Sequence[str] = ("%Y-%m-%d",)
    century: int | None = None
    fixed_day: int | None = None
    kind: Literal["dates"] = "dates"
    ends_suppressed: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(self.steps))
        object.__setattr__(self, "formats", tuple(self.formats))
        self._check_steps()
        self._check_formats()
        if self.fixed_day is not None and not 1 <= self.fixed_day <= 28:
            raise self.invalid(f"fixed_day must be 1 to 28, not {self.fixed_day}")
        super().__post_init__()

    @property
    def rule_height(self) -> int:  # noqa: D102
        return len(self.steps) + 1

    def climb(self, value: str) -> Sequence[str]:  # noqa: D102
        day = self._read(value)
        above = _climb_month(day.year * YEAR + day.month - 1, self._spans, self.fixed_day)
        return (day.isoformat(), *above) if self._has_days else above

    def parse(self, value: str) -> str:
        """Return the day as YYYY-MM-DD, however it was written."""
        return self._read(value).isoformat()

    def lower(self, label: str, level: int) -> str:
        """Return the first day of a span, in a format with a four-digit year if there is one."""
        span = _LABEL.fullmatch(label)
        if span is None:
            raise UnknownValue("they are not labels of calendar spans")
        layout = next((one for one in self.formats if "Y" in _codes(one)), self.formats[0])
        first = 1 if "Y" in _codes(layout) else self.century or 1
        month = int(span["month"] or int(span["quarter"] or 1) * 3 - 2)
        if self._has_days and level == 1:
            with suppress(ValueError):
                return _write(date.fromisoformat(label), layout)
            raise UnknownValue("they are not days")
        return _write(date(max(first, int(span["year"])), month, 1), layout)

    def count_children(self, value: str, level: int) -> int | None:
        """Return the number of spans within the span of a value; None if there is no end of them.

        Examples
        --------
        >>> [Dates().count_children("1965-09-20", level) for level in (1, 2, 3, 4, 5)]
        [30, 12, 5, 2, None]
        """
        if level == self.rule_height or (level == 1 and self._has_days):
            return None  # a day has any number of times and spellings
        level -= self._has_days
        if level > 1:
            return self._spans[level - 1] // self._spans[level - 2]
        day = self._read(value)
        first = day.year * YEAR + day.month - 1
        first -= first % self._spans[0]
        months = range(first, first + self._spans[0])
        return sum(monthrange(month // YEAR, month % YEAR + 1)[1] for month in months)

    @property
    def _has_days(self) -> bool:
        """Whether level 1 is the day."""
        return self.steps[:1] == (DAY,)

    @cached_property
    def _spans(self) -> tuple[int, ...]:
        """The steps above the day as numbers of months."""
        return tuple(self._months(step) for step in self.steps[self._has_days :])

    def _months(self, step: str) -> int:
        """Return how many months a step spans."""
        years = _SPAN_OF_YEARS.fullmatch(step)
        if step not in _NAMED_STEPS and not years:
            raise self.invalid(
                f'steps: {step!r} is not one of "month", "quarter", "year" and "N years"; "day" '
                "may come first"
            )
        return int(years[1]) * YEAR if years else _NAMED_STEPS[step]

    def _check_steps(self) -> None:
        """Check that each span is a union of spans of the level below."""
        steps = self.steps[self._has_days :]
        for (finer, lower), (coarser, upper) in pairwise(zip(steps, self._spans, strict=True)):
            if upper <= lower or upper % lower:
                raise self.invalid(
                    f"steps: {coarser!r} is not made of whole spans of {finer!r}; give each "
                    "step as a larger multiple of the one before"
                )

    def _check_formats(self) -> None:
        """Check that each format describes a whole day: it must read back a day it wrote."""
        if not self.formats:
            raise self.invalid('formats is empty; give for example formats = ["%Y-%m-%d"]')
        if self.century is not None and not 100 <= self.century <= 9900:
            raise self.invalid(
                "century must be the first of the hundred years that two-digit years stand for, "
                f"such as 1900, not {self.century}"
            )
        for layout in self.formats:
            if "y" in _codes(layout) and self.century is None:
                raise self.invalid(
                    f"formats: {layout!r} has a two-digit year; set the century, for example "
                    "century = 1900"
                )
            if not self._reads_back(layout):
                raise self.invalid(
                    f"formats: {layout!r} does not describe a day; it needs a year (%Y, or %y "
                    "with century), a month (%m) and a day (%d), each once"
                )

    def _reads_back(self, layout: str) -> bool:
        """Return whether a format reads back a day that was written with it."""
        if not _codes(layout) & {"Y", "y"}:
            return False
        day = date((self.century or 1800) + 65, 9, 15)
        try:
            return self._read_as(day.strftime(layout), layout) == day
        except (ValueError, re.error):
            return False

    def _read(self, value: str) -> date:
        """Return the day of a value, the same in every format that fits."""
        found: dict[date, str] = {}
        # strptime would also read digits other than 0-9
        foreign = not value.isascii() and any(c.isdigit() and not c.isascii() for c in value)
        for layout in () if foreign else self.formats:
            with suppress(ValueError):
                found.setdefault(self._read_as(value, layout), layout)
        if len(found) == 1:
            return next(iter(found))
        if found:
            fitting = " and ".join(repr(layout) for layout in found.values())
            raise UnknownValue(
                f"{fitting} read them as different days: keep only the intended one in formats"
            )
        tried = ", ".join(repr(layout) for layout in self.formats)
        raise UnknownValue(f"they match none of the formats ({tried}): add theirs")

    def _read_as(self, value: str, layout: str) -> date:
        """Return the day of a value in a format, or raise ValueError.

        Adjacent numbers must have all their digits: 1112020 could be two different days.
        """
        day = datetime.strptime(value, layout).date()
        if self.century is not None and "y" in _codes(layout):
            day = day.replace(year=self.century + (day.year - self.century) % 100)
        if _ADJACENT.search(layout) and len(value) != len(_write(day, layout)):
            raise ValueError(layout)
        return day


@lru_cache(maxsize=4096)
def _climb_month(month: int, spans: tuple[int, ...], fixed_day: int | None) -> tuple[str, ...]:
    """Return the labels above every day of a month; months are counted from year 0."""
    labels = (_label(month - month % span, span, fixed_day) for span in spans)
    return (*labels, SUPPRESSED)


def _label(first: int, span: int, fixed_day: int | None) -> str:
    """Return the label of the span of so many months that begins with a month.

    Examples
    --------
    >>> _label(1965 * 12 + 6, 3, None), _label(1965 * 12, 60, None), _label(1965 * 12, 60, 1)
    ('1965-Q3', '1965-1969', '1965-01-01')
    """
    year, month = first // YEAR, first % YEAR + 1
    if fixed_day is not None:
        return f"{year:04}-{month:02}-{fixed_day:02}"
    if span < YEAR:
        return f"{year:04}-{month:02}" if span == 1 else f"{year:04}-Q{(month + 2) // 3}"
    return f"{year:04}" if span == YEAR else f"{year:04}-{year + span // YEAR - 1:04}"


def _write(day: date, layout: str) -> str:
    """Write a day in a format, with four digits for the year."""
    return day.strftime(layout.replace("%Y", f"{day.year:04}"))


@lru_cache
def _codes(layout: str) -> frozenset[str]:
    """Return the letters after the percent signs of a format."""
    return frozenset(re.findall("%(.)", layout))
