"""The number of children of a label is that of the labels below it, over the whole domain."""

from datetime import date, timedelta

import pytest

from lookalike.hierarchy import Dates, Intervals, Mask, Rounding, Suppress, Taxonomy

NUMBERS = [str(number) for number in range(-30, 131)]
DAYS = [(date(1960, 1, 1) + timedelta(days)).isoformat() for days in range(2 * 3653)]


def brute(rule, domain, value, level):
    """Count the labels of the level below by generalizing a whole domain."""
    paths = [rule.ancestors(one) for one in domain]
    return len({path[level - 1] for path in paths if path[level] == rule.ancestors(value)[level]})


@pytest.mark.parametrize(
    "rule",
    [
        Intervals([5, 10, 40], bottom=-10, top=90),
        Intervals([2, 4], origin=1, bottom=-9, top=100),
        Intervals(ranges=[[[0, 17], [18, 64], [65, 120]], [[0, 64], [65, 120]]]),
    ],
)
def test_intervals(rule):
    domain = NUMBERS[30:151] if rule.ranges else NUMBERS
    for value in ("0", "7", "37", "88"):
        for level in range(1, rule.height + 1):
            assert rule.count_children(value, level) == brute(rule, domain, value, level)


def test_intervals_without_an_end():
    ages = Intervals([5, 10], top=90)
    assert ages.count_children("37", 3) is None
    assert ages.count_children("95", 1) is None
    assert ages.count_children("95", 2) == 1


@pytest.mark.parametrize(
    "steps", [["month", "year", "5 years", "10 years"], ["quarter", "2 years"]]
)
def test_dates(steps):
    rule = Dates(steps)
    for level in range(1, rule.height):
        assert rule.count_children("1964-02-10", level) == brute(rule, DAYS, "1964-02-10", level)
    assert rule.count_children("1964-02-10", rule.height) is None


def test_listed_values_count_although_no_table_has_them():
    rule = Taxonomy({"a": ["a1", "a2"], "b": ["b1"]}, suppression_level=False)
    assert [rule.count_children("a1", level) for level in (1, 2)] == [2, 2]
    assert [rule.count_children("b1", level) for level in (1, 2)] == [1, 2]
    added = Taxonomy({"all": ["x", "y", "z"]}, suppression_level=True)
    assert [added.count_children("x", level) for level in (1, 2)] == [3, 1]


@pytest.mark.parametrize("rule", [Mask(length=2), Suppress(), Rounding([10])])
def test_rules_that_list_nothing_do_not_say(rule):
    assert rule.count_children("12", 1) is None
