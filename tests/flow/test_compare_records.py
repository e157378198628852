"""The methods that linked tables take, side by side on the same tables."""

import json

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow import read_linked
from lookalike.flow.compare_records import compare_linked
from lookalike.search.takes import LINKED_METHODS

from ..linked_hospital import HIDE, KEY, TENS, change

PEOPLE = pa.table({"no": range(12), "age": [20 + n for n in range(12)]})
VISITS = pa.table({"no": [*range(12), 0], "month": ["May", "June", "July"] * 4 + ["July"]})
ASKED = {
    "source": {"person": "no"},
    "records": {
        "visits": {
            "table": VISITS,
            "person": "no",
            "knows": 1,
            "attributes": {"no": KEY, "month": HIDE},
        }
    },
    "attributes": {"no": KEY, "age": TENS},
    "k": 3,
    "max_suppressed": 2,
}


def test_each_method_is_measured_as_the_release_that_it_would_make(hospital):
    compared = la.compare_records(spec="linked.toml").to_pylist()
    assert [one["method"] for one in compared] == [*LINKED_METHODS]
    for one in compared:
        made = la.release_records(spec="linked.toml", method=one["method"])
        assert (one["k"], one["persons_out"]) == (4, made.persons_out)
        assert one["persons_suppressed"] == made.persons_suppressed
        assert one["levels"] == "[" + ",".join(map(str, made.recoding.vector)) + "]"
        assert dict(one["precision_of"]) == made.precision_by_table
        assert (one["precision"], one["loss"]) == (made.overall_precision, made.loss)
        assert (one["optimal"], one["k_minimal"]) == (made.optimal, made.recoding.k_minimal)
        assert one["seconds"] > 0
        assert one["error"] is None


def test_the_best_precision_is_that_of_the_method_that_proves_it():
    rows = {one["method"]: one for one in la.compare_records(PEOPLE, **ASKED).to_pylist()}
    assert rows["mingen"]["optimal"]
    assert rows["mingen"]["precision"] == max(one["precision"] for one in rows.values())
    assert not rows["datafly"]["optimal"]


def test_the_tables_are_read_once_so_that_the_same_records_are_kept(hospital, monkeypatch):
    """Which record is kept is drawn; the methods differ in nothing else."""
    change(hospital, "knows = 2", "knows = 1\nat_most = 1")
    read = []
    open_table = read_linked.open_table
    monkeypatch.setattr(
        read_linked, "open_table", lambda *one, **more: read.append(0) or open_table(*one, **more)
    )
    compared = compare_linked(la.release_records(spec="linked.toml").specification)
    assert len(read) == 2 * 2
    frames = [one.release.sources.tables[1].table.frame for one in compared]
    assert frames[0] is frames[1] is frames[2]


def test_what_a_method_does_not_take_is_its_result_and_the_others_are_run():
    asked = {**ASKED, "constraints": ["visits.month = 0"]}
    rows = {one["method"]: one for one in la.compare_records(PEOPLE, **asked).to_pylist()}
    assert rows["datafly"]["error"].startswith("release.constraints: datafly does not take it")
    assert rows["datafly"]["levels"] is None
    assert rows["mingen"]["levels"] == rows["samarati"]["levels"] == "[1,0]"


def test_where_no_release_is_possible_the_reason_is_kept():
    rows = la.compare_records(PEOPLE, **{**ASKED, "k": 13, "max_suppressed": 0}).to_pylist()
    assert all("fewer persons (12) than k = 13" in one["error"] for one in rows)


def test_other_methods_are_refused_by_name():
    with pytest.raises(la.InvalidInput, match="mingen, samarati, datafly, not 'mingen-cells'"):
        la.compare_records(PEOPLE, methods=["mingen-cells"], **ASKED)
    with pytest.raises(la.InvalidInput, match="describes no tables with records"):
        la.compare_records(PEOPLE, source={"person": "no"}, attributes=ASKED["attributes"], k=2)


def test_the_command_shows_methods_and_levels_and_writes_nothing(hospital, type_in):
    before = {*hospital.iterdir()}
    code, shown, _ = type_in("compare linked.toml")
    assert code == 0
    assert "visits.month" in shown
    assert [line.split()[0] for line in shown.splitlines()[3:6]] == [*LINKED_METHODS]
    assert {*hospital.iterdir()} == before
    code, shown, _ = type_in("compare linked.toml --method samarati --json")
    [told] = json.loads(shown)["methods"]
    made = la.release_records(spec="linked.toml", method="samarati")
    assert (code, told["method"], told["levels"]) == (0, "samarati", made.levels)


def test_a_method_that_fails_says_so_beside_the_others(hospital, type_in):
    change(hospital, "max_suppressed = 2", 'max_suppressed = 2\nprefer = ["minimum-suppression"]')
    code, shown, _ = type_in("compare linked.toml")
    assert (code, "datafly fails: release.prefer" in shown) == (0, True)
    code, shown, _ = type_in("compare linked.toml --json")
    told = json.loads(shown)["methods"]
    assert {*told[-1]} == {"method", "error"}


def test_a_target_is_refused(hospital, type_in):
    code, _, errors = type_in("compare linked.toml --target ward")
    assert (code, "--target is not taken for linked tables" in errors) == (2, True)
