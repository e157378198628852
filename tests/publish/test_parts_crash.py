"""Publishing part files that is killed at any point leaves a complete release or none.

The driver kills itself at its n-th step, for every n until it survives. Without Spark, a step is
each change of a file, on a store that renames and on one that copies; with Spark, each call of the
store. One more test kills Spark itself while its executors write.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import lookalike as la

from ..parts_driver import make_release
from .nine_people import names

ROOT = Path(__file__).parents[2]
STAGING = "_lookalike-staging-released"


def drive(place, *options):
    """Run the driver; return its attempts, the last of which survived."""
    command = [sys.executable, "-m", "tests.parts_driver", str(place), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *killed, survivor = [json.loads(line) for line in done.stdout.splitlines()]
    assert survivor["killed"]["how"] == "published"
    assert survivor["killed"]["left"] == {"state": "new", "beside": [], "modes": []}
    return killed


def check(attempts, states):
    """Check that each attempt was killed and left a release or none, and the next one succeeds."""
    assert {one["killed"]["killed"] for one in attempts} == {True}
    found = [one["killed"]["left"]["state"] for one in attempts]
    assert found == sorted(found, key=states.index), "it is published once, whole"
    assert set(found) == set(states)
    for one in attempts:
        assert one["killed"]["left"]["beside"] in ([], [STAGING])
        if "again" in one:
            assert one["again"]["how"] == "published", one
            assert one["again"]["left"] == {"state": "new", "beside": [], "modes": []}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["renames", "copies"])
def test_a_first_release_that_is_killed_anywhere(kind, tmp_path):
    attempts = drive(tmp_path, kind)

    assert len(attempts) > 10
    check(attempts, ["none", "new"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["renames", "copies"])
def test_a_replacing_release_that_is_killed_anywhere(kind, tmp_path):
    attempts = drive(tmp_path, kind, "replace")

    assert len(attempts) > 15
    check(attempts, ["old", "none", "new"])


@pytest.mark.slow
@pytest.mark.exhaustive
def test_a_driver_of_spark_that_is_killed_at_any_call_of_the_store(tmp_path):
    attempts = drive(tmp_path, "spark")

    assert len(attempts) > 8
    check(attempts, ["none", "new"])
    assert {mode for one in attempts for mode in one["killed"]["left"]["modes"]} == {0o700}


PUBLISH = """
import sys
from tests.parts_driver import make_release
made = make_release(200_000)
print("ready", flush=True)
made.publish(sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.exhaustive
def test_spark_that_is_killed_while_its_executors_write(tmp_path):
    place = tmp_path / "released"
    command = [sys.executable, "-c", PUBLISH, (place / "table.parquet").as_uri()]
    fields = {"cwd": ROOT, "stdout": -1, "stderr": -1, "start_new_session": True}
    with subprocess.Popen(command, **fields) as driver:
        assert driver.stdout.readline() == b"ready\n"
        while not list(tmp_path.glob(f"{STAGING}-*/rows/_temporary/**/*.parquet")):
            assert driver.poll() is None, "it ended before it could be killed"
            time.sleep(0.001)
        os.killpg(driver.pid, signal.SIGKILL)

    assert names(tmp_path) != []
    with pytest.raises(la.InvalidInput, match=r"is not a release: it has no certificate\.json"):
        la.verify(place)
    make_release(40).publish((place / "table.parquet").as_uri())
    assert names(tmp_path) == ["released"]
    assert la.verify(place).holds
