"""What released values show of an identifier of HIPAA Safe Harbor."""

import pytest

from lookalike.draft.column import ColumnProfile
from lookalike.report.rules.shown_identifiers import recognize_identifier


def judge(name, values, released, **asked):
    """Return the group, the state and the meaning of a column."""
    private = ColumnProfile(name, 10 * len(values), values, (10,) * len(values), len(values))
    meaning, found = recognize_identifier(private, released, **asked)
    if found is None:
        return None if meaning is None else meaning.name
    assert found.column == name
    return found.group, found.state


ZIPS = ("02138", "02139", "02141")
DAYS = ("1931-05-17", "1988-02-03", "1988-04-11")
AGES = ("31", "42", "89", "90", "95")
NAMES = ("Ann Lee", "Bob Ray", "Cy Poe", "Di Fox")


@pytest.mark.parametrize(
    ("released", "state"),
    [
        (ZIPS, "shown"),
        (("0213*",), "shown"),
        (("021**",), "unclear"),
        (("021**", "0213*"), "shown"),
        (("New England",), "unclear"),
        ((), "removed"),
    ],
)
def test_postal_codes_may_keep_three_digits(released, state):
    assert judge("zip", ZIPS, released) == ("places", state)


@pytest.mark.parametrize(
    ("name", "released", "state"),
    [
        ("admission date", DAYS, "shown"),
        ("admission date", ("1931-05", "1988-02"), "shown"),
        ("admission date", ("1988-Q1",), "shown"),
        ("admission date", ("1931", "1988"), "removed"),
        ("admission date", ("1930-1934", "1988", "<1930", ">=1990"), "removed"),
        ("admission date", ("1931-01-01", "1988-01-01"), "removed"),
        ("admission date", ("1931-01-01",), "shown"),
        ("admission date", ("1931", "1988-02"), "shown"),
        ("birth date", ("1931", "1988"), "unclear"),
        ("birth date", DAYS, "shown"),
        ("birth date", (), "removed"),
    ],
)
def test_dates_may_keep_the_year(name, released, state):
    assert judge(name, DAYS, released) == ("dates", state)


def test_years_of_birth_can_show_an_age_over_89():
    years = ("1931", "1988", "2001")
    assert judge("birth year", years, years) == ("dates", "unclear")


@pytest.mark.parametrize(
    ("released", "state"),
    [
        (("31", "89"), "removed"),
        (("31", "90"), "removed"),
        (("31", "91"), "shown"),
        (("90", "95"), "shown"),
        (("80-89", ">=90"), "removed"),
        (("80-89", "90-99"), "removed"),
        (("90-94", "95-99"), "shown"),
        (("85-94", "95-99"), "shown"),
        (("80-99", "60-79"), "removed"),
        (("80+",), "removed"),
        (("85-94", ">=90"), "unclear"),
        (("young", "old"), "unclear"),
        ((), "removed"),
    ],
)
def test_ages_over_89_must_be_one_group(released, state):
    assert judge("age", AGES, released) == ("dates", state)


def test_names_and_numbers_are_shown_unless_they_are_generalized():
    assert judge("patient name", NAMES, NAMES) == ("others", "shown")
    assert judge("patient name", NAMES, ("A*", "B*")) == ("others", "unclear")
    assert judge("patient name", NAMES, ()) == ("others", "removed")


def test_pseudonyms_and_free_text_are_left_to_people():
    assert judge("patient name", NAMES, (), pseudonym=True) == ("others", "unclear")
    notes = tuple(f"came in with fever on day {number} of May" for number in range(5))
    assert judge("notes", notes, notes) == ("others", "unclear")


def test_places_are_shown_unless_they_may_be_states():
    towns = ("Boston", "Salem", "Lynn")
    assert judge("city", towns, towns) == ("places", "shown")
    assert judge("region", towns, towns) == ("places", "unclear")


def test_other_columns_are_no_identifiers():
    assert judge("sex", ("f", "m"), ("f", "m")) == "sex"
    assert judge("x17", ("a", "b"), ("a", "b")) is None
