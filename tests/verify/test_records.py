"""The recount of linked tables: how many persons share what may be known of a person."""

from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike import InvalidInput, RequirementNotMet
from lookalike.tables.connection import Connection
from lookalike.verify.linked_rows import LinkedRows
from lookalike.verify.records import LinkedPromise, recount_linked, require_linked

from ..known_records import World, worlds

CONNECTION = Connection()


@given(worlds())
def test_the_least_support_is_that_of_brute_force(world):
    found = recount_linked(CONNECTION, world.promise(CONNECTION))
    assert found.smallest == world.least_support()
    assert found.persons == len(world.links)
    assert found.rows == tuple(map(len, world.tables))
    assert (found.below_k > 0) == (0 < world.least_support() < 2)
    assert (found.unlinked, found.repeated) == (0, 0)


@given(worlds(), st.lists(st.sampled_from(["x", "y", None]), min_size=5, max_size=5))
def test_the_least_number_of_values_is_that_of_brute_force(world, values):
    promise = world.promise(CONNECTION)
    if promise.persons is None:
        return
    rows = promise.persons.rows.to_arrow_table()
    own = dict(zip(rows["who"].to_pylist(), values, strict=False))
    sick = rows.append_column("ill", pa.array([own[one] for one in rows["who"].to_pylist()]))
    relation = CONNECTION.duckdb.from_arrow(
        sick.cast(pa.schema([*rows.schema, ("ill", pa.string())]))
    )
    persons = replace(promise.persons, rows=relation, distinct={"ill": 2})
    found = recount_linked(CONNECTION, replace(promise, persons=persons))
    fewest = min(
        len({own[other] for other in world.links if world.fits(other, known)})
        for link in world.links
        for known in world.known_of(link)
    )
    assert found.distinct == {"ill": fewest}


def smallest(knows, *records, persons=None):
    world = World(persons, (records,), (knows,))
    return recount_linked(CONNECTION, world.promise(CONNECTION)).smallest


TWO_VISITS = (
    ("p", "May"),
    ("p", "June"),
    ("q", "May"),
    ("q", "July"),
    ("r", "June"),
    ("r", "July"),
)


@pytest.mark.parametrize(("knows", "persons"), [(0, 3), (1, 2), (2, 1), ("all", 1)])
def test_two_visits_give_a_person_away_whom_one_visit_does_not(knows, persons):
    assert smallest(knows, *TWO_VISITS) == persons


def test_equal_records_count_as_often_as_they_occur():
    records = [("p", "May"), ("p", "May"), ("q", "May"), ("q", "June"), ("r", "May"), ("r", "June")]
    assert smallest(1, *records) == 2
    assert smallest(2, *records) == 1


def test_whoever_knows_all_records_knows_how_many_there_are():
    records = [("p", "May"), ("q", "May"), ("q", "May"), ("r", "May"), ("r", "May")]
    assert smallest(1, *records) == 3
    assert smallest("all", *records) == 1


def test_a_person_without_records_is_like_all_others_who_have_none():
    persons = dict.fromkeys("pqr", "f")
    records = [("p", "May"), ("q", "May")]
    assert smallest(1, *records, persons=persons) == 2
    assert smallest("all", *records, persons=persons) == 1


def test_a_missing_value_is_a_value():
    assert smallest(1, ("p", None), ("q", None), ("r", "May"), ("s", "May")) == 2
    assert smallest(1, ("p", None), ("q", "May"), ("r", "May")) == 1


def test_records_of_different_tables_are_known_together():
    visits = (("p", "May"), ("q", "May"), ("r", "June"), ("s", "June"))
    codes = (("p", "J20"), ("q", "I10"), ("r", "J20"), ("s", "I10"))

    def support(*knows):
        world = World(dict.fromkeys("pqrs", "f"), (visits, codes), knows)
        return recount_linked(CONNECTION, world.promise(CONNECTION)).smallest

    assert (support(1, 0), support(0, 1), support(1, 1)) == (2, 2, 1)


def test_only_the_number_of_records_is_known_of_a_table_without_columns():
    rows = CONNECTION.duckdb.sql("FROM (VALUES (1, 'x'), (2, 'y'), (2, 'z')) AS t(who, v)")
    known = LinkedRows("visits", rows, "who", (), 2)
    assert recount_linked(CONNECTION, LinkedPromise(2, None, (known,))).smallest == 1


def test_links_of_different_types_are_compared_as_text():
    persons = CONNECTION.duckdb.sql("FROM (VALUES (1, 'f'), (2, 'f')) AS t(who, sex)")
    visits = CONNECTION.duckdb.sql("FROM (VALUES ('1', 'May'), ('2', 'May')) AS t(patient, m)")
    promise = LinkedPromise(
        2,
        LinkedRows("persons", persons, "who", ("sex",)),
        (LinkedRows("visits", visits, "patient", ("m",), 1),),
    )
    assert require_linked(CONNECTION, promise).smallest == 2


def test_records_of_nobody_are_counted_and_refused():
    world = World({"p": "f", "q": "f"}, ((("p", "a"), ("q", "a"), ("x", "a"), (None, "a")),), (1,))
    promise = world.promise(CONNECTION)
    found = recount_linked(CONNECTION, promise)
    assert (found.unlinked, found.smallest, found.rows) == (2, 2, (4,))
    with pytest.raises(RequirementNotMet, match="2 records belong to no person"):
        require_linked(CONNECTION, promise)


def test_rows_of_the_person_table_that_share_a_link_are_refused():
    rows = CONNECTION.duckdb.sql(
        "FROM (VALUES (1, 'f'), (1, 'f'), (NULL, 'm'), (2, 'f')) AS t(p, s)"
    )
    promise = LinkedPromise(1, LinkedRows("persons", rows, "p", ("s",)))
    assert recount_linked(CONNECTION, promise).repeated == 3
    with pytest.raises(RequirementNotMet, match="3 rows of the person table have no link"):
        require_linked(CONNECTION, promise)


@pytest.mark.parametrize(("k", "holds"), [(2, True), (3, False)])
def test_the_promise_is_required_at_k(k, holds):
    promise = World({"p": "f", "q": "f"}, (), ()).promise(CONNECTION, k)
    if holds:
        assert require_linked(CONNECTION, promise).smallest == k
    else:
        with pytest.raises(RequirementNotMet, match="fewer than 3 persons"):
            require_linked(CONNECTION, promise)


def test_a_release_of_nobody_keeps_no_promise():
    with pytest.raises(RequirementNotMet):
        require_linked(CONNECTION, World({}, ((),), (1,)).promise(CONNECTION))


def test_an_unknown_column_is_refused():
    rows = CONNECTION.duckdb.sql("SELECT 1 AS who")
    with pytest.raises(InvalidInput, match="visits"):
        recount_linked(CONNECTION, LinkedPromise(2, None, (LinkedRows("visits", rows, "no", ()),)))


def test_nothing_stays_in_the_connection():
    connection = Connection()
    recount_linked(connection, World({"p": "f"}, ((("p", "a"),),), (2,)).promise(connection))
    assert connection.duckdb.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (0,)


def test_a_person_with_hundreds_of_records_is_counted():
    many = CONNECTION.duckdb.sql(
        "SELECT p AS who, r % 30 AS v FROM range(2) AS a(p), range(300) AS b(r)"
    )
    known = LinkedRows("visits", many, "who", ("v",), 3)
    found = recount_linked(CONNECTION, LinkedPromise(2, None, (known,)))
    # Multisets of 3 out of 30 values: 32 over 3.
    assert (found.smallest, found.combinations) == (2, 4960)
