"""µ-Argus on Samarati's Figure 12."""

import lookalike as la
from lookalike.search.argus.combinations import (
    IDENTIFYING,
    MORE_IDENTIFYING,
    MOST_IDENTIFYING,
    list_program_combinations,
)

from ..small_tables import frequency_of, rows_of
from .rare_values import find_outliers, rows_below
from .samarati_tables import (
    SAMARATI_FIGURE_12,
    SAMARATI_FIGURE_12_HIERARCHIES,
    SAMARATI_FIGURE_12_RELEASE,
)

SAMARATI_LEVELS = {
    "SSN": MOST_IDENTIFYING,
    "Race": IDENTIFYING,
    "DOB": MORE_IDENTIFYING,
    "Sex": MORE_IDENTIFYING,
    "ZIP": MORE_IDENTIFYING,
}


class TestSamaratiFigure12:
    """SSN most, DOB, Sex and ZIP more, Race identifying; k = 2."""

    def release(self, **fields):
        attributes = {
            name: {
                "role": "quasi-identifier",
                "hierarchy": SAMARATI_FIGURE_12_HIERARCHIES[name],
                "identification": level,
            }
            for name, level in SAMARATI_LEVELS.items()
        }
        return la.release(
            SAMARATI_FIGURE_12,
            attributes=attributes,
            k=2,
            method="mu-argus",
            allow_unsafe=True,
            keep_order=True,
            **fields,
        )

    def test_step_2_suppresses_every_ssn_and_leaves_the_year_of_birth(self):
        made = self.release(combinations="program")
        assert made.levels == {"SSN": 1, "Race": 0, "DOB": 2, "Sex": 0, "ZIP": 0}
        assert {row[0] for row in rows_of(made.table)} == {"*"}

    def test_the_combinations_that_are_tested_suppress_race_of_the_eighth_row_only(self):
        released = rows_of(self.release(combinations="program").table)
        differing = [
            (line, name, ours, printed)
            for line, (row, figure) in enumerate(
                zip(released, SAMARATI_FIGURE_12_RELEASE, strict=True), start=1
            )
            for name, ours, printed in zip(SAMARATI_LEVELS, row, figure, strict=True)
            if ours != printed
        ]
        assert released[7] == ("*", "*", "1965", "female", "94139")
        assert differing == [(8, "DOB", "1965", "*")]

    def test_dob_of_the_eighth_row_is_in_no_outlier_that_is_left(self):
        frequency = frequency_of(SAMARATI_FIGURE_12, SAMARATI_FIGURE_12_HIERARCHIES)
        years = frequency.roll_up((1, 0, 2, 0, 0))
        combinations = list_program_combinations(tuple(SAMARATI_LEVELS.values()))
        outliers = find_outliers(years, combinations)
        eighth = ("*", "white", "1965", "female", "94139")
        assert outliers.pop(eighth) == [{"Race", "DOB"}, {"Race", "Sex"}]
        assert not any(outliers.values())

    def test_the_printed_release_has_one_white_male_of_1964_in_94138(self):
        person = ("*", "white", "1964", "male", "94138")
        assert SAMARATI_FIGURE_12_RELEASE.count(person) == 1
        assert rows_of(self.release(combinations="program").table).count(person) == 1

    def test_the_printed_release_has_one_woman_in_94139(self):
        women = [row[3:] for row in SAMARATI_FIGURE_12_RELEASE].count(("female", "94139"))
        assert women == 1

    def test_two_rows_of_the_printed_release_are_below_k(self):
        printed = rows_below(SAMARATI_FIGURE_12_RELEASE, 2)
        assert [row[1:] for row in printed] == [
            ("white", "1964", "male", "94138"),
            ("*", "*", "female", "94139"),
        ]
        assert self.release(combinations="program").measures.rows_below_k == 2
