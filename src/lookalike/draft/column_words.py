"""The words of a column's name, and how well a phrase matches them."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_GLUED_WORD = re.compile(
    "^(num|nbr)(?=[a-z]{4})|(?<=[a-z]{4})(num|nbr|code|cat|grp|group|desc|type|stat|status)$"
)
"""Words that say how a column is written, which are often glued to what it is about."""
_BRITISH = re.compile("(?<=[a-z]{3})our")
CODE_WORDS = {
    *("id", "ids", "cd", "code", "type", "class", "cat", "category", "status", "group", "desc"),
    *("abbrv", "lbl", "num", "nbr", "name"),
}
"""Words that say how a column is written: numbers of such columns stand for categories."""
_BEFORE = {
    *("of", "at", "in", "for", "from", "since", "when", "by", "to", "per", "last", "with"),
    *("during", "while", "before", "after"),
    *("de", "von", "bei", "am", "pro", "por", "par", "seit", "vor"),
}
"""Words after which a name says more about the word before them, as in age at diagnosis."""
_COUNTS = {"num", "nbr", "number", "count", "cnt", "total", "anzahl", "nombre", "numero"}
"""Words that say that something is counted; the noun is what is counted."""
_ASIDE = {
    *(*CODE_WORDS, *_COUNTS, "ind", "flag", "yn", "pct", "text", "baseline"),
    *("received", "conducted", "opened", "taken", "worked", "attended", "used", "made", "found"),
}
"""Words after the noun that a name is about."""
_NO_NUMBERS = {
    *("acid", "aid", "avoid", "bid", "fluid", "grid", "humid", "hybrid", "invalid", "kid", "laid"),
    *("lipid", "liquid", "maid", "medicaid", "opioid", "paid", "prepaid", "raid", "rapid", "said"),
    *("solid", "steroid", "thyroid", "unpaid", "valid", "void"),
}
"""Words that end with id and are no number of anything."""
_PERIOD = re.compile("[0-9]+|[a-z]")
"""Numbers and units after the noun: ``calls_12m``."""
WHOLE_WORD = 1_000
"""How well a phrase of whole words matches at least."""
HEAD = 100
"""How much better a phrase matches at the end of a name, where the noun is: arrest place."""
LONG_PHRASE = 6
"""A phrase of so many letters is recognized within a longer word, too: ``convertedsalary``."""
LEAST_CONSONANTS = 3
"""A word of fewer consonants is no abbreviation of another: ``cntry`` is one, ``st`` is not."""
LETTERS_READ = 200
"""How much of a name is examined."""


@lru_cache(maxsize=10_000)
def split_name(name: str) -> tuple[str, ...]:
    """Return the words of a column's name in lower case, without accents.

    Examples
    --------
    >>> split_name("Patient-Nr"), split_name("DateOfBirth"), split_name("Straße_des_Élèves")
    (('patient', 'nr'), ('date', 'of', 'birth'), ('strasse', 'des', 'eleves'))
    >>> split_name("CNTRYNUM"), split_name("numadult")
    (('cntry', 'num'), ('num', 'adult'))
    """
    spelled = name[:LETTERS_READ].replace("ß", "ss")
    for umlaut, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue")):
        spelled = spelled.replace(umlaut, letters).replace(umlaut.upper(), letters.capitalize())
    plain = unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()
    words = (_BRITISH.sub("or", word.lower()) for word in _WORD.findall(plain))
    return tuple(part for word in words for part in _GLUED_WORD.split(word) if part)


def match_phrase(words: tuple[str, ...], phrase: str) -> int:
    """Return how well a phrase matches the words of a name; 0 if it does not.

    The whole name matches best, then the longest phrase of whole words, then words without some of
    their vowels, then the begin or end of a word (``educ*``, ``*educ``), then a long phrase within
    a word.

    Examples
    --------
    >>> match_phrase(("zip", "code"), "zip code") > match_phrase(("zip", "code"), "zip") > 0
    True
    >>> match_phrase(("last", "visit"), "=last"), match_phrase(("trace",), "race")
    (0, 0)
    >>> match_phrase(("gndr",), "gender") > match_phrase(("edulvlb",), "edu*") > 0
    True
    """
    joined = "".join(words)
    parts, together = _split_phrase(phrase)
    if together == joined:
        return 10_000 + len(together)
    if phrase.startswith("="):
        return 0
    # a word and its abbreviations have the same first letter, which most words of names have not
    windows = {
        at: words[at : at + len(parts)]
        for at in range(len(words) - len(parts) + 1)
        if words[at][0] == parts[0][0]
    }
    found = [at for at, window in windows.items() if all(map(_is_word, window, parts))]
    if found:
        head = found[-1] < _find_head(words) <= found[-1] + len(parts)
        return WHOLE_WORD + HEAD * head + len(together)
    if any(all(map(_abbreviates, window, parts)) for window in windows.values()):
        return 900 + len(together)
    if "*" in phrase and _affixed(words, phrase):
        return 500 + len(together)
    return len(together) if len(together) >= LONG_PHRASE and together in joined else 0


def match_phrases(words: tuple[str, ...], phrases: Iterable[str]) -> int:
    """Return how well the best of some phrases matches the words of a name; 0 if none does.

    Only phrases are compared that could match: by the first letter of a word, the end of one, or
    the letters of the whole name.
    """
    joined, initials = "".join(words), {word[0] for word in words}
    possible = (
        phrase
        for phrase in phrases
        for parts, together in [_split_phrase(phrase)]
        if parts[0][0] in initials or phrase[0] == "*" or together in joined
    )
    return max((match_phrase(words, phrase) for phrase in possible), default=0)


@cache
def _split_phrase(phrase: str) -> tuple[list[str], str]:
    """Return the words of a phrase, and its letters."""
    parts = phrase.strip("=*").split()
    return parts, "".join(parts)


def _find_head(words: tuple[str, ...]) -> int:
    """Return where the noun ends that a name is about."""
    ends = (at for at, word in enumerate(words) if at and word in _BEFORE)
    before = next((at for at in ends if words[at - 1] not in _COUNTS), len(words))
    while before > 1 and (words[before - 1] in _ASIDE or _PERIOD.fullmatch(words[before - 1])):
        before -= 1
    return before


def _affixed(words: tuple[str, ...], phrase: str) -> bool:
    """Return whether some word begins with ``phrase*`` or ends with ``*phrase``."""
    if phrase.endswith("*"):
        return any(word.startswith(phrase[:-1]) for word in words)
    ends = [word for word in words if word not in _NO_NUMBERS]
    return phrase.startswith("*") and any(word.endswith(phrase[1:]) for word in ends)


def _is_word(word: str, wanted: str) -> bool:
    """Return whether a word is another one, or its plural."""
    return word in (wanted, f"{wanted}s")


def _abbreviates(word: str, whole: str) -> bool:
    """Return whether a word is another, perhaps without some of its vowels."""
    if _is_word(word, whole):
        return True
    if len(word) >= len(whole) or word[0] != whole[0]:
        return False
    consonants, letters = _drop_vowels(word), iter(whole)
    if len(consonants) < LEAST_CONSONANTS or consonants != _drop_vowels(whole):
        return False
    return all(letter in letters for letter in word)


@cache
def _drop_vowels(word: str) -> str:
    """Return the consonants of a word, doubled ones once, after its first letter."""
    return word[0] + re.sub(r"[aeiou]|(.)(?=\1)", "", word[1:])
