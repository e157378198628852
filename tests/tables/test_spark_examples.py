"""What the documentation shows about Spark runs as it stands there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest

import lookalike as la

from ..packages import need

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "spark.md"
SUBMIT = Path(need("pyspark").__file__).parent / "bin" / "spark-submit"
pytestmark = pytest.mark.slow


@pytest.fixture
def patients(folder):
    """The twelve patients as a Parquet file, in the working folder."""
    text = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(["birth_date", "zip"], "string"))
    table = pyarrow.csv.read_csv(folder / "patients.csv", convert_options=text)
    pyarrow.parquet.write_table(table, folder / "patients.parquet")
    return folder


def test_the_python_of_the_page_runs(make_spark, patients):
    """Spark looks for relative paths in the folder in which its process began."""
    blocks = re.findall(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    make_spark()
    place = str(patients / "patients.parquet")
    for block in blocks:
        located = block.replace("patients.parquet", place, 1)
        exec(compile(located, str(PAGE), "exec"), {})
    assert la.verify("released").holds


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java")
def test_the_example_runs_by_spark_submit(patients):
    example = ROOT / "docs" / "examples" / "spark_release.py"
    settings = ["--master", "local[2]", "--driver-memory", "1g", "--conf", "spark.ui.enabled=false"]
    run = subprocess.run(
        [SUBMIT, *settings, example, "patients.parquet", "released/patients.parquet"],
        env=os.environ
        | {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "12 of 12 rows are in released/patients.parquet" in run.stdout, run.stderr
    assert la.verify("released").holds
