"""Protections of sensitive values, from the specification to the verified folder."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.examine.verify import verify
from lookalike.model.membership import Membership

ROLES = {
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10, 40]}},
}
ILLNESSES = {
    "kind": "taxonomy",
    "tree": {"infection": ["flu", "cold"], "joint": ["gout", "sprain"]},
}


@pytest.fixture(scope="module")
def people():
    """People of four ZIP codes; in one of them nearly everybody has the flu."""
    draw = np.random.default_rng(14)
    zips = draw.choice(["02138", "02139", "02141", "02142"], 400)
    ill = np.where(
        (zips == "02138") & (draw.random(400) < 0.97),
        "flu",
        draw.choice(["flu", "cold", "gout", "sprain"], 400, p=[0.3, 0.3, 0.2, 0.2]),
    )
    ages = draw.integers(20, 60, 400)
    days = draw.integers(1, 30, 400)
    return pa.table(
        {
            "zip": zips,
            "age": [str(age) for age in ages],
            "ill": [None if value == "sprain" else str(value) for value in ill],
            "days": [str(day) for day in days],
        }
    )


def make(people, protect, *, column="ill", method="mingen", **fields):
    sensitive = {"ill": {"role": "sensitive"}, "days": {"role": "sensitive"}}
    sensitive[column] = {"role": "sensitive", "protect": protect}
    if protect.get("closeness", {}).get("distance") == "hierarchy":
        sensitive[column]["hierarchy"] = ILLNESSES
    accept = ["one-sensitive-value"]
    asked = {"k": 3, "max_suppressed": 0.2, "secrecy": "search", "accept": accept} | fields
    return la.release(people, attributes=ROLES | sensitive, method=method, **asked)


ASKED = [
    ("ill", {"distinct": 3}),
    ("ill", {"entropy": 2}),
    ("ill", {"recursive": {"c": 3, "l": 2}}),
    ("ill", {"share": 0.7}),
    ("ill", {"closeness": {"t": 0.3}}),
    ("days", {"closeness": {"t": 0.2, "distance": "ordered"}}),
    ("ill", {"closeness": {"t": 0.3, "distance": "hierarchy"}}),
    ("ill", {"likeness": {"beta": 1.5, "enhanced": False}}),
    ("ill", {"disclosure": {"delta": 1.5}}),
    ("ill", {"distinct": 2, "entropy": 1.5, "share": 0.8}),
]


BY_METHOD = [("mingen", *asked) for asked in ASKED]
BY_METHOD += [(method, *ASKED[-1]) for method in ("datafly", "samarati")]


@pytest.mark.parametrize(("method", "column", "protect"), BY_METHOD)
def test_a_release_satisfies_every_protection_and_says_so(
    people, tmp_path, method, column, protect
):
    made = make(people, protect, column=column, method=method)
    certificate = made.publish(tmp_path / "released" / "people.csv")
    assert [one.protection for one in certificate.protections] == list(protect)
    assert certificate.secrecy == "search"
    assert "with regard to these values" in certificate.statement
    for one in certificate.protections:
        private = one.protection in ("closeness", "likeness", "disclosure")
        assert (one.reached is None) == private
    found = verify(tmp_path / "released", spec=made.specification, table=people)
    assert found.holds, [one for one in found.findings if not one.holds]
    assert all(one.checked for one in found.findings if "In every class" in one.claim)


def test_a_recipient_counts_what_the_release_shows_and_judges_nothing_else(people, tmp_path):
    made = make(people, {"distinct": 2, "closeness": {"t": 0.4}})
    made.publish(tmp_path / "released" / "people.csv")
    found = {one.claim: one for one in verify(tmp_path / "released").findings}
    [distinct] = [one for claim, one in found.items() if "distinct values" in claim]
    [close] = [one for claim, one in found.items() if "earth mover" in claim]
    assert distinct.checked
    assert distinct.holds
    assert not close.checked
    assert "against the released rows" in close.found


def test_the_certificate_shows_no_figure_of_the_private_table(people, tmp_path):
    made = make(people, {"closeness": {"t": 0.4}, "likeness": {"beta": 3.0}})
    made.publish(tmp_path / "released" / "people.csv")
    written = json.loads((tmp_path / "released" / "certificate.json").read_text())
    assert [one["reached"] for one in written["protections"]] == [None, None]


def test_a_release_that_fails_blindly_is_refused_whole(people):
    with pytest.raises(la.RequirementNotMet, match='secrecy = "blind"') as refused:
        make(people, {"share": 0.6}, secrecy=None)
    assert "flu" not in str(refused.value)


def test_blind_classes_are_those_of_k_alone(people):
    alone = make(people, {"distinct": 1}, secrecy="blind")
    plain = la.release(
        people,
        k=3,
        max_suppressed=0.2,
        method="mingen",
        attributes=ROLES | {"ill": {"role": "sensitive"}, "days": {"role": "sensitive"}},
    )
    assert alone.levels == plain.levels
    assert alone.certificate.secrecy == "blind"


def test_a_search_that_ignores_a_protection_is_caught_by_the_recount(people, tmp_path, monkeypatch):
    ignored = property(lambda _: (), lambda *_: None)
    monkeypatch.setattr(Membership, "protected", ignored, raising=False)
    with pytest.raises(la.RequirementNotMet, match="do not satisfy share of 'ill'"):
        make(people, {"share": 0.6}).publish(tmp_path / "released" / "people.csv")
    assert not (tmp_path / "released").exists()


def test_a_forged_protection_is_found(people, tmp_path):
    made = make(people, {"distinct": 2})
    certificate = made.publish(tmp_path / "released" / "people.csv")
    [one] = certificate.protections
    forged = replace(certificate, protections=(replace(one, parameters={"l": 4}),))
    path = tmp_path / "released" / "certificate.json"
    path.chmod(0o600)
    path.write_text(forged.to_json())
    failed = [found.claim for found in verify(tmp_path / "released").findings if not found.holds]
    assert any("4 distinct values" in claim for claim in failed)


def test_average_risk_is_obeyed_and_recounted(people):
    made = make(people, {"distinct": 1}, average_risk=0.01)
    assert made.measures.classes <= 0.01 * made.plan.rows_out
    assert made.certificate.average_risk == "0.01"


def test_highest_risk_is_a_k(people):
    made = make(people, {"distinct": 1}, k=None, highest_risk=0.09)
    assert made.plan.requirement.k == 12
    assert made.certificate.quasi_identifiers[0].k == 12


@pytest.mark.parametrize(
    ("protect", "message"),
    [
        ({}, "protect names no protection"),
        ({"distinct": 0}, "distinct: l must be an integer of at least 1"),
        ({"share": 2}, "share: alpha must lie above 0 and at most 1"),
        ({"closenes": {"t": 0.1}}, "closeness"),
        ({"closeness": {"t": 0.1, "distance": "near"}}, "distance"),
    ],
)
def test_wrong_protections_are_refused(people, protect, message):
    with pytest.raises(la.InvalidInput, match=message):
        make(people, protect)


def test_protections_are_for_sensitive_columns(people):
    with pytest.raises(la.InvalidInput, match="protect is for sensitive columns, not for other"):
        la.release(
            people,
            k=3,
            attributes=ROLES
            | {"ill": {"role": "other", "protect": {"distinct": 2}}, "days": {"role": "other"}},
        )


def test_closeness_by_hierarchy_needs_one(people):
    with pytest.raises(la.InvalidInput, match="needs a hierarchy of the column"):
        la.release(
            people,
            k=3,
            attributes=ROLES
            | {
                "ill": {
                    "role": "sensitive",
                    "protect": {"closeness": {"t": 0.1, "distance": "hierarchy"}},
                },
                "days": {"role": "other"},
            },
        )


def test_missing_values_have_no_order(people):
    with pytest.raises(la.InvalidInput, match="'ill': missing values have no order"):
        make(people, {"closeness": {"t": 0.3, "distance": "ordered"}})


def test_blank_rows_cannot_be_protected(people):
    with pytest.raises(la.InvalidInput, match='suppressed_rows = "blank"'):
        make(people, {"distinct": 2}, suppressed_rows="blank")


@pytest.mark.parametrize("secrecy", ["blind", "search"])
def test_more_values_than_the_column_has_are_impossible_whatever_k_is(people, secrecy):
    with pytest.raises(la.Infeasible, match=r"at least 5 different values .* has 4 only"):
        make(people, {"distinct": 5}, secrecy=secrecy)
    with pytest.raises(la.Infeasible, match="entropy of column 'ill' needs at least 6"):
        make(people, {"entropy": 5.5}, secrecy=secrecy)
