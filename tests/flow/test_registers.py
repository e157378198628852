"""A release that is compared with a register of the population: k_map and presence."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.flow import source
from lookalike.flow.release import prepare

from ..brute import generalize_rows

MASK = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
DECADES = {
    "role": "quasi-identifier",
    "hierarchy": {"kind": "intervals", "origin": 0, "widths": [10, 50]},
}
ATTRIBUTES = {"zip": MASK, "age": DECADES, "ill": {"role": "sensitive"}}
PATIENTS = pa.table(
    {
        "zip": ["02138", "02138", "02139", "02139", "02141", "02141", "02142", "02142"],
        "age": ["31", "31", "31", "31", "47", "47", "52", "52"],
        "ill": ["flu", "cold", "flu", "cold", "flu", "cold", "flu", "cold"],
    }
)
OUTSIDE = [("02138", "31")] * 2 + [("02139", "35")] * 3 + [("02150", "44")] * 6 + [("97", "60")]
PEOPLE = [*zip(PATIENTS["zip"].to_pylist(), PATIENTS["age"].to_pylist(), strict=True), *OUTSIDE]
REGISTER = pa.table(
    {
        "plz": [zip_code for zip_code, _ in PEOPLE],
        "age": [age for _, age in PEOPLE],
        "name": [f"TELLTALE {number}" for number in range(len(PEOPLE))],
    }
)
COLUMNS = {"zip": "plz"}
SPECIFICATION = """
[source]
path = "patients.csv"
[release]
k = 2
k_map = { k = 4, population = "data/register.parquet", columns = { zip = "plz" } }
presence = { highest = 0.8, population = "data/register.parquet", columns = { zip = "plz" } }
method = "mingen"
out = "released/patients.csv"
[attributes]
zip = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
[attributes.age]
role = "quasi-identifier"
hierarchy = { kind = "intervals", origin = 0, widths = [10, 50] }
[attributes.ill]
role = "sensitive"
"""


def release(register=REGISTER, k=4, method="mingen", **fields):
    """Release the patients so that each class matches k people of a register."""
    asked = {"k": 2, "k_map": {"k": k, "population": register, "columns": COLUMNS}}
    return la.release(PATIENTS, attributes=ATTRIBUTES, method=method, **(asked | fields))


@pytest.fixture
def holder(tmp_path, monkeypatch):
    """Write the holder's files, publish a release from another folder, and return the place."""
    place = tmp_path / "holder"
    (place / "data").mkdir(parents=True)
    pa.csv.write_csv(PATIENTS, place / "patients.csv")
    pa.parquet.write_table(REGISTER, place / "data" / "register.parquet")
    (place / "spec.toml").write_text(SPECIFICATION)
    monkeypatch.chdir(tmp_path)
    prepare(la.Specification.load(place / "spec.toml")).publish()
    return place


def matching(made, people=PEOPLE):
    """Return for every released class its rows and the people who match it."""
    rules = [la.Mask(length=5), la.Intervals(origin=0, widths=(10, 50))]
    shown = zip(made.table["zip"].to_pylist(), made.table["age"].to_pylist(), strict=True)
    known = Counter(generalize_rows(people, rules, tuple(made.levels.values())))
    return [(rows, known[one]) for one, rows in Counter(shown).items()]


@pytest.mark.parametrize("method", ["datafly", "samarati", "mingen"])
def test_every_class_matches_many_people_of_whom_some_are_outside_the_table(method):
    made = release(method=method, max_suppressed=0)
    alone = la.release(PATIENTS, attributes=ATTRIBUTES, k=2, method=method, max_suppressed=0)
    assert alone.levels == {"zip": 0, "age": 0}
    assert made.levels != alone.levels
    assert min(people for _, people in matching(made)) >= 4
    assert any(people > rows for rows, people in matching(made))


@pytest.mark.parametrize(
    "fields",
    [
        {"method": "mingen"},
        {"method": "datafly", "max_suppressed": 0},
        {"method": "samarati"},
        {"method": "samarati", "prefer": ["minimum-suppression"]},
    ],
)
def test_a_value_that_only_the_register_has_matches_from_the_level_that_they_share(fields):
    near = pa.table({"plz": ["02150"] * 8, "age": ["47"] * 8})
    made = la.release(
        pa.concat_tables([PATIENTS.slice(4, 2)] * 2),
        attributes=ATTRIBUTES,
        k=2,
        k_map={"k": 8, "population": near, "columns": COLUMNS},
        **fields,
    )
    assert made.levels == {"zip": 2, "age": 0}


