"""Linked tables without single records of persons: from frames to a verified folder."""

import json
from collections import Counter
from dataclasses import replace

import pyarrow as pa
import pytest

import lookalike as la

KEY = {"role": "identifier"}
HIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
VISITS = [(n, month) for n in range(13) for month in ("May", "June")[: 1 + n % 2]]
"""Those of twelve women, and of a man, who is left out as the only one."""
RARE = [(1, "July"), (3, "July"), (4, "August")]
"""Visits that make three persons rare; with k = 3 they are left out."""


def release(visits=(*VISITS, *RARE), knows=2, **changes):
    """Release persons with visits, if so many visits may be known."""
    numbers, months = zip(*visits, strict=True)
    table = pa.table({"no": numbers, "month": months, "bed": range(len(numbers))})
    roles = {"no": KEY, "month": HIDE, "bed": {"role": "other", "unique": True}}
    asked = {"table": table, "person": "no", "knows": knows, "attributes": roles}
    return la.release_records(
        pa.table({"no": range(13), "sex": ["f"] * 12 + ["m"]}),
        records={"visits": asked | changes.pop("visits", {})},
        source={"person": "no"},
        attributes={"no": KEY, "sex": HIDE} | changes.pop("attributes", {}),
        **{"k": 3, "max_suppressed": 4, "accept": ["as-is-unique"], "constraints": ["sex = 0"]}
        | changes,
    )


def list_months(made):
    """Count the persons with each list of months."""
    owned = {}
    for row in made.tables["visits"].to_pylist():
        owned.setdefault(row["no"], []).append(row["month"])
    return Counter(tuple(sorted(own)) for own in owned.values())


def test_persons_stay_without_the_records_that_few_others_have(tmp_path, type_in):
    whole = release()
    assert (whole.persons_suppressed, whole.rows_out["visits"]) == (4, 13)
    made = release(suppressed_records="drop")
    assert made.levels == whole.levels
    assert made.as_json()["rows_dropped"] == {"persons": 0, "visits": 3}
    assert list_months(made) == {("May",): 6, ("June", "May"): 6}
    made.publish(tmp_path / "out/people.csv")
    certificate = json.loads((tmp_path / "out/certificate.json").read_text())
    assert (certificate["persons_out"], certificate["persons_suppressed"]) == (12, 1)
    assert certificate["tables"][1]["rows_dropped"] == 3
    assert "because few others have the like: 3 of visits" in certificate["statement"]
    assert [certificate["tables"][1][f"rows_{name}"] for name in ("in", "out")] == [22, 18]
    code, output, _ = type_in(f"verify {tmp_path / 'out'}")
    assert (code, "✓ visits: 3 rows of released persons are left out" in output) == (0, True)
    page = " ".join(la.report(tmp_path / "out").html.split())
    assert "3 rare rows of released persons were left out" in page


def test_precision_charges_each_left_out_record_like_one_at_the_top():
    whole, made = release(), release(suppressed_records="drop")
    assert whole.levels == {"persons": {"sex": 0}, "visits": {"month": 0}}
    shares = {"persons": pytest.approx(12 / 13), "visits": pytest.approx(18 / 22)}
    assert made.precision_by_table == shares
    assert made.overall_precision == pytest.approx((12 + 18) / (13 + 22))
    assert made.loss == pytest.approx(1 - made.overall_precision)
    assert (whole.optimal, made.optimal) == (True, False)
    assert made.certificate.optimality == "not proved"


def test_nothing_is_left_out_where_nobody_is():
    made = release(VISITS, suppressed_records="drop")
    assert made.rows_dropped == {"persons": 0, "visits": 0}
    assert made.certificate.statement == release(VISITS).certificate.statement


@pytest.mark.parametrize("knows", [0, 1, 2, 3, "all"])
def test_items_of_a_set_leave_in_the_same_way(knows):
    months = ["; ".join(m for n, m in (*VISITS, *RARE) if n == own) for own in range(12)]
    made = la.release_records(
        pa.table({"months": months}),
        source={"person": "row"},
        attributes={"months": {**HIDE, "separator": ";", "knows": knows}},
        k=3,
        max_suppressed=3,
        suppressed_records="drop",
    )
    gone = 3 if knows else 0
    assert made.rows_dropped == {"persons": 0, "months": gone}
    assert Counter(made.tables["persons"]["months"].to_pylist())["May"] == 5 + (gone > 0)


