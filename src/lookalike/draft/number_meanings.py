"""Meanings of numbers whose names are short or glued, and which their values must confirm."""

from lookalike.draft.column import ColumnProfile
from lookalike.draft.meaning import Meaning, find_shape
from lookalike.draft.meanings import DAYS
from lookalike.draft.numbers import Numbers, read_column_numbers

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
_OTHER_WORDS = (
    "(?:us|w|st|im|man|langu|aver|percent|mile|cover|pack|mess|vill|dam|stor|pass|link|volt|dos|bever"
    "|marri|cour|sav|lugg|bagg|mort|broker|foot|short|out|vint|herit|teen)age|(?<![a-z])page|agen|agree"
)
"""Words that contain ``age`` and are no age."""
_WEIGHT = "(?:w(?:gh?t|t|eight)s?|gewicht|poids)"


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


CONFIRMED = (
    Meaning(
        "age",
        "quasi-identifier",
        kind="age",
        safe_harbor=DAYS,
        glued=f"(?:(?!{_OTHER_WORDS}).)*(?!{_OTHER_WORDS})age.*",
        values=_hold_ages,
    ),
    Meaning(
        "year of birth",
        "quasi-identifier",
        kind="year",
        glued=".*(?:y(?:ea)?rs?_?(?:of)?b(?:i?rt?h?|orn)|b(?:i?rt?h?|orn)n?y(?:ea)?r?).*",
        values=hold_years,
    ),
    Meaning(
        SURVEY_WEIGHT,
        "drop",
        kind="amount",
        glued=f".*{_WEIGHT}[a-z]?[0-9]*[a-z]?|{_WEIGHT}.*",
        values=_hold_survey_weights,
    ),
    Meaning(
        SURVEY_WEIGHT,
        "drop",
        (
            *("sampling weight", "survey weight", "design weight", "person weight", "final weight"),
            *("household weight", "hh weight", "sample weight", "weighting", "weighting factor"),
            *("post stratification", "expansion factor", "gewichtungsfaktor", "ponderation"),
            *("factor de expansion", "analysis weight", "replicate weight", "population weight"),
        ),
        kind="amount",
        glued="p?wgtp?[0-9]*|perwt|hhwt|rfact|.*(?:final|samp|strat|design|psp|person|pop).*"
        + _WEIGHT,
    ),
    Meaning(
        "family or household",
        "quasi-identifier",
        glued=".*(?<!wit)hh.*",
    ),
    Meaning(
        "bodily feature",
        "quasi-identifier",
        kind="number",
        glued="[a-z]{0,3}(?:ht|hgt|hght|height)[a-z]{0,3}",
        values=_hold_heights,
    ),
    Meaning(
        "bodily feature",
        "quasi-identifier",
        ("weight", "body weight", "gewicht", "poids", "peso", "wt", "wgt", "*wt"),
        kind="number",
        values=lambda column: not _hold_survey_weights(column),
    ),
)
"""Meanings whose words may be glued to others."""
