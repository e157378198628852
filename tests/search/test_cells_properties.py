"""Properties of every release whose levels differ from cell to cell."""

from dataclasses import dataclass
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.read import read_frame
from lookalike.verify import cell_matching
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.truth import count_untruthful

from ..brute import count_unmatched_rows, show
from ..effort import examples
from ..invented import Invented, tables
from ..small_tables import table_of

some = examples(40)
UNCHANGED = st.sampled_from(["flu", "", None, "*"])


@pytest.fixture(scope="module")
def engine():
    return Connection()


@dataclass(frozen=True)
class Case:
    """A private table, and rows that were made of its own, cell by cell."""

    invented: Invented
    unchanged: list[str]
    private: list
    released: list

    def count_false(self, engine, released, levels=None):
        names = [*self.invented.hierarchies, *self.unchanged]
        claim = TruthClaim(
            hierarchies=self.invented.hierarchies,
            levels=dict.fromkeys(self.invented.hierarchies) | (levels or {}),
            unchanged=self.unchanged,
            blank=False,
            suppressed_label="*",
            cells=True,
        )
        rows = as_relation(read_frame(table_of(names, released)), engine)
        return count_untruthful(read_frame(table_of(names, self.private)), rows, claim, engine)

    def count_plainly(self, released, levels=None):
        bound = [(levels or {}).get(name) for name in self.invented.hierarchies]
        return count_unmatched_rows(self.private, released, self.invented.rules, bound)


@st.composite
def cases(draw):
    """Generalize some rows of a table in another order, each cell to any level."""
    invented = draw(tables(max_rows=12))
    unchanged = [f"unchanged {number}" for number in range(draw(st.integers(0, 2)))]
    private = [(*row, *(draw(UNCHANGED) for _ in unchanged)) for row in invented.rows]
    order = draw(st.permutations(private))
    kept = order[: draw(st.integers(0, len(order)))]
    released = [
        tuple(
            draw(st.sampled_from(["*", *list_shown(rule, value)]))
            for rule, value in zip(invented.rules, row, strict=False)
        )
        + row[len(invented.rules) :]
        for row in kept
    ]
    return Case(invented, unchanged, private, released)


def list_shown(rule, value):
    """List the labels of a value, from its own level to the top."""
    return [show(rule, value, level) for level in range(rule.height + 1)]


def tamper(draw, case):
    """Repeat rows, and swap cells within their columns or put another label there."""
    rows = [list(row) for row in case.released]
    rows += [list(draw(st.sampled_from(case.released))) for _ in range(draw(st.integers(0, 3)))]
    labels = [
        sorted({text for value in column for text in list_shown(rule, value)}, key=repr)
        for rule, column in zip(case.invented.rules, zip(*case.private, strict=True), strict=False)
    ]
    for _ in range(draw(st.integers(0, 6))):
        row, column = draw(st.sampled_from(rows)), draw(st.integers(0, len(rows[0]) - 1))
        other = draw(st.sampled_from(rows))[column]
        known = labels[column] if column < len(labels) else []
        row[column] = draw(st.sampled_from([other, *known, None, "nonsense"]))
    return [tuple(row) for row in rows]


@some
@given(cases())
def test_rows_that_generalize_rows_of_their_own_are_true(engine, case):
    assert case.count_false(engine, case.released) == 0


@some
@given(st.data(), cases().filter(lambda case: case.released))
def test_as_many_are_false_as_a_matching_row_by_row_leaves(engine, data, case):
    released = tamper(data.draw, case)
    with mock.patch.object(cell_matching, "BATCH", data.draw(st.sampled_from([1, 3, 100_000]))):
        assert case.count_false(engine, released) == case.count_plainly(released)


@some
@given(st.data(), cases().filter(lambda case: case.released))
def test_levels_that_are_claimed_bind_all_but_suppressed_cells(engine, data, case):
    levels = {
        name: data.draw(st.one_of(st.none(), st.integers(0, rule.height)))
        for name, rule in zip(case.invented.hierarchies, case.invented.rules, strict=True)
    }
    expected = case.count_plainly(case.released, levels)
    assert case.count_false(engine, case.released, levels) == expected
