"""The join of tuples is the lowest level at which all are equal; hidden cells cost the most."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lookalike.kernels.joins import Cells, join_cost, join_members

LEVELS = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], dtype=np.int32)
"""The codes of four values at three levels, by level."""


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=12))
def test_all_members_of_a_class_are_joined(entries):
    class_of = np.unique([one for one, _ in entries], return_inverse=True)[1].astype(np.int32)
    sequence = np.array([member for _, member in entries], dtype=np.int32)
    found = join_members(LEVELS[None], class_of, sequence, int(class_of.max()) + 1)
    for number, level in enumerate(found[0].tolist()):
        members = sequence[class_of == number]
        alike = [len(set(line[members].tolist())) == 1 for line in LEVELS]
        assert level == alike.index(True)


def test_a_cell_written_as_the_suppressed_value_costs_as_much_as_the_top():
    ancestors = np.array([[[0, 2, 4]], [[1, 2, 4]], [[0, 3, 4]]], dtype=np.int32)
    bottom = np.zeros(1, dtype=np.int32)
    cells = Cells(ancestors, np.array([0, 0, 7, 3, 7]), bottom)
    assert join_cost(cells, 0, bottom, 1, bottom, 100) == 7
    assert join_cost(cells, 0, bottom, 0, bottom, 100) == 0


def test_a_join_is_no_lower_than_its_tuples_and_costs_at_most_the_limit():
    numbered = LEVELS + np.array([[0], [4], [6]], dtype=np.int32)
    ancestors = np.ascontiguousarray(numbered.T[:, None])
    levels = np.array([[0], [1]], dtype=np.int32)
    cells = Cells(ancestors, np.array([0, 0, 0, 0, 3, 3, 7]), levels[0])
    assert join_cost(cells, 0, levels[0], 0, levels[1], 100) == 3
    assert join_cost(cells, 0, levels[0], 1, levels[0], 100) == 3
    assert join_cost(cells, 0, levels[0], 3, levels[0], 5) == 5
