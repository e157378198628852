"""The labels of a k-anonymous release carry at most log₂(n ∕ k) bits, on invented tables."""

from collections import Counter
from math import log2

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lookalike as la
from lookalike.model.beside import number_persons
from lookalike.model.requirement import QuasiIdentifier, Requirement
from lookalike.risk.table.budget import (
    BitBudget,
    Spent,
    measure_bits,
    measure_budget,
    weigh_columns,
    weigh_levels,
)
from lookalike.search.methods import ALGORITHMS

from ..brute import list_vectors
from ..effort import examples
from ..hospital import PLACE
from ..invented import tables, tables_and_vectors
from ..small_tables import frequency_beside, table_of
from ..tables.test_duckdb_sequences import stored

few = examples(25)
some = examples(60)
ROUNDING = 1e-9
SAFE = [name for name in ALGORITHMS if name != "mu-argus"]
"""The methods whose releases are k-anonymous for certain."""


def protect(frequency, k, respondent=None):
    return QuasiIdentifier("all", frequency.attributes, k, respondent)


def count_bits(values):
    """Return the entropy of values, by plain counting."""
    counts = Counter(values)
    rows = sum(counts.values())
    return sum(count / rows * log2(rows / count) for count in counts.values())


@pytest.mark.parametrize("name", SAFE)
@pytest.mark.parametrize("suppressed_rows", ["drop", "blank"])
@few
@given(tables(min_rows=6), st.integers(2, 5), st.sampled_from([None, 0, 2, 8]))
def test_no_release_carries_more_bits_than_its_rows_allow(name, suppressed_rows, invented, k, most):
    frequency = invented.frequency
    assume(frequency.rows >= k + (8 if most is None else most))
    requirement = Requirement(k, most, suppressed_rows)
    try:
        recoding = ALGORITHMS[name](frequency, requirement)
    except la.Infeasible:
        return
    shown = recoding.visible(frequency, requirement)
    sizes = shown.classes(frequency, frequency.attributes)[1]
    released = int(shown.counts.sum())
    budget = measure_budget(frequency, protect(frequency, k))
    assert measure_bits(sizes) <= log2(released / k) + ROUNDING
    assert measure_bits(sizes) <= budget.bits + ROUNDING
    assert len(sizes) <= budget.most_classes


@some
@given(tables(min_rows=2), st.integers(2, 5))
def test_levels_that_carry_more_lose_at_least_the_stated_rows(invented, k):
    frequency = invented.frequency
    for vector in list_vectors(frequency.heights)[:20]:
        budget = measure_budget(frequency, protect(frequency, k), vector)
        share = frequency.outliers(vector, k) / frequency.rows
        assert budget.rows_lost <= share + ROUNDING
        assert budget.spent.bits <= log2(frequency.rows / k) + share * log2(k) + ROUNDING
        if not share:
            assert budget.fits


@some
@given(
    st.lists(st.tuples(st.integers(0, 5), *[st.sampled_from("abc")] * 2), min_size=2, max_size=24),
    st.integers(2, 3),
)
def test_classes_of_k_persons_are_at_most_the_persons_counted_over_k(rows, k):
    table = table_of(["a", "b"], [row[1:] for row in rows])
    persons = number_persons("p", np.array([row[0] for row in rows]), np.ones(len(rows), dtype=int))
    frequency = frequency_beside(table, {"a": la.Suppress(), "b": la.Suppress()}, [persons])
    requirement = Requirement(k, person="p")
    budget = measure_budget(frequency, protect(frequency, k, "p"))
    assert budget.counted == len(set(rows))
    for vector in list_vectors(frequency.heights):
        if not requirement.outliers(frequency, vector):
            assert len(frequency.classes(vector)) <= budget.most_classes
            spent = weigh_levels(frequency, frequency.attributes, vector)
            assert spent.bits <= budget.bits + ROUNDING


