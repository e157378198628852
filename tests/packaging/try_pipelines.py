"""Run the dbt package and the examples of Airflow and Dagster: ``make try-pipelines``.

Each program gets an environment of its own, because its versions of other packages are not those of
``constraints.txt``. It must publish and verify a release of the demo, and stop where it must.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
EXPECTED = {"passes_k": "pass", "fails_persons": "fail", "passes_l": "pass", "fails_l": "fail"}
"""The tests of ``clinic/models/schema.yml``, and how they end."""


@dataclass(frozen=True)
class Tried:
    """An environment with a program, and an empty folder to run it in."""

    folder: Path

    @classmethod
    def install(cls, around: Path, name: str, *packages: str) -> "Tried":
        """Make the environment."""
        made = cls(around / name)
        venv.create(made.folder / "environment", with_pip=True)
        quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        made.run("python", *quiet, *packages, code=0)
        return made

    def run(self, program: str, *words: str, code: int, **settings: str) -> None:
        """Run a program of the environment; raise unless it ends with a code."""
        own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [str(self.folder / "environment" / "bin" / program), *words]
        print(self.folder.name, *command[1:], flush=True)
        with (self.folder / "output").open("w") as output:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=own | settings,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if done.returncode != code:
            sys.exit((self.folder / "output").read_text()[-5000:])


def try_dbt(around: Path) -> None:
    """Run the tests of the dbt package on a model of which some must fail."""
    dbt = Tried.install(around, "dbt", "dbt-core>=1.11,<1.12", "dbt-duckdb>=1.9", "duckdb>=2.0")
    shutil.copytree(Path(__file__).parent / "clinic", dbt.folder, dirs_exist_ok=True)
    local = f"packages:\n  - local: {ROOT / 'integrations' / 'dbt'}\n"
    (dbt.folder / "packages.yml").write_text(local)
    dbt.run("dbt", "deps", code=0)
    dbt.run("dbt", "build", code=1)
    results = json.loads((dbt.folder / "target" / "run_results.json").read_text())["results"]
    ended = {one["unique_id"].split(".")[2]: one["status"] for one in results}
    if {name: ended[name] for name in EXPECTED} != EXPECTED:
        sys.exit(f"dbt: the tests ended otherwise: {ended}")
    schema = dbt.folder / "models" / "schema.yml"
    schema.write_text(schema.read_text().replace("k: 3}", "k: 1}"))
    dbt.run("dbt", "build", code=2)


def try_example(around: Path, name: str, package: str, *before: str) -> None:
    """Let an example publish and verify a release, and refuse one that cannot be made."""
    tried = Tried.install(around, name, package, str(ROOT))
    tried.run("lookalike", "demo", "--folder", "demo", code=0)
    spec = tried.folder / "demo" / "patients" / "patients.toml"
    shutil.rmtree(spec.parent / "released")
    settings = {"LOOKALIKE_SPEC": str(spec), "AIRFLOW_HOME": str(tried.folder / "airflow")}
    settings |= {"AIRFLOW__CORE__DAGS_FOLDER": str(EXAMPLES)}
    settings |= {"AIRFLOW__CORE__LOAD_EXAMPLES": "False", "DAGSTER_HOME": ""}
    if before:
        tried.run(*before, code=0, **settings)
    example = str(EXAMPLES / f"{name}_release.py")
    tried.run("python", example, code=0, **settings)
    tried.run("lookalike", "verify", str(spec.parent / "released"), code=0)
    spec.write_text(spec.read_text().replace("k = 2", "k = 200"))
    tried.run("python", example, code=1, **settings)


def main() -> None:
    """Try every program, or those that are named."""
    trials = {
        "dbt": try_dbt,
        "dagster": lambda around: try_example(around, "dagster", "dagster>=1.10"),
        "airflow": lambda around: try_example(
            around, "airflow", "apache-airflow>=3.0", "airflow", "db", "migrate"
        ),
    }
    print("lookalike", version("lookalike"))
    with tempfile.TemporaryDirectory() as around:
        for name in sys.argv[1:] or trials:
            trials[name](Path(around))


if __name__ == "__main__":
    main()
