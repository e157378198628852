"""A lattice of 256 vectors, large enough for a search to be stopped before its end."""

import numpy as np
import pytest

from lookalike import Taxonomy
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.rollup import RollUps

from ..small_tables import frequency_of, table_of

TREE = {"A": {"ab": ["a", "b"], "cd": ["c", "d"]}, "E": {"ef": ["e", "f"], "gh": ["g", "h"]}}


@pytest.fixture
def frequency():
    """Three hundred rows over four attributes of height 3, nearly all different."""
    generator = np.random.default_rng(5)
    rows = np.array(list("abcdefgh"))[generator.integers(8, size=(300, 4))].tolist()
    names = [f"attribute {number}" for number in range(4)]
    return frequency_of(table_of(names, rows), dict.fromkeys(names, Taxonomy(TREE)))


@pytest.fixture
def rollups(frequency):
    """Its roll-ups under 3-anonymity."""
    return RollUps(frequency, Requirement(3))
