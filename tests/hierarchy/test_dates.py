import pytest

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import Dates


def test_the_default_goes_from_the_day_to_the_decade():
    assert Dates().ancestors("1965-09-20") == (
        "1965-09-20",
        "1965-09",
        "1965",
        "1965-1969",
        "1960-1969",
        "*",
    )


def test_quarters_nest_between_months_and_years():
    dates = Dates(["month", "quarter", "year"])
    assert dates.ancestors("1965-09-20")[1:4] == ("1965-09", "1965-Q3", "1965")


@pytest.mark.parametrize(
    ("month", "quarter"), [("01", 1), ("03", 1), ("04", 2), ("06", 2), ("07", 3), ("12", 4)]
)
def test_quarters_have_three_months(month, quarter):
    assert Dates(["quarter"]).generalize(f"2001-{month}-01", 1) == f"2001-Q{quarter}"


@pytest.mark.parametrize(
    ("day", "span"), [("1999-12-31", "1980-1999"), ("2000-01-01", "2000-2019")]
)
def test_spans_begin_at_multiples_of_their_years(day, span):
    assert Dates(["20 years"]).generalize(day, 1) == span


def test_without_steps_a_day_is_kept_or_suppressed():
    assert Dates([]).ancestors("1965-09-20") == ("1965-09-20", "*")


def test_a_fixed_day_keeps_the_form_of_a_date():
    dates = Dates(["month", "quarter", "year", "5 years"], fixed_day=15)
    assert dates.ancestors("1968-09-20") == (
        "1968-09-20",
        "1968-09-15",
        "1968-07-15",
        "1968-01-15",
        "1965-01-15",
        "*",
    )


@pytest.mark.parametrize("text", ["09/15/61", "9/15/61"])
def test_two_spellings_of_a_day_are_one_day(text):
    assert Dates(formats=["%m/%d/%y"], century=1900).parse(text) == "1961-09-15"


def test_a_day_may_be_written_in_any_of_the_formats():
    dates = Dates(formats=["%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d"])
    assert dates.parse("1.2.1965") == dates.parse("2/1/1965") == dates.parse("1965-02-01")


def test_a_value_that_two_formats_read_as_different_days_is_unknown():
    dates = Dates(formats=["%d/%m/%Y", "%m/%d/%Y"])
    assert dates.parse("2/13/1965") == "1965-02-13"
    assert dates.parse("2/2/1965") == "1965-02-02"
    with pytest.raises(UnknownValue, match="'%d/%m/%Y' and '%m/%d/%Y' read them as different"):
        dates.parse("2/1/1965")


def test_a_column_with_days_that_can_be_read_in_two_ways_is_refused_with_the_way_out():
    dates = Dates(formats=["%d/%m/%Y", "%m/%d/%Y"])
    with pytest.raises(UnknownValue, match=r"'born'.*'2/1/1965'.*keep only the intended one"):
        dates.bind("born", ["2/1/1965", "2/13/1965"])


@pytest.mark.parametrize("layout", ["%m%d%Y", "%d%m%Y"])
def test_numbers_with_nothing_between_them_must_be_whole(layout):
    """1112020 is the 11th of January, or the first of November."""
    dates = Dates(formats=[layout])
    assert dates.parse("11012020") in ("2020-11-01", "2020-01-11")
    with pytest.raises(UnknownValue, match="they match none of the formats"):
        dates.parse("1112020")


def test_the_ground_value_stays_as_it_was_written():
    assert Dates(formats=["%m/%d/%Y"]).ancestors("9/5/1965")[:2] == ("9/5/1965", "1965-09")


def test_the_time_of_a_day_is_read_past():
    assert Dates(formats=["%Y-%m-%d %H:%M"]).parse("1965-09-20 23:59") == "1965-09-20"


def test_the_century_is_the_years_that_it_says():
    assert Dates(formats=["%d.%m.%y"], century=2000).parse("15.9.75") == "2075-09-15"


@pytest.mark.parametrize(("text", "year"), [("27", 1927), ("99", 1999), ("00", 2000), ("26", 2026)])
def test_a_century_may_begin_in_any_year(text, year):
    dates = Dates(formats=["%d.%m.%y"], century=1927)
    assert dates.parse(f"15.9.{text}") == f"{year}-09-15"
    assert dates.descend(dates.ancestors(f"15.9.{text}")[1], 1).endswith(f".{text}")


def test_years_of_four_digits_do_not_need_a_century():
    dates = Dates(formats=["%m/%d/%y", "%Y-%m-%d"], century=1900)
    assert dates.parse("2001-05-06") == "2001-05-06"


def test_the_first_years_are_written_with_four_digits():
    assert Dates(["year", "10 years"]).ancestors("0007-01-01")[1:3] == ("0007", "0000-0009")


