"""Find out what a released column shows of an identifier of HIPAA Safe Harbor.

The column is recognized as ``lookalike init`` recognizes it. What it shows is judged by its
values as they are released.
"""

import re
from collections.abc import Callable, Sequence

from lookalike.draft.column import ColumnProfile
from lookalike.draft.column_words import split_name
from lookalike.draft.meaning import Meaning
from lookalike.draft.meanings import DAYS, PLACES
from lookalike.draft.recognize import recognize_column
from lookalike.report.rules.measured import IdentifierGroup, IdentifierState, RecognizedIdentifier

OVER_89 = 90
"""Ages from here on must be one group."""


_GROUPS: dict[str, IdentifierGroup] = {PLACES: "places", DAYS: "dates"}


_BIRTH_YEAR = "year of birth"


_LARGE_PLACES = {"region", "province", "bundesland", "kanton", "departement", "provincia"}
"""Words in names of columns whose places may be as large as a state."""


_YEARS = re.compile(r"(?:<|>=)?[0-9]{4}(?: ?(?:-|–|to) ?[0-9]{4})?")


_FINE_CODE = re.compile(r"[0-9]{4,}[^0-9A-Za-z]*")


_COARSE_CODE = re.compile(r"[0-9A-Za-z]{0,3}[^0-9A-Za-z]*")


_AGES = re.compile(
    r"[\[(]?(<|>=?|≥)? ?([0-9]+)(?:\.[0-9]+)?(?: ?(?:-|–|,|to) ?([0-9]+))?[\])]?(\+)?"
)


_Judged = tuple[IdentifierState, str]


def recognize_identifier(
    profile: ColumnProfile, released: Sequence[str], *, pseudonym: bool = False
) -> tuple[Meaning | None, RecognizedIdentifier | None]:
    """Recognize a column, and judge what its released values show.

    Examples
    --------
    >>> ages = ColumnProfile("age", 3, ("31", "92"), (2, 1), 2)
    >>> recognize_identifier(ages, ["30-39", ">=90"])[1].state
    'removed'
    >>> recognize_identifier(ages, ["31", "92"])[1].shows
    'ages over 89'
    """
    meaning, column = recognize_column(profile), profile.name
    if pseudonym:
        named = "an identifying number" if meaning is None else meaning.name
        shown = RecognizedIdentifier(column, "others", named, "unclear", "keyed pseudonyms")
        return meaning, shown
    judge = None if meaning is None else _find_judge(meaning)
    if meaning is None or judge is None:
        return meaning, None
    judged: _Judged = ("removed", "nothing: it is suppressed")
    if released:
        ground = not set(released).isdisjoint(profile.values)
        judged = judge(column, released, ground)
    group = _GROUPS.get(meaning.safe_harbor, "dates" if meaning.name == _BIRTH_YEAR else "others")
    return meaning, RecognizedIdentifier(column, group, meaning.name, *judged)


def _find_judge(meaning: Meaning) -> Callable[..., _Judged] | None:
    """Return the function that judges the values of a meaning, if it is an identifier."""
    special = {
        "postal code": _judge_postal_code,
        "place": _judge_place,
        "age": _judge_ages,
        "birth date": _judge_birth,
        _BIRTH_YEAR: _judge_birth,
        "free text": lambda *_: ("unclear", "free text"),  # which may name people
    }
    plain = _judge_date if meaning.safe_harbor == DAYS else _judge_identifier
    return special.get(meaning.name, plain if meaning.safe_harbor else None)


def _judge_identifier(_column: str, _released: Sequence[str], ground: bool) -> _Judged:
    """Judge names, numbers and addresses: any value as it was identifies."""
    return ("shown", "values as they are") if ground else ("unclear", "generalized values")


def _judge_place(column: str, released: Sequence[str], ground: bool) -> _Judged:
    """Judge places: those of a column named after large ones may be states."""
    if ground and _LARGE_PLACES & {*split_name(column)}:
        return "unclear", "places that may be smaller than a state"
    return _judge_identifier(column, released, ground)


def _judge_postal_code(column: str, released: Sequence[str], ground: bool) -> _Judged:
    """Judge postal codes by the number of characters that are left."""
    if any(_FINE_CODE.fullmatch(label) for label in released):
        return "shown", "more than 3 digits of a postal code"
    if all(_COARSE_CODE.fullmatch(label) for label in released):
        return "unclear", "at most 3 digits of a postal code"
    return _judge_identifier(column, released, ground)


def _judge_date(_column: str, released: Sequence[str], _ground: bool) -> _Judged:
    """Judge dates: years and spans of years may be shown."""
    return ("removed", "years") if _are_years(released) else ("shown", "dates finer than a year")


def _judge_birth(column: str, released: Sequence[str], ground: bool) -> _Judged:
    """Judge dates of birth: years can show an age over 89."""
    state, shows = _judge_date(column, released, ground)
    return ("unclear", "years of birth") if shows == "years" else (state, shows)


def _are_years(labels: Sequence[str]) -> bool:
    """Return whether labels show a year at most; the month and day of all may be the same."""
    if all(_YEARS.fullmatch(label) for label in labels):
        return True
    years = {label[:4] for label in labels}
    rest = {label[4:] for label in labels}
    return len(rest) == 1 < len(years) and all(year.isdecimal() for year in years)


def _judge_ages(_column: str, released: Sequence[str], _ground: bool) -> _Judged:
    """Judge ages: those over 89 must be in one group."""
    read = [_read_ages(label) for label in released]
    spans = [span for span in read if span is not None]
    if len(spans) < len(read):
        return "unclear", "ages that could not be read"
    old = [low for low, high in spans if high >= OVER_89]
    if max(old, default=0) > OVER_89:
        return "shown", "ages over 89"
    if len(old) > 1:
        return "unclear", "several groups with ages over 89"
    return "removed", "ages over 89 in one group at most"


def _read_ages(label: str) -> tuple[int, int] | None:
    """Return the lowest and the highest age of a label, if it can be read.

    Examples
    --------
    >>> [_read_ages(label) for label in ("37", "30-39", ">=90", "<20", "80+", "old")]
    [(37, 37), (30, 39), (90, 1000), (0, 20), (80, 1000), None]
    """
    found = _AGES.fullmatch(label.strip())
    if found is None:
        return None
    sign, low, high, plus = found[1], int(found[2]), found[3], found[4]
    if sign == "<":
        return 0, low
    open_end = bool(sign or plus)
    return low, 1000 if open_end else int(high or low)