def test_the_searches_of_the_paper_take_what_is_monotone_only():
    asked = {"attributes": ATTRIBUTES, "k": 2}
    fields = {"population": REGISTER, "columns": COLUMNS}
    for search in ("find-vector", "halving", "strategies"):
        found = la.trace_search(PATIENTS, search, k_map={"k": 4, **fields}, **asked).found
        assert tuple(release(method="samarati", max_suppressed=0).levels.values()) in found
    with pytest.raises(la.InvalidInput, match="the matrix VT counts rows of the table only"):
        la.trace_search(PATIENTS, "matrix", k_map={"k": 4, **fields}, **asked)
    with pytest.raises(la.InvalidInput, match="relies on Samarati's Theorem"):
        la.trace_search(PATIENTS, "halving", presence={"highest": 0.8, **fields}, **asked)
    with pytest.raises(la.InvalidInput, match="relies on Samarati's Theorem"):
        la.trace_search(PATIENTS, "find-vector", average_risk=0.2, **asked)


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame, pa.table])
def test_a_register_may_be_any_frame_with_typed_values(kind):
    typed = kind({"plz": REGISTER["plz"].to_pylist(), "age": [int(age) for _, age in PEOPLE]})
    assert release(typed).levels == release().levels


def test_a_value_that_the_hierarchy_does_not_know_matches_at_the_top_only():
    strange = pa.table({"plz": ["02138"] * 8, "age": ["unknown"] * 8})
    made = release(strange, k=8, max_suppressed=0)
    assert made.levels == {"zip": 2, "age": 3}


def test_a_missing_value_matches_missing_values_below_the_top():
    people = pa.table({"plz": ["02138", "02138", None, None, None], "age": ["31"] * 5})
    patients = pa.table(
        {"zip": ["02138", "02138", None, None], "age": ["31"] * 4, "ill": ["a"] * 4}
    )
    asked = {"population": people, "columns": COLUMNS}
    fields = {"attributes": ATTRIBUTES, "k": 2, "method": "mingen", "max_suppressed": 2}
    made = la.release(patients, k_map={"k": 3, **asked}, **fields)
    assert made.levels == {"zip": 0, "age": 0}
    assert made.table["zip"].to_pylist() == [None, None]


def test_presence_bounds_the_share_of_matching_people_who_are_in_the_table():
    asked = {"population": REGISTER, "columns": COLUMNS}
    half = release(k_map=None, presence={"highest": 0.5, **asked}, max_suppressed=0)
    assert all(rows <= people / 2 for rows, people in matching(half))
    assert half.table.num_rows == 8
    with pytest.raises(la.Infeasible, match="8 rows and the register 20 people"):
        release(k_map=None, presence={"highest": 0.3, **asked})
    with pytest.raises(la.Infeasible, match="out of bounds for the table as a whole"):
        release(k_map=None, presence={"lowest": 0.5, **asked})


def test_everybody_who_matches_no_class_is_in_the_table_with_the_share_of_suppressed_rows():
    patients = pa.table({"sex": ["f"] * 4 + ["m"] * 2})
    people = pa.table({"sex": ["f"] * 16 + ["m"] * 2})
    fields = {
        "attributes": {"sex": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}},
        "k": 3,
        "method": "mingen",
        "max_suppressed": 2,
    }
    plain = la.release(patients, **fields)
    assert plain.levels == {"sex": 0}  # suppressing both men says that both are in the table
    made = la.release(patients, presence={"highest": 0.5, "population": people}, **fields)
    assert made.levels == {"sex": 1}


def test_the_certificate_states_the_condition_and_nothing_else_of_the_register(holder):
    folder = holder / "released"
    written = json.loads((folder / "certificate.json").read_text())
    assert written["registers"] == [
        {"condition": "k_map", "k": 4, "lowest": None, "highest": None},
        {"condition": "presence", "k": None, "lowest": "0", "highest": "0.8"},
    ]
    assert "zip and age matches at least 4 people of a register" in written["statement"]
    for file in folder.iterdir():
        assert b"TELLTALE" not in file.read_bytes()
        assert b"register.parquet" not in file.read_bytes()
    assert str(REGISTER.num_rows) not in written["statement"]


def test_a_recipient_cannot_check_it_and_the_holder_can(holder):
    recipient = la.verify(holder / "released")
    assert recipient.holds
    unchecked = [one.claim for one in recipient.findings if not one.checked]
    assert unchecked == [
        "every combination matches at least 4 people of the holder's register",
        "the presence of every person of the holder's register is between 0 and 0.8",
    ]
    whole = la.verify(holder / "released", spec=holder / "spec.toml")
    assert whole.holds
    assert whole.complete


def test_the_holder_finds_a_register_that_does_not_match(holder):
    pa.parquet.write_table(REGISTER.slice(0, 3), holder / "data" / "register.parquet")
    whole = la.verify(holder / "released", spec=holder / "spec.toml")
    assert [one.claim.split()[0] for one in whole.findings if not one.holds] == ["every", "the"]


