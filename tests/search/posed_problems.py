"""Problems of the cell level, posed for tables that are invented or spelled in letters."""

from hypothesis import strategies as st

from lookalike.model.lattice import Lattice
from lookalike.search.cells.solve import pose
from lookalike.search.options import SearchOptions

from ..invented import Invented, tables, weights
from ..partitions import Partitions
from ..small_tables import TREE, table_of

QUICK = SearchOptions(effort="quick")


@st.composite
def posed(draw, max_rows=16, allowances=(0,), bounded=True):
    """Invent a table of k rows at least, and pose its problem; return its partitions too."""
    k = draw(st.integers(2, 4))
    invented = draw(tables(min_rows=k, max_rows=max_rows))
    heights = invented.frequency.heights
    lattice = Lattice.of_heights(heights)
    if bounded and draw(st.booleans()):
        bounds = [sorted(draw(st.tuples(*[st.integers(0, top)] * 2))) for top in heights]
        lattice = Lattice(*zip(*bounds, strict=True))
    weighed = draw(weights(len(heights)))
    allowance = draw(st.sampled_from(allowances))
    objective = draw(st.sampled_from(["precision", "loss"]))
    return (
        pose_letters(invented, k, allowance, lattice, weighed, objective),
        Partitions(invented, k, weighed, allowance, lattice, objective),
    )


def pose_letters(invented, k, allowance=0, lattice=None, weighed=(), objective="precision"):
    """Pose the problem of an invented table."""
    frequency = invented.frequency
    every = lattice or Lattice.of_heights(frequency.heights)
    weights_of_all = SearchOptions(weights=weighed).weights_of(frequency)
    return pose(frequency, every, weights_of_all, k, allowance, objective)


def letters(text, hierarchy=TREE):
    """Return a table of one attribute whose values are letters."""
    return Invented(table_of(("letter",), [(letter,) for letter in text]), {"letter": hierarchy})
