"""Proposed hierarchies of dates: which formats are found, and what is ambiguous."""

from datetime import date, datetime, timedelta

import pytest

from lookalike.draft.propose_hierarchy import propose_hierarchy
from lookalike.errors import InvalidInput
from lookalike.hierarchy import Dates, Suppress

from .columns import profile

DAYS = [date(1931, 1, 1) + timedelta(days=97 * (n // 2) + 3 * (n % 2)) for n in range(400)]
VISITS = [date(2024, 1, 1) + timedelta(days=3 * number) for number in range(200)]

USUAL = Dates().steps


def written(layout, days=DAYS):
    return profile(*(day.strftime(layout) for day in days), name="birth")


@pytest.mark.parametrize(
    "layout",
    [
        "%Y-%m-%d",
        "%d.%m.%Y",
        "%m/%d/%Y",
        "%d/%m/%Y",
        "%d-%m-%Y",
        "%Y/%m/%d",
        "%Y%m%d",
        "%d %b %Y",
        "%b %d, %Y",
        "%d-%b-%Y",
        "%Y-%m-%d %H:%M:%S",
        "%Y-%m-%dT%H:%M:%S",
        "%Y-%m-%dT%H:%M:%S.%f",
        "%Y-%m-%dT%H:%M:%SZ",
        "%Y-%m-%dT%H:%M:%S+00:00",
        "%m/%d/%Y %I:%M %p",
        "%d.%m.%Y %H:%M",
    ],
)
def test_the_format_is_found_and_every_day_is_read_as_it_was_meant(layout):
    proposed = propose_hierarchy(written(layout), "date")
    alike = USUAL if layout == "%Y-%m-%d" else ("day", *USUAL)
    assert proposed.hierarchy == Dates(alike, formats=[layout])
    for day in DAYS:
        assert proposed.hierarchy.parse(day.strftime(layout)) == day.isoformat()


@pytest.mark.parametrize("layout", ["%d/%m/%y", "%m/%d/%y", "%d.%m.%y"])
def test_two_digits_are_one_of_the_last_hundred_years(layout):
    proposed = propose_hierarchy(written(layout), "date")
    this_year = datetime.now().astimezone().year
    assert proposed.hierarchy == Dates(("day", *USUAL), [layout], century=this_year - 99)
    assert f"with years from {this_year - 99} to {this_year}" in proposed.reason
    assert proposed.hierarchy.parse(DAYS[0].strftime(layout)) == DAYS[0].isoformat()


def test_mixed_formats_are_all_named_the_most_frequent_first():
    texts = [
        day.strftime("%d.%m.%Y" if place % 3 else "%Y-%m-%d") for place, day in enumerate(DAYS)
    ]
    proposed = propose_hierarchy(profile(*texts))
    assert proposed.hierarchy.formats == ("%d.%m.%Y", "%Y-%m-%d")
    assert proposed.table == (
        '{ kind = "dates", steps = ["day", "month", "year", "5 years", "10 years"], '
        'formats = ["%d.%m.%Y", "%Y-%m-%d"] }'
    )


def test_full_names_of_months_need_a_second_format_for_may():
    proposed = propose_hierarchy(written("%d %B %Y"))
    assert set(proposed.hierarchy.formats) == {"%d %B %Y", "%d %b %Y"}
    assert proposed.hierarchy.unknown == "error"


@pytest.mark.parametrize("mark", ["/", "-", " "])
def test_days_that_no_value_decides_are_an_error_that_shows_how(mark):
    texts = [f"{day.month:02}{mark}{1 + day.day % 12:02}{mark}{day.year}" for day in DAYS]
    with pytest.raises(InvalidInput, match="column 'birth'") as refused:
        propose_hierarchy(profile(*texts, name="birth"), "date")
    assert f'formats = ["%d{mark}%m{mark}%Y"]' in str(refused.value)
    assert f'formats = ["%m{mark}%d{mark}%Y"]' in str(refused.value)
    assert not any(text in str(refused.value) for text in texts)


def test_one_day_after_the_twelfth_decides():
    texts = ["01/02/1965", "03/04/1966", "13/04/1966", "05/04/1966"]
    assert propose_hierarchy(profile(*texts)).hierarchy.formats == ("%d/%m/%Y",)


def test_with_points_the_day_comes_first():
    texts = ["01.02.1965", "03.04.1966", "05.04.1966", "05.04.1967"]
    assert propose_hierarchy(profile(*texts)).hierarchy.formats == ("%d.%m.%Y",)


def test_a_few_values_that_are_no_dates_are_suppressed_and_the_reason_counts_them():
    column = profile(*(day.isoformat() for day in DAYS), "unknown", "1965-02-30")
    proposed = propose_hierarchy(column, "date")
    assert proposed.table == '{ kind = "dates", unknown = "suppress" }'
    assert "2 values cannot be read as dates" in proposed.reason
    assert "1965" not in proposed.reason


def test_values_that_are_no_dates_are_grouped_otherwise():
    assert propose_hierarchy(profile("a", "b", "b"), "date").hierarchy == Suppress()


def test_dates_of_a_few_years_have_quarters_and_no_step_that_merges_nothing():
    proposed = propose_hierarchy(written("%Y-%m-%d", VISITS))
    assert proposed.hierarchy.steps == ("month", "quarter", "year")


def test_dates_that_no_span_merges_are_suppressed():
    assert propose_hierarchy(profile("1965-02-13", "1912-03-04"), "date").hierarchy == Suppress()


def test_missing_values_and_ids_of_eight_digits_are_no_dates():
    ids = profile(*(str(12345678 + 7919 * number) for number in range(500)))
    assert not isinstance(propose_hierarchy(ids).hierarchy, Dates)
    assert propose_hierarchy(profile(missing=5), "date").hierarchy == Suppress()
