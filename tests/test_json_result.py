"""Every result says in short what was found, and as JSON everything."""

import json

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.json_result import JsonResult, to_json
from lookalike.tables.storage_url import StorageUrl

PATIENTS = pa.table(
    {"zip": ["02138", "02139", "02141", "02142"], "ill": ["flu", "flu", "gout", "cough"]}
)
ROLES = {
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "ill": {"role": "sensitive"},
}


@pytest.fixture(scope="module")
def made():
    return la.release(PATIENTS, attributes=ROLES, k=2)


def test_a_certificate_is_printed_in_short(made):
    lines = str(made.certificate).splitlines()
    assert lines == [
        made.certificate.statement,
        "4 rows in, 4 out, 0 suppressed; method mingen-cells; precision 0.8000.",
    ]
    assert made.certificate.as_json() == json.loads(made.certificate.to_json())


def test_a_risk_is_printed_in_short():
    found = la.risk(PATIENTS, ["zip"], k=2, sensitive=["ill"])
    assert str(found).splitlines() == [
        "Risk of 4 rows over zip, k = 2:",
        "- 4 of 4 rows (100.0 %) are unique over zip: anyone who knows these values of a person "
        "finds their row.",
    ]
    assert "02138" not in str(found) + json.dumps(found.as_json())
    assert len(json.dumps(found.as_json())) > 3 * len(str(found))


def test_a_table_without_risk_is_called_so(made):
    assert str(la.risk(made.table, ["zip"], k=2)).splitlines() == [
        "Risk of 4 rows over zip, k = 2:",
        "- every class has at least 2 rows.",
    ]


def test_private_values_are_shown_on_request_only():
    found = la.risk(PATIENTS, ["zip"], k=2)
    assert [one["values"] for one in found.as_json(most=1)["shown"]] == [{"zip": "02138"}]
    released = pa.table({"zip": ["0213*", "02141"]})
    linked = la.link(released, PATIENTS, ["zip"], hierarchies={"zip": la.Mask(length=5)})
    assert "shown" not in linked.as_json()
    assert linked.as_json(most=1)["shown"][0]["row"] == {"zip": "0213*"}


PUBLIC = [getattr(la, name) for name in la.__all__]
RESULTS = [one for one in PUBLIC if isinstance(one, type) and issubclass(one, JsonResult)]


@pytest.mark.parametrize("result", RESULTS, ids=lambda one: one.__name__)
def test_what_a_result_declares_exists(result):
    """Keys name fields or properties, so that a renamed field is found here at once."""
    known = {*dir(result), *result.__dataclass_fields__}
    for name in result.json_names.split():
        path = name.rpartition("=")[2].removeprefix("**").removesuffix("?")
        assert path.partition(".")[0] in {*known, "null", "[]"}


@pytest.mark.parametrize("verb", [la.explore, la.trace_search])
def test_the_specification_may_be_a_file(verb, tmp_path):
    PATIENTS.to_pandas().to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "spec.toml").write_text(
        '[source]\npath = "rows.csv"\nperson = "row"\n[release]\nk = 2\n'
        '[attributes.zip]\nrole = "quasi-identifier"\nhierarchy = { kind = "mask" }\n'
        '[attributes.ill]\nrole = "other"\n'
    )
    options = {"grid": la.Grid(ks=(2,), limits=(0,))} if verb is la.explore else {}
    for table in (None, PATIENTS, tmp_path / "rows.csv"):
        found = verb(table, spec=tmp_path / "spec.toml", **options)
        assert found.chosen.k == 2 if verb is la.explore else found.found == ((1,),)


def test_an_address_is_its_text():
    assert to_json([StorageUrl.parse("hdfs://cluster/released/t.parquet")]) == [
        "hdfs://cluster/released/t.parquet"
    ]
