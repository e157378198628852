"""Invented tables that are small enough for all of Samarati's searches."""

from hypothesis import strategies as st

from lookalike.model.lattice import Lattice

from ..effort import examples
from ..invented import tables

few = examples(60)
ks = st.integers(2, 4)
allowances = st.integers(0, 5)
people = tables(min_rows=4, max_rows=12)


def has_few_strategies(invented):
    """Return whether a table has few enough strategies to go through all of them."""
    return Lattice.of_heights(invented.frequency.heights).count_strategies() <= 1000


walkable = people.filter(has_few_strategies)
