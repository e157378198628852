"""``lookalike demo``: releases the data that comes with the package and explains each step."""

import csv
import shutil
import tempfile
from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path

import typer
from rich.console import Console

from lookalike.errors import AlreadyExists
from lookalike.examine.verify import verify
from lookalike.flow.check import check
from lookalike.flow.make_release import PublishedRelease, make_release
from lookalike.flow.result import Release
from lookalike.json_result import to_json
from lookalike.shell.commands import arguments
from lookalike.shell.console import out, print_json
from lookalike.shell.views.check import show_certificate, show_check, show_verification
from lookalike.shell.views.printing import show_rows
from lookalike.shell.views.release import show_release
from lookalike.spec.specification import Specification
from lookalike.tables.files.file_format import REPORT

DEMO_OUTPUTS = {"demo": {"releases": tuple[Release, ...]}}


def demo_command(
    folder: Path | None = typer.Option(
        None, help="Keep the demo's files in this new folder.", metavar="FOLDER"
    ),
    as_json: arguments.Json = False,
) -> None:
    """Release the 12 patients of Sweeney's paper and 30,162 census records, with comments.

    Example: lookalike demo
    """
    made = run_demo(Console(quiet=True) if as_json else out, folder)
    if as_json:
        print_json(to_json({"releases": made}))


def run_demo(console: Console, folder: Path | None = None) -> list[Release]:
    """Release the patients of the paper and the Adult table, and explain each step.

    ``folder``: A new folder for the tables, specifications and releases; without it they are
    deleted.
    """
    if folder is not None and folder.exists():
        raise AlreadyExists(f"{folder} exists already; name a new folder for the demo")
    with ExitStack() as stack:
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        with as_file(files("lookalike.shell") / "data") as data:
            shutil.copytree(data, place, dirs_exist_ok=True)
        made = [
            _show_patients(console, place / "patients", keep=folder is not None),
            _show_adult(console, place / "adult", keep=folder is not None),
        ]
    if folder is None:
        console.print(
            "\nTo keep these files and try your own changes: lookalike demo --folder demo"
        )
    else:
        console.print(
            f"\nThe tables, specifications and releases are in {folder}. To look at in a browser:\n"
            f"{folder / 'adult' / 'released' / REPORT}, for the recipient;\n"
            f"{folder / 'adult' / 'private' / REPORT}, for the data holder."
        )
    return made


def _show_patients(console: Console, folder: Path, *, keep: bool) -> Release:
    """Show twelve patients, their uniqueness, and a release of them."""
    console.print("[bold]Twelve patients (Sweeney 2002, Figure 7)[/bold]")
    columns, *rows = _read_rows(folder / "patients.csv")
    console.print("The private table. Leaving out the names is not enough:")
    console.print(show_rows(columns, rows))
    linkable = ["race", "birth_date", "gender", "zip"]
    console.print(show_check(check(folder / "patients.csv", linkable), linkable, 2))
    console.print("A voter list with birth date, gender and ZIP code names every one of them.\n")
    console.print("[bold]lookalike release patients.toml[/bold]   (k = 2, method datafly)")
    made = make_release(_specify(folder / "patients.toml", keep=keep))
    console.print(show_release(made.release))
    console.print("\nThe release, sorted for reading; in the file the rows are in random order:")
    columns, *rows = _read_rows(folder / "released" / "patients.csv")
    console.print(show_rows(columns, sorted(rows)))
    _show_certificate(console, made, folder)
    return made.release


def _show_adult(console: Console, folder: Path, *, keep: bool) -> Release:
    """Show a real table and its release."""
    console.print("[bold]30,162 census records (Adult, UCI Machine Learning Repository)[/bold]")
    linkable = list(Specification.load(folder / "adult.toml").attributes)
    console.print(show_check(check(folder / "adult.csv", linkable, 5), linkable, 5))
    console.print("\n[bold]lookalike release adult.toml[/bold]   (k = 5, method mingen-cells)")
    made = make_release(_specify(folder / "adult.toml", keep=keep))
    console.print(show_release(made.release))
    _show_certificate(console, made, folder)
    console.print(
        f"From reading the table to the published folder: {made.release.stopwatch.total:.2f} s."
    )
    return made.release


def _specify(path: Path, *, keep: bool) -> Specification:
    """Read a specification; with a dossier for the holder's report if the files are kept."""
    return Specification.load(path, {"dossier": str(path.parent / "private")} if keep else None)


def _show_certificate(console: Console, made: PublishedRelease, folder: Path) -> None:
    """Show the certificate, and verify the release as the recipient would."""
    if made.certificate is not None:
        console.print("\nWhat the certificate states (certificate.json, in words):")
        console.print(show_certificate(made.certificate))
    console.print("\n[bold]lookalike verify released[/bold]   (needs nothing but the release)")
    console.print(show_verification(verify(folder / "released")))
    console.print()


def _read_rows(path: Path) -> list[list[str]]:
    """Read a small CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))
