"""Guarantees of every method, on generated tables."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible
from lookalike.model.measures import precision
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.search.argus.options import ArgusOptions
from lookalike.search.methods import ALGORITHMS
from lookalike.search.options import DEFAULTS, SearchOptions

from ..brute import list_vectors, show
from ..effort import examples
from ..invented import tables
from ..small_tables import occurrences, released_rows

few = examples(25)
ks = st.integers(2, 5)
allowances = st.one_of(st.none(), st.integers(0, 8))

DEFAULT_ALLOWANCE = {"datafly": lambda k: k}
"""The default number of rows that a method may suppress; 0 for methods not listed."""

REPAIRED = "mu-argus, repaired"
METHODS = {name: (algorithm, DEFAULTS) for name, algorithm in ALGORITHMS.items()} | {
    REPAIRED: (ALGORITHMS["mu-argus"], SearchOptions(argus=ArgusOptions(repair=True)))
}
CELL_BY_CELL = ("mu-argus", REPAIRED)
"""Methods that suppress cells and never rows."""
CLASS_BY_CLASS = ("mingen-cells", "k-similar")
"""Methods that generalize each class by itself, so that the result has no vector."""
UNPROVED = ("mingen-cells",)
"""Methods that bound their objective and need not prove the optimum."""
UNSAFE = ("mu-argus",)
"""Methods whose result may violate k, as the papers show."""

every = pytest.mark.parametrize("name", METHODS)
safe = pytest.mark.parametrize("name", [name for name in METHODS if name not in UNSAFE])
one_vector = pytest.mark.parametrize("name", [n for n in METHODS if n not in CLASS_BY_CLASS])
row_by_row = pytest.mark.parametrize(
    "name", [n for n in METHODS if n not in CELL_BY_CELL + CLASS_BY_CLASS]
)
class_by_class = pytest.mark.parametrize("name", CLASS_BY_CLASS)
cell_by_cell = pytest.mark.parametrize("name", CELL_BY_CELL)


def allow(name, k, allowed):
    """Return the number of rows that a method may suppress."""
    return allowed if allowed is not None else DEFAULT_ALLOWANCE.get(name, lambda _: 0)(k)


def run(name, invented, k, allowed, suppressed_rows="drop"):
    """Run a method on a table for which a release certainly exists."""
    assume(invented.table.num_rows >= k)
    assume(invented.table.num_rows > allow(name, k, allowed))
    requirement = Requirement(k, allowed, suppressed_rows)
    method, options = METHODS[name]
    return method(invented.frequency, requirement, options)


def released_classes(frequency, recoding):
    """Return the sizes of the classes without the suppressed rows."""
    if recoding.tuples is not None:
        return np.array(list(released_rows(frequency, recoding).values()))
    class_of, classes = frequency.classify(recoding.vector)
    return classes.counts - np.bincount(
        class_of, weights=recoding.suppressed, minlength=len(classes)
    )


@safe
@few
@given(tables(min_rows=6), ks, allowances)
def test_every_class_that_is_released_has_k_rows(name, invented, k, allowed):
    recoding = run(name, invented, k, allowed)
    sizes = released_classes(invented.frequency, recoding)
    assert all(size == 0 or size >= k for size in sizes)
    assert sizes.sum() > 0


@every
@few
@given(tables(min_rows=6), ks, allowances)
def test_suppression_stays_within_the_allowance(name, invented, k, allowed):
    recoding = run(name, invented, k, allowed)
    assert recoding.rows_suppressed <= allow(name, k, allowed)
    assert recoding.rows_suppressed == recoding.suppressed.sum()
    assert recoding.rows_complementary == 0


@row_by_row
@few
@given(tables(min_rows=6), ks, allowances)
def test_only_outliers_are_suppressed_and_all_of_them(name, invented, k, allowed):
    recoding = run(name, invented, k, allowed)
    class_of, classes = invented.frequency.classify(recoding.vector)
    outlying = (classes.counts < k)[class_of]
    assert recoding.suppressed.tolist() == (outlying * invented.frequency.counts).tolist()


@every
@few
@given(tables(min_rows=6), ks, allowances)
def test_every_row_is_released_or_suppressed(name, invented, k, allowed):
    recoding = run(name, invented, k, allowed)
    released = recoding.released(invented.frequency).rows_by_sequence(invented.frequency)
    assert (released + recoding.suppressed).tolist() == invented.frequency.counts.tolist()


@one_vector
@few
@given(tables(min_rows=6), ks, allowances)
def test_every_value_is_a_true_ancestor(name, invented, k, allowed):
    recoding = run(name, invented, k, allowed)
    heights = invented.frequency.heights
    assert all(0 <= d <= height for d, height in zip(recoding.vector, heights, strict=True))
    class_of, classes = invented.frequency.classify(recoding.vector)
    for ground, position in zip(invented.frequency.sequences(), class_of, strict=True):
        shown = classes.sequences()[position]
        for rule, value, label, level in zip(
            invented.rules, ground, shown, recoding.vector, strict=True
        ):
            assert value in (None, "*") or rule.generalize(value, level) == label


@every
@few
@given(tables(min_rows=6), ks, allowances)
def test_every_cell_shows_the_ancestor_at_its_level_or_nothing(name, invented, k, allowed):
    tuples = run(name, invented, k, allowed).released(invented.frequency)
    sequences = invented.frequency.sequences()
    for attribute, rule in enumerate(invented.rules):
        labels, shown = tuples.shown(invented.frequency, attribute)
        cells = zip(tuples.sequence, tuples.levels[attribute], shown, strict=True)
        for sequence, level, code in cells:
            value = sequences[sequence][attribute]
            expected = "*" if level == SUPPRESSED_CELL else show(rule, value, level)
            assert labels[code] == expected


@cell_by_cell
@few
@given(tables(min_rows=6), ks, allowances)
def test_no_row_is_left_out_where_cells_are_suppressed(name, invented, k, allowed):
    recoding = run(name, invented, k, allowed)
    assert not recoding.suppressed.any()
    assert recoding.tuples.rows_by_sequence(invented.frequency).tolist() == (
        invented.frequency.counts.tolist()
    )
    assert recoding.k_minimal is None


@class_by_class
@few
@given(tables(min_rows=6), ks, allowances)
def test_every_row_is_released_or_suppressed_once(name, invented, k, allowed):
    recoding = run(name, invented, k, allowed)
    released = recoding.tuples.rows_by_sequence(invented.frequency)
    assert (released + recoding.suppressed).tolist() == invented.frequency.counts.tolist()
    assert recoding.vector is None
    assert recoding.k_minimal is None


@row_by_row
@few
@given(tables(min_rows=6), ks, allowances)
def test_it_says_rightly_whether_its_vector_is_k_minimal(name, invented, k, allowed):
    recoding = run(name, invented, k, allowed)
    allowance = allow(name, k, allowed)
    below = [
        vector
        for vector in list_vectors(recoding.vector)
        if invented.frequency.outliers(vector, k) <= allowance
    ]
    assert recoding.k_minimal == (below == [recoding.vector])


@every
@few
@given(tables(min_rows=6), ks, allowances)
def test_the_same_table_gets_the_same_answer_again(name, invented, k, allowed):
    first, second = (run(name, invented, k, allowed) for _ in range(2))
    assert first.vector == second.vector
    assert first.suppressed.tolist() == second.suppressed.tolist()
    assert first.steps == second.steps
    assert released_rows(invented.frequency, first) == released_rows(invented.frequency, second)


@safe
@few
@given(tables(min_rows=20, max_rows=40), ks, allowances)
def test_blank_rows_number_none_or_at_least_k(name, invented, k, allowed):
    try:
        recoding = run(name, invented, k, allowed, "blank")
    except Infeasible:
        assume(False)
    gone = recoding.suppressed.sum()
    assert gone == 0 or gone >= k
    assert gone == recoding.rows_suppressed + recoding.rows_complementary
    sizes = released_classes(invented.frequency, recoding)
    assert all(size == 0 or size >= k for size in sizes)


@every
@few
@given(tables(min_rows=6), ks, allowances)
def test_what_it_says_of_its_optimum_is_what_is_measured(name, invented, k, allowed):
    recoding = run(name, invented, k, allowed)
    if recoding.optimality is not None:
        measured = precision(invented.frequency, recoding)
        known = recoding.optimality
        assert known.reached == pytest.approx(measured, abs=1e-9)
        assert known.reached <= known.bound
        assert known.proved or name in UNPROVED


@every
@few
@given(tables(min_rows=6), ks, allowances, st.randoms())
def test_the_order_of_rows_does_not_matter(name, invented, k, allowed, random):
    order = list(range(invented.table.num_rows))
    random.shuffle(order)
    reordered = invented.reorder(order)
    first, second = (run(name, one, k, allowed) for one in (invented, reordered))
    assert first.vector == second.vector
    assert first.rows_suppressed == second.rows_suppressed
    shown = released_rows(reordered.frequency, second)
    assert released_rows(invented.frequency, first) == shown


@every
@few
@given(tables(max_rows=8), ks)
def test_a_table_that_satisfies_k_is_left_as_it_is(name, invented, k):
    repeated = invented.reorder([*range(invented.table.num_rows)] * k)
    method, options = METHODS[name]
    recoding = method(repeated.frequency, Requirement(k), options)
    assert recoding.vector == (None if name in CLASS_BY_CLASS else (0,) * len(invented.rules))
    assert (recoding.released(repeated.frequency).levels <= 0).all()
    assert not recoding.suppressed.any()
    assert released_rows(repeated.frequency, recoding) == occurrences(repeated.frequency)


@every
@few
@given(tables(min_rows=0, max_rows=4), st.integers(5, 9), allowances)
def test_fewer_rows_than_k_are_infeasible(name, invented, k, allowed):
    method, options = METHODS[name]
    with pytest.raises(Infeasible, match="fewer than k"):
        method(invented.frequency, Requirement(k, allowed), options)
