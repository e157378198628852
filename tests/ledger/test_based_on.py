"""The fate of rows in a release that is based on the last one."""

import numpy as np
import pytest

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.ledger.policies.based_on import NextFate, check_next, finish_plan, plan_next
from lookalike.ledger.policies.history import RowMap, build_history
from lookalike.ledger.policies.shown_columns import ABSENT

from ..releasing import (
    Person,
    Series,
    histories,
    least_candidates,
    release_all,
    release_naively,
)
from .test_history import shown

WAITS, KEEPS, RENEWS, JOINS = NextFate


def people(number, **fields):
    return {key: Person(0, **fields) for key in range(number)}


def plan(history, keys, *, k, moved=(), changed=(), placed=None):
    keys = np.array(keys, dtype=np.int64)
    known = build_history(history)
    new = np.isin(keys, changed)[None, :] & (known.find(keys) != ABSENT)
    made = plan_next(known, keys, moved=np.isin(keys, moved), changed=new, k=k)
    places = np.array([ABSENT if placed is None else placed.get(key, ABSENT) for key in keys])
    return finish_plan(made, places.astype(np.int64))


def fates(made):
    return [made.rows(fate) for fate in (KEEPS, RENEWS, JOINS, WAITS)]


class TestRowsThatLeave:
    def test_others_wait_with_one_that_leaves_until_they_are_k(self):
        made = plan([shown("a", range(10), [0] * 10)], range(1, 10), k=3)
        assert fates(made) == [7, 0, 0, 2]
        assert made.rows_withdrawn == 2

    def test_which_rows_wait_is_drawn_at_random(self):
        release = shown("a", range(40), [0] * 40)
        drawn = {tuple(plan([release], range(1, 40), k=5).fate.tolist()) for _ in range(20)}
        assert len(drawn) > 1

    def test_a_class_that_could_not_keep_k_is_withdrawn_whole(self):
        made = plan([shown("a", range(5), [0] * 5)], range(1, 5), k=3)
        assert fates(made) == [0, 0, 0, 4]

    def test_a_class_in_which_fewer_than_k_stay_is_withdrawn_whole(self):
        made = plan([shown("a", range(10), [0] * 10)], range(8, 10), k=3)
        assert fates(made) == [0, 0, 0, 2]

    def test_k_may_leave_and_all_others_stay(self):
        made = plan([shown("a", range(6), [0] * 6)], range(3, 6), k=3)
        assert fates(made) == [3, 0, 0, 0]

    def test_rows_of_one_class_with_different_histories_are_judged_separately(self):
        first = shown("a", range(6), [0, 0, 0, ABSENT, ABSENT, ABSENT])
        second = shown("b", range(6), [0] * 6)
        made = plan([first, second], [1, 2, 4, 5], k=2)
        assert fates(made) == [0, 0, 0, 4]

    def test_the_other_classes_do_not_notice(self):
        made = plan([shown("a", range(6), [0, 0, 0, 1, 1, 1])], [1, 2, 3, 4, 5], k=2)
        assert made.fate.tolist() == [WAITS, WAITS, KEEPS, KEEPS, KEEPS]

    def test_a_source_without_rows_is_planned(self):
        assert fates(plan([shown("a", range(4), [0] * 4)], [], k=2)) == [0, 0, 0, 0]

    def test_classes_below_a_greater_k_than_before_are_withdrawn(self):
        release = shown("a", range(5), [0, 0, 1, 1, 1])
        assert plan([release], range(5), k=3).fate.tolist() == [WAITS] * 2 + [KEEPS] * 3