def test_a_certificate_of_another_condition_differs_from_the_specification(holder):
    path = holder / "spec.toml"
    path.write_text(SPECIFICATION.replace("k = 4", "k = 3"))
    whole = la.verify(holder / "released", spec=path)
    [wrong] = [one for one in whole.findings if not one.holds]
    assert wrong.claim == "the certificate matches the specification"
    assert "registers" in wrong.found


def test_a_certificate_without_its_registers_contradicts_itself(holder):
    path = holder / "released" / "certificate.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"registers": []}))
    [wrong] = [one for one in la.verify(holder / "released").findings if not one.holds]
    assert wrong.found == "these do not: statement"


def test_a_fault_of_the_search_is_found_before_anything_is_published(holder, monkeypatch):
    def count_too_many(*given):
        return tuple(replace(one, counts=9 * one.counts) for one in source_registers(*given))

    source_registers = source.count_registers
    monkeypatch.setattr(source, "count_registers", count_too_many)
    made = prepare(la.Specification.load(holder / "spec.toml"))
    assert made.levels == {"zip": 0, "age": 0}
    with pytest.raises(la.RequirementNotMet, match="k_map: 3 released classes do not satisfy"):
        made.publish(holder / "other" / "patients.csv")
    assert not (holder / "other").exists()


def test_a_register_is_compared_over_the_columns_of_the_recipient():
    fields = {"recipients": {"lab": {"columns": ["zip", "ill"]}}, "recipient": "lab"}
    made = release(max_suppressed=0, **fields)
    assert made.table.column_names == ["zip", "ill"]
    assert "combination of zip matches at least 4" in made.certificate.statement


ASKED = {"k": 3, "population": REGISTER, "columns": COLUMNS}
SEVERAL = [{"name": "one", "attributes": ["zip"]}, {"name": "two", "attributes": ["age"]}]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"k_map": ASKED | {"k": 1}}, "k must be at least 2"),
        ({"k_map": ASKED | {"columns": {"plz": "zip"}}}, "no column of the table is named 'plz'"),
        ({"k_map": ASKED | {"columns": {}}}, "the register has no column 'zip' for the attribute"),
        ({"k_map": ASKED | {"population": "missing.csv"}}, "k_map: population: no file is found"),
        ({"k_map": ASKED | {"population": 7}}, "k_map: population: a int is not a table"),
        ({"k_map": ASKED | {"people": 7}}, "release.k_map.people: not a field"),
        ({"k_map": {"k": 3}}, "release.k_map.population: is required"),
        ({"k_map": ASKED, "quasi_identifiers": SEVERAL}, "k_map: a register is of one kind"),
        ({"k_map": ASKED, "suppressed_rows": "blank"}, "releases rows that match everybody"),
        ({"k_map": ASKED, "method": "mingen-cells"}, "use datafly, mingen or samarati"),
        ({"k_map": ASKED, "method": "mu-argus"}, "use datafly, mingen or samarati"),
        ({"presence": {"population": REGISTER}}, "presence names no bound"),
        ({"presence": {"population": REGISTER, "highest": 0}}, "highest above 0"),
        ({"presence": {"population": REGISTER, "lowest": 0.6, "highest": 0.5}}, "<= highest <= 1"),
    ],
)
def test_what_cannot_be_compared_is_refused(fields, message):
    asked = {"k": 2, "method": "mingen"} | fields
    with pytest.raises(la.InvalidInput, match=message):
        la.release(PATIENTS, attributes=ATTRIBUTES, **asked)


def test_presence_needs_one_row_per_person():
    with pytest.raises(la.InvalidInput, match="one row per person"):
        la.release(
            PATIENTS.append_column("id", PATIENTS["zip"]),
            attributes=ATTRIBUTES | {"id": {"role": "identifier"}},
            source={"person": "id"},
            k=2,
            presence={"population": REGISTER, "columns": COLUMNS, "highest": 0.5},
        )


def test_a_register_needs_the_sequences_in_memory(holder):
    asked = la.Specification.load(holder / "spec.toml", {"max_sequences": 2})
    with pytest.raises(la.InvalidInput, match="k_map compares the list of all sequences"):
        prepare(asked)


def test_with_a_ledger_a_policy_must_judge_the_whole_release(holder):
    ledger = {"ledger": str(holder / "ledger.db")}
    with pytest.raises(la.InvalidInput, match='use policy = "check-only"'):
        la.Specification.load(holder / "spec.toml", ledger)


def test_the_representation_of_a_specification_shows_no_person():
    asked = la.Specification.build(
        {"release": {"k": 2, "k_map": ASKED}, "attributes": ATTRIBUTES}, "test"
    )
    assert "TELLTALE" not in repr(asked)
    assert Path("register.csv").name not in repr(asked)
