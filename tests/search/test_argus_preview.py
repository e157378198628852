"""What µ-Argus says that a decision would leave is what the decision leaves."""

from itertools import product

import pytest

from lookalike import Mask, Suppress
from lookalike.model.requirement import Requirement
from lookalike.search.argus.combinations import find_unsafe, preview_decisions
from lookalike.search.argus.options import ArgusOptions, decide_as_listed
from lookalike.search.methods import mu_argus
from lookalike.search.options import SearchOptions

from ..small_tables import TREE, frequencies

ROWS = [
    (letter, number, sign)
    for place, (letter, number, sign) in enumerate(product("abcd", ("100", "101", "110"), "+-"))
    for _ in range(1 + place % 4)
]


def follow(frequency, k, names):
    """Return the rows with rare values before each decision."""
    seen = []
    listed = decide_as_listed(names)

    def decide(unsafe):
        seen.append(unsafe)
        return listed(unsafe)

    mu_argus(frequency, Requirement(k), SearchOptions(decide=decide))
    return seen


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("decided", [[], ["letter"], ["number", "letter"]])
def test_a_preview_is_what_the_decision_leaves(k, decided):
    frequency = frequencies(*ROWS, letter=TREE, number=Mask(length=3), sign=Suppress())
    now = follow(frequency, k, decided)[-1]
    rolled = frequency.roll_up(tuple(now.levels.values()))
    tested = find_unsafe(rolled, ArgusOptions().combinations_of(frequency), k)
    previews = preview_decisions(tested, k)
    below = [name for name, level in now.levels.items() if level < now.heights[name]]
    assert list(previews) == below
    for name in below:
        assert previews[name] == follow(frequency, k, [*decided, name])[-1].rows
    assert decided or 0 < min(previews.values()) < now.rows or k < 5


def test_at_the_deadline_nothing_more_is_counted():
    frequency = frequencies(*ROWS, letter=TREE, number=Mask(length=3), sign=Suppress())
    tested = find_unsafe(frequency, ArgusOptions().combinations_of(frequency), 2)
    assert preview_decisions(tested, 2, deadline=0.0) == {}