@pytest.mark.parametrize("rows_dropped", [5, -1])
def test_a_wrong_number_of_left_out_records_does_not_verify(tmp_path, rows_dropped):
    release(suppressed_records="drop").publish(tmp_path / "out/people.csv")
    place = tmp_path / "out/certificate.json"
    fields = json.loads(place.read_text())
    fields["tables"][1]["rows_dropped"] = rows_dropped
    place.write_text(json.dumps(fields))
    failed = [one.claim for one in la.verify(tmp_path / "out").findings if not one.holds]
    assert f"visits: {rows_dropped:,} rows of released persons are left out" in failed


def test_records_under_the_pseudonym_of_another_person_are_refused():
    """Released persons are compared with private ones who still have the left-out records."""
    made = release(suppressed_records="drop")
    persons, visits = made.sources.tables
    exchanged = replace(visits, person_of=visits.person_of[::-1].copy())
    wrong = replace(made, sources=replace(made.sources, tables=(persons, exchanged)))
    with pytest.raises(
        la.RequirementNotMet, match="are not the generalization of a private person"
    ):
        wrong.tables  # noqa: B018


def test_records_that_the_private_tables_do_not_have_are_refused():
    """A proof against the tables without the left-out records would not see that they changed."""
    made = release(suppressed_records="drop")
    other = release([*VISITS[1:], VISITS[0], *RARE], suppressed_records="drop")
    with pytest.raises(
        la.RequirementNotMet, match="are not the generalization of a private person"
    ):
        replace(made, private=other.private).tables  # noqa: B018


def test_all_missing_records_are_those_of_released_persons_if_nobody_is_left_out(tmp_path):
    made = release(suppressed_records="drop", constraints=["sex = 1"], max_suppressed=3)
    made.publish(tmp_path / "out/people.csv")
    place = tmp_path / "out/certificate.json"
    fields = json.loads(place.read_text())
    assert (fields["persons_suppressed"], fields["tables"][1]["rows_dropped"]) == (0, 3)
    assert la.verify(tmp_path / "out").holds
    fields["tables"][1]["rows_dropped"] = 2
    place.write_text(json.dumps(fields))
    failed = [one.claim for one in la.verify(tmp_path / "out").findings if not one.holds]
    assert "visits: 2 rows of released persons are left out" in failed


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"link": False}, "release.link = false"),
        (
            {"attributes": {"sex": {"role": "sensitive", "protect": {"distinct": 2}}}},
            "attributes.sex.protect",
        ),
    ],
)
def test_what_is_not_taken_where_records_are_left_out_is_refused_by_name(changes, message):
    asked = 'is not taken beside suppressed_records = "drop" yet'
    with pytest.raises(la.InvalidInput, match=f"{message} {asked}"):
        release(knows=1, suppressed_records="drop", **changes)


def test_records_that_refer_to_others_are_not_left_out_yet():
    visits = {"path": "visits.csv", "person": "no", "key": "bed", "knows": 1}
    visits |= {"attributes": {"no": KEY, "bed": KEY, "month": HIDE}}
    codes = {"path": "codes.csv", "person": "no", "refers": {"bed": "visits"}, "knows": 0}
    codes |= {"attributes": {"no": KEY, "bed": KEY}}
    asked = {"release": {"k": 3, "suppressed_records": "drop"}}
    with pytest.raises(la.InvalidInput, match=r"records\.codes\.refers is not taken beside"):
        la.Specification.build({**asked, "records": {"visits": visits, "codes": codes}})


def test_one_table_does_not_take_it():
    with pytest.raises(la.InvalidInput, match="suppressed_records is for linked tables"):
        la.release(
            pa.table({"sex": ["f"] * 4}), k=2, attributes={"sex": HIDE}, suppressed_records="drop"
        )
