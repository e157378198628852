"""What the holder finds with the private tables of a linked release, in each of its forms."""

import json

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.verify import match_persons

from ..held_forms import (
    FORMS,
    HIDE,
    KEY,
    MATCHES,
    NO_SETS,
    PEOPLE,
    TESTS,
    TRUE_PERSONS,
    TRUE_VISITS,
    VISIT,
    VISITS,
    change,
    failed,
    find,
    publish,
    set_value,
    swap,
    tamper,
    verify,
)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_proved_with_its_private_tables(published, form):
    found = verify(published[form])
    assert failed(found) == []
    assert found.complete


@pytest.mark.parametrize("form", FORMS)
def test_a_private_value_that_changed_is_found(published, form):
    """All forms release the ward of a visit, or the plan of a person, as it is."""
    column, name = ("ward", "visits") if "visits" in published[form][2] else ("plan", "persons")
    changed = set_value(published[form][2][name], column, slice(0, 3), "other")
    claim = (
        TRUE_VISITS
        if "apart" in form
        else TRUE_PERSONS.replace("persons", published[form][1].release.unit + "s")
    )
    assert failed(verify(published[form], **{name: changed})) == [claim]


def test_a_quasi_identifier_that_changed_is_found_at_the_level_of_the_release(tmp_path):
    asked = {"records": {"visits": VISIT}, "attributes": NO_SETS, "constraints": ["sex = 0"]}
    release = publish(tmp_path / "sex", **asked)
    assert failed(verify(release, persons=set_value(PEOPLE, "sex", slice(0, 1), "m"))) == [
        TRUE_PERSONS
    ]
    hidden = publish(tmp_path / "hidden", **{**asked, "constraints": ["sex = 1"]})
    assert verify(hidden, persons=set_value(PEOPLE, "sex", slice(0, 1), "m")).holds


@pytest.mark.parametrize("form", ["both", "sets", "alone", "references", "drawn"])
def test_values_that_two_persons_exchanged_are_found(published, form):
    """Row by row the tables are as before; the other rows of both persons are not alike."""
    name, column = ("persons", "plan") if "persons" in published[form][2] else ("visits", "ward")
    before = published[form][2][name]
    after = swap(before, column, 1, 2)
    assert sorted(before[column].to_pylist()) == sorted(after[column].to_pylist())
    assert failed(verify(published[form], **{name: after})) == [TRUE_PERSONS]


@pytest.mark.parametrize("form", ["both", "sets and records", "alone", "references", "drawn"])
def test_a_record_of_another_person_is_found(published, form):
    """Visits 1 and 4 differ in the number of their person alone, and so in what is beside them."""
    after = swap(VISITS, "no", 1, 3)
    after = swap(after, "visit", 1, 3)
    assert TRUE_PERSONS in failed(verify(published[form], visits=after))


def test_a_released_record_under_another_pseudonym_is_found(published, tmp_path):
    """The file has the digest of its certificate, and every row is true by itself."""

    def exchange(rows):
        owners = rows["no"].to_pylist()
        first = owners.index(max(owners, key=owners.count))
        other = next(n for n, one in enumerate(owners) if owners.count(one) == 1)
        return swap(rows, "no", first, other)

    changed = tamper(published["both"], tmp_path / "changed", "visits.csv", exchange)
    assert TRUE_PERSONS in failed(verify(changed))


def test_an_item_of_another_person_is_found(published):
    """Both have two items, and keep their number."""
    after = set_value(PEOPLE, "codes", slice(0, 1), "I10;I10")
    assert TRUE_PERSONS in failed(verify(published["sets"], persons=after))


def test_a_reference_to_another_record_of_the_same_person_is_found(published):
    at = next(n for n in range(48) if TESTS["of"][n].as_py() == 2)
    after = set_value(TESTS, "of", slice(at, at + 1), 1)
    assert failed(verify(published["references"], tests=after)) == [TRUE_PERSONS]


@pytest.mark.parametrize("form", ["both", "alone", "apart"])
def test_rows_that_came_or_went_are_counted(published, form):
    fewer = verify(published[form], visits=VISITS.slice(1))
    assert "visits.rows_in is 48, not 47" in find(fewer, MATCHES).found
    more = pa.concat_tables([VISITS, VISITS.slice(0, 1)])
    assert (
        "visits.rows_in is 48, not 49" in find(verify(published[form], visits=more), MATCHES).found
    )


def test_persons_who_came_are_counted(published):
    further = set_value(PEOPLE, "no", slice(0, 1), 99).slice(0, 1)
    found = verify(published["both"], persons=pa.concat_tables([PEOPLE, further]))
    assert find(found, MATCHES).found == "persons_in is 24, not 25; persons.rows_in is 24, not 25"


