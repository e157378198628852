"""What the holder's specification and files show of a linked release."""

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pytest

import lookalike as la

from ..held_forms import (
    AS_IS,
    HIDE,
    MATCHES,
    NO_SETS,
    OF_VISIT,
    PEOPLE,
    PERSONS,
    TEST,
    TRUE_PERSONS,
    VISIT,
    VISITS,
    change,
    failed,
    find,
    publish,
    set_value,
    swap,
    verify,
)


def test_another_hierarchy_than_that_of_the_release_is_found(published):
    folder, specification, tables = published["both"]
    higher = {**HIDE, "hierarchy": {"kind": "intervals", "widths": [10, 20]}}
    other = specification.changed({}, {}, {"attributes": {"sex": higher}})
    tables = {**tables, "persons": set_value(PEOPLE, "sex", slice(0, 24), 1)}
    found = la.verify(folder, spec=other, table=tables)
    differs = "persons.sex is ('suppress', '1'), not ('intervals', '1')"
    assert find(found, MATCHES).found == differs
    assert find(found, "heights").found == "the hierarchy of persons.sex has height 3"


@pytest.mark.parametrize(
    ("fields", "differs"),
    [
        ({"link": False}, "linked is True, not False"),
        ({"unit": "family"}, "unit is person, not family"),
        ({"k": 4}, "k is 3, not 4"),
        ({"suppressed_label": "-"}, "suppressed_label is *, not -"),
    ],
)
def test_another_promise_than_the_specification_asks_for_is_found(published, fields, differs):
    folder, _, tables = published["both"]
    found = la.verify(folder, spec=change(published["both"], **fields), table=tables)
    assert failed(found) == [MATCHES]
    assert find(found, MATCHES).found == differs


def test_options_that_differ_may_have_been_given_on_the_command_line(published):
    folder, _, tables = published["both"]
    asked = change(published["both"], max_suppressed=5, k=2)
    found = la.verify(folder, spec=asked, table=tables)
    named = find(found, "names the options")
    assert (found.holds, named.checked) == (True, False)
    assert named.found == "max_suppressed is 2, not 5; was it given on the command line?"


@pytest.mark.parametrize(
    ("form", "other", "message"),
    [
        ("both", "alone", "its tables are visits, not persons, visits"),
        ("both", "sets and records", "its tables are persons, codes, visits, not persons, visits"),
        ("references", "no key", "visits: its key is none, not visit"),
        ("both", "no month", "visits: its quasi-identifier is none, not month"),
    ],
)
def test_the_specification_of_another_release_is_refused(published, tmp_path, form, other, message):
    visit = {**VISIT, "key": "visit"}
    changes = {
        "no key": {
            "records": {"visits": visit, "tests": {**TEST, "refers": {}}},
            "attributes": NO_SETS,
        },
        "no month": {
            "records": {
                "visits": {**VISIT, "knows": 0, "attributes": {**OF_VISIT, "month": AS_IS}}
            },
            "attributes": NO_SETS,
        },
    }
    known = published.get(other) or publish(tmp_path / "other", **changes[other])
    with pytest.raises(la.InvalidInput, match=f"not that of this release: {message}"):
        la.verify(published[form][0], spec=known[1], table=known[2])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"table": "nowhere.csv"}, "nowhere.csv"),
        ({"table": PEOPLE}, "names no source; give the private table"),
        ({"table": {"stays": VISITS}}, "describes no table 'stays', but persons, visits"),
        ({"table": {"visits": VISITS}}, "names no source; give the private table"),
        ({"optimality": "private"}, "optimality is not taken for linked tables"),
        ({"ledger": "releases.db"}, "ledger is not taken for linked tables"),
        ({"table": {"persons": PEOPLE, "visits": VISITS.drop_columns("no")}}, "no column 'no'"),
    ],
)
def test_what_the_holder_cannot_give_is_refused(published, given, message):
    with pytest.raises(la.InvalidInput, match=message):
        la.verify(published["both"][0], spec=published["both"][1], **given)


SPEC = """
[source]
path = "people.csv"
person = "no"
where = "plan <> 'C'"
[release]
k = 3
max_suppressed = 2
out = "released/people.csv"
[attributes]
no = { role = "identifier" }
sex = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
codes = { role = "drop" }
plan = { role = "sensitive" }
[records.visits]
path = "visits.csv"
person = "no"
where = "CAST(no AS INTEGER) % 4 <> 3"
knows = 1
[records.visits.attributes]
no = { role = "identifier" }
visit = { role = "drop" }
month = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
ward = { role = "sensitive" }
"""


def test_the_command_reads_the_files_and_selects_their_rows(tmp_path, monkeypatch, type_in):
    monkeypatch.chdir(tmp_path)
    arrow_csv.write_csv(PEOPLE, "people.csv")
    arrow_csv.write_csv(VISITS, "visits.csv")
    (tmp_path / "linked.toml").write_text(SPEC)
    assert type_in("release linked.toml")[0] == 0
    code, shown, _ = type_in("verify released --spec linked.toml")
    assert (code, "The release matches its certificate." in shown) == (0, True)
    arrow_csv.write_csv(swap(PEOPLE, "plan", 1, 2), "people.csv")
    code, shown, _ = type_in("verify released --spec linked.toml")
    assert (code, f"✗ {TRUE_PERSONS}" in shown) == (1, True)
    assert type_in("verify released")[0] == 0
    arrow_csv.write_csv(PEOPLE, "before.csv")
    assert type_in("verify released --spec linked.toml --table before.csv")[0] == 0
    code, shown, _ = type_in("verify released --spec linked.toml --table before.csv --where true")
    assert (code, "persons_in is 18, not 24" in " ".join(shown.split())) == (1, True)


def test_persons_are_found_whatever_the_type_of_their_key(tmp_path):
    """A whole number in one table is text in another, and a fraction in the third."""
    people = PEOPLE.set_column(0, "no", PEOPLE["no"].cast(pa.float64()))
    visits = VISITS.set_column(0, "no", VISITS["no"].cast(pa.string()))
    kept = {"visits": {**VISIT, "table": visits}}
    release = publish(tmp_path / "keys", people, records=kept, attributes=NO_SETS)
    assert failed(verify(release)) == []


def test_each_row_may_be_a_person(tmp_path):
    plain = {name: one for name, one in PERSONS.items() if name != "no"}
    people = PEOPLE.drop_columns("no")
    release = publish(tmp_path / "rows", people, source={"person": "row"}, attributes=plain)
    assert failed(verify(release)) == []
    assert failed(verify(release, persons=swap(people, "plan", 1, 2))) == [TRUE_PERSONS]
