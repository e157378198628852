"""A release is in the ledger if and only if it is published, wherever its process stops.

A child kills itself at its n-th operation on the file system or the database, for every third n
until it survives, and exhaustively for every n. Eight processes publish at the same time.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

DRIVER = Path(__file__).with_name("ledger_driver.py")
WHOLE = {"files": True, "hidden": []}


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.exhaustive)])
def base(request):
    """The URL of a server, or nothing for an SQLite file."""
    return "" if request.param == "sqlite" else request.getfixturevalue("server")


def drive(*arguments):
    """Run the driver and return what it printed, line by line."""
    command = [sys.executable, str(DRIVER), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def of(number, place):
    """The report on a ledger that has a number of complete releases."""
    return {"place": place, "entries": ["published"] * number, "rows": [9] * number}


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_a_release_that_is_killed_anywhere_is_in_the_ledger_iff_it_is_published(
    base, step, tmp_path
):
    *killed, survivor = drive(tmp_path, base, "kill", step)

    assert len(killed) > 40 // step
    assert survivor["ended"] == {"killed": False, "considered": 0}
    before = [attempt["left"]["place"] for attempt in killed]
    assert before == sorted(before, key=["old", "new"].index), "it is published once, whole"
    assert set(before) == {"old", "new"}
    for attempt, place in zip(killed, before, strict=True):
        number = 1 if place == "new" else 0
        left = {name: seen for name, seen in attempt["left"].items() if name not in WHOLE}
        assert attempt["ended"] == {"killed": True}
        assert left == of(number, place)
        assert attempt["again"] == {"considered": number}
        assert attempt["after"] == of(number + 1, "new") | WHOLE


def test_of_eight_at_once_each_sees_all_before_it(base, tmp_path):
    *ended, seen = drive(tmp_path, base, "race")

    assert sorted(one["considered"] for one in ended) == list(range(8))
    assert seen["considered"] == list(range(8))
    assert seen["in place"] == [True] * 8
    times = [time for pair in seen["times"] for time in pair]
    assert times == sorted(times), "strictly one after the other"


def test_of_eight_at_once_that_disclose_too_much_together_one_is_published(base, tmp_path):
    *ended, seen = drive(tmp_path, base, "race apart")

    assert sorted("refused" in one for one in ended) == [False] + [True] * 7
    assert all(
        "based on the releases published by now" in one["refused"]
        for one in ended
        if "refused" in one
    )
    assert (seen["considered"], seen["in place"]) == ([0], [True])
    released = [path.name for path in tmp_path.iterdir() if path.name.isdecimal()]
    assert len(released) == 1


def test_of_the_same_people_under_eight_names_at_once_one_is_published_at_most(base, tmp_path):
    *ended, seen = drive(tmp_path, base, "race names")

    refused = [one["refused"] for one in ended if "refused" in one]
    assert len(refused) >= 7
    assert all("have the row key of rows of another source" in message for message in refused)
    assert seen["in place"] == [True] * (8 - len(refused))
    assert len([path for path in tmp_path.iterdir() if path.name.isdecimal()]) == 8 - len(refused)
