"""Whatever is required, searches find what evaluating all vectors finds.

Required are protections, persons, conditions on a register of the population, and average risk.
"""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible
from lookalike.model.lattice import Lattice, dominates
from lookalike.model.measures import measure
from lookalike.model.minimality import is_minimal, minimal_below
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.objectives import OBJECTIVES
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import datafly, mingen, samarati
from lookalike.search.options import SearchOptions

from ..effort import examples
from ..exhaustive import minimal_of
from ..protected import ExhaustivelyProtected, protected_requirements, protected_tables
from ..registered import ExhaustivelyRegistered, registered_requirements, registered_tables

many = examples(150)
FIELDS = {"average-class-size": "average_class"}


@st.composite
def protected_questions(draw):
    table = draw(protected_tables())
    requirement = draw(protected_requirements(table))
    assume(len(table.persons) >= requirement.largest_k)
    return table, requirement, ExhaustivelyProtected.judging(table, requirement)


@st.composite
def registered_questions(draw):
    table = draw(registered_tables())
    requirement = draw(registered_requirements(table))
    assume(len(table.invented.rows) >= requirement.k)
    return table, requirement, ExhaustivelyRegistered.judging(table, requirement)


questions = st.one_of(protected_questions(), registered_questions())


@many
@given(registered_questions(), st.data())
def test_the_people_of_every_class_are_those_of_the_definition(question, data):
    table, _, exhaustive = question
    frequency = table.frequency
    lower = data.draw(st.sampled_from(exhaustive.vectors))
    for register in frequency.registers:
        assert register.people == len(table.people)
        rolled = register.roll_up(lower)
        assert rolled.people == register.people
        for vector in exhaustive.vectors:
            people = exhaustive.people(vector)
            classes = frequency.roll_up(vector)
            expected = [people[row] for row in classes.sequences()]
            assert register.count(vector, classes.codes).tolist() == expected
            if dominates(vector, lower):
                assert rolled.count(vector, classes.codes).tolist() == expected


@many
@given(questions)
def test_the_suppressed_rows_of_every_vector_are_those_of_the_definition(question):
    table, requirement, exhaustive = question
    rollups = RollUps(table.frequency, requirement)
    for vector in exhaustive.vectors:
        assert rollups.suppressed(vector) == exhaustive.suppressed(vector)


@many
@given(questions, st.integers(0, 6))
def test_no_vector_below_suppresses_fewer_rows_than_the_certain_ones(question, allowance):
    table, requirement, exhaustive = question
    rollups = RollUps(table.frequency, requirement)
    for upper in exhaustive.vectors:
        certain = rollups.certain(upper, allowance)
        for lower in exhaustive.vectors:
            if dominates(upper, lower):
                assert exhaustive.suppressed(lower) >= certain


@many
@given(questions, st.sampled_from(OBJECTIVES))
def test_mingen_finds_the_optimum(question, objective):
    table, requirement, exhaustive = question
    frequency = table.frequency
    allowance = requirement.allowance(frequency.rows)
    within = exhaustive.within(allowance)
    best = max if objective == "precision" else min
    if not any(exhaustive.sizes(vector) for vector in within):
        with pytest.raises(Infeasible):
            mingen(frequency, requirement, SearchOptions(objective=objective))
        return
    values = [exhaustive.measure(objective, vector) for vector in within]
    try:
        found = mingen(frequency, requirement, SearchOptions(objective=objective))
    except Infeasible:  # every best vector suppresses all rows
        reached = [v for v, one in zip(within, values, strict=True) if one == best(values)]
        assert not any(exhaustive.sizes(vector) for vector in reached)
        return
    name = FIELDS.get(objective, objective)
    measured = getattr(measure(frequency, found, requirement), name)
    assert measured == pytest.approx(best(values))
    assert found.optimality.proved
    assert found.rows_suppressed == exhaustive.suppressed(found.vector) <= allowance
    assert found.k_minimal == (found.vector in minimal_of(within))


@many
@given(questions)
def test_all_minimal_vectors_are_found(question):
    table, requirement, exhaustive = question
    frequency = table.frequency
    allowance = requirement.allowance(frequency.rows)
    within = exhaustive.within(allowance)
    lattice = Lattice.of_heights(frequency.heights)
    if not within:
        with pytest.raises(Infeasible):
            find_minimal(RollUps(frequency, requirement), lattice, allowance)
        return
    found = find_minimal(RollUps(frequency, requirement), lattice, allowance)
    assert found.complete
    assert set(found.vectors) == minimal_of(within)
    for vector in within:
        assert is_minimal(frequency, vector, requirement, allowance) == (vector in found.vectors)
        assert minimal_below(frequency, vector, requirement, allowance) in found.vectors


@many
@given(questions, st.sampled_from([datafly, samarati]))
def test_other_methods_release_only_classes_that_satisfy_everything(question, method):
    table, requirement, exhaustive = question
    frequency = table.frequency
    within = exhaustive.within(requirement.allowance(frequency.rows))
    try:
        found = method(frequency, requirement)
    except Infeasible:
        empty = [one for one in within if not exhaustive.sizes(one)]
        assert method is datafly or len(empty) > 0 or not within
        return
    assert found.rows_suppressed == exhaustive.suppressed(found.vector) <= found.allowance
    released = frequency.counts - found.suppressed
    assert not released[requirement.outlying(frequency, found.vector)].any()
    if method is samarati:
        assert sum(found.vector) == min(map(sum, within))
