"""Formulas: cells that a spreadsheet would execute are written after an apostrophe on request."""

import csv

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.tables.connection import Connection
from lookalike.tables.write import neutralize_text
from lookalike.verify.recount import open_release
from lookalike.verify.released_values import count_active_cells

from ..roles import LINKABLE, SENSITIVE

TEXTS = [
    "=1+1",
    "+cmd",
    "-x",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "'quoted",
    "'=1",
    "-5",
    "+1.5e3",
    "a",
    "",
]
WRITTEN = [
    *("'=1+1", "'+cmd", "'-x", "'@SUM(A1)", "'\t=1", "'\r=1", "''quoted", "''=1"),
    *("-5", "+1.5e3", "a", ""),
]


@pytest.fixture
def published(tmp_path):
    """Publish every text twice, in an attribute and beside it, and return the release."""
    people = pa.table(
        {"=zip": TEXTS * 2, "ill": [*TEXTS[6:], *TEXTS[:6]] * 2, "n": [-1] * 2 * len(TEXTS)}
    )
    made = la.release(
        people,
        k=2,
        attributes={"=zip": LINKABLE, "ill": SENSITIVE, "n": {"role": "other"}},
        neutralize_formulas=True,
        method="samarati",
        accept=["as-is-unique", "repeated-persons"],
    )
    return made, people, tmp_path / "released"


@pytest.mark.parametrize("name", ["table.csv", "table.tsv", "table.csv.gz"])
def test_what_is_written_can_be_verified_and_has_no_formula(published, name):
    made, people, folder = published
    certificate = made.publish(folder / name)
    assert certificate.formulas == "neutralized"
    written = open_release(folder / name, Connection())
    assert count_active_cells(written) == 0
    verified = la.verify(folder, spec=made.specification, table=people)
    assert verified.holds
    assert verified.complete
    assert "no cell of the file begins like a formula" in [one.claim for one in verified.findings]


def test_the_bytes_are_those_of_a_spreadsheet(published):
    made, _, folder = published
    made.publish(folder / "table.csv")
    with (folder / "table.csv").open(newline="", encoding="utf-8") as stream:
        header, *rows = csv.reader(stream)
    assert header == ["'=zip", "ill", "n"]
    assert {row[1] for row in rows} == set(WRITTEN)
    assert {row[2] for row in rows} == {"-1"}


def test_other_formats_and_frames_keep_the_values(published):
    made, people, folder = published
    assert made.certificate.formulas == "as they are"
    assert set(made.table["ill"].to_pylist()) == set(TEXTS)
    assert made.publish(folder / "table.parquet").formulas == "as they are"
    assert la.verify(folder, spec=made.specification, table=people).holds


def test_linking_and_attacks_see_the_values(published):
    made, people, folder = published
    made.publish(folder / "table.csv")
    linked = la.link(folder, people, on=["=zip"], spec=made.specification)
    assert linked.k_map == 2
    assert la.attack(folder, folder).holds


def test_a_cell_that_was_not_neutralized_is_found(tmp_path):
    (tmp_path / "table.csv").write_text("a,=b\n=1,x\n-1,'=1\n-y,@\n")
    written = open_release(tmp_path / "table.csv", Connection())
    assert count_active_cells(written) == 4


def test_without_the_request_cells_are_as_they_are(published):
    made, people, folder = published
    plain = la.release(people, made.specification, neutralize_formulas=False)
    certificate = plain.publish(folder / "table.csv")
    assert certificate.formulas == "as they are"
    assert "'=zip" not in (folder / "table.csv").read_text()


def test_a_ledger_does_not_take_it(tmp_path):
    with pytest.raises(la.InvalidInput, match="neutralize_formulas: a ledger compares"):
        la.Specification.build(
            {
                "source": {"path": "a.csv", "row_key": "id"},
                "release": {"k": 2, "ledger": "ledger.db", "neutralize_formulas": True},
                "attributes": {"id": {"role": "identifier"}, "zip": LINKABLE},
            }
        )


@pytest.mark.parametrize(("text", "written"), list(zip(TEXTS, WRITTEN, strict=True)))
def test_a_text_is_written_so_that_it_can_be_read_back(text, written):
    assert neutralize_text(text) == written
    assert written.removeprefix("'") == text