def test_persons_with_one_sequence_each_are_counted_once():
    rows = [(1, "a"), (1, "a"), (2, "a"), (3, "b"), (3, "b"), (3, "b"), (4, "b")]
    persons = number_persons("p", np.array([row[0] for row in rows]), np.ones(len(rows), dtype=int))
    table = table_of(["a"], [row[1:] for row in rows])
    frequency = frequency_beside(table, {"a": la.Suppress()}, [persons])
    budget = measure_budget(frequency, protect(frequency, 2, "p"))
    assert (budget.rows, budget.counted, budget.most_classes, budget.bits) == (7, 4, 2, 1.0)
    assert (
        "4 persons (counted once for each combination of values) at k = 2 form at most 2 classes"
        in budget.sentences[0]
    )


@some
@given(tables_and_vectors(1, min_rows=1))
def test_every_cost_is_that_of_plain_counting(drawn):
    invented, [vector] = drawn
    frequency = invented.frequency
    rolled = frequency.roll_up(vector)
    repeated = zip(rolled.sequences(), rolled.counts.tolist(), strict=True)
    labels = list(zip(*(row for row, count in repeated for _ in range(count)), strict=True))
    names = frequency.attributes
    found = weigh_levels(frequency, names, vector)
    joint = count_bits(list(zip(*labels, strict=True)))
    assert found.bits == pytest.approx(joint)
    for place, one in enumerate(found.columns):
        others = [column for number, column in enumerate(labels) if number != place]
        without = count_bits(list(zip(*others, strict=True))) if others else 0.0
        assert one.alone == pytest.approx(count_bits(labels[place]), abs=ROUNDING)
        assert one.given_others == pytest.approx(joint - without, abs=ROUNDING)


@few
@given(tables_and_vectors(1, min_rows=1))
def test_a_list_that_stays_in_the_engine_costs_the_same(drawn):
    invented, [vector] = drawn
    kept, frequency = stored(invented.table, invented.hierarchies), invented.frequency
    protected = protect(frequency, 2)
    here, there = (measure_budget(one, protected, vector) for one in (frequency, kept))
    assert here.counted == there.counted
    for one, other in ((here.ground, there.ground), (here.chosen, there.chosen)):
        assert one.bits == pytest.approx(other.bits, abs=ROUNDING)
        for column, same in zip(one.columns, other.columns, strict=True):
            assert column.alone == pytest.approx(same.alone, abs=ROUNDING)
            assert column.given_others == pytest.approx(same.given_others, abs=ROUNDING)


def test_the_hospital_has_room_for_seven_bits():
    columns = ["sex", "ward", "zip"]
    found = la.risk(PLACE, columns, k=5, encoding="cp1252", missing=["", "NA"])
    budget = found.budget
    assert (budget.most_classes, round(budget.bits, 1), budget.fits) == (120, 6.9, True)
    assert [round(one.alone, 1) for one in budget.ground.columns] == [1.2, 2.0, 3.3]
    assert round(budget.bits_at(11), 1) == 5.8
    assert found.as_json()["budget"]["bits_at_other_k"]["11"] == budget.bits_at(11)


def test_risk_counts_persons_in_the_budget_where_k_does():
    found = la.risk(PLACE, ["sex"], person="record_no", encoding="cp1252", missing=["", "NA"])
    assert (found.budget.rows, found.budget.counted) == (600, 228)  # 18 have sex or no value


def test_a_budget_says_how_many_rows_are_lost_at_least():
    whole = BitBudget(5, 600, 600, Spent(7.5, ()))
    assert not whole.fits
    assert whole.rows_lost == pytest.approx((7.5 - log2(120)) / log2(5))
    assert "at least 26 % of the rows" in whole.sentences[1]
    assert BitBudget(1, 4, 4, Spent(2.0, ())).rows_lost == 0
    assert BitBudget(5, 0, 0, weigh_columns([], [], lambda _: 0.0)).fits
