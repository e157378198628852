"""A table that is small enough to check by hand."""

import pytest

from lookalike import Taxonomy
from lookalike.model.requirement import Requirement

from ..small_tables import frequency_of, table_of


@pytest.fixture
def small():
    """The frequency list of four letters under a tree of two levels, and 2-anonymity."""
    table = table_of(("letter",), [(letter,) for letter in "abcd"])
    tree = Taxonomy({"A": ["a", "b"], "C": ["c", "d"]})
    return frequency_of(table, {"letter": tree}), Requirement(2)
