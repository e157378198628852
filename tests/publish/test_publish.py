"""Publishing: what a published folder holds, who can read it, and what is refused."""

import hashlib
import json
import os
import stat
import sys

import duckdb
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.publish.certificate import Certificate
from lookalike.verify.recount import Declared, Promise, Verdict, recount, require_declared

from .nine_people import COLUMNS, make, names


def test_the_folder_holds_the_table_and_its_certificate(tmp_path):
    certificate = make().publish(tmp_path / "a" / "b" / "released" / "table.csv")

    assert names(tmp_path / "a" / "b") == ["released"]
    assert names(tmp_path / "a" / "b" / "released") == ["certificate.json", "table.csv"]
    lines = (tmp_path / "a" / "b" / "released" / "table.csv").read_text().splitlines()
    assert lines[0] == "zip,ill"
    assert sorted(line.split(",")[0] for line in lines[1:]) == ["0213*"] * 4 + ["0214*"] * 4
    assert Certificate.read(tmp_path / "a" / "b" / "released") == certificate


def test_the_certificate_states_what_verify_needs(tmp_path):
    made = make(max_suppressed=1)
    made.publish(tmp_path / "released" / "table.csv")
    fields = json.loads((tmp_path / "released" / "certificate.json").read_text())
    content = (tmp_path / "released" / "table.csv").read_bytes()

    assert fields["quasi_identifiers"] == [
        {
            "name": "quasi-identifier",
            "attributes": ["zip"],
            "k": 3,
            "k_reached": 4,
            "classes": 2,
            "rows_below_k": 0,
            "counts": "rows",
            "persons_reached": None,
        }
    ]
    assert fields["generalized"] == {
        "zip": {
            "hierarchy": "mask",
            "height": 5,
            "level": 1,
            "weight": "1",
            "tolerance": "1",
            "keep": "0",
            "cells_by_level": None,
            "cells_suppressed": 0,
        }
    }
    assert fields["parameters"] == {}
    assert fields["files"] == {
        "table.csv": {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    }
    counts = {name: fields[name] for name in fields if name.startswith("rows_")}
    assert counts == {"rows_in": 9, "rows_out": 8, "rows_suppressed": 1, "rows_complementary": 0}
    assert (fields["suppressed_rows"], fields["suppressed_label"]) == ("drop", "*")
    assert (fields["columns"], fields["released_as_they_are"]) == (
        ["zip", "ill"],
        ["ill"],
    )
    assert (fields["method"], fields["max_suppressed"], fields["order"]) == (
        "datafly",
        "1",
        "randomized",
    )
    assert (fields["optimality"], fields["earlier_releases"]) == (
        "not proved",
        "not checked",
    )
    assert fields["completeness"] == pytest.approx(8 / 9)
    assert fields["statement"] == (
        "Every combination of zip in this release occurs at least 4 times, so the release is "
        "3-anonymous over them. It is assumed that each person has one row."
    )


@pytest.mark.parametrize("suffix", ["csv", "TSV", "jsonl", "ndjson", "parquet", "arrow", "feather"])
def test_the_suffix_chooses_the_format(suffix, tmp_path):
    made = make()
    made.publish(tmp_path / "released" / f"table.{suffix}")

    proof = la.verify(tmp_path / "released", spec=made.specification, table=pa.table(COLUMNS))
    assert proof.holds


def test_out_of_the_specification_is_the_default(tmp_path):
    make(out=str(tmp_path / "released" / "table.csv")).publish()
    assert la.verify(tmp_path / "released").holds

    with pytest.raises(la.InvalidInput, match="say where the release goes"):
        make().publish()


def test_staging_is_closed_to_others_until_it_is_verified(tmp_path):
    seen = {}

    def record_modes(step):
        for path in tmp_path.glob(".*"):
            seen.setdefault(step, set()).add((path.name[:30], stat.S_IMODE(path.stat().st_mode)))

    mask = os.umask(0)
    try:
        make(announce=record_modes).publish(tmp_path / "released" / "table.csv")
    finally:
        os.umask(mask)
    staging = (".released.lookalike-staging-00"[:28], 0o700)

    assert set(seen) == {"recode", "verify", "publish"}
    for found in seen.values():
        assert {mode for _, mode in found} == {0o700}
        assert staging[0] in {name[:28] for name, _ in found}


@pytest.mark.parametrize(("mask", "folder", "file"), [(0o022, 0o755, 0o644), (0o077, 0o700, 0o600)])
def test_what_is_published_follows_the_umask(mask, folder, file, tmp_path):
    before = os.umask(mask)
    try:
        make().publish(tmp_path / "released" / "table.csv")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}

    assert modes == {"released": folder, "certificate.json": file, "table.csv": file}


def test_a_frame_that_is_not_what_was_declared_is_not_published(tmp_path, monkeypatch):
    made = make()
    real = made.plan.table.frame
    unsafe = real.select("zip", "ill")[list(range(8))]
    monkeypatch.setitem(vars(made), "_recoded", (unsafe, None))
    with pytest.raises(la.RequirementNotMet, match="the smallest class over zip has 2 rows"):
        made.publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == []


@pytest.mark.parametrize("change", ["a row less", "a row more", "another value"])
def test_what_is_judged_is_the_file_that_was_written(change, tmp_path, monkeypatch):
    """The disk, or another process, may have changed the bytes that were written."""
    module = sys.modules["lookalike.publish.publish"]
    write_table = module.write_table

    def write_another(frame, path, connection):
        schema = write_table(frame, path, connection)
        header, first, *rows = path.read_text().splitlines()
        lines = {"a row less": rows, "a row more": [first, first, *rows]}
        other = lines.get(change, ["99999,flu", *rows])
        path.write_text("\n".join([header, *other]) + "\n")
        return schema

    monkeypatch.setattr(module, "write_table", write_another)
    with pytest.raises(la.RequirementNotMet):
        make().publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == []


@pytest.mark.parametrize("rows", [3, 5])
def test_a_release_with_more_or_fewer_rows_than_declared_is_refused(rows):
    release = duckdb.sql("SELECT '02138' AS zip FROM range(4)")
    declared = Declared(columns=("zip",), rows=rows, promises=(Promise(("zip",), 2),))
    with pytest.raises(la.RequirementNotMet, match=f"has 4 rows, not {rows}"):
        require_declared(release, declared)


@pytest.mark.parametrize(
    "names", [("size",), ("size", "size size"), ("SIZE size", "size"), ("size size", 'a"b')]
)
def test_attributes_may_have_the_names_that_the_recount_uses(names):
    rows = pa.table({name: [7, 7, 7, 8, 9, 9] for name in names})
    found = recount(duckdb.from_arrow(rows), Promise(names, k=2))
    assert found == Verdict(names, rows=6, classes=3, k=1, rows_below_k=1)


def test_a_release_without_rows_has_no_class():
    empty = duckdb.from_arrow(pa.table({"zip": pa.array([], pa.string())}))
    found = recount(empty, Promise(("zip",), k=2))
    assert found == Verdict(("zip",), rows=0, classes=0, k=0, rows_below_k=0)
