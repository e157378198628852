"""Several quasi-identifiers, each with its own k, against counting row by row."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible
from lookalike.model.lattice import Lattice
from lookalike.model.recoding import recode_at
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.objectives import OBJECTIVES
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import ALGORITHMS, mingen, samarati
from lookalike.search.options import SearchOptions

from .. import brute
from ..effort import examples
from ..exhaustive import Exhaustive
from ..invented import requirements, tables_and_vectors
from ..small_tables import KNOW_SEVERAL

some = examples(40)


@st.composite
def protected_tables(draw, number=1, **options):
    """Generate a table, several quasi-identifiers of it, and a chain of vectors."""
    invented, vectors = draw(tables_and_vectors(number, **options))
    requirement = draw(requirements(invented, several=True))
    assume(invented.table.num_rows >= requirement.largest_k)
    return invented, requirement, vectors


def rows_at(frequency, vector, counts):
    """List the generalized rows, each as often as its sequence counts."""
    class_of, classes = frequency.classify(vector)
    shown = classes.sequences()
    pairs = zip(class_of, counts, strict=True)
    return [shown[position] for position, count in pairs for _ in range(count)]


def assert_protected(frequency, requirement, rows):
    """Every quasi-identifier has its own k over the rows."""
    for one in requirement.quasi_identifiers:
        places = [frequency.attributes.index(attribute) for attribute in one.attributes]
        counter = Counter(tuple(row[place] for place in places) for row in rows)
        assert all(count >= one.k for count in counter.values())


@some
@given(protected_tables())
def test_outliers_are_the_least_fixed_point(protected_table):
    invented, requirement, [vector] = protected_table
    exhaustive = Exhaustive.of(invented, requirement)
    frequency = invented.frequency
    outlying = requirement.outlying(frequency, vector)
    gone = Counter(exhaustive.rows(vector)[position] for position in exhaustive.gone(vector))
    assert Counter(rows_at(frequency, vector, np.where(outlying, frequency.counts, 0))) == gone
    assert requirement.outliers(frequency, vector) == gone.total()


@some
@given(protected_tables(2))
def test_outliers_only_become_fewer_upwards(protected_table):
    invented, requirement, [lower, upper] = protected_table
    before = requirement.outlying(invented.frequency, lower)
    after = requirement.outlying(invented.frequency, upper)
    assert not (after & ~before).any()


@some
@given(protected_tables(max_rows=16))
def test_minimal_vectors_are_those_of_the_definition(protected_table):
    invented, requirement, _ = protected_table
    exhaustive = Exhaustive.of(invented, requirement)
    allowance = requirement.allowance(invented.table.num_rows)
    minimal = brute.find_minimal(exhaustive.within(allowance))
    rollups = RollUps(invented.frequency, requirement)
    found = find_minimal(rollups, Lattice.of_heights(exhaustive.heights), allowance)
    assert set(found.vectors) == minimal
    lowest = min(minimal, key=lambda vector: (sum(vector), vector))
    assume(exhaustive.sizes(lowest))
    assert samarati(invented.frequency, requirement).vector == lowest


@pytest.mark.parametrize("objective", OBJECTIVES)
@examples(30)
@given(protected_table=protected_tables(max_rows=16))
def test_the_optimum_is_the_best_of_all_vectors(objective, protected_table):
    invented, requirement, _ = protected_table
    exhaustive = Exhaustive.of(invented, requirement)
    vectors = exhaustive.within(requirement.allowance(invented.table.num_rows))
    values = {vector: exhaustive.measure(objective, vector) for vector in vectors}
    best = (max if objective == "precision" else min)(values.values())
    ties = [vector for vector in vectors if values[vector] == pytest.approx(best, abs=1e-9)]
    chosen = min(ties, key=lambda vector: (sum(vector), vector))
    assume(exhaustive.sizes(chosen))
    recoding = mingen(invented.frequency, requirement, SearchOptions(objective=objective))
    assert recoding.vector == chosen
    assert recoding.optimality.reached == pytest.approx(best, abs=1e-9)
    assert recoding.optimality.bound == recoding.optimality.reached
    assert recoding.optimality.proved


@some
@given(protected_tables(), st.sampled_from(["drop", "blank"]))
def test_a_recoding_leaves_every_quasi_identifier_with_its_own_k(protected_table, suppressed_rows):
    invented, drawn, [vector] = protected_table
    frequency = invented.frequency
    requirement = Requirement(
        drawn.k, drawn.max_suppressed, suppressed_rows, drawn.quasi_identifiers
    )
    outliers = requirement.outliers(frequency, vector)
    try:
        recoding = recode_at(frequency, vector, requirement, frequency.rows)
    except Infeasible:
        assert suppressed_rows == "blank" or outliers == frequency.rows
        return
    assert np.all((recoding.suppressed >= 0) & (recoding.suppressed <= frequency.counts))
    assert_protected(
        frequency, requirement, rows_at(frequency, vector, frequency.counts - recoding.suppressed)
    )
    gone = int(recoding.suppressed.sum())
    assert recoding.rows_suppressed == outliers
    assert recoding.rows_complementary == gone - outliers
    if suppressed_rows == "drop" or outliers in (0, gone):
        assert recoding.rows_complementary == 0
    if suppressed_rows == "blank":
        assert gone == 0 or gone >= requirement.largest_k


@some
@given(protected_tables(min_rows=4, max_rows=12))
def test_blank_rows_are_a_class_of_their_own(protected_table):
    invented, drawn, [vector] = protected_table
    last = invented.table.num_rows - 1
    frequency = invented.reorder([0, *[*range(1, last)] * 3, *[last] * 4]).frequency
    requirement = Requirement(drawn.k, None, "blank", drawn.quasi_identifiers)
    try:
        recoding = recode_at(frequency, vector, requirement, frequency.rows)
    except Infeasible:
        assert requirement.outliers(frequency, vector) > 0
        return
    blank = ("blank row",) * len(vector)
    released = rows_at(frequency, vector, frequency.counts - recoding.suppressed)
    rows = [*released, *[blank] * int(recoding.suppressed.sum())]
    assert len(rows) == frequency.rows
    assert released
    assert_protected(frequency, requirement, rows)


@pytest.mark.parametrize("name", KNOW_SEVERAL)
@some
@given(protected_table=protected_tables(min_rows=6))
def test_every_method_leaves_every_quasi_identifier_with_its_own_k(name, protected_table):
    invented, requirement, _ = protected_table
    frequency = invented.frequency
    try:
        recoding = ALGORITHMS[name](frequency, requirement, SearchOptions())
    except Infeasible:
        assert requirement.allowance(frequency.rows, default=requirement.k) >= frequency.rows
        return
    default = requirement.k if name == "datafly" else 0
    assert recoding.rows_suppressed <= requirement.allowance(frequency.rows, default)
    released = rows_at(frequency, recoding.vector, frequency.counts - recoding.suppressed)
    assert released
    assert_protected(frequency, requirement, released)
