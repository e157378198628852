"""``lookalike explore``: what is kept and lost at several k, limits and methods."""

import os
from collections.abc import Mapping
from pathlib import Path

import pyarrow.csv
import typer

from lookalike.errors import AlreadyExists, InvalidInput
from lookalike.flow.explore.exploration import Exploration, Grid
from lookalike.flow.explore.explore import explore_specification
from lookalike.flow.explore.linked import LinkedExploration, explore_linked
from lookalike.shell.commands import arguments
from lookalike.shell.views.explore import show_exploration
from lookalike.shell.views.linked import show_known
from lookalike.shell.views.terminal import print_result, show_progress

EXPLORE_OUTPUTS = {"explore": Exploration, "explore-records": LinkedExploration}


@arguments.takes_fields("explore")
def explore_command(
    spec: arguments.SpecFile,
    *,
    k: list[int] | None = typer.Option(None, "--k", "-k", help="Try this k; may be repeated."),
    max_suppressed: list[str] | None = typer.Option(
        None,
        help="Try this limit of suppressed rows, 20 rows or 0.01 of the rows; may be repeated.",
    ),
    method: list[str] | None = typer.Option(
        None, help="Try this method; may be repeated.", metavar="METHOD"
    ),
    source: arguments.FromSource,
    asked: arguments.FromRelease,
    time_limit: float | None = typer.Option(
        None,
        help="End after this time (60 s; inf: never), and list the points that are left.",
        metavar="SECONDS",
        min=0,
    ),
    repeats: int = typer.Option(
        0, help="Time each search alone, the best of so many runs.", metavar="N", min=0
    ),
    csv: Path | None = typer.Option(
        None, help="Write every measure of every point to a CSV file.", metavar="FILE"
    ),
    as_json: arguments.Json = False,
) -> None:
    """Compare what is kept and lost at several k, limits and methods; release nothing.

    Options replace fields of the specification. Of people with records, it compares what is kept
    if 0, 1 or 2 records of a person may be known.

    Example: lookalike explore patients.toml --k 2 --k 5
    """
    limits = [arguments.read_limit(text) for text in max_suppressed or ()]
    grid = Grid(tuple(k or ()), tuple(limits), tuple(method or ()))
    if csv is not None and csv.exists():
        raise AlreadyExists(f"--csv: {csv} exists already; name a new file")
    specification = arguments.load_specification(spec, asked, source)
    if specification.records:
        lists = {"--max-suppressed": max_suppressed, "--method": method, "--repeats": repeats}
        _refuse_for_records({**lists, "--csv": csv})
        with show_progress("reading") as announce:
            known = explore_linked(specification, grid.ks, time_limit, announce)
        print_result(as_json, known, lambda: show_known(known))
        return
    with show_progress("reading") as announce:
        found = explore_specification(
            specification, grid, time_limit=time_limit, repeats=repeats, announce=announce
        )
    if csv is not None:
        _write_csv(found, csv)
    print_result(as_json, found, lambda: show_exploration(found))


def _refuse_for_records(given: Mapping[str, object]) -> None:
    """Refuse options that linked tables do not take."""
    refused = [option for option, value in given.items() if value]
    if refused:
        raise InvalidInput(f"{refused[0]} is not taken for linked tables yet; leave it out")


def _write_csv(found: Exploration, path: Path) -> None:
    """Write the points to a file that only its owner can read, whole or not at all."""
    staged = path.with_name(f".{path.name}.part")
    try:
        with os.fdopen(os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            pyarrow.csv.write_csv(found.to_frame(), file)
        staged.rename(path)
    except OSError as error:
        staged.unlink(missing_ok=True)
        raise InvalidInput(f"--csv: {path} cannot be written: {error.strerror}") from None
