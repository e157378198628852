"""Proposed hierarchies of numbers: round, nested, and balanced."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from lookalike.draft.propose_hierarchy import propose_hierarchy
from lookalike.hierarchy import Intervals, Suppress
from lookalike.search.cells.ambiguous_labels import list_ambiguous

from .columns import profile

DRAW = random.Random(15)
INCOMES = [str(int(DRAW.lognormvariate(10.3, 0.9))) for _ in range(1500)]
GAINS = ["0" if DRAW.random() < 0.9 else str(int(DRAW.lognormvariate(8, 1))) for _ in range(1500)]
WEIGHTS = [f"{DRAW.gauss(75, 12):.1f}" for _ in range(1500)]
AGES = [str(min(99, max(0, int(DRAW.gauss(45, 18))))) for _ in range(1500)]


def sizes(texts, proposed):
    """Return the number of labels at each level."""
    return [
        len({path[level] for path in map(proposed.hierarchy.ancestors, set(texts))})
        for level in range(proposed.hierarchy.height + 1)
    ]


def test_ages_come_in_bands_of_five_years():
    proposed = propose_hierarchy(profile(*AGES), "age")
    assert proposed.hierarchy.widths == (5, 10, 20, 40)
    assert proposed.hierarchy.ancestors("37") == ("37", "35-39", "30-39", "20-39", "0-39", "*")


def test_ages_with_decimals_come_in_the_same_bands():
    proposed = propose_hierarchy(profile(*(f"{age}.5" for age in AGES)), "age")
    assert proposed.hierarchy.widths == (5, 10, 20, 40)
    assert proposed.hierarchy.ancestors("37.5")[1] == "35.0-39.9"


def test_years_that_are_taken_for_dates_come_in_decades():
    years = profile(*(str(1930 + number % 80) for number in range(500)))
    assert propose_hierarchy(years, "date") == propose_hierarchy(years, "year")


def test_years_come_in_decades():
    years = profile(*(str(1930 + number % 80) for number in range(500)))
    assert propose_hierarchy(years, "year").table == '{ kind = "intervals", widths = [5, 10, 50] }'


@pytest.mark.parametrize("texts", [INCOMES, WEIGHTS, AGES], ids=["income", "weight", "age"])
def test_there_are_four_to_six_levels_and_each_step_merges(texts):
    proposed = propose_hierarchy(profile(*texts), "number")
    assert 4 <= proposed.hierarchy.height <= 6
    found = sizes(texts, proposed)
    assert all(finer > coarser for finer, coarser in pairwise(found))


def test_skewed_amounts_have_round_ranges_of_similar_weight():
    proposed = propose_hierarchy(profile(*INCOMES), "amount")
    assert proposed.hierarchy.ranges is not None
    bounds = [int(low) for level in proposed.hierarchy.ranges for low, _ in level if low]
    figures = {"1", "12", "15", "2", "25", "3", "4", "5", "6", "8"}
    assert {str(bound).rstrip("0") for bound in bounds} <= figures
    for level, least in ((1, 0.01), (2, 0.04), (3, 0.15)):
        rows = Counter(proposed.hierarchy.ancestors(text)[level] for text in INCOMES)
        assert min(rows.values()) >= least * len(INCOMES)


def test_frequent_zeros_are_a_range_of_their_own():
    proposed = propose_hierarchy(profile(*GAINS), "amount")
    assert proposed.hierarchy.ancestors("0")[1] == "0"
    assert proposed.hierarchy.ancestors("7954")[-2].startswith("1-")


def test_zeros_that_are_written_in_two_ways_get_no_range_of_their_own():
    """Its label would be one of the two spellings."""
    column = profile(*GAINS, *["0.00"] * 100)
    proposed = propose_hierarchy(column, "amount")
    bound = proposed.hierarchy.bind("x", column.values)
    assert list_ambiguous(bound, range(bound.height + 1)) == []


def test_thin_tails_have_open_ends():
    proposed = propose_hierarchy(profile(*WEIGHTS), "number")
    assert proposed.hierarchy.decimals == 1
    assert None not in (proposed.hierarchy.bottom, proposed.hierarchy.top)
    assert proposed.hierarchy.ancestors("300.0")[1].startswith(">=")


def test_negative_numbers_are_taken():
    balances = profile(*(str(number) for number in range(-500, 500)))
    assert isinstance(propose_hierarchy(balances, "amount").hierarchy, Intervals)


def test_few_numbers_are_paired_or_suppressed():
    children = profile(*"0012345678")
    assert propose_hierarchy(children, "number").table == '{ kind = "intervals", widths = [2] }'
    assert propose_hierarchy(profile(*"112"), "number").hierarchy == Suppress()


def test_values_that_are_no_numbers_are_suppressed_if_they_are_few():
    proposed = propose_hierarchy(profile(*AGES, "?"), "age")
    assert proposed.hierarchy.unknown == "suppress"
    assert "1 value cannot be read as numbers" in proposed.reason
    many = profile(*map(str, range(50)), *["about 20"] * 50)
    assert not isinstance(propose_hierarchy(many, "age").hierarchy, Intervals)


def test_the_last_range_of_skewed_numbers_ends_at_a_round_number():
    values = [f"{1.07**power:.3f}" for power in range(100, 200)]
    rule = propose_hierarchy(profile(*values), "number").hierarchy
    labels = {rule.ancestors(value)[level] for value in values for level in (1, 2)}
    assert not any("999" in label for label in labels)
    assert max(float(label.split("<")[1]) for label in labels if " to <" in label) == 1_000_000
