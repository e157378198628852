"""Compare the columns of a release with earlier ones: renamed columns and new values."""

import numpy as np
import pytest

from lookalike.ledger.policies.history import RowMap, build_history, smallest_part
from lookalike.ledger.policies.shown_columns import ABSENT

ROWS = 12


def shown(values, ground=None, rows=range(ROWS), classes=None):
    """A release that shows all rows in one class; a column is a list of numbers."""
    keys = np.array(rows, dtype=np.int64)
    classes = np.zeros_like(keys) if classes is None else np.array(classes, dtype=np.int64)
    values, ground = (
        {name: np.array(column, dtype=np.int64) for name, column in (kind or {}).items()}
        for kind in (values, ground)
    )
    return RowMap("a release", keys, classes, np.zeros_like(keys), values, ground)


def numbers(start=0, **other):
    """A different number for each row, with other numbers for some."""
    column = list(range(start, start + ROWS))
    for row, value in other.items():
        column[int(row.removeprefix("row"))] = value
    return column


def compared(earlier, values, ground=None):
    """Return how a release compares with earlier ones: column, earlier column, rows that differ."""
    keys = np.arange(ROWS, dtype=np.int64)
    arrays = [
        {name: np.array(column, dtype=np.int64) for name, column in (kind or {}).items()}
        for kind in (values, ground)
    ]
    found = build_history(earlier).compare(keys, *arrays)
    return [(one.name, one.before, np.flatnonzero(one.differs).tolist()) for one in found]


class TestTheSameName:
    def test_a_column_is_compared_with_the_last_release_that_showed_it(self):
        earlier = [shown({"ill": numbers()}), shown({"job": numbers(100)})]
        assert compared(earlier, {"ill": numbers(row3=99)}) == [("ill", "ill", [3])]

    def test_it_is_so_row_by_row(self):
        second = shown({"ill": numbers(row3=99)}, classes=[ABSENT] * 6 + [0] * 6)
        earlier = [shown({"ill": numbers()}), second]
        assert compared(earlier, {"ill": numbers(row3=99, row7=98)}) == [("ill", "ill", [3, 7])]

    def test_a_release_that_hides_a_column_does_not_undo_what_was_shown(self):
        """Unchanged, then suppressed, then generalized: a new value differs from the first."""
        earlier = [shown({"ill": numbers()}), shown({}, {"ill": numbers()})]
        assert compared(earlier, {}, {"ill": numbers(row3=99)}) == [("ill", "ill", [3])]

    def test_the_first_time_nothing_is_new(self):
        assert compared([shown({"ill": numbers()})], {"job": numbers(100)}) == []

    def test_a_column_that_changed_for_all_is_still_the_same(self):
        earlier = [shown({"days": numbers()})]
        assert compared(earlier, {"days": numbers(50)}) == [("days", "days", [*range(ROWS)])]

    def test_rows_that_differ_in_what_is_new_have_different_histories(self):
        first = shown({"ill": numbers(), "job": numbers(100)})
        second = shown({"ill": numbers(row0=50, row1=51), "job": numbers(100, row2=52, row3=53)})
        assert smallest_part(build_history([first, second])) == 2
        third = shown({"ill": numbers(row0=50), "job": numbers(100, row2=52)})
        assert smallest_part(build_history([first, third])) == 1


