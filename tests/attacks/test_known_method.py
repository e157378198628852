"""A reader who knows the method and everybody's quasi-identifier has k candidates for every row.

Every world of a few people is tried: who is in the table, who has which other value, and how rows
with equal quasi-identifiers are dealt to tuples. For each release that can come out, the reader
weighs all worlds that could have produced it.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, permutations

import pytest

from lookalike.model.requirement import Requirement
from lookalike.search.methods import ALGORITHMS
from lookalike.search.options import SearchOptions

from ..small_tables import TREE, frequencies

PEOPLE = ["ac", "ac", "ad", "bc", "bd", "cc", "cd", "da"]
METHODS = {
    "optimum": ("mingen-cells", SearchOptions(effort="exact")),
    "quick": ("mingen-cells", SearchOptions(effort="quick")),
    "k-similar": ("k-similar", SearchOptions()),
}


def deal(name, rows, k):
    """Return for each quasi-identifier the tuples that its rows are released as."""
    method, options = METHODS[name]
    frequency = frequencies(*rows, one=TREE, two=TREE)
    recoding = method_result(method, frequency, k, options)
    tuples, dealt = recoding.tuples, defaultdict(list)
    labels = [tuples.shown(frequency, attribute) for attribute in range(2)]
    sequences = frequency.sequences()
    for place, number in enumerate(tuples.counts.tolist()):
        shown = tuple(texts[codes[place]] for texts, codes in labels)
        dealt["".join(sequences[tuples.sequence[place]])] += [shown] * number
    return dealt


def method_result(method, frequency, k, options):
    recoding = ALGORITHMS[method](frequency, Requirement(k), options)
    if method == "mingen-cells" and options.effort == "exact":
        assert recoding.optimality.proved
    return recoding


def releases(members, values, dealt):
    """Yield every release of a world: how its rows are dealt to tuples, each equally likely."""
    ways = [[]]
    for quasi_identifier, tuples in dealt.items():
        own = [value for one, value in zip(members, values, strict=True) if one == quasi_identifier]
        dealings = [list(zip(order, own, strict=True)) for order in permutations(tuples)]
        ways = [way + dealing for way in ways for dealing in dealings]
    for way in ways:
        yield frozenset(way), Fraction(1, len(ways))


def weigh_worlds(name, size, k):
    """Return for each possible release the weight of each pair of a person and a row."""
    beliefs = defaultdict(lambda: defaultdict(Fraction))
    for chosen in combinations(range(len(PEOPLE)), size):
        members = [PEOPLE[person] for person in chosen]
        dealt = deal(name, members, k)
        for values in permutations(range(size)):
            for release, chance in releases(members, values, dealt):
                for person, value in zip(chosen, values, strict=True):
                    beliefs[release][person, value] += chance
    return beliefs


@pytest.mark.slow
@pytest.mark.parametrize(("size", "k"), [(4, 2), (5, 2), (6, 3)])
@pytest.mark.parametrize("name", METHODS)
def test_every_row_keeps_k_candidates_of_at_most_1_in_k(name, size, k):
    fewest, greatest = len(PEOPLE), Fraction(0)
    for release, weights in weigh_worlds(name, size, k).items():
        sizes = Counter(shown for shown, _ in release)
        for shown, value in release:
            of_row = {who: weight for (who, one), weight in weights.items() if one == value}
            most = max(of_row.values()) / sum(of_row.values())
            assert len(of_row) >= sizes[shown] >= k
            assert most <= Fraction(1, sizes[shown])
            fewest, greatest = min(fewest, len(of_row)), max(greatest, most)
    assert (fewest, greatest) == (k, Fraction(1, k))
