"""Find answers: blocks of columns that are alike, as the items of a questionnaire are.

Columns with numbered names and few values (``Q2_1``, ``Q2_2``, …), with names that begin with one
question, or with the same few values, are answers. Beside such a block, questions of their own are,
too: nobody knows them of somebody else, and together they still single out people, which the checks
before publishing count. A column that shows who people are by its name or its values is no answer.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from lookalike.draft.column import ColumnProfile
from lookalike.draft.meaning import Meaning
from lookalike.draft.recognize import recognize_column

LEAST_ITEMS = 5
"""How many columns are a block."""
MOST_RECOGNIZED = 0.2
"""The share of items whose names may resemble demographics, such as a taste for country music."""
SCALE = (4, 11)
"""How many answers a scale of whole numbers has."""
MOST_ANSWERS = 12
"""How many different answers a column of a block has at most."""
_NUMBER = re.compile("[0-9]+")
_OF_A_QUESTION = re.compile(r"(.{15,}?)(?: - |: | \[|: ?$)", re.DOTALL)
"""The beginning of names that a survey program writes: the question, then the item."""
_QUESTION = re.compile(
    r"(?=.{15,}\?\W*$).*\b(you\b|your\b|typically\b|usually\b|is it|does a\b)",
    re.DOTALL | re.IGNORECASE,
)
"""A name that asks for what somebody does or thinks."""
_OF_A_LIFE = re.compile(
    r"\b(live|lived|living|born|grow|grew|moved|works?|working|jobs?|employ\w*|career|business"
    r"|profession|retired?|earn|own|rent|home|house|apartment|household|child\w*|kids?|sons?|old"
    r"|daughters?|famil\w*|parents?|mother|father|siblings?|brothers?|sisters?|relationship|married"
    r"|partner|spouse|wife|husband|dating|pregnan\w*|tall|weigh\w*|height|wear|glasses|hair|eyes?"
    r"|hand\w*|tattoo\w*|disab\w*|illness|health|diagnos\w*|veteran|military|served?|arrest\w*"
    r"|school|college|degree|stud(y|ied|ent)|pets?|dogs?|cats?|cars?|vehicles?|drive|licen[cs]e"
    r"|language|speak|church|relig\w*|citizen\w*|immigra\w*|countr\w+|states?|city|town|region"
    r"|phone|names?|identif\w*|yourself|belong\w*|you from|are you|do you have (an?|any)"
    r"|what('s| is| are) your (?!opinion|view|favou?rite|prefer))\b",
    re.IGNORECASE,
)
"""A question about what others know of somebody's life is not left to be an answer."""


@dataclass(frozen=True)
class AnswerBlock:
    """Columns that are answers: how many, why, and a pattern for their names if they have one."""

    columns: int
    reason: str
    pattern: str = ""

    @property
    def meaning(self) -> Meaning:
        """What the columns are about."""
        return Meaning(f"answer, one of {self.columns:,} {self.reason}", "other")


def find_answers(columns: Sequence[ColumnProfile]) -> Mapping[str, AnswerBlock]:
    """Return the block of each column that is an answer.

    Examples
    --------
    >>> likert = ("often", "rarely", "never")
    >>> names = [*(f"Q{number}" for number in range(1, 7)), "sex"]
    >>> asked = [ColumnProfile(name, 9, likert, (3, 3, 3), 3) for name in names]
    >>> {block.pattern: block.columns for block in find_answers(asked).values()}
    {'Q*': 6}
    """
    found: dict[str, AnswerBlock] = {}
    possible = [column for column in columns if _may_be_answer(column)]
    for pattern, names in _group(possible, _find_pattern):
        block = AnswerBlock(len(names), "with names of this form", pattern)
        found |= dict.fromkeys(names, block)
    scales = [name for name in _find_items(columns) if name not in found]
    found |= dict.fromkeys(scales, AnswerBlock(len(scales), "on the same scale as its neighbours"))
    rest = {column.name for column in possible if column.name not in found}
    for _, names in _group(columns, lambda one: frozenset(one.values if one.name in rest else ())):
        found |= dict.fromkeys(names, AnswerBlock(len(names), "with the same few values"))
    if found and sum(_is_question(column.name) for column in columns) >= LEAST_ITEMS:
        asked = [one for one in rest if one not in found and _is_question(one)]
        found |= dict.fromkeys(asked, AnswerBlock(len(asked), "to questions of their own"))
    return found


