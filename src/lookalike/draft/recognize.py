"""Recognize what a column is about, by its label, its name and what its values look like."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from lookalike.draft.column import ColumnFigures, ColumnProfile, measure_column
from lookalike.draft.column_words import CODE_WORDS, HEAD, WHOLE_WORD, match_phrases, split_name
from lookalike.draft.meaning import Meaning, Shape, find_shape
from lookalike.draft.meanings import ALL_MEANINGS, OPINION
from lookalike.draft.starter import read_starter, spell_plainly
from lookalike.shown_text import show_text

MOST_KNOWN = 0.8
"""The share of the distinct values that must be known."""
LEAST_KNOWN = 3
"""How many distinct values must be known at least."""
LEAST_KNOWN_CODES = 8
"""How many known values of one or two letters there must be: fewer can be any codes."""
LEAST_WORDS = 2
"""A question has more words."""
_ATTITUDE = re.compile(
    "justif|should|opinion|attitude|approv|agree|think|believ|feel|satisf|trust|heard|knowledge"
    "|prefer|decides|favor|important|secur|safe|worr|afraid|better"
)
_BY_STARTER = {
    "us state": "U.S. state",
    "country": "country",
    "race": "race or ethnicity",
    "marital status": "marital status",
    "education": "education",
    "employment": "workplace",
    "occupation": "occupation",
}
"""What columns with the values of a starter are about."""
_WOMEN = frozenset(
    ("f", "female", "females", "woman", "girl", "w", "mrs", "ms", "miss", "frau", "femme", "mujer")
)
_MEN = frozenset(("m", "male", "males", "man", "boy", "mr", "herr", "homme", "hombre"))
_NEITHER = frozenset(
    ("u", "x", "o", "d", "n", "other", "unknown", "diverse", "divers", "nonbinary", "dr")
)
_HASH = re.compile(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f-]{10,}", re.IGNORECASE)
"""Hashes and UUIDs."""
_MONTH = re.compile(
    r"[A-Z][a-z]{2,8}[- ]'?[0-9]{2}(?:[0-9]{2})?|(?:19|20)[0-9]{2}[-/ ]?(?:[01][0-9]|Q[1-4])"
)
_OPINION = re.compile(
    "(?:dis)?agree|(?:dis)?satisf|(?:un)?important|(?:un)?likely|often|rarely|seldom|sometimes"
    "|always|^never$|extremely|strongly|somewhat|slightly|(?:dis)?trust|favou?r|oppose|(?:dis)?approve"
    "|(?:un)?happy|confidence|too (?:little|much)|not at all|a great deal|worse|better|neutral"
)
_TELLING = {
    "workplace": r"\b(un)?employed\b|\bretired\b|looking for work",
    "education": r"high school|\bcollege\b|\bbachelor|\bmaster'?s\b|graduate degree|\bdiploma\b",
    "place": r"\b(new england|atlantic|(north|south) central|pacific|midwest|northeast)\b",
    "family or household": r"\bchild(ren)?\b|\bkids\b",
    "income": r"[$€£] ?[0-9]",
    "belief or orientation": r"\b(straight|bisexual|heterosexual|homosexual|lesbian|gay)\b",
}
"""Words that show what a column is about if at least half of its few values have one."""
MOST_TELLING = 20


MOST_DIFFER = 0.5
"""The distinct values per row from which a column may have any meaning."""
KEY_SHARE = 0.05
"""The distinct values per row from which values may be numbers of persons."""
KIND_OF_SHAPE: dict[Shape, str] = {
    "integer": "number",
    "decimal": "amount",
    "date": "date",
    "code": "code",
    "ssn": "code",
    "phone": "code",
}
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
WORDS_ASKED = 5
"""A name or label of so many words that mentions an attitude is a question for an opinion."""
GLUED = 5_000
"""How well a pattern matches the letters of a name: better than one of its words."""
_WORDS = 500
"""How well whole words match at least, and the begin and the end of words."""
AT_HEAD = WHOLE_WORD + HEAD
"""How well the noun matches that a name is about, which shows that a column is not linkable."""
WORDS_OF_NAMES = 3
"""In a name of so many words the noun decides: a test site is a site."""
_NUMERIC_KINDS = ("age", "year", "number", "amount")


def recognize_column(column: ColumnProfile) -> Meaning | None:
    """Return what a column is about, or nothing if neither name nor values show it."""
    return find_evidence(column)[0]


def find_evidence(column: ColumnProfile) -> tuple[Meaning | None, str]:
    """Return what a column is about, and what shows it where that is not its name.

    The label of a column in its file is the best evidence, then its name, then its values.

    Examples
    --------
    >>> coded = ColumnProfile("v012", 4, ("31", "42"), (2, 2), 2, label="Age of respondent")
    >>> meaning, evidence = find_evidence(coded)
    >>> meaning.name, evidence
    ('age', 'by its label "Age of respondent"')
    """
    meant = _read_labels(column)
    shape = find_shape(meant)
    if column.label:
        found, score = _match(column, meant, split_name(column.label))
        if found is not None and score >= _WORDS:
            return found, f'by its label "{show_text(column.label)}"'
    found, score = _match(column, meant, split_name(column.name))
    if found is not None and (shape not in _BY_SHAPE or score >= WHOLE_WORD):
        return found, ""
    asked = split_name(column.label or column.name)
    opinion = hold_opinions(meant) or (len(asked) >= WORDS_ASKED and ask_opinion(asked))
    named = _BY_SHAPE.get(shape) or recognize_values(meant) or (OPINION if opinion else None)
    by_values = next((one for one in ALL_MEANINGS if one.name == named), None)
    shown = "by the labels of its values" if meant is not column else "by its values"
    return by_values, shown if by_values is not None else ""


def _read_labels(column: ColumnProfile) -> ColumnProfile:
    """Return a column with the labels of its values in their place."""
    if not column.coded:
        return column
    labels = column.value_labels
    return replace(column, values=tuple(labels.get(value, value) for value in column.values))


def _match(
    column: ColumnProfile, meant: ColumnProfile, words: tuple[str, ...]
) -> tuple[Meaning | None, int]:
    """Return the meaning that matches the words of a name best, and how well."""
    shape, figures = find_shape(column), measure_column(column)
    possible = [one for one in ALL_MEANINGS if _fits(one, shape, figures)]
    if ask_opinion(words) or hold_opinions(meant):
        possible = [one for one in possible if one.role != "quasi-identifier"]
    scored = ((_score(one, words), one) for one in possible)
    matching = [(score, one) for score, one in scored if score and one.values(column)]
    score, found = max(matching, key=lambda pair: pair[0], default=(0, None))
    return found, score


@lru_cache(maxsize=10_000)
def _score(meaning: Meaning, words: tuple[str, ...]) -> int:
    """Return how well the words of a name match a meaning."""
    phrases: Sequence[str] = meaning.phrases
    if meaning.role == "quasi-identifier":
        phrases = [one for one in phrases if len(words) <= WORDS_BESIDE * len(one.split())]
    glued = bool(meaning.glued) and re.fullmatch(meaning.glued, "".join(words)) is not None
    score = max(GLUED * glued, match_phrases(words, phrases))
    return score if _is_evidence(meaning, score, len(words)) else 0


def _is_evidence(meaning: Meaning, score: int, words: int) -> bool:
    """Return whether a match is enough for a role that releases a column as it is."""
    if meaning.role == "other":
        return score >= AT_HEAD
    beside = words <= WORDS_OF_NAMES and WHOLE_WORD <= score < AT_HEAD
    return meaning.role != "sensitive" or (score >= _WORDS and not beside)


def find_kind_of_hierarchy(column: ColumnProfile, meaning: Meaning | None) -> str:
    """Return the kind of hierarchy for a column: that of its meaning, if its values fit."""
    shape = find_shape(column)
    plain = "category" if column.coded else KIND_OF_SHAPE.get(shape, "category")
    if plain == "number" and CODE_WORDS & {*split_name(column.name)}:
        plain = "category"
    if meaning is None:
        return plain
    number = shape in ("integer", "decimal") and not column.coded
    if meaning.kind in _NUMERIC_KINDS:
        return meaning.kind if number else plain
    if meaning.kind in ("category", "code") and meaning.role != "identifier":
        return plain
    return meaning.kind


def _fits(meaning: Meaning, shape: Shape, figures: ColumnFigures) -> bool:
    """Return whether the values of a column can have a meaning."""
    if shape not in meaning.shapes:
        return False
    if figures.distinct_share > MOST_DIFFER:
        return True
    if figures.distinct < meaning.least:
        return False
    return not meaning.key or figures.distinct_share > KEY_SHARE


def recognize_values(column: ColumnProfile) -> str | None:
    """Return the name of the meaning that well-known values show, or nothing.

    Examples
    --------
    >>> recognize_values(ColumnProfile("x", 9, ("Mr.", "Mrs.", "other"), (4, 4, 1), 3))
    'sex'
    >>> recognize_values(ColumnProfile("x", 9, ("France", "Italy", "Peru"), (6, 2, 1), 3))
    'country'
    """
    spelled = {spell_plainly(value) for value in column.values}
    if column.values and all(map(_HASH.fullmatch, column.values)):
        return "identifying number"
    if spelled & _WOMEN and spelled & _MEN and spelled <= _WOMEN | _MEN | _NEITHER:
        return "sex"
    if column.values and all(map(_MONTH.fullmatch, column.values)):
        return "month or period"
    known = (meaning for name, meaning in _BY_STARTER.items() if _knows(name, spelled))
    return next(known, None) or _recognize_words(column)


def _recognize_words(column: ColumnProfile) -> str | None:
    """Return the meaning that words in at least half of a few values show, or nothing."""
    texts = [value.casefold() for value in column.values]
    if not 1 < len(texts) <= MOST_TELLING:
        return None
    for meaning, words in _TELLING.items():
        if 2 * sum(re.search(words, text) is not None for text in texts) >= len(texts):
            return meaning
    return None


def _knows(starter: str, values: set[str]) -> bool:
    """Return whether a starter lists nearly all of some values."""
    known = {value for value in values if value in read_starter(starter).groups}
    words = {value for value in known if len(value) > 2}
    enough = len(words) >= LEAST_KNOWN or len(known) >= LEAST_KNOWN_CODES
    return enough and len(known) >= MOST_KNOWN * len(values)


def ask_opinion(words: Sequence[str]) -> bool:
    """Return whether the words of a name or a label ask for an opinion.

    Examples
    --------
    >>> ask_opinion(split_name("Should men leave the country")), ask_opinion(("country",))
    (True, False)
    """
    return len(words) > LEAST_WORDS and any(map(_ATTITUDE.match, words))


def hold_opinions(column: ColumnProfile) -> bool:
    """Return whether most values are answers on a scale, such as ``strongly agree``.

    Examples
    --------
    >>> hold_opinions(ColumnProfile("job", 9, ("satisfied", "not satisfied"), (6, 3), 2))
    True
    """
    answers = [" ".join(split_name(value)) for value in column.values[:100]]
    return 2 * sum(_OPINION.search(answer) is not None for answer in answers) > len(answers)
