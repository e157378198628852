"""Rows of a release that is based on earlier ones: which stay, join, wait or are withdrawn."""

from collections import Counter

import pytest

import lookalike as la

from .monthly_releases import MARCH, Steward, changed, fates


@pytest.fixture
def steward(tmp_path):
    return Steward(tmp_path)


class TestRows:
    def test_a_first_release_is_based_on_nothing(self, steward):
        assert steward.release(MARCH).basis is None
        assert sum(steward.rows.values()) == 5

    def test_the_same_rows_are_shown_again(self, steward):
        steward.release(MARCH)
        before = steward.rows
        made = steward.release(MARCH)
        assert fates(made) == (5, 0, 0, 1)
        assert (made.basis.considered, made.levels) == (1, {"zip": 0})
        assert steward.rows == before
        assert made.certificate.recoding == "attribute level"

    def test_new_rows_join_with_those_that_waited(self, steward):
        steward.release(MARCH)
        before = steward.rows
        made = steward.release([*MARCH, ("gil", "02141", "flu"), ("hal", "02142", "flu")])
        assert fates(made) == (5, 0, 2, 1)
        assert steward.rows - before == Counter({("02141", "flu"): 1, ("02141", "gout"): 1})

    @pytest.mark.parametrize("limit", [1e-9, 1e9])
    def test_a_search_for_new_rows_that_is_stopped_is_told_apart(self, steward, limit):
        steward.release(MARCH)
        joining = [(f"p{number}", f"0{number}{number}41", "flu") for number in range(4)]
        made = steward.prepare([*MARCH, *joining], time_limit=limit)
        assert made.recoding.in_time is (limit > 1)

    def test_new_rows_are_not_shown_in_the_class_of_old_ones(self, steward):
        steward.release(MARCH)
        before = steward.rows
        assert fates(steward.release([*MARCH, ("gil", "02139", "flu")])) == (5, 0, 0, 2)
        assert steward.rows == before

    def test_levels_may_differ_from_row_to_row(self, steward):
        steward.release(MARCH)
        made = steward.release([*MARCH, ("gil", "02142", "flu"), ("hal", "02143", "flu")])
        assert fates(made) == (5, 0, 3, 0)
        assert made.levels is None
        assert {row[0] for row in steward.rows} == {"02138", "02139", "0214*"}
        certificate = la.Certificate.read(steward.place)
        assert certificate.generalized["zip"].cells_by_level == {0: 5, 1: 3}
        assert la.verify(steward.place).holds

    def test_one_that_leaves_takes_others_along(self, steward):
        steward.release(MARCH)
        made = steward.release(MARCH[1:])
        assert fates(made) == (3, 0, 0, 2)
        assert made.basis.rows_withdrawn == 1
        assert {row[0] for row in steward.rows} == {"02139"}

    def test_one_that_moved_has_left_its_class(self, steward):
        steward.release(MARCH)
        made = steward.release(changed(MARCH, eve=("02138", "pox")))
        assert fates(made) == (2, 0, 0, 4)
        assert steward.rows == Counter({("02138", "flu"): 1, ("02138", "gout"): 1})

    def test_rows_that_moved_together_join_again_at_no_lower_levels(self, steward):
        people = [(f"p{n}", f"0213{n % 4}", "flu") for n in range(8)]
        steward.release(people, k=4, method="mingen")
        assert {row[0] for row in steward.rows} == {"0213*"}
        moved = [
            (name, "02141", ill) if n < 4 else (name, zip_, ill)
            for n, (name, zip_, ill) in enumerate(people)
        ]
        made = steward.release(moved, k=4, method="mingen")
        assert fates(made) == (4, 0, 4, 0)
        assert steward.rows == Counter({("0213*", "flu"): 4, ("0214*", "flu"): 4})

    def test_a_greater_k_withdraws_what_is_too_small(self, steward):
        steward.release(MARCH)
        made = steward.release(MARCH, k=3)
        assert fates(made) == (3, 0, 0, 3)
        assert made.plan.requirement.k == 3

    def test_a_smaller_k_does_not_take_back_what_was_promised(self, steward):
        people = [(f"p{n}", "02138", "flu") for n in range(4)]
        steward.release(people, k=3)
        made = steward.release([*people, ("x", "02139", "flu"), ("y", "02139", "flu")], k=2)
        assert fates(made) == (4, 0, 0, 2)
        assert la.Certificate.read(steward.place).quasi_identifiers[0].k == 3

    def test_if_nothing_can_be_shown_nothing_is_released(self, steward):
        steward.release([("ann", "02138", "flu"), ("bob", "02138", "flu")])
        with pytest.raises(
            la.Infeasible, match=r"none of the 2 rows can be shown.*all of them wait"
        ):
            steward.release([("ann", "02138", "flu"), ("cid", "02138", "flu")])

    def test_rows_that_were_blank_stay_blank_and_new_outliers_wait(self, steward):
        rows = [*MARCH, ("gil", "99999", "flu")]
        steward.release(rows, suppressed_rows="blank")
        assert steward.rows["*", "gout"] == steward.rows["*", "flu"] == 1
        made = steward.release([*rows, ("hal", "55555", "flu")], suppressed_rows="blank")
        assert fates(made) == (7, 0, 0, 1)
        assert steward.rows["*", "gout"] == steward.rows["*", "flu"] == 1
        assert la.verify(steward.place).holds

    @pytest.mark.slow
    def test_suppressed_cells_stay_suppressed(self, steward):
        people = [("a", "1", "x"), ("b", "1", "x"), ("c", "2", "x"), ("d", "3", "x")]
        steward.release(people, method="k-similar", max_suppressed=0)
        before = steward.rows
        made = steward.release(people, method="k-similar", max_suppressed=0)
        assert fates(made) == (4, 0, 0, 0)
        assert steward.rows == before
