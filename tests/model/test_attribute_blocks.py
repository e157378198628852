"""AttributeBlocks: attributes combined in one code give the same outliers as without."""

import numpy as np
import pytest

from lookalike.hierarchy.bound import bind_paths
from lookalike.kernels import group_sequences
from lookalike.model import attribute_blocks
from lookalike.model.attribute_blocks import AttributeBlocks
from lookalike.model.lattice import Lattice

GENERATOR = np.random.default_rng(5)


def bind(name, size, middle):
    """Return a hierarchy of height 2 with so many values at the ground and in the middle."""
    return bind_paths(name, [(f"v{n}", f"m{n % middle}", "*") for n in range(size)], "#")


def outliers_one_by_one(hierarchies, codes, counts, vector, k):
    """Count outliers by grouping without blocks."""
    lifts = [h.lift(0, level) for h, level in zip(hierarchies, vector, strict=True)]
    sizes = [h.size(level) for h, level in zip(hierarchies, vector, strict=True)]
    totals = group_sequences(codes, lifts, sizes, counts)[2]
    return int(totals[totals < k].sum())


@pytest.mark.parametrize("most", [1, 12, 8192])
@pytest.mark.parametrize("sizes", [(3, 4, 5), (7,), (2, 65_536, 3)])
@pytest.mark.parametrize("k", [1, 5, 127, 128])
def test_outliers_are_those_without_blocks(most, sizes, k, monkeypatch):
    monkeypatch.setattr(attribute_blocks, "MOST_CODES", most)
    monkeypatch.setattr(attribute_blocks, "MOST_TABLES", 4)
    hierarchies = [bind(f"a{n}", size, 2) for n, size in enumerate(sizes)]
    codes = np.array([GENERATOR.integers(size, size=2500) for size in sizes], dtype=np.int32)
    counts = GENERATOR.choice([1, 2, 100, 200, 2**40], size=2500, p=[0.5, 0.2, 0.1, 0.1, 0.1])
    combined = AttributeBlocks(hierarchies, (0,) * len(sizes), codes, counts)
    for vector in Lattice.of_heights((2,) * len(sizes)):
        expected = outliers_one_by_one(hierarchies, codes, counts, vector, k)
        assert combined.outliers(vector, k) == expected


def test_another_k_may_follow():
    hierarchies = [bind("a", 3, 2)]
    combined = AttributeBlocks(
        hierarchies, (0,), np.array([[0, 1, 2]], dtype=np.int32), np.array([1, 5, 9])
    )
    assert [combined.outliers((0,), k) for k in (2, 6, 10, 6)] == [1, 6, 15, 6]
