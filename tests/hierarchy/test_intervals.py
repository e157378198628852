from decimal import Decimal

import pytest

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import Intervals

AGES = [[[0, 17], [18, 64], [65, 120]], [[0, 64], [65, 120]]]


def test_widths_give_intervals_that_begin_at_the_origin():
    assert Intervals([5, 10, 20]).ancestors("37") == ("37", "35-39", "30-39", "20-39", "*")
    assert Intervals([10], origin=3).generalize("12", 1) == "3-12"
    assert Intervals([10], origin=3).generalize("13", 1) == "13-22"


@pytest.mark.parametrize(
    ("value", "label"),
    [("-1", "-10 to -1"), ("-10", "-10 to -1"), ("-11", "-20 to -11"), ("0", "0-9")],
)
def test_intervals_with_a_negative_end_are_written_with_to(value, label):
    assert Intervals([10]).generalize(value, 1) == label


def test_an_interval_around_zero_is_written_with_to():
    assert Intervals([10], origin=-5).generalize("0", 1) == "-5 to 4"


def test_decimals_are_shown_in_the_intervals():
    assert Intervals([10], decimals=1).generalize("29.9", 1) == "20.0-29.9"
    assert Intervals([10], decimals=1).generalize("30", 1) == "30.0-39.9"


def test_a_width_of_a_tenth_is_exact():
    intervals = Intervals([0.1, 0.3], decimals=2)
    assert intervals.ancestors("0.3") == ("0.3", "0.30-0.39", "0.30-0.59", "*")
    assert intervals.ancestors("0.29") == ("0.29", "0.20-0.29", "0.00-0.29", "*")


def test_an_interval_of_one_number_is_that_number():
    assert Intervals([1, 2]).ancestors("7") == ("7", "7", "6-7", "*")


def test_numbers_beyond_a_float_keep_their_digits():
    assert Intervals([10]).generalize("9007199254740993", 1) == "9007199254740990-9007199254740999"


@pytest.mark.parametrize(
    ("value", "labels"),
    [
        ("17", ("<18", "<18")),
        ("-3", ("<18", "<18")),
        ("18", ("18-19", "18-19")),
        ("20", ("20-29", "20-39")),
        ("84", ("80-84", "80-84")),
        ("85", (">=85", ">=85")),
        ("120", (">=85", ">=85")),
    ],
)
def test_bottom_and_top_coding_cuts_the_intervals(value, labels):
    assert Intervals([10, 20], bottom=18, top=85).ancestors(value)[1:-1] == labels


def test_bottom_and_top_can_be_given_alone():
    assert Intervals([10], bottom=18).generalize("99", 1) == "90-99"
    assert Intervals([10], top=90).generalize("-5", 1) == "-10 to -1"


def test_bottom_and_top_are_shown_with_the_decimals():
    assert Intervals([1], decimals=1, bottom=18).generalize("17.9", 1) == "<18.0"


def test_ranges_are_as_listed():
    assert Intervals(ranges=AGES).ancestors("18") == ("18", "18-64", "0-64", "*")
    assert Intervals(ranges=AGES).ancestors("120") == ("120", "65-120", "65-120", "*")


def test_ranges_may_be_listed_in_any_order():
    shuffled = [[[65, 120], [0, 17], [18, 64]], [[65, 120], [0, 64]]]
    assert Intervals(ranges=shuffled).ancestors("17") == ("17", "0-17", "0-64", "*")


def test_ranges_with_decimals_follow_each_other_by_the_last_decimal():
    intervals = Intervals(ranges=[[[-1.5, -0.1], [0, 2.5]]], decimals=1)
    assert intervals.generalize("-0.1", 1) == "-1.5 to -0.1"
    assert intervals.generalize("0", 1) == "0.0-2.5"


def test_equal_intervals_are_equal_however_they_were_given():
    assert Intervals([5, 10.0]) == Intervals((Decimal(5), 10))
    assert hash(Intervals(ranges=AGES)) == hash(Intervals(ranges=tuple(AGES)))


def test_numbers_are_parsed_to_one_spelling():
    assert Intervals([10], decimals=2).parse("+07.50") == "7.5"


@pytest.mark.parametrize("value", ["", "x", " 5", "1e3", "nan", "５"])
def test_what_is_not_a_number_is_unknown(value):
    with pytest.raises(UnknownValue, match="plain numbers"):
        Intervals([10]).parse(value)


def test_a_value_with_more_decimals_is_unknown():
    with pytest.raises(UnknownValue, match="more decimals than decimals = 1: set decimals = 2"):
        Intervals([10], decimals=1).climb("5.25")


