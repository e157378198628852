"""Invent sets of releases of a few people, with hypothesis."""

from dataclasses import dataclass

from hypothesis import strategies as st

from lookalike.hierarchy import Mask, Suppress, Taxonomy
from lookalike.risk.releases.seen_release import SeenRelease

from ..seen_rows import see_rows
from .brute import Naive, generalize

RULES = {
    "place": Mask(length=2),
    "race": Taxonomy({"person": {"x": ["a", "b"], "y": ["c"]}}, unknown="suppress"),
    "sex": Suppress(),
}
DOMAINS = {"place": ("00", "01", "10"), "race": ("a", "b", "c", "odd", "rare"), "sex": ("f", "m")}
KNOWN = ("place", "race", "sex")
UNCHANGED = "ill"


@dataclass(frozen=True)
class Set:
    """Releases of the same people."""

    releases: tuple[Naive, ...]
    people: int

    def classes(self, k: int = 2) -> list[SeenRelease]:
        """Return the releases as an attacker sees them."""
        return [
            see_rows(
                f"R{number}",
                release.columns,
                release.rows,
                levels=release.levels,
                k=k,
                rows_in=self.people,
                suppresses=release.suppresses,
            )
            for number, release in enumerate(self.releases, start=1)
        ]


@st.composite
def persons(draw):
    """Invent a person: the quasi-identifier, some of it missing, and what ails them."""
    values = [draw(st.sampled_from([*DOMAINS[name], None])) for name in KNOWN]
    return (*values, draw(st.sampled_from(["flu", "cold"])))


@st.composite
def release(draw, people):
    """Invent a release of some people, at the attribute or at the cell level."""
    suppresses = draw(st.sampled_from(["cells", "rows", "nothing"]))
    cells = suppresses == "cells"
    columns = draw(
        st.lists(st.sampled_from([*KNOWN, UNCHANGED]), min_size=1, unique=True).filter(
            lambda some: some != [UNCHANGED]
        )
    )
    shown = draw(st.lists(st.sampled_from(range(len(people))), unique=True))
    levels = {
        name: draw(st.integers(0, RULES[name].height)) for name in columns if name != UNCHANGED
    }
    rows = []
    for number in shown:
        row = []
        blank = suppresses == "rows" and draw(st.booleans())
        for name in columns:
            value = people[number][[*KNOWN, UNCHANGED].index(name)]
            if name != UNCHANGED:
                level = draw(st.integers(0, RULES[name].height)) if cells else levels[name]
                value = "*" if blank else generalize(RULES[name], DOMAINS[name], value, level)
            row.append(value)
        rows.append(tuple(row))
    stated = dict.fromkeys(levels) if cells else levels
    return Naive(tuple(columns), tuple(rows), stated, suppresses)


@st.composite
def sets(draw, number: int = 2, most: int = 4):
    """Invent several releases of a few people."""
    people = draw(st.lists(persons(), min_size=1, max_size=most))
    releases = tuple(draw(release(people)) for _ in range(number))
    return Set(releases, len(people))
