"""Find the formats of a column of dates, and propose a hierarchy: months, years, spans of years."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from lookalike.draft.column import ColumnProfile
from lookalike.draft.proposed_hierarchy import (
    ProposedHierarchy,
    find_useful_levels,
    note_lost,
    propose_rule,
)
from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import Dates, Suppress
from lookalike.hierarchy.dates import DAY

_Family = dict[str, Counter[str]]
"""For values that differ only in what does not affect the order of day, month and year: the formats
of each possible order, with the number of rows that each reads."""
KNOWN_SHARE = 0.9
"""A kind of value is recognized in a column if it reads this share of the rows with a value."""
_MOST_LAYOUTS = 12
_FIRST_YEAR, _LAST_YEAR = 1800, 2199
_TIME = re.compile(
    r"(?P<gap>T|,? )(?P<hour>[0-9]{1,2}):[0-9]{2}(?P<second>:[0-9]{2})?(?P<fraction>\.[0-9]{1,6})?"
    r"(?P<half> ?[AaPp][Mm])?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?$"
)
_NUMBERS = re.compile(r"([0-9]{1,4})([-/. ])([0-9]{1,2})\2([0-9]{1,4})")
_COMPACT = re.compile(r"[0-9]{8}")
_DAY_NAME = re.compile(r"[0-9]{1,2}([-/. ]+)([A-Za-z]{3,9})([-/., ]+)([0-9]{4}|[0-9]{2})")
_NAME_DAY = re.compile(r"([A-Za-z]{3,9})([-/. ]+)[0-9]{1,2}([-/., ]+)([0-9]{4}|[0-9]{2})")


def find_layouts(column: ColumnProfile) -> tuple[str, ...]:
    """Return the formats that read the values of a column, the most frequent first.

    Examples
    --------
    >>> find_layouts(ColumnProfile("birth", 3, ("13/02/1965", "1964-10-23"), (2, 1), 2))
    ('%d/%m/%Y', '%Y-%m-%d')
    """
    families: defaultdict[str, _Family] = defaultdict(dict)
    rows_of: Counter[str] = Counter()
    for value, rows in zip(column.values, column.counts, strict=True):
        for name, layouts in _possible_layouts(value):
            rows_of[name] += rows
            for order, layout in layouts.items():
                read = families[name].setdefault(order, Counter())
                if _reads(value, layout):
                    read[layout] += rows
    weights: Counter[str] = Counter()
    for name, family in families.items():
        weights += _choose_order(column.name, family, rows_of[name])
    found = tuple(layout for layout, _ in weights.most_common())
    return found if len(found) <= _MOST_LAYOUTS else ()


def _choose_order(column: str, read: _Family, rows: int) -> Counter[str]:
    """Return the formats of values, with their rows, in the order of day, month and year that fits.

    No format is returned if no order reads nearly all values.
    """
    best = max(weights.total() for weights in read.values())
    if best < KNOWN_SHARE * rows:
        return Counter()
    fitting = [order for order, weights in read.items() if weights.total() == best]
    if len(fitting) > 1:
        usual = [read[order].most_common(1)[0][0] for order in fitting]
        raise InvalidInput(_describe_choice(column, usual))
    return read[fitting[0]]


def _describe_choice(column: str, layouts: Sequence[str]) -> str:
    """Describe the formats that read the same values as different days, and how to decide."""
    shown = " or ".join(f'formats = ["{layout}"]' for layout in layouts)
    return (
        f"column {column!r}: its dates can be read in several ways, and no value shows which one "
        f'is right: give a hierarchy {{ kind = "dates", … }} with {shown}'
    )


def _reads(value: str, layout: str) -> bool:
    """Return whether a format reads a value as a day of a plausible year."""
    with suppress(ValueError):
        return _FIRST_YEAR <= datetime.strptime(value, layout).year <= _LAST_YEAR
    return False


def _possible_layouts(value: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the family of a value and its format in each possible order, if it may be a date."""
    time = _TIME.search(value)
    day = value[: time.start()] if time else value
    if "%" not in value and value.isascii():
        for family, layouts in _day_layouts(day):
            suffix = _time_layout(time) if time else ""
            yield family, {order: layout + suffix for order, layout in layouts.items()}


