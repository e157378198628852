"""Properties of k-Similar on invented tables."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible
from lookalike.model.lattice import Lattice
from lookalike.model.measures import loss, precision
from lookalike.model.requirement import Requirement
from lookalike.search.cells.clustering import (
    cluster_rows,
    lay_out_ground,
    split_into_sequences,
)
from lookalike.search.cells.costs import cost_finely
from lookalike.search.cells.improvement import swap_between_classes
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import k_similar
from lookalike.search.methods.k_similar import suppress_costly
from lookalike.search.options import SearchOptions

from ..brute import show
from ..effort import examples
from ..invented import tables, weights
from ..partitions import Partitions
from ..small_tables import released_rows

some = examples(60)
ks = st.integers(2, 5)


def lay(invented, asked=(), lattice=None):
    """Reduce the sequences of a table to the lowest levels."""
    frequency = invented.frequency
    options = SearchOptions(weights=asked)
    costs = cost_finely(frequency, options.weights_of(frequency), "precision")
    return lay_out_ground(frequency, costs, lattice or Lattice.of_heights(frequency.heights))


def cost_of(ground, classes):
    """Add up the costs of the rows of classes, cell by cell."""
    total = 0
    for number in range(len(classes)):
        mine = classes.class_of == number
        members, size = classes.sequence[mine], int(classes.counts[mine].sum())
        for attribute in range(len(ground.cells.bottom)):
            level = int(ground.cells.bottom[attribute])
            while len(set(ground.cells.ancestors[members, attribute, level])) > 1:
                level += 1
            code = ground.cells.ancestors[members[0], attribute, level]
            total += size * int(ground.cells.prices[code])
    return total


def rows_by_sequence(classes, number):
    return np.bincount(classes.sequence, classes.counts, minlength=number).tolist()


@some
@given(tables(min_rows=6, max_rows=40), ks, st.data())
def test_classes_have_k_rows_and_fewer_than_two_k_unless_they_are_identical(invented, k, data):
    assume(invented.table.num_rows >= k)
    _, ground = lay(invented, data.draw(weights(len(invented.hierarchies))))
    classes, near = cluster_rows(ground, k)
    for made in (classes, swap_between_classes(ground, classes, near, k)):
        assert rows_by_sequence(made, len(ground.counts)) == ground.counts.tolist()
        assert made.counts.min() > 0
        for number, size in enumerate(made.sizes().tolist()):
            assert size >= k
            assert size < 2 * k or np.count_nonzero(made.class_of == number) == 1


@some
@given(tables(min_rows=6, max_rows=40), ks, st.data())
def test_no_step_raises_the_total(invented, k, data):
    assume(invented.table.num_rows >= k)
    _, ground = lay(invented, data.draw(weights(len(invented.hierarchies))))
    allowed = data.draw(st.integers(0, invented.table.num_rows))
    classes, near = cluster_rows(ground, k)
    improved = swap_between_classes(ground, classes, near, k)
    left = suppress_costly(ground, improved, near, k, allowed)
    gone = int(improved.counts.sum() - left.counts.sum())
    totals = [cost_of(ground, one) for one in (classes, improved, left)]
    totals[2] += gone * ground.suppressed
    assert totals == sorted(totals, reverse=True)
    assert gone <= allowed
    assert left.sizes().min() >= k


@some
@given(tables(min_rows=4, max_rows=8), st.integers(2, 3), st.data())
def test_it_is_never_better_than_the_best_of_all_partitions(invented, k, data):
    asked = data.draw(weights(len(invented.hierarchies)))
    allowed = data.draw(st.integers(0, 2))
    effort = data.draw(st.sampled_from(["quick", "standard"]))
    objective = data.draw(st.sampled_from(["precision", "loss"]))
    options = SearchOptions(weights=asked, bound=True, effort=effort, objective=objective)
    recoding = k_similar(invented.frequency, Requirement(k, allowed), options)
    partitions = Partitions(invented, k, asked, allowed, objective=objective)
    best, known = float(partitions.best()), recoding.optimality
    in_order = [known.reached, best, known.bound]
    assert in_order == sorted(in_order, reverse=objective == "loss")
    measured = loss if objective == "loss" else precision
    assert known.reached == measured(invented.frequency, recoding, options.weights or None)
    assert not known.proved or known.reached == best
    assert partitions.overcharged(known.duals) == []
    assert known.bound == float(partitions.bound(known.duals))


@some
@given(tables(min_rows=2, max_rows=6))
def test_as_many_rows_as_k_are_one_class_which_is_the_best(invented):
    k = invented.table.num_rows
    recoding = k_similar(invented.frequency, Requirement(k))
    assert list(released_rows(invented.frequency, recoding).values()) == [k]
    best = Partitions(invented, k).best()
    assert precision(invented.frequency, recoding) == float(best)


@some
@given(tables(min_rows=6, max_rows=40), ks, st.data())
def test_levels_stay_within_bounds(invented, k, data):
    frequency = invented.frequency
    bounds = [sorted(data.draw(st.tuples(*[st.integers(0, h)] * 2))) for h in frequency.heights]
    texts = [
        f"{name} {sign} {level}"
        for name, pair in zip(frequency.attributes, bounds, strict=True)
        for sign, level in zip((">=", "<="), pair, strict=True)
    ]
    options = SearchOptions(constraints=tuple(map(Constraint.parse, texts)))
    allowed = data.draw(st.integers(0, 20))
    outliers = frequency.outliers([high for _, high in bounds], k)
    try:
        recoding = k_similar(frequency, Requirement(k, allowed), options)
    except Infeasible:
        assert outliers > allowed or outliers == frequency.rows or frequency.rows < k
        return
    assert outliers <= recoding.rows_suppressed <= allowed
    for line, (low, high) in zip(recoding.tuples.levels, bounds, strict=True):
        assert low <= line.min()
        assert line.max() <= high
    assert min(released_rows(frequency, recoding).values()) >= k


@some
@given(tables(min_rows=6, max_rows=40), ks)
def test_rows_show_true_ancestors_and_k_of_them_are_alike(invented, k):
    frequency = invented.frequency
    recoding = k_similar(frequency, Requirement(k))
    shown = {}
    for sequence, levels, count in zip(
        recoding.tuples.sequence, recoding.tuples.levels.T, recoding.tuples.counts, strict=True
    ):
        row = frequency.sequences()[sequence]
        cells = tuple(
            show(rule, value, level)
            for rule, value, level in zip(invented.rules, row, levels, strict=True)
        )
        shown[cells] = shown.get(cells, 0) + int(count)
    assert min(shown.values()) >= k
    assert shown == released_rows(frequency, recoding)


@some
@given(tables(min_rows=6, max_rows=40), ks, st.data())
def test_classes_at_a_bottom_are_split_without_losing_a_row(invented, k, data):
    frequency = invented.frequency
    bottom = tuple(data.draw(st.integers(0, height)) for height in frequency.heights)
    lower, ground = lay(invented, lattice=Lattice(bottom, frequency.heights))
    classes, _ = cluster_rows(ground, k)
    split = split_into_sequences(classes, lower, frequency.counts)
    assert rows_by_sequence(split, len(frequency)) == frequency.counts.tolist()
    assert split.sizes().tolist() == classes.sizes().tolist()
    for number in range(len(classes)):
        members = lower[split.sequence[split.class_of == number]]
        assert set(members) == set(classes.sequence[classes.class_of == number])
