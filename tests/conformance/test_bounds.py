"""The bound of every objective holds for all vectors of a box, as optimality proofs need."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Taxonomy
from lookalike.model.lattice import Lattice
from lookalike.model.requirement import QuasiIdentifier, Requirement
from lookalike.search.lattice.branch import minimize
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.objectives import OBJECTIVES, Height, make_objective
from lookalike.search.lattice.rollup import RollUps

from .. import brute
from ..effort import examples
from ..exhaustive import Exhaustive
from ..invented import requirements, tables_and_vectors, weights
from ..small_tables import frequency_of, table_of

many = examples(80)
some = examples(40)
TREE = {"A": {"ab": ["a", "b"], "cd": ["c", "d"]}, "E": {"ef": ["e", "f"], "gh": ["g", "h"]}}


@st.composite
def boxes(draw):
    """Generate a table, one or several quasi-identifiers, weights, and a box of its lattice."""
    invented, (bottom, top) = draw(tables_and_vectors(2, min_rows=2))
    requirement = draw(requirements(invented, several=draw(st.booleans())))
    assume(invented.table.num_rows >= requirement.largest_k)
    number = len(invented.hierarchies)
    scales = draw(weights(number)) or (Decimal(1),) * number
    return invented, requirement, scales, Lattice(bottom, top)


@pytest.mark.parametrize("name", OBJECTIVES)
class TestObjectives:
    @many
    @given(box=boxes())
    def test_no_vector_of_a_box_costs_less_than_its_bound(self, name, box):
        invented, requirement, scales, lattice = box
        rollups = RollUps(invented.frequency, requirement)
        allowance = requirement.allowance(invented.table.num_rows)
        objective = make_objective(name, rollups, scales, allowance)
        bound = objective.bound(lattice.bottom, rollups.suppressed(lattice.top))
        for vector in lattice:
            judged = objective.judge(vector)
            if judged.suppressed <= allowance or name != "average-class-size":
                assert bound <= judged.cost + 1e-9

    @some
    @given(box=boxes())
    def test_a_cost_stands_for_the_measure_whatever_lists_were_kept(self, name, box):
        invented, requirement, scales, lattice = box
        exhaustive = Exhaustive.of(invented, requirement)
        rollups = RollUps(invented.frequency, requirement)
        objective = make_objective(name, rollups, scales, invented.table.num_rows)
        rollups.keep(lattice.bottom)
        for vector in lattice:
            judged = objective.judge(vector)
            assert judged.suppressed == exhaustive.suppressed(vector)
            expected = exhaustive.measure(name, vector, scales)
            assert objective.measured(judged.cost) == pytest.approx(expected, abs=1e-9)


class TestRollUps:
    @some
    @given(boxes(), st.randoms())
    def test_answers_do_not_depend_on_what_was_kept(self, box, random):
        invented, requirement, _, _ = box
        rollups = RollUps(invented.frequency, requirement)
        vectors = brute.list_vectors(invented.frequency.heights)
        random.shuffle(vectors)
        for vector in vectors:
            rollups.keep(vector)
            other = random.choice(vectors)
            assert rollups.suppressed(other) == requirement.outliers(invented.frequency, other)
            assert rollups.below(other).roll_up(other).rows == invented.frequency.rows

    @some
    @given(boxes())
    def test_height_is_bounded_by_the_bottom(self, box):
        invented, requirement, _, lattice = box
        height = Height(RollUps(invented.frequency, requirement))
        bound = height.bound(lattice.bottom, 0)
        assert bound == min(height.judge(vector).cost for vector in lattice)


class TestLargerLattices:
    """Five attributes of height 3: 1,024 vectors, enough for boxes to be pruned."""

    @pytest.fixture(params=[1, 2])
    def frequency(self, request):
        generator = np.random.default_rng(request.param)
        letters = np.array(list("abcdefgh"))
        rows = letters[np.minimum(generator.geometric(0.35, size=(400, 5)) - 1, 7)].tolist()
        names = [f"attribute {number}" for number in range(5)]
        return frequency_of(table_of(names, rows), dict.fromkeys(names, Taxonomy(TREE)))

    @pytest.fixture(params=["one", "several"])
    def requirement(self, request, frequency):
        if request.param == "one":
            return Requirement(4, 20)
        first, second = frequency.attributes[:3], frequency.attributes[2:]
        both = (QuasiIdentifier("patient", first, 3), QuasiIdentifier("doctor", second, 5))
        return Requirement(3, 20, quasi_identifiers=both)

    @pytest.mark.parametrize("name", OBJECTIVES)
    def test_the_optimum_is_found_without_looking_at_all(self, frequency, requirement, name):
        scales = tuple(Decimal(text) for text in ("1", "0.5", "2", "0", "1.25"))
        lattice = Lattice.of_heights(frequency.heights)
        every = make_objective(name, RollUps(frequency, requirement), scales, 20)
        fitting = [one for one in map(every.judge, lattice) if one.suppressed <= 20]
        least = min(one.cost for one in fitting)
        best = {one.vector for one in fitting if one.cost == pytest.approx(least, rel=1e-12)}
        rollups = RollUps(frequency, requirement)
        found = minimize(make_objective(name, rollups, scales, 20), lattice, 20)
        assert {one.vector for one in found.best} == best
        assert found.best[0].cost == found.bound == pytest.approx(least, rel=1e-12)
        assert found.proved

    def test_all_minimal_vectors_are_found(self, frequency, requirement):
        lattice = Lattice.of_heights(frequency.heights)
        rollups = RollUps(frequency, requirement)
        found = find_minimal(rollups, lattice, 20)
        fitting = [v for v in lattice if requirement.outliers(frequency, v) <= 20]
        assert set(found.vectors) == brute.find_minimal(fitting)
        assert rollups.evaluated < lattice.size
