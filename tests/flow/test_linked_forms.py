"""Forms of linked tables: sets in a column, records alone, tables without a link."""

import json
import shutil
from collections import Counter

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pytest

import lookalike as la
from lookalike.publish.digest import describe_file

KEY = {"role": "identifier"}
HIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
MASK = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
SETS = ["I10;J20", "I11; J20;", None, "", "I10;I11;J21", "J20"] * 4
PEOPLE = pa.table({"no": range(24), "sex": ["f", "m"] * 12, "codes": SETS, "ward": ["A", "B"] * 12})
VISITS = pa.table(
    {"no": [n for n in range(24) for _ in range(1 + n % 2)], "month": ["May", "June"] * 18}
)
RECORDS = {"table": VISITS, "person": "no", "knows": 1, "attributes": {"no": KEY, "month": HIDE}}
COLUMNS = {"no": KEY, "sex": HIDE, "codes": {**MASK, "separator": ";", "knows": 2}}
WARD = {"ward": {"role": "sensitive"}}


def release(people=PEOPLE, **changes):
    """Release the sets of all people, and what is asked for besides."""
    asked = {"source": {"person": "no"}, "attributes": {**COLUMNS, **WARD}, "k": 3}
    return la.release_records(people, **{**asked, **changes})


def find_checks(folder):
    """Return what is found of each check of a published folder."""
    return {one.claim: one for one in la.verify(folder).findings}


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Return a folder in which a release of each form is published once."""
    folder = tmp_path_factory.mktemp("forms")
    release(constraints=["codes >= 1"]).publish(folder / "sets/people.csv")
    release(records={"visits": RECORDS}).publish(folder / "both/people.csv")
    release(records={"visits": RECORDS}, link=False).publish(folder / "apart/people.csv")
    la.release_records(records={"visits": {**RECORDS, "knows": 2}}, k=3).publish(
        folder / "alone/stays.csv"
    )
    return folder


def test_a_set_is_released_in_its_column_with_each_item_as_often_as_it_was(published):
    rows = arrow_csv.read_csv(published / "sets/people.csv").to_pylist()
    assert [*rows[0]] == ["sex", "codes", "ward"]
    shown = Counter(row["codes"] for row in rows)
    assert shown == {"I1*;J2*": 8, "": 8, "I1*;I1*;J2*": 4, "J2*": 4}
    fields = json.loads((published / "sets/certificate.json").read_text())
    assert "somebody's sex and any two of their codes is left" in fields["statement"]
    assert [one["rows_out"] for one in fields["tables"]] == [24, 32]


@pytest.mark.parametrize("form", ["sets", "both", "apart", "alone"])
def test_every_form_verifies_from_its_folder(published, form):
    assert la.verify(published / form).holds


def test_a_person_who_got_another_item_is_found(published, tmp_path):
    """The digest aside, the items are counted again from the column of the file."""
    fields = json.loads((published / "sets/certificate.json").read_text())
    text = (published / "sets/people.csv").read_text()
    changed = text.replace("I1*;I1*;J2*", "I1*;J2*;J2*", 1)
    (tmp_path / "people.csv").write_text(changed)
    fields["files"]["people.csv"] |= {"sha256": describe_file(tmp_path / "people.csv").sha256}
    fields["report"] = None
    (tmp_path / "certificate.json").write_text(json.dumps(fields))
    found = find_checks(tmp_path)["at least 3 persons share whatever may be known of a person"]
    assert (found.holds, found.found[-9:]) == (False, "1 persons")


@pytest.mark.parametrize("place", [0, 1])
def test_levels_that_a_hierarchy_does_not_have_are_found(published, tmp_path, place):
    """The person table, and the set in one of its columns."""
    folder = shutil.copytree(published / "sets", tmp_path / "sets")
    fields = json.loads((folder / "certificate.json").read_text())
    [done] = fields["tables"][place]["generalized"].values()
    done["level"] = done["height"] + 1
    (folder / "certificate.json").write_text(json.dumps(fields))
    assert not find_checks(folder)["people.csv has the columns of the certificate"].holds


def test_each_row_is_taken_for_a_person_only_if_that_is_said():
    plain = {name: one for name, one in {**COLUMNS, **WARD}.items() if name != "no"}
    rows = PEOPLE.drop_columns(["no"])
    made = release(rows, source={"person": "row"}, attributes=plain)
    assert "Each row is assumed to be one person." in made.certificate.statement
    assert "assumed to be one person" not in release().certificate.statement


def test_records_alone_are_released_under_the_name_of_their_file(published):
    assert {one.name for one in (published / "alone").iterdir()} == {
        "stays.csv",
        "certificate.json",
        "report.html",
    }
    rows = arrow_csv.read_csv(published / "alone/stays.csv").to_pylist()
    assert len({row["no"] for row in rows}) == 24
    statement = json.loads((published / "alone/certificate.json").read_text())["statement"]
    assert "who knows any two of somebody's visits is left with at least 3 people" in statement


def test_records_alone_need_no_source_and_no_attributes(tmp_path, type_in, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arrow_csv.write_csv(VISITS, tmp_path / "visits.csv")
    (tmp_path / "alone.toml").write_text(
        '[release]\nk = 3\nout = "out/visits.csv"\n[records.visits]\npath = "visits.csv"\n'
        'person = "no"\nknows = 1\n[records.visits.attributes]\nno = { role = "identifier" }\n'
        'month = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }\n'
    )
    assert type_in("release alone.toml")[0] == 0
    assert type_in("verify out")[0] == 0


def test_without_a_link_no_table_shows_whose_row_it_is(published):
    names = {"people": ["sex", "codes", "ward"], "visits": ["month"]}
    for name, columns in names.items():
        assert arrow_csv.read_csv(published / f"apart/{name}.csv").column_names == columns
    found = find_checks(published / "apart")
    [persons] = [
        one for claim, one in found.items() if "persons share the values of a rec" in claim
    ]
    assert not persons.checked
    statement = json.loads((published / "apart/certificate.json").read_text())["statement"]
    assert "recipients can count records only" in statement


def test_without_a_link_records_are_counted_by_persons_not_by_rows():
    """Six records of July are those of two persons."""
    numbers = [*range(24), 0, 0, 0, 1, 1, 1]
    months = ["May"] * 24 + ["July"] * 6
    rare = {**RECORDS, "table": pa.table({"no": numbers, "month": months})}
    made = release(records={"visits": rare}, link=False)
    assert made.levels["visits"] == {"month": 1}
    made = release(records={"visits": rare}, link=False, k=2)
    assert made.levels["visits"] == {"month": 0}
    assert made.certificate.k_reached == 2


@pytest.mark.parametrize("people", [PEOPLE, None])
def test_a_table_without_rows_is_released_without_a_link(people, tmp_path):
    """Nothing can be known of it, so the rarest is that of the other tables."""
    empty = {**RECORDS, "table": VISITS.slice(0, 0)}
    others = {"calls": {**RECORDS, "knows": 0}, "visits": empty}
    given = {} if people is None else {"source": {"person": "no"}, "attributes": COLUMNS | WARD}
    made = la.release_records(people, records=others, k=3, link=False, **given)
    assert made.publish(tmp_path / "out/people.csv").k_reached == (24 if people is None else 4)
    found = find_checks(tmp_path / "out")
    assert all(one.holds for one in found.values())
    assert "at least 4 records of visits.csv share their values" not in found


def test_a_table_without_persons_is_infeasible_also_if_its_columns_have_no_type():
    empty = pa.table({name: pa.nulls(0) for name in PEOPLE.column_names})
    with pytest.raises(la.Infeasible, match=r"fewer persons \(0\) than k = 3"):
        release(empty)


def test_an_error_about_columns_names_the_place_of_their_table():
    unnamed = {**RECORDS, "attributes": {"no": KEY, "moon": HIDE}}
    with pytest.raises(la.InvalidInput, match="visits: ") as caught:
        release(records={"visits": unnamed})
    assert str(caught.value).count("[records.visits.attributes]") == 2


@pytest.mark.parametrize("role", [HIDE, {"role": "sensitive"}, {"role": "other"}])
def test_records_may_have_the_name_of_a_column_of_the_person_table(role, tmp_path):
    """Such as a column with the number of visits; only sets are called by their column."""
    attributes = {**COLUMNS, "ward": role}
    made = release(records={"ward": RECORDS}, attributes=attributes, constraints=["ward.month = 0"])
    assert made.levels["ward"] == {"month": 0}
    assert ("ward" in made.levels["persons"]) == (role is HIDE)
    made.publish(tmp_path / "out/people.csv")
    assert all(one.holds for one in find_checks(tmp_path / "out").values())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"records": {"visits": {**RECORDS, "knows": 2}}, "link": False}, "single rows are what"),
        ({"records": {"persons": RECORDS}}, "give this table another name"),
        ({"records": {"codes": RECORDS}}, "give this table another name"),
        (
            {"records": {"visits": RECORDS}, "attributes": {**COLUMNS, "visits.month": HIDE}},
            "could not tell its columns from 'visits.month'",
        ),
        ({"attributes": {**COLUMNS, **WARD, "codes": {**MASK, "separator": ";"}}}, "go together"),
        (
            {"attributes": {**COLUMNS, **WARD, "codes": {**COLUMNS["codes"], "zero_pad": 4}}},
            "items",
        ),
        (
            {"records": {"v": {**RECORDS, "attributes": {"no": KEY, "month": COLUMNS["codes"]}}}},
            "records.v.attributes.month.separator is not taken",
        ),
    ],
)
def test_what_a_form_does_not_take_is_refused(changes, message):
    with pytest.raises(la.InvalidInput, match=message):
        release(**changes)


def test_a_label_that_would_be_read_as_two_items_is_refused(tmp_path):
    (tmp_path / "codes.csv").write_text("I10|I;1\nI11|I;1\nJ20|J\nJ21|J\n")
    lines = {
        "kind": "file",
        "path": str(tmp_path / "codes.csv"),
        "delimiter": "|",
        "suppression_level": True,
    }
    with pytest.raises(la.InvalidInput, match="1 labels that would be read as several items"):
        release(attributes={**COLUMNS, **WARD, "codes": {**COLUMNS["codes"], "hierarchy": lines}})


def test_one_table_alone_takes_no_sets():
    with pytest.raises(la.InvalidInput, match=r"codes: linked tables are released by .* \(separ"):
        la.release(PEOPLE, source={"person": "no"}, k=3, attributes={**COLUMNS, **WARD})


def test_a_value_that_names_one_person_is_refused_where_persons_have_several_records():
    insurance = pa.array([f"policy {n}" for n in VISITS["no"].to_pylist()])
    table = VISITS.append_column("insurance", insurance)
    columns = {**RECORDS["attributes"], "insurance": {"role": "other"}}
    asked = {**RECORDS, "table": table, "attributes": columns}
    with pytest.raises(la.InvalidInput, match="visits: column 'insurance' has 24 different values"):
        release(records={"visits": asked})
    columns["insurance"] = {"role": "other", "unique": True}
    assert release(records={"visits": asked}).persons_out == 24


def test_rows_are_selected_before_a_frame_is_given():
    asked = {**RECORDS, "where": "month = 'May'"}
    with pytest.raises(la.InvalidInput, match="where, which is not applied to a frame"):
        release(records={"visits": asked})


def test_those_who_share_what_is_known_have_several_values(tmp_path):
    """Sex and ward go together, so whoever knows the sex knows the ward."""
    alike = {one.name: one for one in release().preflight}["one-sensitive-value"]
    assert "24 of 24 persons (100.0 %) share their value of 'ward'" in alike.sentence
    ward = {"ward": {"role": "sensitive", "protect": {"distinct": 2}}}
    made = release(attributes={**COLUMNS, **ward})
    assert made.levels["persons"] == {"sex": 1}
    assert "one-sensitive-value" not in {one.name for one in made.preflight}
    assert "These people have at least 2 different values of ward." in made.certificate.statement
    made.publish(tmp_path / "out/people.csv")
    claim = "these persons have at least 2 different values of ward"
    assert find_checks(tmp_path / "out")[claim].holds
    share = {"ward": {"role": "sensitive", "protect": {"share": 0.5}}}
    with pytest.raises(la.InvalidInput, match=r"leave out share"):
        release(attributes={**COLUMNS, **share})


def test_patterns_and_keys_of_other_types_find_their_columns_and_persons():
    numbers = pa.array([float(n) for n in VISITS["no"].to_pylist()])
    table = VISITS.set_column(0, "no", numbers)
    attributes = {"no": KEY, "mon*": {**HIDE, "weight": 3}}
    made = release(records={"visits": {**RECORDS, "table": table, "attributes": attributes}})
    assert made.tables["visits"].column_names == ["no", "month"]
    assert made.levels["visits"].keys() == {"month"}


@pytest.mark.parametrize(
    "asked", [{"link": False}, {"unit": "family"}, {"suppressed_records": "drop"}]
)
def test_patterns_name_columns_whatever_is_asked_of_all_tables(asked):
    columns = {"no": KEY, "s*": HIDE, "codes": {"role": "drop"}, "w*": {"role": "sensitive"}}
    visits = {**RECORDS, "attributes": {"no": KEY, "m*": HIDE}}
    made = release(attributes=columns, records={"visits": visits}, **asked)
    assert [*made.levels["persons"], *made.levels["visits"]] == ["sex", "month"]


def test_a_missing_key_is_not_the_empty_one():
    people = PEOPLE.set_column(0, "no", pa.array(["", *map(str, range(1, 24))]))
    keys = pa.array([None if n == 0 else str(n) for n in VISITS["no"].to_pylist()])
    asked = {**RECORDS, "table": VISITS.set_column(0, "no", keys)}
    with pytest.raises(la.InvalidInput, match="1 of 36 records belong to no row"):
        release(people, records={"visits": asked})


def test_what_a_person_is_called_is_for_linked_tables():
    with pytest.raises(la.InvalidInput, match="unit is for linked tables"):
        la.release(pa.table({"sex": ["f"] * 4}), k=2, attributes={"sex": HIDE}, unit="family")
