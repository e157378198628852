"""What every command has: the options for how much it shows, panels, and no option twice."""

from dataclasses import dataclass, fields
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from lookalike.errors import InvalidInput

PANEL = "Display"
MANY_OPTIONS = 12
"""A command with fewer options has a help without panels."""
PANELS = {
    "Table": "",
    "Requirement": "k max_suppressed quasi_identifier sensitive spec allow_unsafe",
    "Search": "method time_limit search repeats",
    "Output": "out_file replace dry_run rules explained as_json csv show most target",
    "Earlier releases": "",
}
"""The panels, with the names of their options that are not fields; a field names its panel."""
_PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names.split()}


def _set(parameter: typer.CallbackParam, value: bool) -> None:
    """Remember an option that is given."""
    if value:
        setattr(display, str(parameter.name), True)


def _switch(name: str, text: str) -> Any:
    """Describe one of the options."""
    return typer.Option(
        name, help=text, callback=_set, expose_value=False, rich_help_panel=PANEL, is_eager=True
    )


@dataclass
class Display:
    """How much a command shows; :func:`~lookalike.shell.cli.main` begins with the defaults."""

    quiet: Annotated[bool, _switch("--quiet", "Print errors only, and JSON if asked.")] = False
    verbose: Annotated[bool, _switch("--verbose", "Print every figure.")] = False
    wide: Annotated[
        bool, _switch("--wide", "Show all columns of tables, however wide the terminal is.")
    ] = False
    debug: Annotated[
        bool, _switch("--debug", "Print the calls that led to an error; may show private values.")
    ] = False

    def reset(self) -> None:
        """Return to the defaults."""
        for one in fields(self):
            setattr(self, one.name, one.default)


display = Display()


def display_options() -> list[Any]:
    """Return the options, for the parameters of a command."""
    holder = typer.Typer()
    holder.command()(Display)
    return [one for one in typer.main.get_command(holder).params if one.name in vars(display)]


class StrictCommand(TyperCommand):
    """A command that accepts each option once, except switches and options that collect values.

    Of an option given twice only the last would count. The display options are added to those of
    the command.
    """

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        arrange([one for one in self.params if one.param_type_name == "option"])
        self.params += display_options()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reject a repeated option before anything runs."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for option in given:
            single = option.param_type_name == "option" and option.nargs == 1
            collects = getattr(option, "multiple", False) or getattr(option, "is_flag", False)
            if single and not collects and given.count(option) > 1:
                raise InvalidInput(f"{option.opts[0]} is given several times; give it once")
        return super().parse_args(ctx, args)


def arrange(options: list[Any]) -> None:
    """Put the options of a command into panels, if they are many."""
    for option in options:
        if len(options) < MANY_OPTIONS:
            option.rich_help_panel = None
        elif not getattr(option, "required", False):
            option.rich_help_panel = option.rich_help_panel or _PANEL_OF.get(option.name or "")
