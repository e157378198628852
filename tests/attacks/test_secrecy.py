"""What an attacker who knows the method learns of sensitive values, in worlds enumerated whole.

The attacker knows everybody's quasi-identifier, the method and all parameters, and which sensitive
values occur how often. All orders of these values are equally likely before; any prior that does
not link sensitive values to people is a mixture of such worlds. Every order and every outcome of
the coins is tried with its exact probability.
"""

import itertools
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from lookalike import Infeasible, RequirementNotMet, Suppress, Taxonomy
from lookalike.model.beside import Sensitive
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.protections import Share
from lookalike.model.requirement import ColumnProtection, Requirement
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.clustering import lay_out_ground
from lookalike.search.cells.costs import cost_finely
from lookalike.search.cells.satisfy.lottery import hold_lottery
from lookalike.search.cells.satisfy.rows_beside import RowsBeside
from lookalike.search.cells.satisfy.satisfy import satisfy
from lookalike.search.methods import mingen, mingen_cells
from lookalike.search.options import DEFAULTS

from ..small_tables import count_and_bind, frequency_of, table_of

STREETS = Taxonomy({"A": ["a1", "a2"], "B": ["b1", "b2"], "C": ["c1", "c2"], "D": ["d1", "d2"]})
ILL = "ill"


@dataclass
class Scripted:
    """A generator whose draws are given: the order of the deal, and the coins."""

    order: tuple[int, ...]
    coins: tuple[bool, ...]
    asked: int = 0

    def permutation(self, _rows):
        return np.array(self.order)

    def random(self, number):
        flips = self.coins[self.asked : self.asked + number]
        self.asked += number
        assert len(flips) == number
        return np.where(flips, 0.0, 1.0)


@cache
def count_streets(people):
    """Count the streets of people, which are the same in all worlds, and bind their hierarchy."""
    return count_and_bind(table_of(["street"], [[one] for one in people]), {"street": STREETS})


def world(people, values) -> FrequencyList:
    """Return the list of a world in which people have sensitive values."""
    return list_with(count_streets(tuple(people)), values)


def list_with(known, values) -> FrequencyList:
    """List people who are counted, with their sensitive values."""
    counted, bound = known
    beside = [sensitive(values)]
    return list_frequencies(bound, counted.positions, counted.counts, beside=beside)[1]


def sensitive(values) -> Sensitive:
    """Return the sensitive column of a world."""
    codes = np.array(values, np.int32)
    reference = np.bincount(codes)
    nothing = np.empty((0, len(reference)), np.int32)
    return Sensitive(ILL, codes, reference=reference, levels=nothing)


def orders_of(values):
    """Return every different order of sensitive values."""
    return sorted(set(itertools.permutations(values)))


def asking(alpha, secrecy, k=2, rate=None):
    share = ColumnProtection(ILL, Share(float(alpha)))
    return Requirement(
        k,
        protections=(share,),
        secrecy=secrecy,
        lottery_rate=None if rate is None else float(rate),
    )


def seen(frequency, recoding):
    """Return what the release shows: the sensitive values of each class."""
    tuples = recoding.released(frequency)
    [labels], shown = zip(*[tuples.shown(frequency, 0)], strict=True)
    codes = frequency.beside[0].codes[tuples.sequence]
    rows = Counter()
    for label, code, count in zip(shown[0].tolist(), codes.tolist(), tuples.counts, strict=True):
        rows[labels[label], code] += int(count)
    return frozenset(rows.items())


def greatest_posterior(values, release):
    """Return the greatest probability with which a value of a person follows from a release.

    `release` yields what is shown in a world, with its probability. If nothing is ever shown, the
    result is 0.
    """
    likely = defaultdict(Fraction)
    having = defaultdict(Fraction)
    for order in orders_of(values):
        for shown, probability in release(order):
            if not probability:
                continue
            likely[shown] += probability
            for person, value in enumerate(order):
                having[shown, person, value] += probability
    return max((having[key] / likely[key[0]] for key in having), default=Fraction(0))