class TestRowsThatJoin:
    def test_at_first_every_row_may_join(self):
        made = plan([], range(4), k=2, placed={0: 0, 1: 0, 2: 1, 3: 1})
        assert fates(made) == [0, 0, 4, 0]
        assert len(set(made.joining_group.tolist())) == 1

    def test_new_rows_wait_if_they_are_fewer_than_k(self):
        made = plan([shown("a", range(4), [0] * 4)], range(6), k=3, placed={4: 0, 5: 0})
        assert fates(made) == [4, 0, 0, 2]
        assert made.rows_withdrawn == 0

    def test_rows_left_out_earlier_join_together_with_new_ones(self):
        release = shown("a", range(4), [0, 0, 0, ABSENT])
        made = plan([release], range(6), k=3, placed={3: 0, 4: 0, 5: 0})
        assert fates(made) == [3, 0, 3, 0]

    def test_those_that_find_no_place_wait_and_leave_nobody_behind(self):
        release = shown("a", [0, 1], [0, 0])
        made = plan([release], range(5), k=2, placed={2: 0, 3: 0})
        assert made.fate.tolist() == [KEEPS, KEEPS, JOINS, JOINS, WAITS]

    def test_a_class_that_is_joined_has_k_rows_by_itself(self):
        made = plan([], range(5), k=2, placed={0: 7, 1: 7, 2: 3, 3: 9, 4: 9})
        assert made.fate.tolist() == [JOINS, JOINS, WAITS, JOINS, JOINS]

    def test_a_class_of_rows_with_different_histories_needs_k_of_each(self):
        history = [shown("a", range(4), [0, 0, 1, 1]), shown("b", [9], [ABSENT])]
        placed = dict.fromkeys([0, 1, 2, 3, 9], 0)
        assert fates(plan(history, [0, 1, 2, 3, 9], k=2, placed=placed)) == [0, 0, 4, 1]
        assert fates(plan(history, [0, 1, 2, 9], k=2, placed=placed)) == [0, 0, 2, 2]

    def test_rows_that_return_leave_none_or_at_least_k_behind(self):
        history = [shown("a", range(6), [0] * 6), shown("b", [], [])]
        placed = dict.fromkeys(range(6), 0)
        assert fates(plan(history, range(5), k=3, placed=placed)) == [0, 0, 3, 2]
        assert fates(plan(history, range(3), k=3, placed=placed)) == [0, 0, 3, 0]
        assert fates(plan(history, range(6), k=3, placed=placed)) == [0, 0, 6, 0]


class TestRowsThatMove:
    def test_a_moved_row_has_left_and_waits(self):
        made = plan([shown("a", range(6), [0] * 6)], range(6), k=2, moved=[0])
        assert fates(made) == [4, 0, 0, 2]
        assert made.fate[0] == WAITS
        assert made.rows_withdrawn == 2

    def test_k_moved_rows_of_a_class_join_a_new_one(self):
        release = shown("a", range(6), [0] * 6)
        made = plan([release], range(6), k=2, moved=[0, 1], placed={0: 5, 1: 5})
        assert fates(made) == [4, 0, 2, 0]

    def test_moved_rows_of_different_classes_do_not_join_together(self):
        release = shown("a", range(6), [0, 0, 0, 1, 1, 1])
        made = plan([release], range(6), k=2, moved=[0, 3], placed={0: 5, 3: 5})
        assert fates(made) == [0, 0, 0, 6]

    def test_the_largest_group_gives_the_rows_that_wait_with_others(self):
        release = shown("a", range(12), [0] * 12)
        placed = dict.fromkeys([1, 2, 3], 5)
        made = plan([release], range(1, 12), k=3, moved=[1, 2, 3], placed=placed)
        assert fates(made) == [6, 0, 3, 2]


