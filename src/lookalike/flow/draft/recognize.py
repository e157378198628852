"""Recognize what a column is about, by its name and by what its values look like."""

from collections.abc import Sequence

from lookalike.flow.draft.attribute_meanings import ALL_MEANINGS
from lookalike.flow.draft.column import ColumnProfile
from lookalike.flow.draft.column_words import match_phrase, split_name
from lookalike.flow.draft.figures import measure_column
from lookalike.flow.draft.meaning import Kind, Meaning
from lookalike.flow.draft.shape import Shape, find_shape

MOST_DIFFER = 0.5
"""The distinct values per row from which a column may have any meaning."""
KEY_SHARE = 0.05
"""The distinct values per row from which values may be numbers of persons."""
KIND_OF_SHAPE: dict[Shape, Kind] = {
    "integer": "number",
    "decimal": "amount",
    "date": "date",
    "code": "code",
    "ssn": "code",
    "phone": "code",
}
CODE_WORDS = {"id", "ids", "code", "type", "class", "cat", "category", "status", "group"}
"""Words in the names of columns whose numbers stand for categories, so that order means nothing."""
_BY_SHAPE = {
    "e-mail": "e-mail address",
    "url": "web address",
    "ip": "IP address",
    "ssn": "social security number",
    "phone": "telephone number",
    "sentence": "free text",
    "date": "date",
}
"""Meanings that the values alone show."""
WORDS_BESIDE = 10
"""A name with so many times the words of a phrase is a question about something else, such as what
an employer would think."""
_NUMERIC_KINDS = ("age", "year", "number", "amount")


def recognize_column(column: ColumnProfile) -> Meaning | None:
    """Return what a column is about, or nothing if neither name nor values show it.

    Examples
    --------
    >>> ages = ColumnProfile("Alter", 4, ("31", "42"), (2, 2), 2)
    >>> recognize_column(ages).name, recognize_column(ages).kind
    ('age', 'age')
    >>> recognize_column(ColumnProfile("contact", 1, ("ann@example.org",), (1,), 1)).name
    'e-mail address'
    """
    shape = find_shape(column)
    words = split_name(column.name)
    fitting = [one for one in ALL_MEANINGS if _fits(one, shape, column)]
    scores = [_score(one, words) for one in fitting]
    best = max(scores, default=0)
    if best and (shape not in _BY_SHAPE or best >= 1_000):
        return fitting[scores.index(best)]
    named = _BY_SHAPE.get(shape)
    return next((one for one in ALL_MEANINGS if one.name == named), None)


def _score(meaning: Meaning, words: tuple[str, ...]) -> int:
    """Return how well the words of a name match a meaning."""
    phrases: Sequence[str] = meaning.phrases
    if meaning.role == "quasi-identifier":
        phrases = [one for one in phrases if len(words) <= WORDS_BESIDE * len(one.split())]
    return max((match_phrase(words, phrase) for phrase in phrases), default=0)


def find_kind_of_hierarchy(column: ColumnProfile, meaning: Meaning | None) -> Kind:
    """Return the kind of hierarchy for a column: that of its meaning, if its values fit."""
    shape = find_shape(column)
    plain = KIND_OF_SHAPE.get(shape, "category")
    if plain == "number" and CODE_WORDS & {*split_name(column.name)}:
        plain = "category"
    if meaning is None:
        return plain
    number = shape in ("integer", "decimal")
    if meaning.kind in _NUMERIC_KINDS:
        return meaning.kind if number else plain
    if meaning.kind in ("category", "code") and meaning.role != "identifier":
        return plain
    return meaning.kind


def _fits(meaning: Meaning, shape: Shape, column: ColumnProfile) -> bool:
    """Return whether the values of a column can have a meaning."""
    if shape not in meaning.shapes:
        return False
    figures = measure_column(column)
    if figures.distinct_share > MOST_DIFFER:
        return True
    if figures.distinct < meaning.least:
        return False
    return not meaning.key or figures.distinct_share > KEY_SHARE
