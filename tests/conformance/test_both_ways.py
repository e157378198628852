"""MinGen's optimum for every objective and both ways to suppress, against all vectors."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible
from lookalike.hierarchy import Listed
from lookalike.model.lattice import Lattice
from lookalike.model.measures import measure
from lookalike.model.recoding import recode_at
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.objectives import OBJECTIVES, make_objective
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import mingen
from lookalike.search.options import SearchOptions

from ..effort import examples
from ..invented import requirements, tables, weights
from ..small_tables import frequencies, released_rows

FIELDS = {"average-class-size": "average_class"}
WAYS = ("drop", "blank")
some = examples(60)


@st.composite
def questions(draw):
    """Generate a table, a requirement, weights, and the least and greatest levels."""
    invented = draw(tables(max_rows=16))
    requirement = draw(requirements(invented, several=draw(st.booleans())))
    assume(invented.table.num_rows >= requirement.largest_k)
    heights = invented.frequency.heights
    bounds = [(0, height) for height in heights]
    if draw(st.booleans()):
        bounds = [sorted(draw(st.tuples(*[st.integers(0, top)] * 2))) for top in heights]
    way = draw(st.sampled_from(WAYS))
    return invented, replace(requirement, suppressed_rows=way), draw(weights(len(heights))), bounds


def constraints(frequency, bounds):
    """Write bounds on levels as constraints."""
    return tuple(
        Constraint.parse(f"{name} {comparison} {level}")
        for name, (low, high) in zip(frequency.attributes, bounds, strict=True)
        for comparison, level in ((">=", low), ("<=", high))
    )


def measure_all(frequency, requirement, scales, bounds, objective):
    """Measure every vector within MaxSup and the bounds that releases a row."""
    allowance = requirement.allowance(frequency.rows)
    measured = {}
    for vector in Lattice(*zip(*bounds, strict=True)):
        try:
            recoding = recode_at(frequency, vector, requirement, allowance)
        except Infeasible:
            continue
        if recoding.rows_suppressed <= allowance:
            found = measure(frequency, recoding, requirement, scales)
            measured[vector] = getattr(found, FIELDS.get(objective, objective))
    return measured


@pytest.mark.parametrize("objective", OBJECTIVES)
@some
@given(question=questions())
def test_the_optimum_is_the_best_measure_of_all_vectors(objective, question):
    invented, requirement, scales, bounds = question
    frequency = invented.frequency
    measured = measure_all(frequency, requirement, scales, bounds, objective)
    options = SearchOptions(scales, objective, constraints=constraints(frequency, bounds))
    if not measured:
        with pytest.raises(Infeasible):
            mingen(frequency, requirement, options)
        return
    recoding = mingen(frequency, requirement, options)
    best = (max if objective == "precision" else min)(measured.values())
    ties = [v for v, value in measured.items() if value == pytest.approx(best, abs=1e-9)]
    assert recoding.vector == min(ties, key=lambda vector: (sum(vector), vector))
    known = recoding.optimality
    assert known.reached == pytest.approx(best, abs=1e-9)
    assert known.bound == known.reached
    assert known.proved


@pytest.mark.parametrize("objective", OBJECTIVES)
@some
@given(question=questions(), data=st.data())
def test_no_vector_of_a_box_costs_less_than_the_bound_of_the_box(objective, question, data):
    invented, requirement, scales, bounds = question
    frequency = invented.frequency
    allowance = requirement.allowance(frequency.rows)
    rollups = RollUps(frequency, requirement)
    weighed = SearchOptions(scales).weights_of(frequency)
    judging = make_objective(objective, rollups, weighed, allowance)
    box = Lattice(*zip(*bounds, strict=True))
    bound = judging.bound(box.bottom, rollups.suppressed(box.top))
    within = [one for vector in box if (one := judging.judge(vector)).suppressed <= allowance]
    assert all(one.cost >= bound - 1e-9 for one in within)


@some
@given(question=questions())
def test_measures_count_blank_rows_as_released_and_as_one_class(question):
    invented, requirement, scales, bounds = question
    frequency, rows = invented.frequency, invented.frequency.rows
    vector = tuple(low for low, _ in bounds)
    try:
        recoding = recode_at(frequency, vector, requirement, rows)
    except Infeasible:
        return
    written = released_rows(frequency, recoding)
    gone = int(recoding.suppressed.sum())
    if requirement.suppressed_rows == "blank" and gone:
        written[("*",) * len(frequency.attributes)] += gone
    found = measure(frequency, recoding, requirement, scales)
    left_out = rows - written.total()
    assert found.classes == len(written)
    assert found.completeness == 1 - left_out / rows
    assert found.average_class == pytest.approx(written.total() / len(written) / requirement.k)
    assert found.discernibility == sum(n * n for n in written.values()) + left_out * rows
    for one in requirement.combined(frequency.attributes):
        places = [frequency.attributes.index(name) for name in one.attributes]
        alike = Counter()
        for row, number in written.items():
            alike[tuple(row[place] for place in places)] += number
        assert found.smallest_class <= min(alike.values())
        assert min(alike.values()) >= one.k


def test_blank_rows_that_look_like_a_class_are_that_class():
    rule = Listed({"a": ["a", "A"], "b": ["b", "A"]}, unknown="suppress", suppression_level=True)
    frequency = frequencies(*"aaab??", letter=rule)
    requirement = Requirement(2, 1, "blank")
    recoding = recode_at(frequency, (0,), requirement, 1)
    found = measure(frequency, recoding, requirement)
    assert (recoding.rows_suppressed, recoding.rows_complementary) == (1, 1)
    assert (found.classes, found.smallest_class, found.discernibility) == (2, 2, 2**2 + 4**2)


def test_blank_rows_are_counted_in_the_average_class_that_is_proved():
    pairs = {"a": "A", "b": "B", "c": "C", "d": "C", "e": "E", "f": "E"}
    rule = Listed({leaf: [leaf, pair, "all"] for leaf, pair in pairs.items()})
    frequency, requirement = frequencies(*"aabbcdef", letter=rule), Requirement(2, 4, "blank")
    recoding = mingen(frequency, requirement, SearchOptions(objective="average-class-size"))
    measured = measure(frequency, recoding, requirement).average_class
    assert recoding.vector == (1,)
    assert recoding.optimality.reached == measured == 1.0
