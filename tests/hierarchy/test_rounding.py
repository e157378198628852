import pytest

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import Rounding


def test_each_level_rounds_to_a_larger_base():
    assert Rounding([10, 100, 1000]).ancestors("1234") == ("1234", "1230", "1200", "1000", "*")


@pytest.mark.parametrize("value", ["45", "50", "54"])
def test_a_level_rounds_the_level_below_so_that_equal_values_stay_equal(value):
    assert Rounding([10, 100]).ancestors(value)[1:] == ("50", "100", "*")


@pytest.mark.parametrize(
    ("value", "rounded"),
    [("44", "40"), ("45", "50"), ("-44", "-40"), ("-45", "-50"), ("4", "0"), ("-4", "0")],
)
def test_halves_are_rounded_away_from_zero(value, rounded):
    assert Rounding([10]).generalize(value, 1) == rounded


def test_values_may_have_more_decimals_than_the_bases():
    assert Rounding([1, 10]).ancestors("4.4999") == ("4.4999", "4", "0", "*")
    assert Rounding([1, 10]).ancestors("4.5") == ("4.5", "5", "10", "*")


def test_a_base_with_decimals_is_exact_and_shown_with_them():
    assert Rounding([0.1, 0.5, 5]).ancestors("2.35") == ("2.35", "2.4", "2.5", "5", "*")
    assert Rounding([0.5]).generalize("3", 1) == "3.0"


def test_numbers_beyond_a_float_keep_their_digits():
    assert Rounding([10]).generalize("123456789012345678901234567895", 1).endswith("67900")


def test_numbers_are_parsed_to_one_spelling():
    assert Rounding([10]).parse("+07.50") == "7.5"


def test_what_is_not_a_number_is_unknown():
    with pytest.raises(UnknownValue, match="plain numbers"):
        Rounding([10]).climb("many")


@pytest.mark.parametrize(
    ("bases", "message"),
    [
        ([], "bases of a rounding hierarchy: give at least one"),
        ([0], "0 is not positive"),
        ([10, 25], "25 is not a larger multiple of 10"),
        ([10, 10], "10 is not a larger multiple of 10"),
        ([float("inf")], "inf is not a plain finite number"),
    ],
)
def test_bases_that_cannot_be_used_are_refused(bases, message):
    with pytest.raises(InvalidInput, match=message):
        Rounding(bases)


def test_a_suppression_level_above_rounding_is_refused():
    with pytest.raises(InvalidInput, match=r"rounding hierarchy: .*leave suppression_level out"):
        Rounding([10], suppression_level=True)
