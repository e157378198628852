"""Starter: a taxonomy of well-known values, such as US states, that comes with the package.

The files are in ``starters/``, with their sources in its README.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

STARTER_FOLDER = Path(__file__).parent / "starters"
STARTERS = {
    "us state": "US states, by division and region of the Census Bureau",
    "country": "Countries, by region of the United Nations (M49)",
    "education": "Levels of education",
    "marital status": "Marital status",
    "race": "Races and origins, by category of the Office of Management and BitBudget",
    "occupation": "Occupations, by major group of ISCO-08",
    "employment": "Classes of workers",
    "month": "Months, by quarter and half-year",
    "weekday": "Days of the week",
}
"""Each starter with a sentence about it, without its full stop."""


@dataclass(frozen=True)
class Starter:
    """A taxonomy of well-known values.

    ``name``: its name in :data:`STARTERS`.
    ``groups``: the groups of each spelling (:func:`spell_plainly`), from the first level on.
    """

    name: str
    groups: Mapping[str, tuple[str, ...]]

    def find(self, value: str) -> tuple[str, ...] | None:
        """Return the groups of a value, from the first level.

        Examples
        --------
        >>> read_starter("us state").find("new-york"), read_starter("us state").find("Paris")
        (('Middle Atlantic', 'Northeast'), None)
        """
        return self.groups.get(spell_plainly(value))

    @property
    def height(self) -> int:
        """The number of levels of groups."""
        return len(next(iter(self.groups.values())))


@cache
def read_starter(name: str) -> Starter:
    """Read a starter from its file."""
    groups = {}
    file = STARTER_FOLDER / f"{name.replace(' ', '-')}.csv"
    for line in file.read_text(encoding="utf-8").splitlines():
        spellings, *labels = line.split(";")
        groups.update({spell_plainly(one): tuple(labels) for one in spellings.split("|")})
    return Starter(name, groups)


def spell_plainly(text: str) -> str:
    """Return the letters and digits of a text, without case and accents.

    Examples
    --------
    >>> spell_plainly("Côte d'Ivoire"), spell_plainly("United-States")
    ('cotedivoire', 'unitedstates')
    """
    return "".join(one for one in unicodedata.normalize("NFKD", text).casefold() if one.isalnum())