def _day_layouts(day: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the family of a date without time and its format in each possible order.

    Examples
    --------
    >>> list(_day_layouts("13/02/1965"))
    [('/', {'dmy': '%d/%m/%Y', 'mdy': '%m/%d/%Y'})]
    >>> list(_day_layouts("3 May 1965")), list(_day_layouts("none"))
    ([('name', {'dmy': '%d %b %Y'})], [])
    """
    if _COMPACT.fullmatch(day):
        yield "compact", {"ymd": "%Y%m%d", "dmy": "%d%m%Y", "mdy": "%m%d%Y"}
    elif numbers := _NUMBERS.fullmatch(day):
        first, mark, _, last = numbers.groups()
        yield from _number_layouts(first, mark, last)
    elif named := _DAY_NAME.fullmatch(day):
        before, month, after, year = named.groups()
        yield "name", {"dmy": f"%d{before}{_month(month)}{after}{_year(year)}"}
    elif named := _NAME_DAY.fullmatch(day):
        month, before, after, year = named.groups()
        yield "name first", {"mdy": f"{_month(month)}{before}%d{after}{_year(year)}"}


def _number_layouts(first: str, mark: str, last: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the family and the formats of three numbers; with points, the day comes first."""
    if len(first) == 4 and len(last) <= 2:
        yield f"year {mark}", {"ymd": f"%Y{mark}%m{mark}%d"}
    elif len(first) <= 2 and len(last) in (2, 4):
        layouts = {"dmy": f"%d{mark}%m{mark}{_year(last)}"}
        if mark != ".":
            layouts["mdy"] = f"%m{mark}%d{mark}{_year(last)}"
        if len(first) == len(last) == 2:
            layouts["ymd"] = f"%y{mark}%m{mark}%d"
        yield mark, layouts


def _year(digits: str) -> str:
    """Return the code of a year with four or two digits."""
    return "%Y" if len(digits) == 4 else "%y"


def _month(name: str) -> str:
    """Return the code of the name of a month."""
    return "%b" if len(name) == 3 else "%B"


def _time_layout(time: re.Match[str]) -> str:
    """Return the format of a time of day; its zone, which moves no day, is literal."""
    half = time["half"] or ""
    clock = "%I:%M" if half else "%H:%M"
    second = ":%S" if time["second"] else ""
    fraction = ".%f" if time["fraction"] else ""
    afternoon = (" %p" if half.startswith(" ") else "%p") if half else ""
    return f"{time['gap']}{clock}{second}{fraction}{afternoon}{time['zone'] or ''}"


_LONG = 15
"""From so many years on, steps are as for birth dates (Achieving, Figure 6)."""
_LONG_STEPS = ("month", "year", "5 years", "10 years")
_SHORT_STEPS = ("month", "quarter", "year", "5 years")
_STEPS = ("month", "quarter", "year", "5 years", "10 years")
ISO_DAYS = ("%Y-%m-%d",)
"""The format of days that general dates continue, as in 1965-09-20 and 1965-09."""


def propose_dates(column: ColumnProfile) -> ProposedHierarchy | None:
    """Propose calendar spans, or nothing if the values are not dates.

    Examples
    --------
    >>> days = ("13.02.1965", "20.02.1965", "01.12.1965", "23.10.1944")
    >>> propose_dates(ColumnProfile("birth", 4, days, (1, 1, 1, 1), 4)).table
    '{ kind = "dates", steps = ["day", "month", "year"], formats = ["%d.%m.%Y"] }'
    """
    layouts = find_layouts(column)
    if not layouts:
        return None
    short = any("%y" in layout for layout in layouts)
    century = datetime.now(UTC).year - 99 if short else None  # the hundred years up to now
    dates = Dates(_STEPS, layouts, century=century)
    paths = {}
    for value in column.values:
        with suppress(UnknownValue):
            paths[value] = dates.ancestors(value)
    rows = sum(n for value, n in zip(column.values, column.counts, strict=True) if value in paths)
    if rows < KNOWN_SHARE * sum(column.counts):
        return None
    return _propose_steps(dates, list(paths.values()), len(column.values) - len(paths))


def _propose_steps(
    dates: Dates, paths: Sequence[tuple[str, ...]], unread: int
) -> ProposedHierarchy:
    """Propose the steps that merge dates."""
    years = {int(path[1][:4]) for path in paths}
    usual = _LONG_STEPS if max(years) - min(years) >= _LONG else _SHORT_STEPS
    levels = [0, *(dates.steps.index(step) + 1 for step in usual), dates.height]
    useful = find_useful_levels([[path[level] for level in levels] for path in paths])
    if not useful:
        return propose_rule(Suppress(), "No calendar span merges only some of the dates.")
    days = () if dates.formats == ISO_DAYS else (DAY,)
    steps = (*days, *(usual[level - 1] for level in useful))
    dates = replace(dates, steps=steps, unknown="suppress" if unread else "error")
    first, written = dates.century, ", ".join(dates.formats)
    years_read = "" if first is None else f", with years from {first} to {first + 99}"
    lost = note_lost(unread, "cannot be read as dates and would be suppressed")
    alike = "; level 1 writes all of them as YYYY-MM-DD" if days else ""
    return propose_rule(dates, f"Dates written as {written}{years_read}{lost}{alike}.")