def released_by(people, requirement, coins=0, rate=Fraction(1), deals=None):
    """Return a function that yields every outcome of the method in a world."""
    plain = frequency_of(table_of(["street"], [[one] for one in people]), {"street": STREETS})
    found = mingen_cells(plain, requirement.rows_alone)
    deals = deals or [tuple(range(len(people)))]

    def release(order):
        frequency = world(people, order)
        for deal in deals:
            for flips in itertools.product([False, True], repeat=coins):
                probability = Fraction(1, len(deals))
                for flip in flips:
                    probability *= rate if flip else 1 - rate
                script = Scripted(deal, flips)
                try:
                    done = satisfy(frequency, found, requirement, DEFAULTS, script)
                except RequirementNotMet:
                    continue
                yield seen(frequency, done), probability

    return release


PAIR_AND_FOUR = ["a1"] * 2 + ["a2"] * 4
"""Two classes; the smaller one fails if both have the same value."""


def test_a_search_that_looks_at_sensitive_values_gives_them_away():
    """The four cannot have failed, so the class was merged because both of the pair have value 0.

    In the merged class only one person in three has it.
    """
    values = [0, 0, 1, 2, 3, 4]
    release = released_by(PAIR_AND_FOUR, asking(Fraction(1, 2), "search"))
    assert greatest_posterior(values, release) == 1


MEN_AND_WOMEN = [("M", "a1"), ("M", "a2"), ("M", "b1"), ("M", "b2"), ("F", "a1"), ("F", "b1")]
TWO_ALIKE = [0, 0, 1, 2, 3, 4]
SEX_AND_STREET = {"sex": Suppress(), "street": Taxonomy({"a": ["a1", "a2"], "b": ["b1", "b2"]})}


def released_for_all(secrecy):
    """Return a function that yields what the best vector shows of the six people."""
    known = count_and_bind(table_of(["sex", "street"], MEN_AND_WOMEN), SEX_AND_STREET)
    rules = SEX_AND_STREET.values()

    def release(order):
        frequency = list_with(known, order)
        try:
            found = mingen(frequency, asking(Fraction(1, 2), secrecy))
        except (Infeasible, RequirementNotMet):
            return
        shown = [
            tuple(
                rule.ancestors(value)[level]
                for rule, value, level in zip(rules, person, found.vector, strict=True)
            )
            for person in MEN_AND_WOMEN
        ]
        yield frozenset(Counter(zip(shown, order, strict=True)).items()), Fraction(1)

    return release


def test_a_vector_that_depends_on_sensitive_values_gives_them_away():
    """Streets are shown instead of the sexes only if the sexes fail: both women have value 0."""
    assert greatest_posterior(TWO_ALIKE, released_for_all("search")) == 1
    assert 0 < greatest_posterior(TWO_ALIKE, released_for_all("blind")) <= Fraction(1, 2)


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(1)])
def test_the_same_world_is_safe_with_a_lottery(rate):
    values = [0, 0, 1, 2, 3, 4]
    asked = asking(Fraction(1, 2), "lottery", rate=rate)
    release = released_by(PAIR_AND_FOUR, asked, coins=1, rate=rate)
    assert 0 < greatest_posterior(values, release) <= Fraction(1, 2)


@pytest.mark.parametrize(
    ("alpha", "rate", "values"),
    [
        (Fraction(1, 2), Fraction(1, 2), [0, 0, 1, 1, 2, 2]),
        (Fraction(1, 2), Fraction(1), [0, 0, 0, 1, 1, 2]),
        (Fraction(2, 3), Fraction(1, 2), [0, 0, 0, 1, 1, 1]),
        (Fraction(2, 3), Fraction(1, 4), [0, 0, 1, 1, 2, 2]),
        (Fraction(3, 4), Fraction(1, 3), [0, 0, 0, 1, 1, 1]),
    ],
)
@pytest.mark.parametrize("people", [PAIR_AND_FOUR, ["a1", "a1", "a2", "a2", "b1", "b1"]])
def test_no_posterior_exceeds_the_share_with_a_lottery(people, alpha, rate, values):
    release = released_by(people, asking(alpha, "lottery", rate=rate), coins=1, rate=rate)
    assert 0 < greatest_posterior(values, release) <= alpha


@pytest.mark.parametrize("values", [[0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2], [0, 1, 2, 3, 4, 4]])
@pytest.mark.parametrize("people", [PAIR_AND_FOUR, ["a1", "a1", "a2", "a2", "b1", "b1"]])
def test_no_posterior_exceeds_one_in_l_with_blind_classes(people, values):
    asked = asking(Fraction(1, 2), "blind")
    frequencies = {order: world(people, order) for order in orders_of(values)}

    def release(order):
        try:
            yield seen(frequencies[order], mingen_cells(frequencies[order], asked)), Fraction(1)
        except RequirementNotMet:
            return

    assert 0 < greatest_posterior(values, release) <= Fraction(1, 2)


