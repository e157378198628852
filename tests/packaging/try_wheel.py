"""Install the wheel of ``dist/`` outside the repository and use it: ``make try-wheel``.

The first environment has nothing but the wheel and its dependencies. In an empty folder it runs
the commands of a first release, which need the data of the package: demo, starter taxonomies,
templates and charts. Then every extra gets an environment of its own, which sees the packages of
the first one and what the extra installs, and must do what the extra is for.
"""

import os
import subprocess
import tempfile
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pandas as pd

ROOT = Path(__file__).parents[2]
FIRST_RELEASE = (
    "--version",
    "demo --folder demo",
    "init demo/patients/patients.csv --yes --out mine.toml",
    "hierarchy propose demo/adult/adult.csv marital-status",
    "release mine.toml -k 2 --out released/patients.csv --dossier private",
    "report released",
    "verify released",
)
OWN = {"development", "test"}
"""The extras for the development of the package itself."""
MAIN = "from lookalike.shell.cli import main; main()"
TYPED = "from importlib.resources import files; files('lookalike').joinpath('py.typed').read_text()"
COMMANDS = {
    "excel": "check people.xlsx -q zip",
    "statistics": "release mine.toml -k 2 --out written/patients.sav --dossier apart",
    "utility": "compare demo/patients/patients.toml --target gender --method datafly",
}
"""A command that needs each extra."""
IMPORTS = {
    "charts": "from lookalike.report import chart; chart.draw_chart('risk', [], '').index('<svg')",
    "postgres": "import psycopg; psycopg.pq.version()",
    "spark": "import pyspark.sql.connect.session",
    "studio": "import lookalike.studio.serve",
}
"""For an extra that needs or is a server, or needs Java, what it imports."""


@dataclass(frozen=True)
class Place:
    """An environment, and the empty folder in which its programs run."""

    environment: Path
    folder: Path

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of the environment; raise if it fails."""
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        words = [str(self.environment / "bin" / program), *arguments]
        print(*words, flush=True)
        subprocess.run(words, cwd=self.folder, env=clean, stdout=subprocess.DEVNULL, check=True)

    def install(self, asked: str) -> None:
        """Install packages of the versions that the tests ran with."""
        quiet = ["--quiet", "--disable-pip-version-check", "--no-compile"]
        constraints = ["--constraint", str(ROOT / "constraints.txt")]
        self.run("python", "-m", "pip", "install", *quiet, *constraints, asked)

    @property
    def packages(self) -> Path:
        """Where its packages are."""
        return next(self.environment.glob("lib/python*/site-packages"))


def list_extras(wheel: Path) -> Iterator[str]:
    """Yield the extras of a wheel, without those for its own development."""
    with ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith("METADATA"))
        extras = message_from_bytes(archive.read(metadata)).get_all("Provides-Extra") or []
    yield from (extra for extra in extras if extra not in OWN)


def require_all_files(wheel: Path) -> None:
    """Raise if a file of the package is not in the wheel."""
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in source.glob("lookalike/**/*.*")}
    with ZipFile(wheel) as archive:
        left_out = sorted(name for name in files - {*archive.namelist()} if ".pyc" not in name)
    if left_out:
        raise SystemExit(f"not in the wheel; see package-data in pyproject.toml: {left_out}")


def try_first_release(base: Place, wheel: Path) -> None:
    """Make, check and describe a release with nothing but the dependencies of the wheel."""
    venv.create(base.environment, with_pip=True)
    base.install(str(wheel))
    base.run("python", "-c", TYPED)
    for command in FIRST_RELEASE:
        base.run("lookalike", *command.split())


def try_extra(base: Place, wheel: Path, extra: str) -> None:
    """Install an extra beside the packages of the wheel, and use it."""
    own = Place(base.environment.with_name(extra), base.folder)
    venv.create(own.environment)
    (own.packages / "base.pth").write_text(str(base.packages))
    own.install(f"{wheel}[{extra}]")
    if extra in IMPORTS:
        own.run("python", "-c", IMPORTS[extra])
    else:
        own.run("python", "-c", MAIN, *COMMANDS[extra].split())


def write_tables(folder: Path) -> None:
    """Write a table in the format that the extra for Excel reads."""
    people = pd.DataFrame({"zip": ["02138", "02138", "02139", "02139"]})
    people.to_excel(folder / "people.xlsx", index=False)


def main() -> None:
    """Try the only wheel of ``dist/``."""
    (wheel,) = (ROOT / "dist").glob("*.whl")
    require_all_files(wheel)
    with tempfile.TemporaryDirectory() as around:
        base = Place(Path(around, "base"), Path(around, "empty"))
        base.folder.mkdir()
        write_tables(base.folder)
        try_first_release(base, wheel)
        for extra in list_extras(wheel):
            try_extra(base, wheel, extra)


if __name__ == "__main__":
    main()
