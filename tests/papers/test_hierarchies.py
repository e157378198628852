"""The hierarchies that the papers draw."""

import pytest

from lookalike.hierarchy import Dates, Mask, Suppress, Taxonomy


def domains(bound):
    return [set(labels) for labels in bound.labels]


def test_achieving_figure_2_zip_with_suppression():
    rule = Mask(steps=2, suppression_level=True)
    bound = rule.bind("ZIP", ["02138", "02139", "02141", "02142"], suppressed="*****")
    assert domains(bound) == [
        {"02138", "02139", "02141", "02142"},
        {"0213*", "0214*"},
        {"021**"},
        {"*****"},
    ]


def test_achieving_figure_3_race_with_suppression():
    rule = Taxonomy({"Person": ["Asian", "Black", "White"]}, suppression_level=True)
    bound = rule.bind("Race", ["Asian", "Black", "White"], suppressed="******")
    assert domains(bound) == [{"Asian", "Black", "White"}, {"Person"}, {"******"}]


def test_achieving_figure_6_birth_date_from_the_full_date_to_suppressed():
    rule = Dates(formats=["%m/%d/%Y"])
    births = [f"2/14/{year}" for year in range(1960, 1970)]
    bound = rule.bind("BirthDate", births)
    assert bound.height == 5
    assert domains(bound)[2:] == [
        {str(year) for year in range(1960, 1970)},
        {"1960-1964", "1965-1969"},
        {"1960-1969"},
        {"*"},
    ]
    assert rule.generalize("2/14/1965", 1) == "1965-02"


def test_achieving_figure_6_gender_has_height_2():
    rule = Taxonomy({"Human": ["male", "female"]}, suppression_level=True)
    assert rule.bind("Gender", ["male", "female"]).height == 2


def test_achieving_heights_of_the_quasi_identifier():
    rules = [
        Taxonomy({"person": ["black", "white"]}, suppression_level=True),
        Dates(),
        Taxonomy({"human": ["male", "female"]}, suppression_level=True),
        Mask(steps=2, length=5, suppression_level=True),
    ]
    assert [rule.height for rule in rules] == [2, 5, 2, 3]


def test_samarati_figure_2_zip_ends_in_three_digits():
    bound = Mask(steps=2).bind("ZIP", ["94138", "94139", "94141", "94142"])
    assert domains(bound) == [
        {"94138", "94139", "94141", "94142"},
        {"9413*", "9414*"},
        {"941**"},
    ]


def test_samarati_figure_2_race():
    bound = Taxonomy({"person": ["asian", "black", "white"]}).bind("Race", ["asian", "white"])
    assert bound.height == 1
    assert bound.labels[1] == ("person",)


@pytest.mark.parametrize(
    ("status", "above"),
    [
        ("married", "been married"),
        ("divorced", "been married"),
        ("widow", "been married"),
        ("single", "never married"),
    ],
)
def test_samarati_figure_2_marital_status(status, above):
    rule = Taxonomy(
        {
            "not released": {
                "been married": ["married", "divorced", "widow"],
                "never married": ["single"],
            }
        }
    )
    assert rule.ancestors(status) == (status, above, "not released")


def test_samarati_figure_2_sex():
    bound = Suppress().bind("Sex", ["male", "female"], suppressed="not released")
    assert domains(bound) == [{"male", "female"}, {"not released"}]


def test_samarati_section_4_dates_with_years_of_two_digits():
    rule = Dates(formats=["%m/%d/%y"], century=1900)
    assert rule.ancestors("09/15/61") == (
        "09/15/61",
        "1961-09",
        "1961",
        "1960-1964",
        "1960-1969",
        "*",
    )


def test_samarati_footnote_4_keeps_the_form_of_a_date():
    rule = Dates(["month"], formats=["%m/%d/%y"], century=1900, fixed_day=1)
    assert rule.generalize("09/15/61", 1) == "1961-09-01"
