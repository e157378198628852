"""A greatest probability of re-identification as the requirement: highest_risk, average_risk."""

import json
from fractions import Fraction

import duckdb
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.examine.promises import read_promises
from lookalike.flow.release import prepare
from lookalike.verify.recount import (
    Declared,
    Promise,
    require_declared,
)

MASK = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
ATTRIBUTES = {"zip": MASK, "ill": {"role": "sensitive"}}
ZIPS = ["02138"] * 12 + ["02139"] * 3 + ["02141"] * 3 + ["02142"] * 3 + ["94301"] * 3
TABLE = pa.table({"zip": ZIPS, "ill": ["flu", "cold"] * 12})
SPECIFICATION = """
[source]
path = "patients.csv"
[release]
highest_risk = 0.34
average_risk = 0.15
method = "mingen"
out = "released/patients.csv"
[attributes]
zip = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
ill = { role = "sensitive" }
"""


def build(release, **parts):
    """Build a specification of the table."""
    return la.Specification.build({"release": release, "attributes": ATTRIBUTES, **parts})


@pytest.fixture
def holder(tmp_path):
    """Write the holder's files."""
    rows = zip(ZIPS, TABLE["ill"].to_pylist(), strict=True)
    text = "zip,ill\n" + "".join(f"{zip_code},{ill}\n" for zip_code, ill in rows)
    (tmp_path / "patients.csv").write_text(text)
    (tmp_path / "spec.toml").write_text(SPECIFICATION)
    return tmp_path


@pytest.mark.parametrize(
    ("risk", "k"),
    [(0.09, 12), (0.2, 5), (0.05, 20), (0.1, 10), (0.33, 4), (0.34, 3), (0.5, 2), (0.99, 2)],
)
def test_k_is_the_least_that_keeps_the_highest_risk(risk, k):
    asked = build({"highest_risk": risk})
    assert asked.requirement(100).k == k
    assert [one.k for one in read_promises(asked, 100)] == [k]


@pytest.mark.parametrize("risk", [0, 1, 1.5, -0.1, "0.1", True, float("nan")])
@pytest.mark.parametrize("field", ["highest_risk", "average_risk"])
def test_a_risk_is_a_probability_above_0_and_below_1(field, risk):
    with pytest.raises(la.InvalidInput, match=f"release.{field}: write a "):
        build({"k": 2, field: risk})


def test_k_and_highest_risk_together_are_refused():
    with pytest.raises(la.InvalidInput, match="k and highest_risk say the same thing"):
        build({"k": 5, "highest_risk": 0.2})


def test_k_of_the_command_line_replaces_a_highest_risk(holder):
    asked = la.Specification.load(holder / "spec.toml", {"k": 7})
    assert asked.release.highest_risk is None
    assert asked.requirement(100).k == 7


@pytest.mark.parametrize(
    ("own", "k"), [({"k": 3}, 3), ({"highest_risk": 0.1}, 10), ({}, 5), ({"anonymity": 0.1}, 2)]
)
def test_a_recipient_may_have_a_risk_of_its_own(own, k):
    fields = {"recipients": {"lab": own}}
    asked = build({"highest_risk": 0.2, "recipient": "lab"}, **fields)
    assert asked.requirement(100).k == k
    assert [one.k for one in read_promises(asked, 100)] == [k]


def test_the_average_risk_is_classes_per_released_row():
    fields = {"attributes": ATTRIBUTES, "k": 2, "method": "mingen"}
    alone = la.release(TABLE, **fields)
    assert alone.levels == {"zip": 0}
    assert alone.measures.classes / alone.table.num_rows > 0.2
    made = la.release(TABLE, average_risk=0.125, **fields)
    assert (made.levels, made.measures.classes) == ({"zip": 1}, 3)
    finer = la.release(TABLE, average_risk=0.1249, **fields)
    assert (finer.levels, finer.measures.classes) == ({"zip": 2}, 2)
    exact = la.release(TABLE, average_risk=5 / 24 + 1e-12, **fields)
    assert exact.levels == {"zip": 0}


@pytest.mark.parametrize("method", ["datafly", "samarati", "mingen"])
def test_every_method_that_takes_it_obeys_the_average_risk(method):
    made = la.release(TABLE, attributes=ATTRIBUTES, k=2, average_risk=0.1, method=method)
    assert made.measures.classes <= 0.1 * made.table.num_rows


def test_the_certificate_names_the_risks_and_a_recipient_recounts_them(holder):
    made = prepare(la.Specification.load(holder / "spec.toml"))
    certificate = made.publish()
    assert (certificate.parameters, certificate.average_risk) == ({"highest_risk": "0.34"}, "0.15")
    assert certificate.quasi_identifiers[0].k == 3
    verified = la.verify(holder / "released", spec=holder / "spec.toml")
    assert verified.holds
    assert verified.complete
    claims = {one.claim: one.found for one in la.verify(holder / "released").findings}
    assert claims["there are at most 0.15 classes per row"] == "0.125"


def test_a_certificate_that_claims_a_smaller_average_risk_fails(holder):
    prepare(la.Specification.load(holder / "spec.toml")).publish()
    path = holder / "released" / "certificate.json"
    claimed = json.loads(path.read_text()) | {"average_risk": "0.08"}
    path.write_text(json.dumps(claimed))
    [wrong] = [one for one in la.verify(holder / "released").findings if not one.holds]
    assert wrong.claim == "there are at most 0.08 classes per row"


def test_a_release_above_the_average_risk_is_refused_before_it_is_published():
    declared = Declared(("zip",), 24, (Promise(("zip",), 2),), average_risk=Fraction(1, 5))
    with pytest.raises(la.RequirementNotMet, match="5 classes in 24 rows"):
        require_declared(duckdb.from_arrow(TABLE.select(["zip"])), declared)
