"""New values of rows that stay: 0 or at least k rows show them in the same columns."""

import numpy as np

from lookalike.ledger.policies.new_values import choose_new_values

DAYS, ILL, JOB = range(3)


def shown(*changes, k=2, parts=None):
    """Return which new values rows show, given the columns in which each has new values."""
    changed = np.zeros((3, len(changes)), dtype=np.bool_)
    for row, columns in enumerate(changes):
        changed[list(columns), row] = True
    part = np.zeros(len(changes)) if parts is None else np.array(parts)
    least = np.full(len(part) + 1, k)
    renewed = choose_new_values(part.astype(np.int32), changed, least)
    return [set(np.flatnonzero(line).tolist()) for line in renewed.T]


def test_k_rows_with_new_values_in_the_same_columns_show_them():
    assert shown({ILL}, {ILL}, {JOB}, {JOB}) == [{ILL}, {ILL}, {JOB}, {JOB}]
    assert shown({ILL, JOB}, {ILL, JOB}) == [{ILL, JOB}] * 2


def test_new_values_in_different_columns_are_not_company():
    assert shown({ILL}, {JOB}, set(), set()) == [set()] * 4


def test_rows_of_another_history_are_not_company():
    assert shown({ILL}, {ILL}, set(), set(), parts=[0, 1, 0, 1]) == [set()] * 4


def test_what_changes_for_all_is_shown_of_those_with_other_changes_too():
    assert shown({DAYS, ILL}, {DAYS}, {DAYS, JOB}, {DAYS}) == [{DAYS}] * 4


def test_the_largest_set_that_others_have_is_shown():
    assert shown({DAYS, ILL, JOB}, {DAYS, ILL}, {DAYS, ILL}, {DAYS}, {DAYS}) == [
        *[{DAYS, ILL}] * 3,
        *[{DAYS}] * 2,
    ]


def test_sets_are_reduced_until_enough_rows_have_the_same():
    assert shown({DAYS, ILL, JOB}, {DAYS, ILL}, {DAYS}, k=3) == [{DAYS}] * 3


def test_one_without_a_new_value_is_not_left_alone():
    drawn = shown(set(), {ILL}, {ILL}, {ILL})
    assert drawn[0] == set()
    assert sorted(map(len, drawn)) == [0, 0, 1, 1]
    assert shown(set(), {ILL}, {ILL}) == [set()] * 3


def test_who_keeps_it_company_is_drawn_at_random():
    rows = [set(), *[{ILL}] * 30]
    assert len({tuple(map(len, shown(*rows))) for _ in range(20)}) > 1


def test_without_a_change_nothing_is_new():
    assert shown(set(), set()) == [set(), set()]
