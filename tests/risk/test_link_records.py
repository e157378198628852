"""Linking a release of people with records with known records: candidates, promise and mistakes."""

import itertools
from collections import defaultdict

import pyarrow as pa
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import lookalike as la
from lookalike.hierarchy import Mask
from lookalike.tables.connection import Connection

K = 2
KEY = {"role": "identifier"}
MASKED = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
RULE = Mask(length=2)
VALUES = st.sampled_from(["11", "12", "21", "22"])
PEOPLE = st.lists(st.tuples(VALUES, st.lists(VALUES, max_size=3)), min_size=4, max_size=8)
"""The zip code of each person, and the months of the person's visits."""


def tables(people):
    """The person table and the table of visits."""
    visits = [(str(no), one) for no, (_, months) in enumerate(people) for one in months]
    who, when = zip(*visits, strict=True) if visits else ((), ())
    persons = {"no": [*map(str, range(len(people)))], "zip": [own for own, _ in people]}
    months = {"no": pa.array(who, pa.string()), "month": pa.array(when, pa.string())}
    return pa.table(persons), pa.table(months)


def describe(knows=1, **release):
    """The specification of a release of such tables."""
    visits = {"person": "no", "knows": knows, "attributes": {"no": KEY, "month": MASKED}}
    return la.Specification.build(
        {
            "source": {"person": "no"},
            "release": {"k": K, "max_suppressed": 2, **release},
            "attributes": {"no": KEY, "zip": MASKED},
            "records": {"visits": {"path": "visits.csv", **visits}},
        }
    )


def publish(folder, people, spec):
    """Publish a release of some people."""
    persons, visits = tables(people)
    made = la.release_records(persons, records={"visits": visits}, spec=spec)
    made.publish(folder / "persons.csv")
    return folder


def read(folder, levels):
    """Read the zip code and the months of each person of a release, without the library."""
    rows = Connection().duckdb
    persons = rows.sql(f"FROM read_csv('{folder / 'persons.csv'}', all_varchar=true)").fetchall()
    months = defaultdict(list)
    visits = rows.sql(f"FROM read_csv('{folder / 'visits.csv'}', all_varchar=true)").fetchall()
    for who, month in visits:
        months[who].append(month)
    return [(own, months[who]) for who, own in persons]


def fits(known, shown, level):
    """Whether a known value may have become a released one; a missing one is not known."""
    return known is None or shown is None or RULE.generalize(known, level) == shown


def count_candidates(known, released, levels):
    """Count the released persons who have the zip code and each visit, by trying every order."""
    own, visits = known
    return sum(
        fits(own, zip_code, levels[0])
        and any(
            all(fits(one, other, levels[1]) for one, other in zip(visits, some, strict=True))
            for some in itertools.permutations(months, len(visits))
        )
        for zip_code, months in released
    )


def levels_of(folder):
    """The levels of the zip codes and of the months."""
    persons, visits = la.LinkedCertificate.read(folder).tables
    return persons.generalized["zip"].level, visits.generalized["month"].level


MAYBE = st.none() | VALUES
KNOWN = st.lists(st.tuples(MAYBE, st.lists(MAYBE, max_size=3)), min_size=1, max_size=5)


@settings(max_examples=25)
@given(PEOPLE, KNOWN, st.sampled_from([0, 1, 2, "all"]))
def test_candidates_are_those_who_have_each_known_record(tmp_path_factory, people, known, knows):
    """Against every way to match known visits with released ones; missing values match any."""
    folder = tmp_path_factory.mktemp("link") / "released"
    spec = describe(knows)
    try:
        publish(folder, people, spec)
    except la.Infeasible:
        reject()
    levels = levels_of(folder)
    released = read(folder, levels)
    persons, visits = tables(known)
    linked = la.link_records(
        folder,
        persons,
        ["zip", "visits.month"],
        records={"visits": visits},
        identity="no",
        spec=spec,
    )
    wanted = [count_candidates(one, released, levels) for one in known]
    assert linked.persons.matches.number.tolist() == wanted
    assert linked.holds == (min({*wanted} - {0}, default=K) >= K)
    assert linked.released.matches.number.sum() == sum(wanted)
    most = 9 if knows == "all" else knows
    assert linked.covered == sum(len(months) <= most for _, months in known)


