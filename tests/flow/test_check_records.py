"""Whether linked tables keep the promise as they are, before anything is generalized."""

import json

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pytest

import lookalike as la
from lookalike.flow.check_records import check_records
from lookalike.spec.specification import Specification

KEY = {"role": "identifier"}
HIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
VISITS = [(n, month) for n in range(12) for month in ("May", "June", "July")[: 1 + n % 2 + n // 11]]


def write(folder, visits=VISITS, *, k=3, knows=2, **release):
    """Write twelve persons with their visits; return the specification."""
    people = pa.table({"no": range(12), "sex": ["f", "m"] * 6, "plan": ["A", "B"] * 5 + ["A"] * 2})
    numbers, months = zip(*visits, strict=True)
    arrow_csv.write_csv(people, folder / "people.csv")
    arrow_csv.write_csv(pa.table({"no": numbers, "month": months}), folder / "visits.csv")
    return Specification.build(
        {
            "source": {"path": str(folder / "people.csv"), "person": "no"},
            "release": {"k": k, "out": str(folder / "released/people.csv"), **release},
            "attributes": {"no": KEY, "sex": HIDE, "plan": {"role": "drop"}},
            "records": {
                "visits": {
                    "path": str(folder / "visits.csv"),
                    "person": "no",
                    "knows": knows,
                    "attributes": {"no": KEY, "month": HIDE},
                }
            },
        }
    )


def test_the_promise_is_kept_up_to_the_fewest_who_share_what_is_known(tmp_path):
    common = [one for one in VISITS if one[1] != "July"]
    for k, holds in ((6, True), (7, False)):
        found = check_records(write(tmp_path, common, k=k))
        assert (found.holds, found.k, found.k_asked, found.persons) == (holds, 6, k, 12)
        assert found.persons_below_k == (0 if holds else 12)
    assert found.known == "sex and any two of their visits"


def test_what_one_person_shows_is_counted(tmp_path):
    found = check_records(write(tmp_path))
    assert (found.holds, found.k, found.unique_persons) == (False, 1, 1)
    assert (found.persons_below_k, found.persons_left_out) == (1, 1)
    assert check_records(write(tmp_path, knows=0)).holds


@pytest.mark.parametrize("k", [2, 3, 6, 7])
@pytest.mark.parametrize("knows", [0, 1, 2, "all"])
def test_as_many_are_left_out_as_by_a_release_without_generalization(tmp_path, k, knows):
    asked = write(
        tmp_path,
        k=k,
        knows=knows,
        max_suppressed=12,
        constraints=["sex = 0", "visits.month = 0"],
    )
    found = check_records(asked)
    try:
        assert la.release_records(spec=asked).persons_suppressed == found.persons_left_out
    except la.Infeasible:
        assert found.persons_left_out == 12


def test_leaving_out_one_person_can_make_others_rare(tmp_path):
    """Of the three with two visits in May, one also came in July; two share what is left."""
    visits = [(n, "May") for n in range(0, 12, 2)] + [(n, "May") for n in (1, 3, 5)] * 2
    visits += [(5, "July")] + [(n, "June") for n in (7, 9, 11)]
    found = check_records(write(tmp_path, visits))
    assert (found.persons_below_k, found.persons_left_out) == (1, 3)


def test_a_protection_counts_who_shares_a_value(tmp_path):
    asked = write(tmp_path, [one for one in VISITS if one[1] == "May"])
    assert check_records(asked).holds
    plan = {"role": "sensitive", "protect": {"distinct": 2}}
    protected = asked.changed({}, {}, {"attributes": {"plan": plan}})
    found = check_records(protected)
    assert (found.holds, found.k, found.persons_left_out) == (False, 6, 6)


def test_fewer_persons_than_k_do_not_keep_it(tmp_path):
    assert not check_records(write(tmp_path, k=13)).holds


def test_the_command_ends_with_whether_the_promise_is_kept(tmp_path, monkeypatch, type_in):
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    (tmp_path / "linked.toml").write_text(
        """
source = { path = "people.csv", person = "no" }
release = { k = 3, unit = "farm" }
attributes.no = { role = "identifier" }
attributes.sex = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
attributes.plan = { role = "drop" }
[records.visits]
path = "visits.csv"
person = "no"
knows = 2
attributes.no = { role = "identifier" }
attributes.month = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
"""
    )
    code, shown, _ = type_in("check --spec linked.toml")
    assert code == 1
    assert "The tables do not keep the promise as they are: k = 3." in shown
    assert "1 of 12 farms" in shown
    assert "person" not in shown
    code, shown, _ = type_in("check --spec linked.toml --where \"no <> '11'\" --json")
    assert (code, "error" in json.loads(shown)) == (2, True)
    common = [one for one in VISITS if one[1] != "July"]
    write(tmp_path, common)
    code, shown, _ = type_in("check --spec linked.toml --json")
    told = json.loads(shown)
    assert (code, told["holds"], told["k"], told["persons_left_out"]) == (0, True, 6, 0)
    assert type_in("check --spec linked.toml -k 7")[0] == 1
