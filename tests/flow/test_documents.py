"""The facts of a release come from its plan, its documents and the ledger."""

import json
from dataclasses import replace

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.spec.specification import Specification

from ..describe.invented_people import release
from ..report.holder.published_facts import facts_of, page_of
from ..roles import LINKABLE
from .monthly_releases import MARCH, Steward

pytestmark = pytest.mark.reports


def publish(made, folder, **fields):
    """Publish, and return the certificate."""
    return made.publish(folder / "released" / "table.csv", **fields)


def test_findings_rules_and_exposure_are_those_of_the_release(tmp_path):
    made = release(method="mingen-cells", accept=["repeated-persons"], report=False)
    certificate = publish(made, tmp_path)
    found = replace(facts_of(made), certificate=certificate)
    assert [one["name"] for one in found.preflight.findings] == [o.name for o in made.preflight]
    assert found.described.exposure == made.exposure
    assert "in no ledger" in page_of(found)
    assert {one.rule for one in found.rules} >= {"CMS cell size", "EMA Policy 0070"}
    assert "021" not in repr(found)


def test_earlier_releases_of_the_ledger_are_listed(tmp_path):
    steward = Steward(tmp_path)
    for month in ("march", "april"):
        made = steward.prepare(MARCH, report=month == "april")
        made.publish(tmp_path / month / "table.csv", dossier=tmp_path / f"private-{month}")
    assert not (tmp_path / "private-march" / "report.html").exists()
    page = (tmp_path / "private-april" / "report.html").read_text()
    listed = page[page.index('id="earlier"') :]
    assert listed.count("<tr>") == 2
    assert "based-on" in listed
    files = json.loads((tmp_path / "april" / "certificate.json").read_text())["files"]
    assert files["table.csv"]["sha256"] in page


def test_how_values_are_read_is_settled_as_often_for_many_columns(monkeypatch, tmp_path):
    settled, cleaning = [], Specification.cleaning.fget
    monkeypatch.setattr(
        Specification, "cleaning", property(lambda own: settled.append(1) or cleaning(own))
    )
    for columns in (1, 20):
        names = [f"answer {number}" for number in range(columns)]
        table = pa.table({name: ["1", "1", "2", "2"] for name in ("zip", *names)})
        attributes = {"zip": LINKABLE} | {name: {"role": "other"} for name in names}
        made = la.release(table, k=2, method="datafly", attributes=attributes)
        publish(made, tmp_path / str(columns))
        settled.append("published")
    once = settled.index("published")
    assert len(settled) == 2 * (once + 1)
