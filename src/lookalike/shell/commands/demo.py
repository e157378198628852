"""``lookalike demo``: releases the data that comes with the package and explains each step."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lookalike.shell.commands.arguments import Json
from lookalike.shell.console import out, print_json
from lookalike.shell.demo import run_demo
from lookalike.shell.views.release_json import release_as_json


def demo_command(
    folder: Annotated[
        Path | None,
        typer.Option(help="Keep the demo's files in this new folder.", metavar="FOLDER"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Release the 12 patients of Sweeney's paper and 30,162 census records, with comments.

    Example: lookalike demo
    """
    made = run_demo(Console(quiet=True) if as_json else out, folder)
    if as_json:
        print_json({"releases": [release_as_json(release) for release in made]})
