"""The recipient's report follows from the published folder alone, and is always the same."""

import json

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.report.recipient.write_report import report_on_folder
from lookalike.tables.connection import Connection

from ...roles import LINKABLE, MASKED

pytestmark = pytest.mark.reports

PEOPLE = pa.table(
    {
        "zip": ["02138", "02139", "02141", None] * 6,
        "age": [30, 31, 32, 33, 34, None] * 4,
        "=note": ["=1+1", "-x", "'", "", None, "plain"] * 4,
        "pay": [1.5, 2.0, float("nan"), None] * 6,
    }
)
AGES = {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10]}}
ROLES = {
    "zip": MASKED,
    "age": AGES,
    "=note": LINKABLE | {"weight": 0.1},
    "pay": {"role": "other"},
}


def make_again(folder):
    return report_on_folder(folder, Connection())


def test_a_release_publishes_the_report_that_its_folder_gives(folder, type_in):
    assert type_in("release patients.toml")[0] == 0
    published = folder / "released"
    assert (published / "report.html").read_bytes() == make_again(published).encode()
    certificate = json.loads((published / "certificate.json").read_text())
    assert certificate["report"]["bytes"] == (published / "report.html").stat().st_size
    assert la.verify(published).holds


@pytest.mark.parametrize(
    ("method", "suffix"),
    [
        *(("mingen", suffix) for suffix in ("csv", "tsv.gz", "jsonl", "parquet", "feather")),
        ("mingen-cells", "csv"),
        ("mingen-cells", "parquet"),
    ],
)
def test_every_format_gives_the_report_that_was_published(method, suffix, tmp_path):
    made = la.release(
        PEOPLE,
        attributes=ROLES,
        k=3,
        method=method,
        max_suppressed=4,
        suppressed_rows="blank",
        neutralize_formulas=suffix in ("csv", "tsv.gz"),
    )
    made.publish(tmp_path / "released" / f"people.{suffix}")
    text = (tmp_path / "released" / "report.html").read_text(encoding="utf-8")
    assert text == make_again(tmp_path / "released")
    assert la.report(tmp_path / "released").same


def test_a_table_with_other_columns_than_the_certificate_is_refused(folder, type_in):
    assert type_in("release patients.toml")[0] == 0
    table = folder / "released" / "patients.csv"
    table.write_text(table.read_text().replace("problem", "diagnosis"))
    with pytest.raises(la.InvalidInput, match="other columns than the certificate names"):
        la.report(folder / "released")
