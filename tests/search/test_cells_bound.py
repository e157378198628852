"""The bound at the cell level: values of rows that prove it."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Suppress
from lookalike.model.proved_bound import Duals
from lookalike.search.cells.bound import prove_values, raise_values
from lookalike.search.cells.construction import run_greedy

from ..effort import examples
from ..invented import Invented
from ..small_tables import table_of
from .posed_problems import pose_letters, posed

some = examples(40)


class TestProveValues:
    start = st.floats(-1e12, 1e300) | st.integers(-10, 10**6).map(float)

    @examples(100)
    @given(st.data(), posed())
    def test_any_values_become_feasible_for_every_generalized_tuple(self, data, case):
        problem, partitions = case
        values = np.array([data.draw(self.start) for _ in problem.counts])
        duals = prove_values(problem, values.copy())
        assert partitions.overcharged(duals) == []
        assert (duals.values <= problem.costs.suppressed).all()
        assert (duals.values <= values).all()
        assert duals.price == 0

    @some
    @given(posed())
    def test_whole_values_that_are_feasible_stay(self, case):
        problem, partitions = case
        simple = np.minimum(run_greedy(problem).cheapest, problem.costs.suppressed)
        assert partitions.overcharged(Duals(problem.costs.scale, simple)) == []
        assert prove_values(problem, simple.astype(np.float64)).values.tolist() == simple.tolist()

    @some
    @given(posed(max_rows=8))
    def test_raised_values_prove_no_more_than_is_true(self, case):
        problem, partitions = case
        best = partitions.best()
        assume(best is not None)
        simple = np.minimum(run_greedy(problem).cheapest, problem.costs.suppressed)
        raised = raise_values(problem, simple.astype(np.float64)).values
        bound = partitions.bound(prove_values(problem, raised))
        assert bound <= best if partitions.objective == "loss" else bound >= best

    def test_raised_values_prove_more_than_the_cheapest_tuples(self):
        """Either pair of neighbours leaves a row that must lose both attributes."""
        table = table_of(("first", "second"), ["ax", "bx", "ay"])
        problem = pose_letters(Invented(table, {"first": Suppress(), "second": Suppress()}), 2)
        simple = run_greedy(problem).cheapest
        duals = prove_values(problem, raise_values(problem, simple.astype(np.float64)).values)
        assert simple.sum() == 3 * duals.scale
        assert 3.9 * duals.scale < duals.values.sum() <= 4 * duals.scale
