"""Properties of every released table."""

from collections import Counter
from dataclasses import dataclass

import pyarrow as pa
import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.flow.result import Release
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.read import read_frame
from lookalike.tables.recode import recode
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.truth import count_untruthful

from ..brute import generalize_rows, prec_of_cells
from ..effort import examples
from ..invented import Invented, tables
from ..small_tables import rows_of, table_of

few = examples(60)
fewer = examples(15)
ks = st.integers(2, 4)
allowances = st.one_of(st.none(), st.integers(0, 6))
people = tables(min_rows=4)

MISSING_AT_THE_TOP = Invented(
    table_of(("race",), [("black",), ("white",), (None,)]),
    {"race": la.Taxonomy({"person": ["black", "white"]})},
)
UNKNOWN_AT_THE_TOP = Invented(
    table_of(("race",), [("black",), ("white",), ("martian",)]),
    {"race": la.Taxonomy({"person": ["black", "white"]}, unknown="suppress")},
)


@pytest.fixture(scope="module")
def engine():
    return Connection()


@dataclass(frozen=True)
class Made:
    """A release before publication, and its rows, which are not verified yet."""

    decided: Release
    table: pa.Table

    @property
    def recoding(self):
        return self.decided.recoding

    @property
    def rows(self):
        return rows_of(self.table)


def make(invented, k, allowed=None, **fields):
    """Make a release; skip tables of which no row would be released."""
    asked = {"k": k, "method": "datafly", "max_suppressed": allowed, **fields}
    specification = la.Specification.build({"release": asked, "attributes": invented.attributes})
    try:
        decided = prepare(specification, frame=read_frame(invented.table))
    except la.Infeasible:
        reject()
    return Made(decided, recode(decided.plan).to_native())


def count_false_rows(invented, made, table, engine):
    """Count the rows that do not generalize a private row of their own."""
    claim = TruthClaim(
        hierarchies=invented.hierarchies,
        levels=made.decided.levels,
        unchanged=(),
        blank=made.decided.plan.blank,
        suppressed_label="*",
    )
    relation = as_relation(read_frame(table), engine)
    return count_untruthful(read_frame(invented.table), relation, claim, engine)


@few
@given(people, ks, allowances, st.sampled_from(["drop", "blank"]))
def test_it_satisfies_k(invented, k, allowed, suppressed_rows):
    made = make(invented, k, allowed, suppressed_rows=suppressed_rows)
    assert min(Counter(made.rows).values()) >= k


@few
@given(people, ks, allowances)
def test_rows_are_released_or_suppressed_within_the_allowance(invented, k, allowed):
    made = make(invented, k, allowed)
    assert made.table.num_rows + made.recoding.rows_suppressed == invented.table.num_rows
    assert made.recoding.rows_suppressed <= (k if allowed is None else allowed)


@few
@given(people, ks, allowances)
def test_released_rows_are_those_whose_generalization_occurs_k_times(invented, k, allowed):
    made = make(invented, k, allowed)
    images = Counter(generalize_rows(invented.rows, invented.rules, made.recoding.vector))
    assert Counter(made.rows) == {row: n for row, n in images.items() if n >= k}


@fewer
@given(people, ks, allowances, st.sampled_from(["drop", "blank"]))
@example(MISSING_AT_THE_TOP, 3, 0, "drop")
@example(UNKNOWN_AT_THE_TOP, 3, 0, "drop")
def test_every_row_is_true(engine, invented, k, allowed, suppressed_rows):
    made = make(invented, k, allowed, suppressed_rows=suppressed_rows)
    assert count_false_rows(invented, made, made.table, engine) == 0


@fewer
@given(people, ks, allowances)
def test_a_row_that_is_added_is_found_false(engine, invented, k, allowed):
    made = make(invented, k, allowed)
    rows = [*invented.rows, invented.rows[0]]
    images = generalize_rows(rows, invented.rules, made.recoding.vector)
    longer = table_of(list(invented.hierarchies), images)
    assert count_false_rows(invented, made, longer, engine) == 1


@few
@given(st.data(), people, ks, allowances)
def test_the_order_of_the_rows_does_not_matter(data, invented, k, allowed):
    order = data.draw(st.permutations(range(invented.table.num_rows)))
    made, again = make(invented, k, allowed), make(invented.reorder(order), k, allowed)
    assert made.recoding.vector == again.recoding.vector
    assert made.decided.measures == again.decided.measures
    assert Counter(made.rows) == Counter(again.rows)


@few
@given(tables(max_rows=8), ks)
def test_a_table_that_satisfies_k_comes_back_as_it_is(invented, k):
    repeated = invented.reorder([*range(invented.table.num_rows)] * k)
    expected = generalize_rows(repeated.rows, repeated.rules, (0,) * len(repeated.rules))
    made = make(repeated, k)
    assert made.recoding.rows_suppressed == 0
    assert Counter(made.rows) == Counter(expected)


@few
@given(people, ks, allowances)
def test_precision_is_that_of_definition_5_cell_by_cell(invented, k, allowed):
    made = make(invented, k, allowed, suppressed_rows="blank", keep_order=True)
    levels = made.decided.levels
    expected = prec_of_cells(invented.table, made.table, invented.hierarchies, levels)
    assert made.decided.measures.precision == float(expected)


@few
@given(people, ks, allowances)
def test_blank_rows_number_none_or_at_least_k(invented, k, allowed):
    made = make(invented, k, allowed, suppressed_rows="blank")
    gone = int(made.recoding.suppressed.sum())
    assert gone == 0 or gone >= k
    assert gone == made.recoding.rows_suppressed + made.recoding.rows_complementary
    assert made.table.num_rows == invented.table.num_rows


@few
@given(people, ks, allowances)
def test_blank_rows_are_blank_and_the_others_generalize_their_own(invented, k, allowed):
    made = make(invented, k, allowed, suppressed_rows="blank", keep_order=True)
    images = generalize_rows(invented.rows, invented.rules, made.recoding.vector)
    blank = ("*",) * len(invented.hierarchies)
    assert all(row in (blank, image) for row, image in zip(made.rows, images, strict=True))
    already = sum(image == blank for image in images)
    assert made.rows.count(blank) <= made.recoding.suppressed.sum() + already


@fewer
@given(people, ks)
def test_the_whole_flow_verifies_what_it_returns(invented, k):
    made = la.release(invented.table, attributes=invented.attributes, k=k, max_suppressed=0)
    assert made.table.num_rows == invented.table.num_rows
    smallest = min(Counter(rows_of(made.table)).values())
    assert made.certificate.quasi_identifiers[0].k_reached == smallest >= k
