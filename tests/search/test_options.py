"""SearchOptions: the defaults, and the lattice that constraints leave."""

from decimal import Decimal

import pytest

from lookalike import InvalidInput, Suppress, Taxonomy
from lookalike.model.lattice import Lattice
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import datafly
from lookalike.search.options import DEFAULTS, SearchOptions

from ..small_tables import frequency_of, table_of


@pytest.fixture
def frequency():
    table = table_of(("letter", "sex"), [("a", "f"), ("b", "m")])
    tree = Taxonomy({"A": ["a"], "B": ["b"]})
    return frequency_of(table, {"letter": tree, "sex": Suppress()})


def test_attributes_weigh_alike_if_nothing_is_said(frequency):
    assert DEFAULTS.weights_of(frequency) == (Decimal(1), Decimal(1))


def test_weights_are_those_that_were_given(frequency):
    given = (Decimal("0.3"), Decimal(0))
    assert SearchOptions(given).weights_of(frequency) == given


def test_all_vectors_are_left_if_nothing_is_said(frequency):
    assert DEFAULTS.lattice_of(frequency) == (Lattice((0, 0), (2, 1)), [])


def test_bounds_are_on_the_attribute_they_name(frequency):
    bounds = (Constraint.parse("letter >= 1"), Constraint.parse("distinct > 1"))
    lattice, others = SearchOptions(constraints=bounds).lattice_of(frequency)
    assert lattice == Lattice((1, 0), (2, 1))
    assert others == [bounds[1]]


def test_nothing_needs_to_listen():
    assert DEFAULTS.announce("anything") is None


@pytest.mark.parametrize(
    "options",
    [
        SearchOptions(prefer=("minimum-suppression",)),
        SearchOptions(constraints=(Constraint.parse("sex = 0"),)),
    ],
)
def test_datafly_refuses_what_it_cannot_follow(frequency, options):
    with pytest.raises(InvalidInput, match="datafly does not take"):
        datafly(frequency, Requirement(2), options)
