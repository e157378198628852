"""The cost of a release in whole units, and the least cost that a release can have."""

import pytest

from .posed_problems import letters, pose_letters
from .test_cells import classes_of


@pytest.fixture
def problem():
    return pose_letters(letters("aabbcd"), 2, allowance=1)


def test_a_bound_is_raised_to_the_next_cost_that_a_release_can_have(problem):
    step = problem.step
    assert [problem.round_up(cost) for cost in (-step, 0, 1, step, step + 1)] == [
        0,
        0,
        step,
        step,
        2 * step,
    ]


def test_a_suppressed_row_costs_as_much_as_one_at_the_top(problem):
    classes = classes_of([(0, 0, 2), (1, 1, 2)])
    assert problem.total_cost(classes) == 0
    assert problem.total_cost(classes, 2) == 2 * problem.costs.suppressed
    together = classes_of([(0, 0, 2), (0, 2, 1), (0, 3, 1)])
    assert problem.total_cost(together) == 4 * problem.costs.suppressed