class TestAnotherName:
    def test_a_column_with_the_same_content_is_the_same(self):
        earlier = [shown({"ill": numbers()})]
        assert compared(earlier, {"disease": numbers(row3=99)}) == [("disease", "ill", [3])]

    def test_a_column_is_not_compared_with_one_that_is_still_shown(self):
        earlier = [shown({"ill": numbers()})]
        now = {"ill": numbers(), "discharged with": numbers(row3=99, row4=98)}
        assert compared(earlier, now) == [("ill", "ill", [])]

    def test_names_that_were_exchanged_are_seen(self):
        earlier = [shown({"ill": numbers(), "job": numbers(100)})]
        found = compared(earlier, {"ill": numbers(100), "job": numbers(row3=99)})
        assert ("job", "ill", [3]) in found
        assert ("ill", "job", []) in found

    def test_the_later_one_of_two_names_counts(self):
        earlier = [shown({"ill": numbers()}), shown({"disease": numbers(row3=99, row4=98)})]
        found = compared(earlier, {"ill": numbers(row3=99, row4=97)})
        assert found == [("ill", "ill", [3, 4]), ("ill", "disease", [4])]

    @pytest.mark.parametrize(("agree", "is_same"), [(3, False), (4, True)])
    def test_it_is_the_same_if_a_quarter_more_rows_agree_than_by_chance(self, agree, is_same):
        """3 of 12 that agree are 23 % more than chance, 4 are 31 %."""
        column = [*range(agree), *range(100, 100 + ROWS - agree)]
        assert bool(compared([shown({"ill": numbers()})], {"disease": column})) == is_same

    def test_rows_that_the_new_name_did_not_show_are_compared_with_the_old_one(self):
        some = shown({"disease": numbers()}, classes=[ABSENT] * 6 + [0] * 6)
        earlier = [shown({"ill": numbers()}), some]
        assert ("disease", "ill", [3]) in compared(earlier, {"disease": numbers(row3=99)})

    def test_two_names_stay_one_column_when_the_old_one_comes_back(self):
        some = shown({"ill": numbers()}, classes=[0] * 6 + [ABSENT] * 6)
        earlier = [some, shown({"disease": numbers()}), shown({"job": numbers(100)})]
        changed = [0, 1, *range(50, 60)]
        assert ("ill", "disease", [*range(2, ROWS)]) in compared(earlier, {"ill": changed})

    def test_two_names_that_one_release_shows_are_two_columns(self):
        both = shown({"ill": numbers(), "disease": numbers(50)})
        earlier = [shown({"ill": numbers()}), shown({"disease": numbers()}), both]
        found = compared(earlier, {"ill": numbers(row3=99), "disease": numbers(50, row4=99)})
        assert ("ill", "ill", [3]) in found
        assert ("disease", "disease", [4]) in found

    def test_the_last_other_value_of_a_column_does_not_hide_its_name(self):
        """One row of twelve smoked and does not any more: the column has a single value now."""
        earlier = [shown({"smokes": [1] + [0] * 11})]
        assert compared(earlier, {"smoker": [0] * ROWS}) == [("smoker", "smokes", [0])]

    def test_values_that_many_rows_have_agree_by_chance(self):
        earlier = [shown({"smokes": [0, 1] * 6})]
        assert compared(earlier, {"drinks": [0, 0, 1, 1] * 3}) == []
        assert compared(earlier, {"smoker": [0, 1] * 5 + [1, 1]}) == [("smoker", "smokes", [10])]

    def test_a_column_with_one_value_is_one_that_has_the_same(self):
        earlier = [shown({"year": [7] * ROWS})]
        assert compared(earlier, {"from": [7] * ROWS}) == [("from", "year", [])]
        assert compared(earlier, {"from": [8] * ROWS}) == []

    def test_names_of_one_column_stay_joined_for_rows_that_were_not_shown(self):
        some = shown({"disease": numbers()}, classes=[0] * 6 + [ABSENT] * 6)
        found = compared([shown({"ill": numbers()}), some], {"disease": numbers(row9=99)})
        assert found == [("disease", "disease", []), ("disease", "ill", [9])]

    def test_columns_that_are_taken_for_one_by_mistake_hide_nothing(self):
        """Half of the rows leave with what they came with; one diagnosis at admission changes."""
        leaving = [*range(6), *range(50, 56)]
        earlier = [shown({"admission": numbers()}), shown({"discharge": leaving})]
        found = compared(earlier, {"admission": numbers(row9=99)})
        assert ("admission", "admission", [9]) in found
        assert ("admission", "discharge", [*range(6, 12)]) in found

    def test_one_value_that_becomes_what_all_others_are_is_a_change(self):
        earlier = [shown({"ill": [1] + [0] * 11})]
        assert compared(earlier, {"disease": [0] * 12}) == [("disease", "ill", [0])]


class TestTheQuasiIdentifier:
    def test_a_release_that_hides_a_column_undoes_nothing(self):
        earlier = [shown({"zip": numbers()}), shown({}, {"zip": numbers()})]
        assert compared(earlier, {}, {"zip": numbers(row3=99)}) == [("zip", "zip", [3])]

    def test_a_value_that_was_shown_and_is_generalized_now_is_compared(self):
        earlier = [shown({"zip": numbers()})]
        assert compared(earlier, {}, {"zip": numbers(row3=99)}) == [("zip", "zip", [3])]

    def test_a_value_that_was_generalized_and_is_shown_now_is_compared(self):
        earlier = [shown({}, {"zip": numbers()})]
        assert compared(earlier, {"zip": numbers(row3=99)}) == [("zip", "zip", [3])]

    def test_where_both_are_generalized_classes_show_the_difference(self):
        earlier = [shown({}, {"zip": numbers()})]
        assert compared(earlier, {}, {"zip": numbers(row3=99)}) == [("zip", "zip", [])]
