"""Decoys raise cells by one step, by lot, and leave everything that was promised."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import InvalidInput, Specification
from lookalike.hierarchy import Listed, Taxonomy
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
def certain(monkeypatch):
    """Draw a decoy wherever one is possible."""
    monkeypatch.setattr(
        decoys, "_toss", lambda attributes, classes, _: np.ones((attributes, classes), np.bool_)
    )


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
def test_with_certain_coins_each_cell_shows_its_parent(name, certain):
    frequency = frequencies("ac", "ac", "bd", "bd", one=TREE, two=TREE)
    assert released_rows(frequency, run(name, frequency)) == {("A", "C"): 4}
    assert released_rows(frequency, run(name, frequency, rate="0")) == {
        ("a", "c"): 2,
        ("b", "d"): 2,
    }


@every
def test_no_decoy_is_above_the_levels_that_constraints_allow(name, certain):
    frequency = frequencies("ac", "ac", "bd", "bd", one=TREE, two=TREE)
    shown = released_rows(frequency, run(name, frequency, constraints=["one = 0", "two <= 1"]))
    assert shown == {("a", "C"): 2, ("b", "C"): 2}


@every
def test_the_decoy_of_a_missing_value_is_the_top(name, certain):
    frequency = frequencies((None,), (None,), ("a",), ("a",), one=TREE)
    assert released_rows(frequency, run(name, frequency)) == {("*",): 2, ("A",): 2}


@every
def test_the_decoy_of_a_repeated_label_is_the_next_other_label(name, certain):
    tree = Taxonomy({"all": {"f": [], "A": ["a", "b"]}})
    frequency = frequencies("f", "f", "a", "a", one=tree)
    assert released_rows(frequency, run(name, frequency)) == {("all",): 2, ("A",): 2}


@every
def test_an_attribute_of_height_0_has_no_decoy(name, certain):
    only = Listed({"a": ["a"]})
    frequency = frequencies("aa", "aa", one=only, two=TREE)
    assert released_rows(frequency, run(name, frequency)) == {("a", "A"): 2}


@every
def test_decoys_are_drawn_as_often_as_asked(name):
    letters = {f"v{n}": [f"v{n}", f"g{n % 50}", "*"] for n in range(400)}
    rows = [(value,) for value in letters for _ in range(2)]
    frequency = frequencies(*rows, one=Listed(letters))
    raised = [int((run(name, frequency, rate="0.2").tuples.levels > 0).sum()) for _ in range(5)]
    assert len(set(raised)) > 1
    assert 0.14 < sum(raised) / 2000 < 0.26  # 2,000 coins: more than six standard deviations


@pytest.mark.parametrize("rate", ["0.51", "-0.1"])
def test_a_rate_above_one_half_would_announce_agreement(rate):
    with pytest.raises(InvalidInput, match=r"0 to 0\.5"):
        Specification.build({"release": {"k": 2, "decoys": Decimal(rate)}, "attributes": {}})
