"""Properties of linking on invented tables, compared with matching every pair of rows."""

import numpy as np
from hypothesis import assume, example, given
from hypothesis import strategies as st

import lookalike as la
from lookalike.hierarchy import Listed
from lookalike.risk.linking.linking_columns import ReleaseFacts, encode_entries, read_column
from lookalike.risk.linking.matching import match
from lookalike.tables.count import count
from lookalike.tables.read import read_frame

from ..brute import show
from ..effort import examples
from ..invented import STRANGER, Invented, tables, tables_and_vectors, values
from ..small_tables import rows_of, table_of

some = examples(60)
METHODS = ("datafly", "mingen", "mu-argus", "k-similar", "mingen-cells")


def could_be(shown, value, rule, levels, *, as_written):
    """Compare a released value with an external one, straight from the definition."""
    if not as_written and (shown in (None, "*") or value in (None, "*")):
        return True
    if as_written and shown == "*" and len(levels) > 1:
        return True
    return shown in [show(rule, value, level) for level in levels]


def compare_all(released, external, rules, levels, *, as_written=False):
    """Compare every released row with every person."""
    return np.array(
        [
            [
                all(
                    could_be(*pair, as_written=as_written)
                    for pair in zip(row, person, rules, levels, strict=True)
                )
                for person in rows_of(external)
            ]
            for row in rows_of(released)
        ],
        dtype=bool,
    ).reshape(released.num_rows, external.num_rows)


def assert_linked(linked, pairs):
    """Expect for each row the persons, and for each person the rows, of a comparison of all."""
    assert linked.rows.matches.number.tolist() == pairs.sum(axis=1).tolist()
    assert linked.persons.matches.number.tolist() == pairs.sum(axis=0).tolist()
    for row in np.flatnonzero(pairs.sum(axis=1) == 1):
        assert pairs[row, linked.rows.matches.only[row]]
    for person in np.flatnonzero(pairs.sum(axis=0) == 1):
        assert pairs[linked.persons.matches.only[person], person]


@st.composite
def people_like(draw, invented, max_rows=12):
    """Invent an external table with values that the hierarchies know, missing ones, and others."""
    row = st.tuples(
        *(
            st.one_of(values(rule, missing=True), st.sampled_from([STRANGER, "*", None]))
            if rule.height
            else values(rule, missing=True)
            for rule in invented.rules
        )
    )
    rows = draw(st.lists(row, max_size=max_rows))
    return table_of(invented.table.column_names, rows)


@st.composite
def releases_by_cells(draw):
    """Invent a table, a release of it with a level for each cell, and an external table."""
    invented = draw(tables(max_rows=10))
    released = [
        [
            "*"
            if draw(st.booleans()) and draw(st.booleans())
            else show(rule, value, draw(st.integers(0, rule.height)))
            for rule, value in zip(invented.rules, row, strict=True)
        ]
        for row in invented.rows
    ]
    return invented, table_of(invented.table.column_names, released), draw(people_like(invented))


@some
@given(st.data())
def test_cell_by_cell_it_is_what_comparing_all_pairs_says(data):
    invented, released, external = data.draw(releases_by_cells())
    rules = dict(zip(invented.hierarchies, invented.rules, strict=True))
    levels = [range(rule.height + 1) for rule in invented.rules]
    assume(_knows_somebody(external, released, invented.rules))
    linked = la.link(released, external, list(rules), hierarchies=rules)
    assert_linked(linked, compare_all(released, external, invented.rules, levels))


def _knows_somebody(external, released, rules):
    """Return whether every column has a value that its hierarchy knows."""
    for name, rule in zip(external.column_names, rules, strict=True):
        known = [v for v in external[name].to_pylist() if v is not None]
        strange = [v for v in known if v != "*" and show(rule, v, 0) == "*"]
        if strange and len(strange) == len(known) and not _tells_nothing(released[name]):
            return False
    return True


def _tells_nothing(column):
    return set(column.to_pylist()) <= {None, "*"}


@st.composite
def releases_at_levels(draw):
    """Invent a table, a level for each attribute, an external table, and some blank rows."""
    invented, [vector] = draw(tables_and_vectors(max_rows=10))
    return invented, vector, draw(people_like(invented)), draw(st.integers(0, 2))


