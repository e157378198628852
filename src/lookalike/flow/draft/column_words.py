"""The words of a column's name, and how well a phrase matches them."""

import re
import unicodedata

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
LONG_PHRASE = 6
"""A phrase of so many letters is recognized within a longer word, too: ``convertedsalary``."""
LETTERS_READ = 200
"""How much of a name is examined."""


def split_name(name: str) -> tuple[str, ...]:
    """Return the words of a column's name in lower case, without accents.

    Examples
    --------
    >>> split_name("Patient-Nr"), split_name("DateOfBirth"), split_name("Straße_des_Élèves")
    (('patient', 'nr'), ('date', 'of', 'birth'), ('strasse', 'des', 'eleves'))
    """
    spelled = name[:LETTERS_READ].replace("ß", "ss")
    for umlaut, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue")):
        spelled = spelled.replace(umlaut, letters).replace(umlaut.upper(), letters.capitalize())
    plain = unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()
    return tuple(word.lower() for word in _WORD.findall(plain))


def match_phrase(words: tuple[str, ...], phrase: str) -> int:
    """Return how well a phrase matches the words of a name; 0 if it does not.

    The whole name matches best, then the longest phrase of whole words, then a long phrase within
    a word.

    Examples
    --------
    >>> match_phrase(("zip", "code"), "zip code") > match_phrase(("zip", "code"), "zip") > 0
    True
    >>> match_phrase(("last", "visit"), "=last"), match_phrase(("trace",), "race")
    (0, 0)
    """
    wanted = phrase.removeprefix("=")
    parts, joined = wanted.split(), "".join(words)
    together = "".join(parts)
    if together == joined:
        return 10_000 + len(together)
    if phrase.startswith("="):
        return 0
    if any(list(words[at : at + len(parts)]) == parts for at in range(len(words))):
        return 1_000 + len(together)
    return len(together) if len(together) >= LONG_PHRASE and together in joined else 0
