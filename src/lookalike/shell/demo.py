"""Demo: what a newcomer must see, on data that comes with the package."""

import csv
import shutil
import tempfile
from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console

from lookalike.errors import InvalidInput
from lookalike.flow.check import check
from lookalike.flow.release import prepare
from lookalike.flow.result import Release
from lookalike.flow.verify.folder import verify
from lookalike.publish.certificate import Certificate
from lookalike.shell.views import release as render
from lookalike.spec.specification import Specification


def run_demo(console: Console, folder: Path | None = None) -> list[Release]:
    """Release the patients of the paper and the Adult table, and explain each step.

    Parameters
    ----------
    console
        Where to tell it.
    folder
        Where to keep the tables, specifications and releases; without it they are removed.

    Returns
    -------
    list of Release
        The releases that were made.
    """
    if folder is not None and folder.exists():
        raise InvalidInput(f"{folder} is there already; name a new folder for the demo")
    with ExitStack() as stack:
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        with as_file(files("lookalike.shell") / "data") as data:
            shutil.copytree(data, place, dirs_exist_ok=True)
        made = [
            _show_patients(console, place / "patients"),
            _show_adult(console, place / "adult"),
        ]
    if folder is None:
        console.print(
            "\nTo keep these files and try your own changes: lookalike demo --folder demo"
        )
    else:
        console.print(f"\nThe tables, specifications and releases are in {folder}.")
    return made


def _show_patients(console: Console, folder: Path) -> Release:
    """Show twelve patients, who stands out, and the release that hides them."""
    console.print("[bold]Twelve patients (Sweeney 2002, Figure 7)[/bold]")
    columns, *rows = _read_rows(folder / "patients.csv")
    console.print("The private table. Leaving out the names is not enough:")
    console.print(render.show_rows(columns, rows))
    linkable = ["race", "birth_date", "gender", "zip"]
    console.print(render.show_check(check(folder / "patients.csv", linkable), linkable, 2))
    console.print("A voter list with birth date, gender and ZIP code names every one of them.\n")
    console.print("[bold]lookalike release patients.toml[/bold]   (k = 2, method datafly)")
    release, certificate = _release(folder / "patients.toml")
    console.print(render.show_release(release))
    console.print(
        "\nThe release, sorted for reading; in the file the order of rows is drawn afresh:"
    )
    columns, *rows = _read_rows(folder / "released" / "patients.csv")
    console.print(render.show_rows(columns, sorted(rows)))
    _show_certificate(console, certificate, folder)
    return release


def _show_adult(console: Console, folder: Path) -> Release:
    """Show a real table, and its release."""
    console.print("[bold]30,162 census records (Adult, UCI Machine Learning Repository)[/bold]")
    linkable = list(Specification.load(folder / "adult.toml").attributes)
    console.print(render.show_check(check(folder / "adult.csv", linkable, 5), linkable, 5))
    console.print("\n[bold]lookalike release adult.toml[/bold]   (k = 5, method datafly)")
    release, certificate = _release(folder / "adult.toml")
    console.print(render.show_release(release))
    _show_certificate(console, certificate, folder)
    seconds = sum(release.stopwatch.seconds.values())
    console.print(f"From reading the table to the published folder: {seconds:.2f} s.")
    return release


def _release(specification: Path) -> tuple[Release, Certificate]:
    """Make and publish a release, as the command line does."""
    release = prepare(Specification.load(specification))
    return release, release.publish()


def _show_certificate(console: Console, certificate: Certificate, folder: Path) -> None:
    """Show what the recipient is told, and check it as the recipient would."""
    console.print("\nWhat the recipient is told (certificate.json, in words):")
    console.print(render.show_certificate(certificate))
    console.print("\n[bold]lookalike verify released[/bold]   (needs nothing but the release)")
    console.print(render.show_verification(verify(folder / "released")))
    console.print()


def _read_rows(path: Path) -> list[list[str]]:
    """Read a small CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))
