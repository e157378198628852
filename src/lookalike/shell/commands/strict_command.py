"""The class of every command: display options, and no option twice."""

from typing import Any

from typer.core import TyperCommand

from lookalike.errors import InvalidInput
from lookalike.shell.display import display_options
from lookalike.shell.help_panels import arrange


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
