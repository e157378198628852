"""The options that every command has for how much it shows: quiet, verbose, wide, debug."""

from dataclasses import dataclass, fields
from typing import Annotated, Any

import typer

PANEL = "Display"


@dataclass
class Display:
    """How much a command shows; :func:`~lookalike.shell.cli.main` begins with the defaults.

    Parameters
    ----------
    quiet
        Whether only errors and JSON are printed.
    verbose
        Whether every figure is printed.
    wide
        Whether tables have all their columns, however wide the terminal is.
    debug
        Whether an error is printed with the calls that led to it.
    """

    quiet: bool = False
    verbose: bool = False
    wide: bool = False
    debug: bool = False

    def reset(self) -> None:
        """Return to the defaults."""
        for one in fields(self):
            setattr(self, one.name, one.default)


display = Display()


def _set(parameter: typer.CallbackParam, value: bool) -> None:
    """Remember an option that is given."""
    if value:
        setattr(display, str(parameter.name), True)


def _switch(name: str, text: str) -> Any:
    """Describe one of the options."""
    return typer.Option(
        name, help=text, callback=_set, expose_value=False, rich_help_panel=PANEL, is_eager=True
    )


def display_options() -> list[Any]:
    """Return the options, for the parameters of a command."""
    holder = typer.Typer()

    @holder.command()
    def hold(
        quiet: Annotated[bool, _switch("--quiet", "Print errors only, and JSON if asked.")] = False,
        verbose: Annotated[bool, _switch("--verbose", "Print every figure.")] = False,
        wide: Annotated[
            bool, _switch("--wide", "Show all columns of tables, however wide the terminal is.")
        ] = False,
        debug: Annotated[
            bool,
            _switch("--debug", "Print the calls that led to an error; may show private values."),
        ] = False,
    ) -> None:
        """Hold the options."""

    return [one for one in typer.main.get_command(holder).params if one.name in vars(display)]
