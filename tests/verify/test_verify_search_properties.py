"""The verifier's own search agrees with trying every division of the rows into classes."""

from decimal import Decimal

from hypothesis import assume, event, given
from hypothesis import strategies as st

from lookalike.model.lattice import Lattice
from lookalike.model.proved_bound import Duals
from lookalike.verify.bound.cost import CostUnits
from lookalike.verify.bound.search_again import find_cheaper

from ..effort import examples
from ..invented import tables, weights
from ..partitions import Partitions


@st.composite
def cases(draw):
    """Invent a table, what is asked of it, and values that hold: lowered ones do, too."""
    invented = draw(tables(min_rows=2, max_rows=9))
    heights = invented.frequency.heights
    weighed = draw(weights(len(heights))) or (Decimal(1),) * len(heights)
    tops = [draw(st.sampled_from([height, height, max(0, height - 1)])) for height in heights]
    partitions = Partitions(
        invented,
        draw(st.integers(2, 3)),
        weighed,
        draw(st.sampled_from([0, 0, 1, 3])),
        Lattice((0,) * len(heights), tuple(tops)),
    )
    lowered = draw(st.lists(st.integers(0, 90), min_size=1, max_size=9))
    return partitions, lowered, draw(st.integers(0, 20))


@examples(60)
@given(cases(), st.integers(-3, 3))
def test_a_release_is_found_exactly_where_there_is_one(case, away):
    partitions, lowered, price = case
    best = partitions.best()
    assume(best is not None)
    frequency, scale = partitions.invented.frequency, 6_000
    values = frequency.counts * 0 - [lowered[n % len(lowered)] for n in range(len(frequency))]
    units = CostUnits(frequency, partitions.weights, scale)
    assume(units.whole)
    lost = (1 - best) * len(partitions.invented.rows) * sum(partitions.scales) * scale
    cost = int(lost) + away
    cheaper = find_cheaper(
        units,
        Duals(scale, values, price),
        partitions.lattice,
        partitions.k,
        partitions.allowance,
        cost,
    )
    assert cheaper == (lost < cost)
    event(str(cheaper))
