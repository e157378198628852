"""Publishing that is stopped at any point leaves a complete release or none, and can recover.

The crash tests are exhaustive. A child kills itself at its n-th change of the file system, for
every n until it survives; files may grow to n bytes, for n that grow until it survives.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

DRIVER = Path(__file__).parents[1] / "crash_driver.py"
MOUNT = ["unshare", "--map-root-user", "--mount"]
WHOLE = {"state": "new", "left": [], "unprotected": []}
KEPT = {**WHOLE, "files": 2, "mode": 0o700, "proof": "its own"}
REMOVING = {"os.remove", "os.rmdir", "shutil.rmtree"}


def drive(place, *options, before=()):
    """Run the driver and return what it printed, attempt by attempt."""
    command = [*before, sys.executable, str(DRIVER), str(place), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_survivor(attempt, whole=WHOLE):
    ended = {"killed": False, "how": "published", "event": None, "left behind": whole}
    assert attempt["ended"] == ended


def check_next_start(attempts, whole=WHOLE):
    for attempt in attempts:
        assert attempt["before"]["unprotected"] == []
        assert attempt["again"] == {"how": "published"}
        assert attempt["after"] == whole


def check_published_once(killed):
    """Check that a first release appears at once, whole."""
    assert len(killed) > 10
    assert {attempt["ended"]["killed"] for attempt in killed} == {True}
    states = [attempt["before"]["state"] for attempt in killed]
    assert states == sorted(states, key=["none", "new"].index), "it is published once, whole"
    assert set(states) == {"none", "new"}
    assert [attempt["recovered"] for attempt in killed] == states


@pytest.mark.exhaustive
def test_a_first_release_that_is_killed_anywhere(tmp_path):
    *killed, survivor = drive(tmp_path, "kill")

    check_published_once(killed)
    check_survivor(survivor)
    check_next_start(killed)


def check_replaced(killed):
    """Check that the old release stays until the new one is in its place."""
    assert len(killed) > 15
    assert {attempt["ended"]["killed"] for attempt in killed} == {True}
    states = [attempt["before"]["state"] for attempt in killed]
    assert states == sorted(states, key=["old", "none", "new"].index)
    assert set(states) == {"old", "none", "new"}
    assert states.count("none") == 1, "between two renames"
    recovered = [attempt["recovered"] for attempt in killed]
    assert recovered == [{"none": "new"}.get(state, state) for state in states]


@pytest.mark.exhaustive
def test_a_replacing_release_that_is_killed_anywhere(tmp_path):
    *killed, survivor = drive(tmp_path, "kill", "replace")

    check_replaced(killed)
    check_survivor(survivor)
    check_next_start(killed)


@pytest.mark.exhaustive
def test_a_release_with_a_report_that_is_killed_anywhere(tmp_path):
    *killed, survivor = drive(tmp_path, "kill", "replace", "report")

    check_replaced(killed)
    check_survivor(survivor)
    check_next_start(killed)
    without = drive(tmp_path / "without", "kill", "replace")
    assert len(killed) > len(without) - 1, "the report is written in a step of its own"


def check_interrupted(interrupted, before):
    """Check that an interrupted release leaves what was there, or the new one, and nothing else."""
    assert len(interrupted) > 10
    for attempt in interrupted:
        ended, left = attempt["ended"], attempt["ended"]["left behind"]
        assert ended["how"] in ("KeyboardInterrupt", "published")
        assert left["state"] in (before, "new")
        assert left["left"] == [] or ended["event"] in REMOVING
    assert {attempt["ended"]["left behind"]["state"] for attempt in interrupted} == {before, "new"}


@pytest.mark.exhaustive
@pytest.mark.parametrize(("options", "before"), [((), "none"), (("replace",), "old")])
def test_a_release_that_is_interrupted_anywhere(options, before, tmp_path):
    *interrupted, survivor = drive(tmp_path, "interrupt", *options)

    check_interrupted(interrupted, before)
    check_survivor(survivor)


@pytest.mark.parametrize(
    ("options", "state"),
    [pytest.param((), "none", marks=pytest.mark.exhaustive), (("replace",), "old")],
)
def test_a_release_that_is_killed_anywhere_is_never_without_its_proof(options, state, tmp_path):
    *killed, survivor = drive(tmp_path, "kill", "dossier", *options)

    (check_replaced if options else check_published_once)(killed)
    before = [one["before"] for one in killed if "proof" in one["before"]]
    assert {(one["state"], one["proof"]) for one in before} == {
        ("none", "of nothing"),
        ("new", "its own"),
        (state, "of nothing" if state == "none" else "its own"),
    }
    assert {one["mode"] for one in before} == {0o700}
    check_survivor(survivor, KEPT)
    check_next_start(killed, KEPT)


@pytest.mark.exhaustive
def test_a_release_that_is_killed_anywhere_is_never_without_the_holders_report(tmp_path):
    *killed, survivor = drive(tmp_path, "kill", "dossier", "replace", "report")

    before = [one["before"] for one in killed]
    assert {(one["state"], one["proof"]) for one in before} == {
        ("old", "its own"),
        ("none", "of nothing"),
        ("new", "its own"),
    }
    check_survivor(survivor, {**KEPT, "files": 3})
    check_next_start(killed, {**KEPT, "files": 3})


@pytest.mark.parametrize(
    ("options", "before"),
    [((), "none"), pytest.param(("replace",), "old", marks=pytest.mark.exhaustive)],
)
def test_a_release_that_is_interrupted_anywhere_has_its_proof(options, before, tmp_path):
    *interrupted, survivor = drive(tmp_path, "interrupt", "dossier", *options)

    check_interrupted(interrupted, before)
    left = [attempt["ended"]["left behind"] for attempt in interrupted]
    placed = [one for one in left if one["state"] != "none"]
    assert len(placed) > 1
    assert {one["proof"] for one in placed} == {"its own"}
    check_survivor(survivor, KEPT)


def check_full(attempts, state):
    """Check a series of attempts with ever more room: refused, refused, …, published."""
    *refused, survivor = attempts
    assert len(refused) > 2
    for attempt in refused:
        assert attempt["ended"]["how"] == "refused", attempt["ended"]
        assert "cannot be" in attempt["ended"]["message"]
        assert "None" not in attempt["ended"]["message"]
        assert attempt["after"] == {"killed": False, **WHOLE, "state": state}
    assert survivor["ended"] == {"killed": False, "how": "published"}
    assert survivor["after"] == {"killed": False, **WHOLE}


def by_series(attempts):
    series = {}
    for attempt in attempts:
        series.setdefault(attempt["series"], []).append(attempt)
    return series


def test_files_that_may_not_grow(tmp_path):
    series = by_series(drive(tmp_path, "limit"))

    assert set(series) == {"csv", "parquet", "arrow"}
    for attempts in series.values():
        check_full(attempts, "none")


def test_files_that_may_not_grow_leave_the_old_release(tmp_path):
    check_full(drive(tmp_path, "limit", "replace"), "old")


def may_mount():
    """Return whether this process may mount a disk in a namespace of its own."""
    mount = "mount -t tmpfs -o size=4096 tmpfs /mnt"
    try:
        return subprocess.run([*MOUNT, "sh", "-c", mount], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not may_mount(), reason="this process may not mount a small disk")
def test_a_disk_that_is_full(tmp_path):
    series = by_series(drive(tmp_path, "disk", before=MOUNT))

    assert set(series) == {"csv size", "csv nr_inodes", "arrow size", "arrow nr_inodes"}
    for attempts in series.values():
        check_full(attempts, "none")