@pytest.mark.parametrize(
    "text",
    ["", "1965", "1965-9", "1965-13-01", "1965-02-29", "65-09-20", " 1965-09-20", "1965-09-20 "],
)
def test_what_is_not_a_day_is_unknown(text):
    with pytest.raises(UnknownValue, match="they match none of the formats"):
        Dates().climb(text)


def test_digits_of_other_scripts_are_unknown():
    with pytest.raises(UnknownValue, match="they match none of the formats"):
        Dates().parse("１９６５-09-20")


def test_the_leap_day_must_exist_in_the_century_that_is_meant():
    with pytest.raises(UnknownValue, match="they match none of the formats"):
        Dates(formats=["%m/%d/%y"], century=1900).climb("02/29/00")
    assert Dates(formats=["%m/%d/%y"], century=2000).parse("02/29/00") == "2000-02-29"


def test_the_error_of_a_column_names_the_formats_and_some_values():
    dates = Dates(formats=["%Y-%m-%d", "%d.%m.%Y"])
    with pytest.raises(
        UnknownValue, match=r"'birth': 2 values .*'x', 'y'; .*'%Y-%m-%d', '%d.%m.%Y'"
    ):
        dates.bind("birth", ["y", "1965-09-20", "x"])


@pytest.mark.parametrize(
    "steps",
    [
        ["year", "month"],
        ["month", "month"],
        ["quarter", "month"],
        ["2 years", "5 years"],
        ["5 years", "year"],
    ],
)
def test_steps_that_do_not_nest_are_refused(steps):
    with pytest.raises(InvalidInput, match=rf"{steps[1]!r} is not made of whole .*{steps[0]!r}"):
        Dates(steps)


@pytest.mark.parametrize("step", ["week", "5 year", "0 years", "-5 years", "5.5 years", "Month"])
def test_a_step_that_is_not_known_is_refused(step):
    with pytest.raises(InvalidInput, match=f"steps: '{step}' is not one of"):
        Dates([step])


@pytest.mark.parametrize("layout", ["%m/%d/%y", "%y%m%d"])
def test_years_of_two_digits_need_a_century(layout):
    with pytest.raises(InvalidInput, match="two-digit year; set the century"):
        Dates(formats=[layout])


@pytest.mark.parametrize(
    "layout",
    ["", "%Y", "%Y-%m", "%m/%d", "%Y-%m-%d-%d", "%Q", "%", "day", "%x", "%c"],
)
def test_a_format_must_tell_a_whole_day(layout):
    with pytest.raises(InvalidInput, match="does not describe a day"):
        Dates(formats=[layout])


def test_a_day_of_the_year_is_a_day_and_an_escaped_percent_sign_is_no_code():
    assert Dates(formats=["%Y/%j %%y"]).parse("1965/002 %y") == "1965-01-02"


def test_formats_cannot_be_empty():
    with pytest.raises(InvalidInput, match="formats is empty"):
        Dates(formats=[])


@pytest.mark.parametrize("century", [19, 0, 10000, -100])
def test_a_century_begins_with_a_year_of_three_or_four_digits(century):
    with pytest.raises(InvalidInput, match=f"century must be .* such as 1900, not {century}"):
        Dates(formats=["%m/%d/%y"], century=century)


@pytest.mark.parametrize("fixed_day", [0, 29])
def test_a_fixed_day_exists_in_every_month(fixed_day):
    with pytest.raises(InvalidInput, match=f"fixed_day must be 1 to 28, not {fixed_day}"):
        Dates(fixed_day=fixed_day)


def test_a_suppression_level_above_dates_is_refused():
    with pytest.raises(InvalidInput, match=r"dates hierarchy: .*leave suppression_level out"):
        Dates(suppression_level=True)


def test_a_day_is_written_alike_whatever_its_form_and_time():
    dates = Dates(["day", "month"], ["%m/%d/%y %H:%M", "%Y-%m-%d"], century=1930)
    assert dates.ancestors("5/10/18 4:01") == ("5/10/18 4:01", "2018-05-10", "2018-05", "*")
    assert dates.ancestors("2018-05-10")[1:] == ("2018-05-10", "2018-05", "*")
    assert dates.ancestors(dates.descend("2018-05-10", 1))[1] == "2018-05-10"
    assert [dates.count_children("5/10/18 4:01", level) for level in (1, 2, 3)] == [None, 31, None]


@pytest.mark.parametrize("label", ["2018-02-31", "2018-05", "2018"])
def test_a_label_that_is_no_day_has_no_value_below(label):
    with pytest.raises(UnknownValue):
        Dates(["day", "month"]).descend(label, 1)


def test_a_day_comes_first():
    with pytest.raises(InvalidInput, match='"day" may come first'):
        Dates(["month", "day"])