def _may_be_answer(column: ColumnProfile) -> bool:
    """Return whether a column has few values, and does not show who people are."""
    if not 0 < column.distinct <= MOST_ANSWERS or len(column.values) < column.distinct:
        return False
    meaning = recognize_column(column)
    return meaning is None or meaning.role == "other"


def _is_question(name: str) -> bool:
    """Return whether a name asks for what somebody does or thinks, which others do not know.

    Examples
    --------
    >>> _is_question("How often do you recline your seat?"), _is_question("Where do you live now?")
    (True, False)
    """
    return bool(_QUESTION.match(name)) and not _OF_A_LIFE.search(name)


def _group(
    columns: Sequence[ColumnProfile], find_key: Callable[[ColumnProfile], str | frozenset[str]]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of the columns that have a key in common; neighbours, if they say yes or no.

    Two values alone are weak evidence: south, single and medicaid have them as well.
    """
    groups = defaultdict[str, list[str]](list)
    for place, (key, run) in enumerate(groupby(columns, key=find_key)):
        names = [column.name for column in run]
        if key and (isinstance(key, str) or len(key) > 2):
            groups[str(key if isinstance(key, str) else sorted(key))] += names
        elif key:
            groups[f"{place}"] += names
    yield from ((key, names) for key, names in groups.items() if len(names) >= LEAST_ITEMS)


def _find_pattern(column: ColumnProfile) -> str:
    """Return the pattern of a name: its numbers, or what follows the question, stand for any.

    Examples
    --------
    >>> _find_pattern(ColumnProfile("Q2_10", 1, ("a",), (1,), 1))
    'Q*_*'
    """
    question = _OF_A_QUESTION.match(column.name)
    if question:
        return f"{question[0]}*"
    return _NUMBER.sub("*", column.name) if _NUMBER.search(column.name) else ""


def _find_items(columns: Sequence[ColumnProfile]) -> list[str]:
    """Return the columns whose values are answers on the scale of their neighbours.

    Examples
    --------
    >>> names = ["pop", "rock", "country", "jazz", "opera", "sex"]
    >>> scales = [ColumnProfile(name, 25, tuple("12345"), (5,) * 5, 5) for name in names]
    >>> sorted(_find_items(scales))
    ['country', 'jazz', 'opera', 'pop', 'rock']
    """
    runs = (list(run) for scale, run in groupby(columns, key=_read_scale) if scale is not None)
    return [name for run in runs for name in _trim_demographics(run)]


def _read_scale(column: ColumnProfile) -> tuple[str, ...] | None:
    """Return the answers of a column in order, if they are whole numbers one after another."""
    if not SCALE[0] <= column.distinct <= SCALE[1] or column.value_labels:
        return None
    expected = {str(number) for number in range(SCALE[1] + 1)}
    if not expected.issuperset(column.values):
        return None
    numbers = sorted(map(int, column.values))
    whole = numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] <= 1
    return tuple(map(str, numbers)) if whole else None


def _trim_demographics(run: Sequence[ColumnProfile]) -> list[str]:
    """Return the items of a run: demographics may stand before and after them."""
    meanings = [recognize_column(column) for column in run]
    linkable = [one is not None and one.role == "quasi-identifier" for one in meanings]
    if False not in linkable:
        return []
    first, last = linkable.index(False), len(run) - linkable[::-1].index(False)
    resembling = sum(linkable[first:last])
    enough = last - first >= LEAST_ITEMS and resembling <= MOST_RECOGNIZED * (last - first)
    return [column.name for column in run[first:last]] if enough else []
