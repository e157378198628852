"""The class of every command: display options, and no option twice."""

from typing import Any

from typer.core import TyperCommand

from lookalike.errors import InvalidInput
from lookalike.shell.display import display_options

MANY_OPTIONS = 12
"""A command with fewer options has a help without panels."""

PANELS = {
    "Table": "table where engine master memory spill delimiter header_row skip_rows last_rows "
    "encoding missing trim person",
    "Requirement": "recipient k preset max_suppressed quasi_identifier sensitive spec accept "
    "allow_unsafe",
    "Search": "method objective prefer constraint time_limit max_sequences effort bound generalize "
    "repair search repeats",
    "Output": "out_file neutralize_formulas keep_order dossier no_report replace dry_run rules "
    "explained as_json csv show most target",
    "Earlier releases": "ledger ledger_files ledger_key policy",
}
"""The names of the options of each panel; others stand in the general one."""

_PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names.split()}


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
    if len(options) < MANY_OPTIONS:
        return
    for option in options:
        panel = _PANEL_OF.get(option.name or "")
        if panel is not None and not getattr(option, "required", False):
            option.rich_help_panel = panel
