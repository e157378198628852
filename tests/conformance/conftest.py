"""A table that is small enough to check by hand."""

import pytest

from lookalike.model.requirement import Requirement

from ..small_tables import TREE, frequency_of, table_of


@pytest.fixture
def small():
    """The frequency list of four letters under a tree of two levels, and 2-anonymity."""
    table = table_of(("letter",), [(letter,) for letter in "abcd"])
    return frequency_of(table, {"letter": TREE}), Requirement(2)
