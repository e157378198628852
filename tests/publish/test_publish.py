"""Publishing: a folder that is a whole release, or none."""

import errno
import gc
import hashlib
import json
import os
import stat
import subprocess
import sys
from itertools import count

import duckdb
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.publish.certificate import Certificate
from lookalike.tables.private_folders import PrivateFolder
from lookalike.verify.recount import Declared, Promise, require_declared

ATTRIBUTES = {
    "name": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "ill": {"role": "sensitive"},
}
COLUMNS = {
    "name": [f"person {number}" for number in range(9)],
    "zip": ["02138", "02139"] * 2 + ["02141", "02142"] * 2 + ["99999"],
    "ill": ["flu", "ache", "flu", "flu", "ache", "ache", "rash", "flu", "rash"],
}


def make(announce=lambda step: None, **fields):
    """Make a release: 0213* and 0214* four times each, and 99999 suppressed."""
    table = pa.table(COLUMNS)
    return la.release(table, k=3, attributes=ATTRIBUTES, announce=announce, **fields)


def names(folder):
    gc.collect()
    return sorted(path.name for path in folder.iterdir())


def test_the_folder_holds_the_table_and_its_certificate(tmp_path):
    certificate = make().publish(tmp_path / "a" / "b" / "released" / "table.csv")

    assert names(tmp_path / "a" / "b") == ["released"]
    assert names(tmp_path / "a" / "b" / "released") == ["certificate.json", "table.csv"]
    lines = (tmp_path / "a" / "b" / "released" / "table.csv").read_text().splitlines()
    assert lines[0] == "zip,ill"
    assert sorted(line.split(",")[0] for line in lines[1:]) == ["0213*"] * 4 + ["0214*"] * 4
    assert Certificate.read(tmp_path / "a" / "b" / "released") == certificate