def one_column(rule, level, shown, external, blank=0):
    """Write down a release of one attribute, as hypothesis would invent it."""
    names = ["attribute 0"]
    invented = Invented(table_of(names, [[one] for one in shown]), {names[0]: rule})
    return invented, (level,), table_of(names, [[one] for one in external]), blank


LADDER = Listed({"a": ["a", "1-0", "all"]}, unknown="suppress")
ONLY_STARS = Listed({"a": ["a", "1-0", "all"]}, unknown="suppress", suppression_level=True)


@some
@example(made=one_column(LADDER, 1, [None], ["a", STRANGER, "*", None]), as_written=True)
@example(made=one_column(LADDER, 1, [None], ["a", STRANGER, "*", None], 1), as_written=True)
@example(made=one_column(LADDER, 0, [STRANGER], ["a", STRANGER, "*", None]), as_written=True)
@example(made=one_column(LADDER, 1, [STRANGER], ["a", STRANGER, "*", None]), as_written=True)
@example(made=one_column(ONLY_STARS, 3, [None, "a"], ["a", STRANGER, "*", None]), as_written=True)
@example(made=one_column(LADDER, 1, [None], [STRANGER]), as_written=True)
@example(made=one_column(LADDER, 1, [None], ["a", STRANGER, "*", None]), as_written=False)
@given(made=releases_at_levels(), as_written=st.booleans())
def test_at_known_levels_it_is_what_comparing_all_pairs_says(made, as_written):
    invented, vector, external, blank = made
    rows = [tuple(map(show, invented.rules, row, vector)) for row in invented.rows] + [
        ("*",) * len(vector)
    ] * blank
    released = table_of(external.column_names, rows)
    assume(_knows_somebody(external, released, invented.rules))
    rules = dict(zip(external.column_names, invented.rules, strict=True))
    facts = ReleaseFacts(rules, "*", dict(zip(rules, vector, strict=True)))
    of_persons, of_rows = _match_with_facts(released, external, facts, as_written=as_written)
    levels = [[level] for level in vector]
    pairs = compare_all(released, external, invented.rules, levels, as_written=as_written)
    assert of_rows.number.tolist() == pairs.sum(axis=1).tolist()
    assert of_persons.number.tolist() == pairs.sum(axis=0).tolist()


def _match_with_facts(released, external, facts, *, as_written):
    """Match tables with given facts about the release."""
    names = external.column_names
    persons, rows = (count(read_frame(table), names) for table in (external, released))
    columns = [
        read_column(name, theirs, ours, facts, as_written=as_written)
        for name, theirs, ours in zip(names, persons.values, rows.values, strict=True)
    ]
    sides = encode_entries(columns, persons, rows)
    return match(*sides)[:2]


@examples(40)
@given(st.data(), st.sampled_from(METHODS), st.sampled_from(["drop", "blank"]))
def test_k_anonymity_implies_k_map_for_any_population_that_contains_the_respondents(
    data, method, suppressed_rows
):
    invented = data.draw(tables(min_rows=2, max_rows=12))
    k = data.draw(st.integers(2, 4))
    others = data.draw(people_like(invented, max_rows=6))
    order = data.draw(st.permutations(range(invented.table.num_rows + others.num_rows)))
    population = table_of(
        others.column_names, [(rows_of(invented.table) + rows_of(others))[i] for i in order]
    )
    repair = {"repair": True, "generalize": ()} if method == "mu-argus" else {}
    try:
        made = la.release(
            invented.table,
            attributes=invented.attributes,
            k=k,
            method=method,
            suppressed_rows=suppressed_rows,
            **repair,
        )
    except (la.Infeasible, la.InvalidInput):
        assume(False)
    rules = dict(zip(invented.hierarchies, invented.rules, strict=True))
    assume(_knows_somebody(population, made.table, invented.rules))
    linked = la.link(made.table, population, list(rules), hierarchies=rules, k=k)
    assert (linked.rows.matches.number >= k).all()
    assert linked.protection == "k-map"
    assert linked.k_map >= k
