"""The meanings that are recognized, read from ``meanings.toml``, and their checks of values."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lookalike.draft.column import NEARLY_UNIQUE, ColumnProfile, measure_column
from lookalike.draft.meaning import Meaning, find_shape
from lookalike.draft.numbers import Numbers, read_column_numbers

PLACES = "geographic subdivisions smaller than a state"
DAYS = "dates of an individual, and ages over 89"
"""Identifiers of HIPAA Safe Harbor, as the meanings name them."""
OPINION = "opinion or answer"
SHORT = 3
"""Shorter values are answers or codes, and no names, addresses or telephone numbers."""
OLDEST = 120
"""The highest age in years that a column of ages has."""
FIRST_YEAR, LAST_YEAR = 1880, 2030
"""The years in which people were born or seen."""
BODY_WEIGHTS = (3, 700)
"""Between which numbers half of the weights of bodies are, in kilograms or pounds: survey weights
are shares around 1, or stand for hundreds and thousands of people."""
HEIGHTS = ((0.5, 2.1), (40, 80), (100, 200))
"""Between which numbers the median of heights is."""
LEAST_HEIGHTS = 5
WEIGHED_DECIMALS = 3
"""Nobody is weighed to so many decimals."""
SURVEY_WEIGHT = "survey weight"


def _hold_ages(column: ColumnProfile) -> bool:
    """Return whether values are whole numbers up to the age of people, or ranges of them."""
    if find_shape(column) == "range":
        return True
    numbers = _read_whole(column)
    return numbers is not None and min(numbers.units) >= 0 and 10 <= max(numbers.units) <= OLDEST


def hold_years(column: ColumnProfile) -> bool:
    """Return whether values are years in which people can have been born.

    Examples
    --------
    >>> hold_years(ColumnProfile("yrbrn", 3, ("1961", "1985", "2002"), (1, 1, 1), 3))
    True
    """
    numbers = _read_whole(column)
    if numbers is None:
        return False
    first, last = min(numbers.units), max(numbers.units)
    return first >= FIRST_YEAR and last <= LAST_YEAR and len(numbers.units) > 1


def _hold_survey_weights(column: ColumnProfile) -> bool:
    """Return whether values are positive numbers that are not the weights of bodies."""
    numbers = read_column_numbers(column)
    if numbers.others or len(numbers.units) < 2 or numbers.units[0] < 0:
        return False
    if numbers.decimals >= WEIGHED_DECIMALS:
        return True
    low, high = (bound * 10**numbers.decimals for bound in BODY_WEIGHTS)
    return not low <= numbers.quantile(0.5) <= high


def _hold_heights(column: ColumnProfile) -> bool:
    """Return whether most values are heights of bodies, in meters, inches or centimeters."""
    numbers = read_column_numbers(column)
    if numbers.others or len(numbers.units) < LEAST_HEIGHTS:
        return False
    middle = numbers.quantile(0.5) / 10**numbers.decimals
    return any(low <= middle <= high for low, high in HEIGHTS)


def _read_whole(column: ColumnProfile) -> Numbers | None:
    """Return the numbers of a column that holds whole numbers only, or nothing."""
    numbers = read_column_numbers(column)
    return numbers if numbers.units and not numbers.others and not numbers.decimals else None


_CHECKS: Mapping[str, Callable[[ColumnProfile], bool]] = {
    "any": lambda _: True,
    "long": lambda column: not all(len(value) < SHORT for value in column.values),
    "own": lambda column: measure_column(column).distinct_share > NEARLY_UNIQUE,
    "ages": _hold_ages,
    "years": hold_years,
    "heights": _hold_heights,
    "survey weights": _hold_survey_weights,
    "no survey weights": lambda column: not _hold_survey_weights(column),
}
"""What the values of a column must be to have a meaning."""


def _read_meanings() -> dict[str, tuple[Meaning, ...]]:
    """Read the meanings of each group, in the order of the file."""
    text = Path(__file__).with_name("meanings.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    patterns, defaults = tables.pop("patterns"), tables.pop("defaults")
    return {
        group: tuple(_read_meaning({**defaults[group], **one}, patterns) for one in listed)
        for group, listed in tables.items()
    }


def _read_meaning(fields: dict[str, Any], patterns: Mapping[str, str]) -> Meaning:
    """Read a meaning; its phrases are separated by bars."""
    phrases = fields.pop("phrases", "").replace("\n", "").split("|")
    check, glued = fields.pop("values", "any"), fields.pop("glued", "")
    for name, pattern in patterns.items():
        glued = glued.replace(f"{{{name}}}", pattern)
    if "shapes" in fields:
        fields["shapes"] = tuple(fields["shapes"])
    listed = tuple(phrase for phrase in phrases if phrase)
    return Meaning(**fields, phrases=listed, glued=glued, values=_CHECKS[check])


_GROUPS = _read_meanings()
ALL_MEANINGS = tuple(one for group in _GROUPS.values() for one in group)
"""All meanings; where two match equally well, the first counts."""
KNOWN_OF_PERSONS = tuple(one.name for one in (*_GROUPS["dates"], *_GROUPS["demographics"]))
"""The meanings of what others know of a person, the best known first."""
