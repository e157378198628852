"""Cells inferred from totals have the same value in every world."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from lookalike.risk.releases.attack_classes import attack_classes

from ..effort import examples
from ..seen_rows import see_rows
from .brute import Naive, worlds
from .invented import DOMAINS, KNOWN, RULES, Set, persons, release


@st.composite
def releases_and_totals(draw):
    """Invent a release of some people, and how many of them have each value of a column."""
    people = draw(st.lists(persons(), min_size=1, max_size=4))
    made = draw(release(people).filter(lambda one: set(one.columns) & set(KNOWN)))
    column = draw(st.sampled_from([name for name in KNOWN if name in made.columns]))
    values = tuple((person[KNOWN.index(column)],) for person in people)
    return Set((made, Naive((column,), values, {})), len(people))


def infer_by_looking(invented):
    """Return the cells that have one value in every world, and show another."""
    made, totals = invented.releases
    place = made.columns.index(totals.columns[0])
    meant = {row: set() for row in range(len(made.rows))}
    for world in worlds(invented.releases, RULES, DOMAINS, invented.people):
        for row, other in world:
            if row is not None:
                meant[row].add(totals.rows[other][0])
    inferred = [
        (made.rows[row][place], *values) for row, values in meant.items() if len(values) == 1
    ]
    return Counter((shown, value) for shown, value in inferred if shown != value)


@examples(100)
@given(releases_and_totals())
def test_a_cell_is_inferred_if_every_world_gives_it_one_value(invented):
    totals = invented.releases[1]
    seen = invented.classes()[0]
    known = see_rows("totals", totals.columns, totals.rows, levels={}, k=2)
    [summary] = attack_classes([seen], RULES, totals=[known]).summaries
    found = Counter({(one.shown, one.value): one.cells for one in summary.inferred})
    assert found == infer_by_looking(invented)
