"""An interrupted release of large files resumes with the list that it counted."""

import os
import stat

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow import resume
from lookalike.flow.make_release import make_release
from lookalike.tables import read
from lookalike.tables.engines.join_tables import ENTRY_ROWS
from lookalike.tables.saved_count import KEPT_SECONDS

from ..roles import MASKED, SENSITIVE

ROWS = "zip,ill\n02138,flu\n02139,flu\n02141,cold\n02142,cold\n"
PATTERN = ".lookalike-count-*"


@pytest.fixture(autouse=True)
def every_file_is_large_and_every_count_takes_long(monkeypatch):
    monkeypatch.setattr(read, "SMALL_BYTES", 0)
    monkeypatch.setattr(resume, "SAVED_AFTER_SECONDS", 0.0)


@pytest.fixture
def clinic(tmp_path):
    (tmp_path / "private").mkdir()
    (tmp_path / "people.csv").write_text(ROWS)
    return tmp_path


def specify(clinic, **source):
    return la.Specification.build(
        {
            "source": {
                "path": str(clinic / "people.csv"),
                "spill": str(clinic / "private"),
                **source,
            },
            "release": {
                "k": 2,
                "max_suppressed": 0,
                "method": "datafly",
                "out": str(clinic / "released" / "people.csv"),
            },
            "attributes": {"zip": MASKED, "ill": SENSITIVE},
        },
        "test",
    )


def interrupt(specification):
    """Stop a release after its rows were counted."""

    def stop(step):
        if step == "search":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_release(specification, stop)


def list_saved(clinic):
    return sorted((clinic / "private").glob(PATTERN))


def resumed(clinic, **source):
    """Make the release, and return whether it began with a saved list."""
    steps = []
    made = make_release(specify(clinic, **source), steps.append)
    assert made.certificate.rows_in == (clinic / "people.csv").read_text().count("\n") - 1
    return any("resuming" in step for step in steps)


def change_saved(clinic, change):
    [saved] = list_saved(clinic)
    with pa.OSFile(str(saved)) as opened:
        entries = pa.ipc.open_file(opened).read_all()
    with pa.OSFile(str(saved), "wb") as opened, pa.ipc.new_file(opened, entries.schema) as file:
        file.write_table(change(entries))


def test_an_interrupted_release_resumes_and_then_forgets_its_list(clinic):
    interrupt(specify(clinic))
    [saved] = list_saved(clinic)
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert not (clinic / "released").exists()

    assert resumed(clinic)
    assert (clinic / "released" / "people.csv").read_text().count("0213*") == 2
    assert list_saved(clinic) == []


def test_a_dry_run_keeps_the_list_for_the_release(clinic):
    make_release(specify(clinic), dry_run=True)
    assert resumed(clinic)


def test_a_list_of_a_quick_count_is_not_saved(clinic, monkeypatch):
    monkeypatch.setattr(resume, "SAVED_AFTER_SECONDS", 60.0)
    interrupt(specify(clinic))
    assert list_saved(clinic) == []


def test_changed_files_are_counted_again(clinic):
    interrupt(specify(clinic))
    with (clinic / "people.csv").open("a") as file:
        file.write("02142,flu\n")
    assert not resumed(clinic)


def test_files_that_are_read_in_another_way_are_counted_again(clinic):
    interrupt(specify(clinic))
    assert not resumed(clinic, delimiter=",")


def test_only_whole_files_are_saved(clinic):
    whole, some = specify(clinic), specify(clinic, where="ill <> 'gout'")
    ledger = whole.release.model_copy(update={"ledger": str(clinic / "releases.db")})

    assert resume.find_saved(whole) is not None
    assert resume.find_saved(some) is None
    assert resume.find_saved(whole.model_copy(update={"release": ledger})) is None


def test_a_list_that_was_cut_off_is_counted_again(clinic):
    interrupt(specify(clinic))
    [saved] = list_saved(clinic)
    saved.write_bytes(saved.read_bytes()[:100])
    assert not resumed(clinic)


def test_a_list_that_others_could_have_written_is_not_used(clinic):
    interrupt(specify(clinic))
    [saved] = list_saved(clinic)
    saved.chmod(0o660)
    assert not resumed(clinic)


def test_a_list_of_yesterday_is_removed(clinic):
    interrupt(specify(clinic))
    [saved] = list_saved(clinic)
    then = saved.stat().st_mtime - KEPT_SECONDS - 1
    os.utime(saved, (then, then))
    assert not resumed(clinic)
    assert list_saved(clinic) == []


def double_counts(entries):
    doubled = pa.array([2 * rows for rows in entries[ENTRY_ROWS].to_pylist()], pa.int64())
    return entries.set_column(entries.schema.get_field_index(ENTRY_ROWS), ENTRY_ROWS, doubled)


def leave_one_out(entries):
    return entries.slice(1)


@pytest.mark.parametrize("change", [double_counts, leave_one_out])
def test_a_wrong_list_never_leads_to_a_wrong_release(clinic, change):
    interrupt(specify(clinic))
    change_saved(clinic, change)

    with pytest.raises(la.LookalikeError):
        make_release(specify(clinic))

    assert not (clinic / "released").exists()


def test_a_list_is_not_read_if_values_are_read_in_another_way(clinic):
    interrupt(specify(clinic))
    assert resume.find_saved(specify(clinic)).load() is not None
    assert resume.find_saved(specify(clinic, missing=["02138"])).load() is None
