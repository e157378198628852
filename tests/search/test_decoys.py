"""Decoys raise cells to levels that are drawn, and leave everything that was promised."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import InvalidInput, Specification
from lookalike.hierarchy import Listed, Taxonomy
from lookalike.model.lattice import Lattice
from lookalike.model.measures import precision
from lookalike.model.requirement import Requirement
from lookalike.search.cells import decoys
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import ALGORITHMS, TAKES
from lookalike.search.options import SearchOptions

from ..effort import examples
from ..invented import tables
from ..small_tables import TREE, frequencies, released_rows

DECOYING = [name for name, takes in TAKES.items() if takes.decoys]
every = pytest.mark.parametrize("name", DECOYING)


@pytest.fixture
def drawing(monkeypatch):
    """Return a function that lets the lot draw one level for all, or the greatest allowed one."""

    def draw(level):
        def floors(lattice, classes, _):
            greatest = np.minimum(level, lattice.top)[:, None]
            return np.repeat(greatest, classes, axis=1).astype(np.int32)

        monkeypatch.setattr(decoys, "_draw_floors", floors)

    return draw


def run(name, frequency, rate="0.5", k=2, constraints=()):
    options = SearchOptions(
        decoys=Decimal(rate), constraints=tuple(map(Constraint.parse, constraints))
    )
    return ALGORITHMS[name](frequency, Requirement(k), options)


@every
@examples(30)
@given(tables(min_rows=6), st.integers(2, 4))
def test_every_class_keeps_its_rows_and_its_size(name, invented, k):
    frequency = invented.frequency
    assume(frequency.rows >= k)
    recoding = run(name, frequency, k=k)
    assert min(released_rows(frequency, recoding).values()) >= k
    before, after = recoding.before_decoys, recoding.tuples
    assert np.array_equal(before.rows_by_sequence(frequency), after.rows_by_sequence(frequency))
    heights = np.array(frequency.heights)[:, None]
    assert np.all(after.levels <= heights)
    if recoding.optimality is not None:
        assert precision(frequency, recoding) <= recoding.optimality.reached
    places = list(zip(after.sequence.tolist(), *after.levels.tolist(), strict=True))
    assert places == sorted(set(places))


@every
def test_each_cell_shows_the_level_that_is_drawn(name, drawing):
    frequency = frequencies("ac", "ac", "bd", "bd", one=TREE, two=TREE)
    drawing(1)
    assert released_rows(frequency, run(name, frequency)) == {("A", "C"): 4}
    drawing(2)
    assert released_rows(frequency, run(name, frequency)) == {("*", "*"): 4}
    drawing(0)
    assert released_rows(frequency, run(name, frequency)) == {("a", "c"): 2, ("b", "d"): 2}
    drawing(2)
    assert released_rows(frequency, run(name, frequency, rate="0")) == {
        ("a", "c"): 2,
        ("b", "d"): 2,
    }


@every
def test_a_cell_that_needs_more_than_is_drawn_stays_as_it_is(name, drawing):
    frequency = frequencies("aa", "ba", one=TREE, two=TREE)
    drawing(1)
    assert released_rows(frequency, run(name, frequency)) == {("A", "A"): 2}


@every
def test_no_decoy_is_above_the_levels_that_constraints_allow(name, drawing):
    drawing(2)
    frequency = frequencies("ac", "ac", "bd", "bd", one=TREE, two=TREE)
    shown = released_rows(frequency, run(name, frequency, constraints=["one = 0", "two <= 1"]))
    assert shown == {("a", "C"): 2, ("b", "C"): 2}


@every
def test_a_level_that_leaves_the_label_as_it_is_costs_nothing(name, drawing):
    frequency = frequencies((None,), (None,), ("a",), ("a",), one=TREE)
    drawing(1)
    made = run(name, frequency)
    assert released_rows(frequency, made) == {(None,): 2, ("A",): 2}
    assert precision(frequency, made) == 0.75
    drawing(2)
    assert released_rows(frequency, run(name, frequency)) == {("*",): 4}


@every
def test_a_repeated_label_is_charged_its_lowest_level(name, drawing):
    tree = Taxonomy({"all": {"f": [], "A": ["a", "b"]}})
    frequency = frequencies("f", "f", "a", "a", one=tree)
    drawing(1)
    made = run(name, frequency)
    assert released_rows(frequency, made) == {("f",): 2, ("A",): 2}
    assert precision(frequency, made) == 0.75


@every
def test_an_attribute_of_height_0_has_no_decoy(name, drawing):
    drawing(1)
    only = Listed({"a": ["a"]})
    frequency = frequencies("aa", "aa", one=only, two=TREE)
    assert released_rows(frequency, run(name, frequency)) == {("a", "A"): 2}


@every
def test_decoys_are_drawn_as_often_as_asked(name):
    letters = {f"v{n}": [f"v{n}", f"g{n % 50}", "*"] for n in range(400)}
    rows = [(value,) for value in letters for _ in range(2)]
    frequency = frequencies(*rows, one=Listed(letters))
    drawn = [run(name, frequency, rate="0.2").tuples.levels for _ in range(5)]
    counts = [np.bincount(levels[0], minlength=3).tolist() for levels in drawn]
    assert len({tuple(one) for one in counts}) > 1
    shares = np.sum(counts, axis=0) / 2000  # 2,000 lots: more than six standard deviations
    assert shares.tolist() == pytest.approx([0.64, 0.16, 0.2], abs=0.06)


def test_levels_are_drawn_between_the_least_and_the_greatest():
    lattice = Lattice((0, 1, 2), (0, 3, 2))
    drawn = decoys._draw_floors(lattice, 1000, Decimal("0.5"))
    assert [np.unique(levels).tolist() for levels in drawn] == [[0], [1, 2, 3], [2]]


@pytest.mark.parametrize("rate", ["0.51", "-0.1"])
def test_a_rate_is_at_most_one_half(rate):
    with pytest.raises(InvalidInput, match=r"0 to 0\.5"):
        Specification.build({"release": {"k": 2, "decoys": Decimal(rate)}, "attributes": {}})
