from decimal import Decimal

import pytest

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy.decimal_text import canonical_number, read_number, to_decimal, write_number


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("5", "5"),
        ("+5", "5"),
        ("-5", "-5"),
        ("007", "7"),
        ("-0", "0"),
        ("-0.00", "0"),
        ("1.50", "1.5"),
        ("20.0", "20"),
        ("-0.05", "-0.05"),
        ("100", "100"),
        ("9" * 300, "9" * 300),
    ],
)
def test_a_number_has_one_way_to_be_written(text, written):
    assert canonical_number(text) == written


@pytest.mark.parametrize(
    "text",
    [
        *("", " 5", "5 ", "5\n", "1,000", "1_000", "0x10", "1e3", "nan", "inf", "-inf"),
        *("５", "٣", "5.", ".5", "+", "--5", "1.2.3", "9" * 301, "1." + "9" * 301),
    ],
)
def test_what_is_not_a_plain_number_is_unknown(text):
    with pytest.raises(UnknownValue, match="plain numbers such as 12"):
        read_number(text)


def test_a_number_keeps_all_its_digits():
    digits = "12345678901234567890123456789012345678901234567890"
    assert read_number(f"{digits}.5") == (int(digits + "5"), 1)


def test_places_are_filled_with_zeros():
    assert [write_number(n, 2) for n in (0, 5, -5, 123, -123)] == [
        "0.00",
        "0.05",
        "-0.05",
        "1.23",
        "-1.23",
    ]


@pytest.mark.parametrize(
    ("number", "written"),
    [(0.1, "0.1"), (5, "5"), (Decimal("2.50"), "2.50"), (1e22, "1E+22")],
)
def test_a_number_of_a_specification_is_taken_as_it_was_written(number, written):
    assert str(to_decimal(number, "x")) == written


@pytest.mark.parametrize("number", [float("nan"), float("inf"), Decimal("1e400"), True, "five"])
def test_a_number_of_a_specification_is_finite(number):
    with pytest.raises(InvalidInput, match=r"x: .* is not a plain finite number"):
        to_decimal(number, "x")