@settings(max_examples=15)
@given(PEOPLE, st.sampled_from([1, 2, 3]), st.sampled_from(["persons", "drop"]))
def test_who_knows_what_the_promise_covers_is_left_with_k_persons(
    tmp_path_factory, people, knows, suppressed_records
):
    folder = tmp_path_factory.mktemp("link") / "released"
    spec = describe(knows, suppressed_records=suppressed_records)
    try:
        publish(folder, people, spec)
    except la.Infeasible:
        reject()
    persons, visits = tables([(own, months[:knows]) for own, months in people])
    linked = la.link_records(
        folder,
        persons,
        ["zip", "visits.month"],
        records={"visits": visits},
        identity="no",
        spec=spec,
        k=K,
    )
    assert linked.holds
    assert linked.covered == len(people)
    assert (linked.covered_fewest or K) >= K


# Cleo alone was there in May and in June; the release promises k for one known visit only.
NAMED = pa.table({"name": ["Ann", "Bea", "Cleo", "Dora", "Eve"], "zip": ["11"] * 5})
SEEN = pa.table(
    {
        "name": ["Ann", "Bea", "Cleo", "Cleo", "Dora", "Eve"],
        "month": ["05", "05", "05", "06", "06", "06"],
    }
)


@pytest.fixture(scope="module")
def naive(tmp_path_factory):
    """A release in which one visit may be known."""
    people = [("11", ["05"]), ("11", ["05"]), ("11", ["05", "06"]), ("11", ["06"]), ("11", ["06"])]
    spec = describe(1, constraints=["visits.month = 0"])
    return publish(tmp_path_factory.mktemp("naive") / "released", people, spec), spec


def link(naive, persons=NAMED, **changes):
    folder, spec = naive
    asked = {"records": {"visits": SEEN}, "identity": "name", "spec": spec}
    return la.link_records(folder, persons, ["zip", "visits.month"], **{**asked, **changes})


def test_two_known_visits_find_a_person_whom_one_does_not(naive):
    linked = link(naive)
    assert not linked.holds
    assert (linked.persons.count(1, 1), linked.persons.smallest) == (1, 1)
    assert (linked.covered, linked.covered_fewest) == (4, 3)
    [found] = linked.show(5)
    assert found["person"] == {"zip": "11", "name": "Cleo"}
    assert found["persons_of_released"] == 5
    one = link(naive, records={"visits": SEEN.slice(0, 3)})
    assert one.holds
    assert one.covered_fewest == 3


def test_what_is_known_of_several_persons_is_counted_apart(naive):
    """One visit of each: the two released persons with June alone can only be Dora and Eve."""
    one_each = SEEN.filter(pa.array([True, True, True, False, True, True]))
    linked = link(naive, records={"visits": one_each}, k=3)
    assert linked.holds
    assert linked.covered == 5
    assert linked.persons.matches.number.tolist() == [3] * 5
    assert sorted(linked.released.matches.number.tolist()) == [2, 2, 3, 3, 5]


def test_a_released_person_who_can_only_be_one_is_warned_of(naive):
    """Ann alone is known by May."""
    others = pa.table({"name": ["Bea", "Cleo", "Dora", "Eve"], "month": ["06"] * 4})
    linked = link(naive, records={"visits": pa.concat_tables([SEEN.slice(0, 1), others])})
    assert linked.holds
    assert linked.released.count(1, 1) == 2
    assert any("No promise covers that" in one for one in linked.warnings)


def test_records_alone_are_enough(naive):
    folder, spec = naive
    records = {"visits": SEEN}
    linked = la.link_records(
        folder, None, {"visits.month": "month"}, records=records, identity="name", spec=spec
    )
    assert linked.persons.columns == ("name",)
    assert linked.persons.matches.number.tolist() == [3, 3, 1, 3, 3]
    assert linked.as_json()["known"] == {"visits": 6}


