"""What decoys hide from a reader who knows the method, the lot and the hierarchy: every world.

The table has k rows, so that they are one class whatever they are. All tables that its rows may be,
and all levels that may be drawn, are tried; the reader weighs the worlds by any prior.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest

from lookalike.hierarchy import Listed, Taxonomy
from lookalike.model.requirement import Requirement
from lookalike.search.cells import decoys
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import ALGORITHMS
from lookalike.search.options import SearchOptions

from ..small_tables import TREE, frequencies, released_rows

RATE = Fraction(1, 4)
ZIP = Taxonomy({"021": {"0213": ["02138", "02139"], "0214": ["02141"]}})
PAIR = Taxonomy({"human": ["f", "m"]})
RAGGED = Taxonomy({"all": {"leaf": [], "A": ["a", "b"]}})
CHAIN = Listed({"a": "aA12*", "b": "bA12*", "c": "cC12*"})
SAME = Listed({"a": "aAAL*", "b": "bAAL*", "c": "cCCL*", "d": "ddDD*"})
DEEP = Listed({"a": "aAL*", "b": "bAL*", "c": "cCL*", "d": "dDR*"})
TREES = {
    "two leaves": (PAIR, "fm", ()),
    "balanced": (TREE, "abcd", ()),
    "an only child": (ZIP, ("02138", "02139", "02141"), ()),
    "a leaf above the ground": (RAGGED, ("leaf", "a", "b"), ()),
    "values with only children": (CHAIN, "abc", ()),
    "one label at two levels": (SAME, "abcd", ()),
    "three levels": (DEEP, "abcd", ()),
    "a least level": (DEEP, "abcd", ("one >= 1",)),
    "a greatest level": (DEEP, "abc", ("one <= 2",)),
    "a missing value": (TREE, ("a", "b", None), ()),
}


def draw(monkeypatch, rows, trees, constraints=()):
    """Return for each release of a class the probability that the lot shows it."""
    attributes = dict(zip(("one", "two"), trees, strict=False))
    frequency = frequencies(*rows, **attributes)
    options = SearchOptions(constraints=tuple(map(Constraint.parse, constraints)))
    made = ALGORITHMS["mingen-cells"](frequency, Requirement(len(rows)), options)
    lattice, _ = options.lattice_of(frequency)
    shown = defaultdict(Fraction)
    for floors in product(*map(chances, lattice.bottom, lattice.top)):
        drawn = np.array([[level] for level, _ in floors], dtype=np.int32)
        monkeypatch.setattr(decoys, "_draw_floors", lambda *_, drawn=drawn: drawn)
        release = released_rows(frequency, decoys.draw_decoys(frequency, made, lattice, 1))
        ((labels, count),) = release.items()
        assert count == len(rows)
        shown[labels] += np.prod([chance for _, chance in floors])
    assert sum(shown.values()) == 1
    return shown


def chances(bottom, top):
    """Return the levels that may be drawn, from the greatest downwards, each with RATE."""
    drawn, left = [], Fraction(1)
    for level in range(top, bottom, -1):
        drawn.append((level, left * RATE))
        left *= 1 - RATE
    return [*drawn, (bottom, left)]


def paths(tree, values):
    """Return the labels of rows from the ground to the top; a missing one is so up to the top."""
    known = tree.ancestors(next(iter(tree.domain())))
    missing = (None,) * (len(known) - 1) + known[-1:]
    return [missing if value is None else tree.ancestors(value) for value in values]


def agree(tree, values, level):
    """Return whether all rows have the same label at a level."""
    return len({path[level] for path in paths(tree, values)}) == 1


def least_shown(tree, leaves, label):
    """Return the lowest level that has a label."""
    every = paths(tree, leaves)
    return min(level for path in every for level, text in enumerate(path) if text == label)


def below(tree, values, label):
    """Return whether all rows lie below a label."""
    return all(label in path for path in paths(tree, values))


def odds(weights, is_so):
    """Return the odds of a hypothesis, if it is possible, and not certain."""
    yes = sum(weight for world, weight in weights.items() if is_so(world))
    no = sum(weight for world, weight in weights.items() if not is_so(world))
    return yes / no if yes and no else None


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("name", TREES)
def test_whatever_a_cell_shows_agreement_below_it_is_at_most_so_much_less_likely(
    name, size, monkeypatch
):
    """For every prior: each world in which the rows agree against each in which they do not."""
    tree, leaves, constraints = TREES[name]
    least = 1 if "one >= 1" in constraints else 0
    worlds = list(combinations_with_replacement(leaves, size))
    likely = {rows: draw(monkeypatch, list(zip(rows)), [tree], constraints) for rows in worlds}
    factors = set()
    for label in {label for shown in likely.values() for (label,) in shown}:
        inside = [rows for rows in worlds if below(tree, rows, label)]
        for level in range(least, least_shown(tree, leaves, label)):
            agreeing = [likely[rows][label,] for rows in inside if agree(tree, rows, level)]
            others = [likely[rows][label,] for rows in inside if not agree(tree, rows, level)]
            factors |= {one / other for one in agreeing for other in others}
    assert min(factors) == RATE
    assert max(factors) <= 1


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("trees", [(PAIR, PAIR), (ZIP, PAIR), (ZIP, RAGGED)])
def test_each_of_several_cells_lowers_the_odds_so_much(size, trees, monkeypatch):
    """Attributes may depend on each other: a cell is judged given what the other one shows."""
    leaves = [("f", "m"), ("02138", "02139", "02141"), ("leaf", "a", "b")]
    values = [leaves[[PAIR, ZIP, RAGGED].index(tree)] for tree in trees]
    worlds = list(combinations_with_replacement(list(product(*values)), size))
    likely = {rows: draw(monkeypatch, rows, trees) for rows in worlds}
    prior = {rows: Fraction(1 + place * 7919 % 97) for place, rows in enumerate(worlds)}
    least = Fraction(1)
    for shown in {shown for one in likely.values() for shown in one}:
        for place, tree in enumerate(trees):
            inside = {
                rows: weight
                for rows, weight in prior.items()
                if all(below(t, column(rows, n), shown[n]) for n, t in enumerate(trees))
            }
            other = {
                rows: weight * likelihood_of(likely[rows], 1 - place, shown)
                for rows, weight in inside.items()
            }
            both = {rows: weight * likely[rows][shown] for rows, weight in inside.items()}
            for level in range(least_shown(tree, values[place], shown[place])):
                before, after = (
                    odds(weights, lambda rows: agree(tree, column(rows, place), level))  # noqa: B023
                    for weights in (other, both)
                )
                if before:
                    least = min(least, after / before)
    assert RATE <= least < 2 * RATE


def column(rows, place):
    return tuple(row[place] for row in rows)


def likelihood_of(likely, place, shown):
    """Return the probability that one cell is shown so, whatever the other is."""
    return sum(chance for one, chance in likely.items() if one[place] == shown[place])


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_value_below_the_top_is_not_certain_two_levels_down(size, monkeypatch):
    """With decoys of one level only, a class that shows 021 would have a row of 0213."""
    worlds = {}
    for rows in combinations_with_replacement(("02138", "02139", "02141"), size):
        number = len(set(permutations(rows)))
        worlds[rows] = number * draw(monkeypatch, list(zip(rows)), [ZIP])["021",]
    agreeing = 2**size + 1
    assert sum(worlds.values()) == 3**size - agreeing + RATE * agreeing
    assert worlds[("02141",) * size] == RATE


def test_the_choice_of_classes_may_prove_what_levels_do_not(monkeypatch):
    """Rows with equal values are one class: beside classes of f and of m, others are of both."""
    rows = ["f"] * 2 + ["m"] * 2
    for others in combinations_with_replacement("fm", 2):
        frequency = frequencies(*rows, *others, one=PAIR)
        made = ALGORITHMS["mingen-cells"](frequency, Requirement(2), SearchOptions())
        classes = len(released_rows(frequency, made))
        lattice, _ = SearchOptions().lattice_of(frequency)
        possible = []
        for floors in product((0, 1), repeat=classes):
            drawn = np.array([floors], dtype=np.int32)
            monkeypatch.setattr(decoys, "_draw_floors", lambda *_, drawn=drawn: drawn)
            release = released_rows(frequency, decoys.draw_decoys(frequency, made, lattice, 1))
            possible.append(dict(release) == {("f",): 2, ("m",): 2, ("human",): 2})
        assert not any(possible)