@pytest.mark.parametrize("number", [1, 3])
def test_of_drawn_records_no_fewer_and_no_more_are_released_than_were_kept(
    published, tmp_path, number
):
    """Which of a person's three visits are kept is drawn, but not how many."""

    def change(rows):
        owners = rows["no"].to_pylist()
        several = next(n for n, one in enumerate(owners) if owners.count(one) == 2)
        if number == 3:
            return pa.concat_tables([rows, rows.slice(several, 1)])
        return pa.concat_tables([rows.slice(0, several), rows.slice(several + 1)])

    changed = tamper(published["drawn"], tmp_path / "changed", "visits.csv", change)
    assert TRUE_PERSONS in failed(verify(changed))


def test_drawn_records_that_fit_too_many_persons_are_not_compared(published, monkeypatch):
    """As many pairs of rows are compared as memory holds, and all that is beyond is said."""
    monkeypatch.setattr(match_persons, "BYTES_OF_COMPARISON", 2**60)
    found = find(verify(published["drawn"]), TRUE_PERSONS)
    assert (found.holds, found.checked) == (True, False)
    assert found.found.startswith("not checked: so many persons fit each other")
    assert verify(published["both"]).complete


DROPPING = {"suppressed_records": "drop", "attributes": NO_SETS, "max_suppressed": 24}


def release_dropping(folder):
    """Publish a release in which the only visit in a month is left out, and its person stays."""
    rare = set_value(VISITS, "month", slice(0, 1), "July")
    kept = {**VISIT, "table": rare, "knows": 1}
    return publish(folder, records={"visits": kept}, constraints=["visits.month = 0"], **DROPPING)


def test_records_that_were_left_out_are_no_fault_and_others_are(tmp_path):
    release = release_dropping(tmp_path / "dropped")
    stated = json.loads((release[0] / "certificate.json").read_text())["tables"][1]
    assert (stated["rows_in"], stated["rows_dropped"]) == (48, 1)
    assert failed(verify(release)) == []
    other = set_value(release[2]["visits"], "ward", slice(1, 2), "other")
    assert failed(verify(release, visits=other)) == [TRUE_PERSONS]


def test_records_are_left_out_only_where_the_specification_says_so(tmp_path):
    release = release_dropping(tmp_path / "dropped")
    asked = change(release, suppressed_records="persons")
    found = la.verify(release[0], spec=asked, table=release[2])
    assert find(found, MATCHES).found == "visits.rows_dropped is 1, not 0"


def leave_out_one(folder, months):
    """Publish visits without a link, of which those of one person are left out."""
    visits = pa.table({"no": range(len(months)), "month": months})
    people = pa.table({"no": range(len(months)), "sex": ["f"] * len(months)})
    return publish(
        folder,
        people,
        records={"visits": {**VISIT, "table": visits, "attributes": {"no": KEY, "month": HIDE}}},
        attributes={"no": KEY, "sex": HIDE},
        constraints=["visits.month = 0"],
        link=False,
    )


SHARED = "at least 4 persons share the values of a record of visits.csv"


def test_without_a_link_persons_are_counted_where_the_private_tables_tell_their_number(tmp_path):
    release = leave_out_one(tmp_path / "apart", [*["May"] * 4, *["June"] * 5, "July"])
    found = find(verify(release), SHARED)
    assert (found.holds, found.checked, found.found) == (
        True,
        True,
        "4 at the least",
    )
    one_person = pa.table(
        {"no": [0, 0, 0, 0, *range(4, 10)], "month": release[2]["visits"]["month"]}
    )
    found = find(verify(release, visits=one_person), SHARED)
    assert (found.holds, found.found) == (False, "1 at the most")


def test_without_a_link_the_number_of_persons_may_stay_unknown(tmp_path):
    """Whoever was left out with a rare visit may have another one, which is then missing, too."""
    release = leave_out_one(tmp_path / "apart", [*["May"] * 4, *["June"] * 5, "July"])
    further = pa.table({"no": [9, 9], "month": ["May", "May"]})
    visits = pa.concat_tables([release[2]["visits"], further])
    found = find(verify(release, visits=visits), SHARED)
    assert (found.holds, found.checked) == (True, False)
    assert found.found.startswith("not checked: 3 to 4,")


def test_a_row_that_no_private_row_gives_is_found_without_a_link(published, tmp_path):
    changed = tamper(
        published["apart"],
        tmp_path / "changed",
        "visits.csv",
        lambda rows: set_value(rows, "ward", slice(0, 1), "other"),
    )
    assert failed(verify(changed)) == [TRUE_VISITS]