def test_dealing_rows_with_equal_quasi_identifiers_keeps_the_promise():
    """Three people of one street are dealt to two classes; every deal is tried."""
    people, rate = ["a1", "a2", "a2", "a2"], Fraction(1, 2)
    deals = list(itertools.permutations(range(4)))
    asked = asking(Fraction(2, 3), "lottery", rate=rate)
    release = released_by(people, asked, coins=1, rate=rate, deals=deals)
    for values in ([0, 0, 1, 1], [0, 1, 1, 2]):
        assert 0 < greatest_posterior(values, release) <= Fraction(2, 3)


TREES = {
    "two levels": [[0, 0, 1, 1], [0, 0]],
    "a leaf that waits": [[0, 0, 1], [0, 0]],
    "two roots": [[0, 0, 1, 1]],
    "an only child at the top": [[0, 0, 0], [0]],
}


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize(
    ("alpha", "rate"),
    [
        (Fraction(3, 4), Fraction(1, 3)),
        (Fraction(2, 3), Fraction(1, 2)),
        (Fraction(1, 2), Fraction(1)),
    ],
)
@pytest.mark.parametrize("ones", [2, 3, 4])
def test_no_posterior_exceeds_the_share_in_any_tree(name, alpha, rate, ones):
    tree = [np.array(level, np.int32) for level in TREES[name]]
    leaves, nodes = len(tree[0]), [int(level.max()) + 1 for level in tree]
    people = [street for street in ("a1", "b1", "c1", "d1")[:leaves] for _ in range(2)]
    values = [1] * ones + [0] * (len(people) - ones)
    asked = asking(alpha, "lottery", rate=rate)

    def release(order):
        rows, classes = classes_by_street(people, order)
        for flips in itertools.product([False, True], repeat=sum(nodes)):
            coins = np.split(np.array(flips), np.cumsum(nodes)[:-1])
            probability = Fraction(1)
            for flip in flips:
                probability *= rate if flip else 1 - rate
            try:
                done = hold_lottery(rows, classes, tree, coins, asked, float(rate))
            except RequirementNotMet:
                continue
            yield show_classes(rows, done), probability

    assert greatest_posterior(values, release) <= alpha


def classes_by_street(people, order):
    """Return the rows of a world, and the people of each street as a class."""
    frequency = world(people, order)
    costs = cost_finely(frequency, DEFAULTS.weights_of(frequency), "precision")
    lattice, _ = DEFAULTS.lattice_of(frequency)
    lower, ground = lay_out_ground(frequency, costs, lattice)
    rows = RowsBeside(frequency, ground, lower)
    number = np.unique(frequency.codes[0], return_inverse=True)[1].astype(np.int32)
    return rows, Classes(number, np.arange(len(frequency), dtype=np.int32), frequency.counts)


def show_classes(rows, classes):
    """Return the streets and the sensitive values of each class."""
    shown = defaultdict(lambda: (set(), Counter()))
    codes = rows.frequency.codes[0], rows.frequency.beside[0].codes
    for number, sequence, count in zip(
        classes.class_of.tolist(), classes.sequence.tolist(), classes.counts.tolist(), strict=True
    ):
        streets, values = shown[number]
        streets.add(int(codes[0][sequence]))
        values[int(codes[1][sequence])] += count
    return frozenset(
        (frozenset(streets), frozenset(values.items())) for streets, values in shown.values()
    )


def test_merging_along_a_tree_without_lots_gives_values_away():
    """With coins that never say "form", a merged class shows that one below it failed."""
    people, values = ["a1", "a1", "b1", "b1", "b1", "b1"], [0, 0, 1, 2, 3, 4]
    tree, coins = [np.zeros(2, np.int32)], [np.zeros(1, np.bool_)]

    def release(order):
        rows, classes = classes_by_street(people, order)
        try:
            done = hold_lottery(rows, classes, tree, coins, asking(0.5, "lottery"), 1.0)
        except RequirementNotMet:
            return
        yield show_classes(rows, done), Fraction(1)

    assert greatest_posterior(values, release) == 1