def test_the_items_of_a_set_are_known_records(tmp_path):
    people = pa.table({"zip": ["11"] * 4, "codes": ["a;b", "b; a", "a", None]})
    codes = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}, "separator": ";"}
    asked = {
        "source": {"person": "row"},
        "release": {"k": 2, "max_suppressed": 2},
        "attributes": {"zip": MASKED, "codes": {**codes, "knows": 2}},
    }
    spec = la.Specification.build(asked)
    made = la.release_records(people, spec=spec, constraints=["codes = 0", "zip = 0"])
    made.publish(tmp_path / "released" / "people.csv")
    known = pa.table({"icd": ["a", "b;a", "a;a", "c", None]})
    linked = la.link_records(tmp_path / "released", known, {"codes": "icd"}, spec=spec)
    levels = la.LinkedCertificate.read(tmp_path / "released").tables[1].generalized["codes"].level
    assert levels == 0
    assert linked.persons.matches.number.tolist() == [3, 2, 0, 0, 4]


@pytest.mark.parametrize("visits", [SEEN, SEEN.slice(0, 0)])
def test_tables_without_rows_match_nobody(naive, visits):
    linked = link(naive, records={"visits": visits}, persons=NAMED.slice(0, 0))
    assert linked.holds
    assert (linked.persons.total, linked.covered_fewest) == (0, None)
    assert linked.unlinked == len(visits)
    assert linked.released.count(1) == 0


def test_somebody_of_whom_no_record_is_known_matches_by_the_row_alone(naive):
    assert link(naive, records={"visits": SEEN.slice(0, 0)}).persons.smallest == 5


# Mistakes


def test_external_records_of_nobody_are_counted_and_not_used(naive):
    more = pa.table({"name": ["Zoe", None], "month": ["05", "06"]})
    linked = link(naive, records={"visits": pa.concat_tables([SEEN, more])})
    assert linked.unlinked == 2
    assert linked.persons.total == 5
    assert any("2 external records belong to no person" in one for one in linked.warnings)


def test_values_that_no_hierarchy_knows_match_nobody_and_are_counted(naive):
    strange = pa.table({"name": ["Ann", "Bea"], "month": ["05", "2022-05-01"]})
    linked = link(naive, records={"visits": strange})
    assert linked.unknown == {"visits.month": 1}
    assert linked.persons.matches.number.tolist() == [3, 0, 5, 5, 5]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"records": {}}, "--records visits=FILE"),
        ({"records": {"visits": SEEN, "lab": SEEN}}, "--records lab=FILE"),
        ({"identity": None}, "--identity"),
        ({"identity": "zip"}, "names 1 persons in 5 rows"),
        ({"spec": None}, "requires its hierarchy"),
        ({"k": 1}, "k must be at least 2"),
    ],
)
def test_what_is_missing_is_named(naive, changes, told):
    with pytest.raises(la.InvalidInput, match=told):
        link(naive, **changes)


def test_columns_are_named_after_their_table(naive):
    folder, spec = naive
    with pytest.raises(la.InvalidInput, match=r"did you mean 'visits.month'\?"):
        la.link_records(folder, NAMED, ["zip", "visit.month"], spec=spec)
    with pytest.raises(la.InvalidInput, match="needs an external table of persons"):
        la.link_records(folder, None, ["zip"], spec=spec)
    with pytest.raises(la.InvalidInput, match="has no column to link by"):
        la.link_records(
            folder,
            NAMED,
            ["visits.month"],
            records={"visits": SEEN},
            identity="name",
            spec=spec,
        )


def test_a_person_without_a_name_is_refused(naive):
    nameless = pa.table({"name": ["Ann", None], "zip": ["11", "11"]})
    folder, spec = naive
    with pytest.raises(la.InvalidInput, match="'name' is missing in a row"):
        la.link_records(folder, nameless, ["zip"], identity="name", spec=spec)


def test_tables_without_a_link_are_refused(tmp_path):
    people = [("11", ["05"]), ("11", ["05"]), ("11", ["06"]), ("11", ["06"])]
    spec = describe(1, link=False)
    folder = publish(tmp_path / "released", people, spec)
    with pytest.raises(la.InvalidInput, match="link each of its files by itself"):
        la.link_records(folder, NAMED, ["zip"], spec=spec)