def test_zeros_after_the_point_are_not_decimals():
    assert Intervals([10]).generalize("20.0", 1) == "20-29"


@pytest.mark.parametrize("value", ["-1", "121"])
def test_a_value_outside_the_ranges_is_unknown(value):
    with pytest.raises(UnknownValue, match=r"extend ranges, which cover \[0, 120\]"):
        Intervals(ranges=AGES).parse(value)


def test_either_widths_or_ranges_are_given():
    for fields in ({}, {"widths": [5], "ranges": AGES}):
        with pytest.raises(InvalidInput, match="either widths or ranges"):
            Intervals(**fields)


@pytest.mark.parametrize(
    ("widths", "message"),
    [
        ([], "widths .*: give at least one"),
        ([0], "widths .*: 0 is not positive"),
        ([5, -10], "widths .*: -10 is not positive"),
        ([5, 12], "12 is not a larger multiple of 5"),
        ([5, 5], "5 is not a larger multiple of 5"),
        ([10, 5], "5 is not a larger multiple of 10"),
        ([0.5], "0.5 has more decimals than decimals = 0; set decimals = 1"),
        ([float("nan")], "widths .*: nan is not a plain finite number"),
    ],
)
def test_widths_that_cannot_be_used_are_refused(widths, message):
    with pytest.raises(InvalidInput, match=message):
        Intervals(widths)


@pytest.mark.parametrize("field", ["origin", "bottom", "top"])
def test_origin_and_limits_suit_the_decimals(field):
    with pytest.raises(InvalidInput, match=f"{field} .*: 0.25 has more .*set decimals = 2"):
        Intervals([1], decimals=1, **{field: 0.25})


@pytest.mark.parametrize("bottom", [90, 91])
def test_bottom_is_below_top(bottom):
    with pytest.raises(InvalidInput, match=f"bottom = {bottom} must be less than top = 90"):
        Intervals([10], bottom=bottom, top=90)


def test_decimals_are_not_negative():
    with pytest.raises(InvalidInput, match="decimals must be 0 or more, not -1"):
        Intervals([10], decimals=-1)


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ([], "at least one level"),
        ([[]], "level 1 is empty"),
        ([[[0, 9]], []], "level 2 is empty"),
        ([[[9, 0]]], r"\[9, 0\] at level 1 is reversed"),
        ([[[0, 10], [10, 20]]], r"\[0, 10\] and \[10, 20\] at level 1 overlap; .*begin at 11"),
        ([[[0, 9], [11, 20]]], r"\[0, 9\] and \[11, 20\] at level 1 leave a gap; .*begin at 10"),
        ([[[0, 9], [10, 19]], [[0, 4], [5, 19]]], r"not nest: \[5, 19\] at level 2 begins inside"),
        ([[[0, 9]], [[0, 19]]], r"level 2 covers \[0, 19\], but the level below covers \[0, 9\]"),
        ([[[0, 9]], [[1, 9]]], r"level 2 covers \[1, 9\], but the level below covers \[0, 9\]"),
        ([[[0, 9.5]]], "9.5 has more decimals than decimals = 0; set decimals = 1"),
        ([[[0, 5, 9]]], r"a range is \[low, high\], not 3 numbers"),
    ],
)
def test_ranges_that_cannot_be_used_are_refused(ranges, message):
    with pytest.raises(InvalidInput, match=message):
        Intervals(ranges=ranges)


@pytest.mark.parametrize("field", ["origin", "bottom", "top"])
def test_what_goes_with_widths_does_not_go_with_ranges(field):
    with pytest.raises(InvalidInput, match="go with widths, not with ranges"):
        Intervals(ranges=AGES, **{field: 5})


def test_a_suppression_level_above_intervals_is_refused():
    with pytest.raises(InvalidInput, match=r"intervals hierarchy: .*leave suppression_level out"):
        Intervals([5], suppression_level=True)


def test_intervals_of_many_decimals_are_written_without_them():
    income = Intervals([12, 24], decimals=15, bottom=-12, top=48)
    assert income.ancestors("0.123456789012345")[1:] == ("0 to <12", "0 to <24", "*")
    assert income.ancestors("-0.5")[1:] == ("-12 to <0", "-12 to <0", "*")
    assert income.ancestors("48.1")[1:3] == (">=48", ">=48")
    assert income.ancestors("-12.1")[1:3] == ("<-12", "<-12")
    for value in ("0.123456789012345", "-0.5", "48.1", "-12.1"):
        for level, label in enumerate(income.ancestors(value)[1:3], 1):
            assert income.ancestors(income.descend(label, level))[level] == label
