"""Unify spellings: propose a map for texts of a column that differ in case, blanks or words."""

import csv
import io
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from lookalike.draft.column import ColumnProfile
from lookalike.draft.meaning import Meaning, find_shape
from lookalike.draft.profile import rewrite_values
from lookalike.draft.starter import spell_plainly
from lookalike.draft.toml_text import quote_key, quote_toml
from lookalike.hierarchy.discreet import Discreet

LEAST_LETTERS = 3
"""Shorter texts are codes, in which case may matter: Rh and rh, or the genotypes Aa and AA."""
_SEX = (
    ("f", "female", "females", "woman", "women", "girl", "weiblich", "femme", "mujer"),
    ("m", "male", "males", "man", "men", "boy", "mannlich", "homme", "hombre"),
)
_ANSWERS = (("y", "yes"), ("n", "no"))
_KNOWN = frozenset(word for words in (*_SEX, *_ANSWERS) for word in words)


@dataclass(frozen=True)
class ProposedMap(Discreet):
    """What spellings of a column mean, and how many cells have each.

    ``path``: the file of the map, if its texts are not words that everybody uses.
    """

    meanings: Mapping[str, str]
    cells: Mapping[str, int]
    path: str = ""

    @property
    def is_known(self) -> bool:
        """Whether its texts are words for a sex or an answer, which say nothing of the table."""
        texts = {*self.meanings, *self.meanings.values()}
        return {spell_plainly(one) for one in texts} <= _KNOWN

    @property
    def summary(self) -> str:
        """How many cells are written in another way."""
        cells, spellings = sum(self.cells.values()), len(self.meanings)
        return (
            f"map writes {cells:,} cell{'s' * (cells != 1)} in the most frequent spelling "
            f"({spellings:,} other{'s' * (spellings != 1)})"
        )

    @property
    def table(self) -> str:
        """The map as a specification has it."""
        if self.path:
            return quote_toml(self.path)
        pairs = (f"{quote_key(one)} = {quote_toml(to)}" for one, to in self.meanings.items())
        return f"{{ {', '.join(pairs)} }}"

    @property
    def comment(self) -> str:
        """How many cells each spelling has; those of a file are listed there."""
        if self.path:
            return f"{self.summary}; {self.path} lists each spelling with its cells"
        return f"{self.summary}: " + ", ".join(f"{one} {n:,}" for one, n in self.cells.items())

    @property
    def file_text(self) -> str:
        """The lines of the file: a spelling, what it means, and how many cells have it."""
        text = io.StringIO()
        writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(("value", "meaning", "cells"))
        writer.writerows((one, to, self.cells[one]) for one, to in self.meanings.items())
        return text.getvalue()


def unify_spellings(
    column: ColumnProfile, meaning: Meaning | None
) -> tuple[ColumnProfile, ProposedMap | None]:
    """Return a column with one spelling for each of its texts, and the map that does so.

    The most frequent spelling stays. Texts that differ in more than case and blanks are the same
    only as words for a sex, in a column about sex, or as yes and no.

    Examples
    --------
    >>> sex = ColumnProfile("sex", 9, ("M", "F", "male", "Female"), (4, 3, 1, 1), 4)
    >>> unified, found = unify_spellings(sex, Meaning("sex", "quasi-identifier"))
    >>> unified.values, unified.counts, found.table
    (('M', 'F'), (5, 4), '{ male = "M", Female = "F" }')
    """
    if find_shape(column) != "text" or len(column.values) < column.distinct:
        return column, None
    synonyms: tuple[tuple[str, ...], ...] = (
        _SEX if meaning is not None and meaning.name == "sex" else ()
    )
    if {spell_plainly(value) for value in column.values} <= {*_ANSWERS[0], *_ANSWERS[1]}:
        synonyms = _ANSWERS
    words = {word: group[0] for group in synonyms for word in group}
    spellings = defaultdict[str, list[str]](list)
    for value in column.values:
        spellings[_find_key(value, words)].append(value)
    meanings = {other: usual for usual, *others in spellings.values() for other in sorted(others)}
    if not meanings:
        return column, None
    counts = dict(zip(column.values, column.counts, strict=True))
    unified = rewrite_values(column, lambda value: meanings.get(value, value))
    return unified, ProposedMap(meanings, {one: counts[one] for one in meanings})


def _find_key(value: str, words: Mapping[str, str]) -> str:
    """Return what the spellings of a text have in common; of a short code, the text itself."""
    plain = spell_plainly(value)
    if plain in words:
        return f" {words[plain]}"
    folded = " ".join(value.casefold().split())
    return folded if len(folded) >= LEAST_LETTERS else f" {value}"
