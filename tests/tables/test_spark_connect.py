"""Spark Connect: the tests of Spark run again over it, in a process of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CHOSEN = (
    "test_spark.py or (spark and (same_release or proves_true or same_kind or same_pseudonyms"
    " or same_classes or keep_order))"
)
"""All that is about Spark alone, and of the tests of every engine what asks most of Connect."""
OF_PYSPARK = "ignore:PySpark does not yet fully support pandas:FutureWarning"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java")
def test_everything_holds_over_spark_connect():
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
