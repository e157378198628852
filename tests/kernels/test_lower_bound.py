"""Values of rows within groups: the largest are found, and all are raised and lowered."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.kernels.lower_bound import Pool, climb, largest, measure_slack, push_down

from ..effort import examples

some = examples(40)


class TestValues:
    """Groups by hand: what a group's largest values are, and how they are raised and lowered."""

    pool = Pool(np.array([0, 2, 4]), np.array([0, 1, 1, 2], dtype=np.int32), np.array([10.0, 4.0]))
    counts = np.array([1, 1, 1])

    @some
    @given(
        st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 4)), min_size=1), st.integers(2, 5)
    )
    def test_the_largest_values_of_k_rows_are_added_up(self, rows, k):
        values, counts = (np.array(column) for column in zip(*rows, strict=True))
        chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
        members = np.arange(len(rows), dtype=np.int32)
        pool = Pool(np.array([0, len(rows)]), members, np.zeros(1))
        number, found, total = largest(values.astype(np.float64), counts, pool, 0, k, chosen, taken)
        expected = sorted(np.repeat(values, counts).tolist(), reverse=True)[:k]
        assert (found, total) == (len(expected), sum(expected))
        assert taken[:number].sum() == found
        assert (taken[:number] <= counts[chosen[:number]]).all()
        assert len(set(chosen[:number].tolist())) == number

    def test_slack_is_the_cost_less_the_average_and_infinite_below_k_rows(self):
        values = np.array([9.0, 5.0, 1.0])
        found = measure_slack(values, self.counts, self.pool, 2)
        assert found.tolist() == [3.0, 1.0]
        few = measure_slack(values, np.array([0, 1, 1]), self.pool, 2)
        assert few.tolist() == [np.inf, 1.0]

    def test_push_down_lowers_each_group_to_its_cost(self):
        values = np.array([15.0, 15.0, 15.0])
        push_down(values, self.counts, self.pool, 2)
        assert values[:2].sum() <= 20
        assert values[1:].sum() <= 8
        assert (values == np.floor(values)).all()

    def test_push_down_leaves_what_is_within_the_costs(self):
        values = np.array([18.0, 2.0, 6.0])
        push_down(values, self.counts, self.pool, 2)
        assert values.tolist() == [18.0, 2.0, 6.0]

    def climb(self, values, ceilings, step=1.0, passes=10):
        active = np.arange(2, dtype=np.int32)
        return climb(values, ceilings, self.counts, self.pool, active, 2, step, passes)

    def test_climbing_raises_until_a_group_is_full_and_not_beyond(self):
        values = np.zeros(3)
        shares = self.climb(values, np.full(3, np.inf), 0.1, 1000)
        assert values[1:].sum() <= 8 + 1e-9
        assert values.sum() == pytest.approx(20 + 8 - values[1], abs=1)
        assert (shares >= 0).all()

    def test_climbing_stays_below_the_ceilings(self):
        values = np.zeros(3)
        self.climb(values, np.array([3.0, 2.0, 1.0]))
        assert values.tolist() == [3.0, 2.0, 1.0]

    def test_the_share_of_the_only_group_of_two_rows_is_one_class(self):
        values = np.array([4.0, 4.0])
        pool = Pool(np.array([0, 2]), np.array([0, 1], dtype=np.int32), np.array([4.0]))
        no_ceilings, active = np.full(2, np.inf), np.array([0], dtype=np.int32)
        shares = climb(values, no_ceilings, np.array([1, 1]), pool, active, 2, 0.5, 20)
        assert shares.tolist() == pytest.approx([1.0])
        assert values.tolist() == pytest.approx([4.0, 4.0])
