"""Spark Connect: some tests of Spark run again over it, in a process of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CHOSEN = "spark and (run_once or trail or stops or zone or one_shuffle or same_kind or short)"
"""What asks most of Connect: checkpoints, draws, errors, times, order, kinds, pseudonyms."""
OF_PYSPARK = "ignore:PySpark does not yet fully support pandas:FutureWarning"


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java")
def test_spark_connect_gives_the_same_as_a_session_in_this_process():
    """One process has either a session of its own or Connect, so this one starts another."""
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", OF_PYSPARK),
            *("-k", CHOSEN, HERE / "test_spark.py", HERE / "test_engines.py"),
        ],
        env=os.environ | {"LOOKALIKE_SPARK": "connect"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