def test_the_certificate_tells_what_verify_needs(tmp_path):
    made = make(max_suppressed=1)
    made.publish(tmp_path / "released" / "table.csv")
    told = json.loads((tmp_path / "released" / "certificate.json").read_text())
    content = (tmp_path / "released" / "table.csv").read_bytes()

    assert told["quasi_identifiers"] == [
        {
            "name": "quasi-identifier",
            "attributes": ["zip"],
            "k": 3,
            "k_reached": 4,
            "classes": 2,
            "rows_below_k": 0,
        }
    ]
    assert told["generalized"] == {
        "zip": {
            "hierarchy": "mask",
            "height": 5,
            "level": 1,
            "weight": "1",
            "tolerance": "1",
            "cells_by_level": None,
            "cells_suppressed": 0,
        }
    }
    assert told["parameters"] == {}
    assert told["files"] == {
        "table.csv": {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    }
    counts = {name: told[name] for name in told if name.startswith("rows_")}
    assert counts == {"rows_in": 9, "rows_out": 8, "rows_suppressed": 1, "rows_complementary": 0}
    assert (told["suppressed_rows"], told["suppressed_label"]) == ("drop", "*")
    assert (told["columns"], told["released_as_they_are"]) == (["zip", "ill"], ["ill"])
    assert (told["method"], told["max_suppressed"], told["order"]) == ("datafly", "1", "randomized")
    assert (told["optimality"], told["earlier_releases"]) == ("not proved", "not checked")
    assert told["completeness"] == pytest.approx(8 / 9)
    assert told["statement"] == (
        "Every combination of zip in this release occurs at least 4 times, so the release is "
        "3-anonymous over them."
    )


@pytest.mark.parametrize("suffix", ["csv", "TSV", "jsonl", "ndjson", "parquet", "arrow", "feather"])
def test_the_suffix_chooses_the_format(suffix, tmp_path):
    made = make()
    made.publish(tmp_path / "released" / f"table.{suffix}")

    proof = la.verify(
        tmp_path / "released", specification=made.specification, table=pa.table(COLUMNS)
    )
    assert proof.holds


def test_out_of_the_specification_is_the_default(tmp_path):
    make(out=str(tmp_path / "released" / "table.csv")).publish()
    assert la.verify(tmp_path / "released").holds

    with pytest.raises(la.InvalidInput, match="say where the release goes"):
        make().publish()


def test_staging_is_closed_to_others_until_it_is_verified(tmp_path):
    seen = {}

    def look(step):
        for path in tmp_path.glob(".*"):
            seen.setdefault(step, set()).add((path.name[:30], stat.S_IMODE(path.stat().st_mode)))

    mask = os.umask(0)
    try:
        make(announce=look).publish(tmp_path / "released" / "table.csv")
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


def test_an_empty_folder_becomes_the_release(tmp_path):
    (tmp_path / "released").mkdir()
    make().publish(tmp_path / "released" / "table.csv")

    assert la.verify(tmp_path / "released").holds


def test_a_release_is_replaced_on_request_only(tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    before = (tmp_path / "released" / "table.csv").read_bytes()
    with pytest.raises(la.InvalidInput, match="holds a release already; replace it"):
        make().publish(tmp_path / "released" / "table.csv")
    assert (tmp_path / "released" / "table.csv").read_bytes() == before
    make(keep_order=True).publish(tmp_path / "released" / "other.parquet", replace=True)

    assert names(tmp_path) == ["released"]
    assert names(tmp_path / "released") == ["certificate.json", "other.parquet"]
    assert la.verify(tmp_path / "released").holds


def test_replace_does_not_need_a_release(tmp_path):
    make().publish(tmp_path / "released" / "table.csv", replace=True)

    assert names(tmp_path) == ["released"]
    assert la.verify(tmp_path / "released").holds


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize(
    "found", ["notes.txt", "certificate.json", "table.csv", ".hidden", "sub/x"]
)
def test_a_folder_with_other_files_is_left_alone(found, replace, tmp_path):
    (tmp_path / "released" / found).parent.mkdir(parents=True)
    (tmp_path / "released" / found).write_text("mine")
    with pytest.raises(la.InvalidInput, match="holds other files"):
        make().publish(tmp_path / "released" / "table.csv", replace=replace)

    assert (tmp_path / "released" / found).read_text() == "mine"
    assert names(tmp_path) == ["released"]


def test_a_release_with_a_file_more_is_left_alone(tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    (tmp_path / "released" / "notes.txt").write_text("mine")
    with pytest.raises(la.InvalidInput, match="holds other files"):
        make().publish(tmp_path / "released" / "table.csv", replace=True)

    assert names(tmp_path / "released") == ["certificate.json", "notes.txt", "table.csv"]


def test_a_file_in_its_place_is_left_alone(tmp_path):
    (tmp_path / "released").write_text("mine")
    with pytest.raises(la.InvalidInput, match="is a file; choose another folder"):
        make().publish(tmp_path / "released" / "table.csv", replace=True)
    with pytest.raises(la.InvalidInput, match="cannot be written: File exists"):
        make().publish(tmp_path / "released" / "below" / "table.csv", replace=True)

    assert (tmp_path / "released").read_text() == "mine"
    assert names(tmp_path) == ["released"]


@pytest.mark.parametrize("out", ["table.csv", "./table.csv", "/table.csv", "released/../table.csv"])
def test_a_release_needs_a_folder_of_its_own(out, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(la.InvalidInput, match="a release needs a folder of its own"):
        make().publish(out)

    assert names(tmp_path) == []


@pytest.mark.parametrize("out", ["released/table", "released/table.txt", "released/.csv"])
def test_a_suffix_that_is_no_format_is_refused(out, tmp_path):
    with pytest.raises(la.InvalidInput, match="the suffix chooses the format"):
        make().publish(tmp_path / out)

    assert names(tmp_path) == []


def test_a_release_does_not_lie_inside_of_another(tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    with pytest.raises(la.InvalidInput, match="is inside the release"):
        make().publish(tmp_path / "released" / "inner" / "table.csv")

    assert la.verify(tmp_path / "released").holds


@pytest.mark.parametrize("kind", ["staging", "ready"])
def test_what_a_dead_process_left_is_swept(kind, tmp_path):
    left = tmp_path / f".released.lookalike-{kind}-0123456789abcdef"
    left.mkdir()
    (left / "table.csv").write_text("private")
    make().publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == ["released"]
    assert la.verify(tmp_path / "released").holds


def test_what_belongs_to_another_release_is_not_swept(tmp_path):
    other = tmp_path / ".released2.lookalike-staging-0123456789abcdef"
    other.mkdir()
    make().publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == [other.name, "released"]


@pytest.mark.parametrize("replace", [False, True])
def test_an_old_release_alone_is_moved_back(replace, tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    (tmp_path / "released").rename(tmp_path / ".released.lookalike-old-0123456789abcdef")
    if replace:
        make().publish(tmp_path / "released" / "new.csv", replace=True)
    else:
        with pytest.raises(la.InvalidInput, match="holds a release already"):
            make().publish(tmp_path / "released" / "new.csv")

    assert names(tmp_path) == ["released"]
    assert la.verify(tmp_path / "released").holds
    assert (tmp_path / "released" / "new.csv").exists() == replace


def test_a_ready_release_takes_the_place_that_the_old_one_left(tmp_path):
    make().publish(tmp_path / "old" / "old.csv")
    make().publish(tmp_path / "new" / "new.csv")
    (tmp_path / "old").rename(tmp_path / ".released.lookalike-old-0123456789abcdef")
    (tmp_path / "new").rename(tmp_path / ".released.lookalike-ready-0123456789abcdef")
    with pytest.raises(la.InvalidInput, match="holds a release already"):
        make().publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == ["released"]
    assert names(tmp_path / "released") == ["certificate.json", "new.csv"]
    assert la.verify(tmp_path / "released").holds


@pytest.mark.parametrize("kind", ["staging", "ready"])
def test_what_a_living_process_holds_is_not_swept(kind, tmp_path):
    held = PrivateFolder(tmp_path, f".released.lookalike-{kind}-")
    with pytest.raises(la.InvalidInput, match="another process is publishing to"):
        make().publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == [held.path.name]


def publish_twice(tmp_path, monkeypatch, *, replace):
    """Publish while another release to the same folder is about to take its place."""

    def publish_another(step):
        if step == "publish":
            with monkeypatch.context() as patch:
                patch.setattr("lookalike.publish.stage.recover", lambda folder: None)
                make().publish(tmp_path / "released" / "first.csv")

    second = make(announce=publish_another)
    second.publish(tmp_path / "released" / "second.csv", replace=replace)


def test_of_two_at_once_the_second_is_refused(tmp_path, monkeypatch):
    with pytest.raises(la.InvalidInput, match="holds a release already"):
        publish_twice(tmp_path, monkeypatch, replace=False)

    assert names(tmp_path) == ["released"]
    assert names(tmp_path / "released") == ["certificate.json", "first.csv"]
    assert la.verify(tmp_path / "released").holds


def test_of_two_at_once_the_second_replaces_the_first(tmp_path, monkeypatch):
    publish_twice(tmp_path, monkeypatch, replace=True)

    assert names(tmp_path) == ["released"]
    assert names(tmp_path / "released") == ["certificate.json", "second.csv"]
    assert la.verify(tmp_path / "released").holds


RACE = """
import sys
import pyarrow as pa
import lookalike as la
columns = {"zip": ["1"] * 4 + ["2"] * 4, "ill": ["flu", "ache"] * 4}
linkable = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
attributes = {"zip": linkable, "ill": {"role": "sensitive"}}
made = la.release(pa.table(columns), k=2, attributes=attributes)
print("ready", flush=True)
sys.stdin.readline()
for turn in range(8):
    try:
        made.publish(sys.argv[1], replace=sys.argv[2] == "replace")
    except la.InvalidInput as refused:
        print(refused)
"""


@pytest.mark.slow
@pytest.mark.parametrize("replace", ["replace", "keep"])
def test_processes_that_race_for_a_folder_leave_it_whole(replace, tmp_path):
    out = tmp_path / "released" / "table.csv"
    command = [sys.executable, "-c", RACE, str(out), replace]
    racers = [subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, text=True) for _ in "ab"]
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    results = [racer.communicate("go\n") for racer in racers]

    assert [stderr for _, stderr in results] == ["", ""]
    said = {line for stdout, _ in results for line in stdout.splitlines()}
    known = ("another process is publishing to", "holds a release already")
    assert [line for line in said if not any(words in line for words in known)] == []
    assert names(tmp_path) == ["released"]
    assert la.verify(tmp_path / "released").holds


@pytest.mark.parametrize("step", ["recode", "verify", "publish"])
@pytest.mark.parametrize("replace", [False, True])
def test_an_interrupt_leaves_nothing(step, replace, tmp_path):
    def interrupt(begun):
        if begun == step and armed:
            raise KeyboardInterrupt

    armed = []
    made = make(announce=interrupt)
    if replace:
        made.publish(tmp_path / "released" / "table.csv")
    before = names(tmp_path)
    armed.append(True)
    with pytest.raises(KeyboardInterrupt):
        made.publish(tmp_path / "released" / "table.csv", replace=replace)

    assert names(tmp_path) == before
    assert not replace or la.verify(tmp_path / "released").holds


def test_a_frame_that_is_not_what_was_declared_is_not_published(tmp_path, monkeypatch):
    made = make()
    real = made.plan.table.frame
    module = sys.modules["lookalike.flow.result"]
    unsafe = real.select("zip", "ill")[list(range(8))]
    monkeypatch.setattr(module, "recode_with_trail", lambda plan: (unsafe, None))
    with pytest.raises(la.RequirementNotMet, match="the smallest class over zip has 2 rows"):
        made.publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == []


@pytest.mark.parametrize("change", ["a row less", "a row more", "another value"])
def test_what_is_judged_is_the_file_that_was_written(change, tmp_path, monkeypatch):
    """The disk, or another process, may not have kept what was handed to it."""
    module = sys.modules["lookalike.publish.stage"]
    write_table = module.write_table

    def write_another(frame, path):
        schema = write_table(frame, path)
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


# Links


def test_a_link_to_a_release_is_not_replaced(tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    before = (tmp_path / "released" / "table.csv").read_bytes()
    (tmp_path / "link").symlink_to(tmp_path / "released")
    with pytest.raises(la.InvalidInput, match=r"link is a symbolic link.*name its target"):
        make().publish(tmp_path / "link" / "table.csv", replace=True)
    assert names(tmp_path) == ["link", "released"]
    assert (tmp_path / "released" / "table.csv").read_bytes() == before


@pytest.mark.parametrize("replace", [False, True])
def test_a_link_to_nothing_does_not_become_a_release(replace, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    with pytest.raises(la.InvalidInput, match="is a symbolic link"):
        make().publish(tmp_path / "link" / "table.csv", replace=replace)
    assert names(tmp_path) == ["link"]


@pytest.mark.parametrize("name", ["table.csv", "certificate.json"])
def test_a_folder_with_a_link_is_no_release(name, tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    (tmp_path / "released" / name).rename(tmp_path / f"moved {name}")
    (tmp_path / "released" / name).symlink_to(tmp_path / f"moved {name}")
    with pytest.raises(la.InvalidInput, match="holds other files"):
        make().publish(tmp_path / "released" / "table.csv", replace=True)
    assert (tmp_path / "released" / name).is_symlink()


def test_a_release_does_not_lie_inside_of_another_by_a_link(tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    (tmp_path / "link").symlink_to(tmp_path / "released")
    with pytest.raises(la.InvalidInput, match="is inside the release"):
        make().publish(tmp_path / "link" / "more" / "table.csv")
    assert names(tmp_path / "released") == ["certificate.json", "table.csv"]


# Errors of the file system after the release took its place


class FailsLater:
    """Lets the n-th operation on files fail after the release has been renamed to its place."""

    def __init__(self, monkeypatch, turn):
        self.left, self.renamed = turn, False
        release = PrivateFolder.release

        def rename(folder, target):
            release(folder, target)
            self.renamed = True

        monkeypatch.setattr(PrivateFolder, "release", rename)
        for name in ("open", "fsync", "rename", "unlink"):
            monkeypatch.setattr(os, name, self.fail_in_turn(getattr(os, name)))

    def fail_in_turn(self, operation):
        def operate(*arguments, **fields):
            self.left -= self.renamed
            if self.renamed and not self.left:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return operation(*arguments, **fields)

        return operate


@pytest.mark.slow
@pytest.mark.parametrize("replace", [False, True])
def test_an_error_after_the_rename_does_not_deny_the_release(replace, tmp_path):
    attributes = ATTRIBUTES | {"name": {"role": "identifier"}}
    source = {"row_key": "name", "name": "people"}
    told = []
    for turn in count(1):
        place = tmp_path / str(turn)
        fields = {"method": "mingen-cells", "ledger": f"sqlite:///{place}/ledger.db"}
        place.mkdir()
        if replace:
            make().publish(place / "released" / "table.csv")
        made = la.release(
            pa.table(COLUMNS), k=3, attributes=attributes, source=source, max_suppressed=1, **fields
        )
        with pytest.MonkeyPatch.context() as patched:
            failing = FailsLater(patched, turn)
            try:
                made.publish(
                    place / "released" / "table.csv", replace=replace, dossier=place / "dossier"
                )
            except la.InvalidInput as error:
                told.append(str(error))
        assert Certificate.read(place / "released").method == "mingen-cells"
        if failing.left > 0:
            break
    assert len(told) > 3
    assert all("released is published, but" in one for one in told)
    assert not any("nothing is published" in one for one in told)