class TestRowsThatChange:
    def test_fewer_than_k_keep_their_old_values(self):
        made = plan([shown("a", range(6), [0] * 6)], range(6), k=3, changed=[0, 1])
        assert fates(made) == [6, 0, 0, 0]

    def test_k_show_new_ones_if_k_do_not(self):
        made = plan([shown("a", range(6), [0] * 6)], range(6), k=3, changed=[0, 1, 2])
        assert made.fate.tolist() == [RENEWS] * 3 + [KEEPS] * 3

    def test_all_show_new_ones(self):
        assert fates(plan([shown("a", range(3), [0] * 3)], range(3), k=3, changed=range(3)))[1] == 3

    def test_one_that_did_not_change_is_not_left_alone_with_its_old_values(self):
        release = shown("a", range(7), [0] * 7)
        made = plan([release], range(7), k=3, changed=range(6))
        assert fates(made) == [3, 4, 0, 0]
        assert made.fate[6] == KEEPS
        small = shown("a", range(5), [0] * 5)
        assert fates(plan([small], range(5), k=3, changed=range(4))) == [5, 0, 0, 0]

    def test_rows_that_join_again_with_new_values_join_separately(self):
        history = [shown("a", range(4), [0] * 4), shown("b", [], [])]
        placed = dict.fromkeys(range(4), 0)
        apart = plan(history, range(4), k=2, changed=[0, 1], placed=placed)
        assert fates(apart) == [0, 0, 4, 0]
        assert apart.joining_group[0] == apart.joining_group[1] != apart.joining_group[2]
        assert fates(plan(history, range(4), k=2, changed=[0], placed=placed)) == [0, 0, 2, 2]

    def test_changes_of_rows_that_were_never_shown_mean_nothing(self):
        made = plan([], range(2), k=2, changed=[0], placed={0: 0, 1: 0})
        assert fates(made) == [0, 0, 2, 0]


class TestRefusals:
    def test_two_rows_with_one_key(self):
        with pytest.raises(InvalidInput, match="row_key: 2 rows have the key of another"):
            plan([], [1, 1, 2, 1], k=2)

    def test_a_release_that_is_not_based_on_the_last_one(self):
        history = build_history(
            [shown("march", range(4), [0] * 4), shown("april", range(4), [0, 0, 0, 1])]
        )
        with pytest.raises(RequirementNotMet) as refused:
            check_next(history, 2)
        assert str(refused.value) == (
            "april would expose 1 row together with march: fewer than k = 2 rows share their "
            "history, which is the class in every release and the columns with new values. "
            "Make the release again: it will then be based on the releases published by now"
        )

    def test_a_release_that_is_passes(self):
        series = release_all([people(8), people(7), people(9)], 3)
        check_next(series.history(), 3)


class TestAttackerByBruteForce:
    """The attacker succeeds where it is possible, so its failure elsewhere means something."""

    def test_it_finds_a_row_whose_person_left(self):
        naive = release_naively([people(5), people(4)], 2)
        assert least_candidates(naive) == 1
        assert least_candidates(release_all([people(5), people(4)], 2).releases) >= 2

    def test_it_finds_one_that_is_new(self):
        assert least_candidates(release_naively([people(4), people(5)], 2)) == 1

    def test_it_finds_one_that_moved(self):
        before = people(6) | {key: Person(1) for key in (3, 4, 5)}
        naive = release_naively([before, before | {0: Person(1)}], 2)
        assert least_candidates(naive) == 1

    def test_it_finds_the_only_one_that_did_not_change_if_it_knows_who_did(self):
        before, after = people(3), people(2, version=1) | {2: Person(0)}
        naive = release_naively([before, after], 2)
        assert least_candidates(naive) == 3
        assert least_candidates(naive, knows_changes=True) == 1

    def test_it_does_not_find_who_waits_with_one_that_left(self):
        series = Series(3)
        series.release(people(12))
        made = series.release(people(11))
        assert made.rows_withdrawn == 2
        assert sorted(histories(series.releases).values()) == [3, 9]
        assert least_candidates(series.releases) == 3


def test_a_row_that_left_makes_a_second_wait_and_the_third_cannot_stay_alone():
    none, no = np.zeros(3, dtype=np.int64), np.zeros((1, 4), dtype=np.bool_)
    history = build_history([RowMap("march", np.array([1, 2, 3]), none, none, {})])
    plan = plan_next(history, np.array([2, 3, 4, 5]), moved=no[0], changed=no, k=2)
    assert [NextFate(fate).name for fate in plan.fate] == ["KEEPS", "KEEPS", "JOINS", "JOINS"]
    plan = finish_plan(plan, np.array([ABSENT, ABSENT, 0, 0]))
    assert [NextFate(fate).name for fate in plan.fate] == ["WAITS", "WAITS", "JOINS", "JOINS"]
    assert plan.rows_withdrawn == 2
