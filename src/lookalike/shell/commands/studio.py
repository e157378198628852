"""``lookalike studio``: opens the local web application."""

from pathlib import Path

import typer

from lookalike.errors import InvalidInput
from lookalike.shell.console import out


def studio_command(
    given: Path | None = typer.Argument(
        None,
        metavar="[TABLE | SPEC]",
        help="Table, specification or folder to open; default: this folder.",
    ),
    port: int = typer.Option(0, min=0, max=65535, help="Port on 127.0.0.1; default: a free one."),
    idle: float | None = typer.Option(
        None, min=0.01, metavar="MINUTES", help="End after so many minutes without use."
    ),
    no_browser: bool = typer.Option(
        False, "--no-browser", help="Print the address and open no browser."
    ),
) -> None:
    """Open the studio: make a release in the browser, on this machine only.

    Example: lookalike studio patients.csv
    """
    try:
        from lookalike.studio.serve import open_studio
    except ModuleNotFoundError as missing:
        raise InvalidInput(
            f"the studio needs {missing.name}: pip install 'lookalike[studio]'"
        ) from None
    open_studio(
        given,
        _announce,
        port=port,
        idle=None if idle is None else 60 * idle,
        browser=not no_browser,
    )


def _announce(address: str) -> None:
    """Print the first address."""
    out.print(f"The studio is open at {address}", highlight=False, soft_wrap=True)
    out.print("The address works once, for one browser. Press Ctrl-C to end.", highlight=False)
