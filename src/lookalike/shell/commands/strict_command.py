"""A command class that rejects an option given twice, of which only the last would count."""

from typing import Any

from typer.core import TyperCommand

from lookalike.errors import InvalidInput


class StrictCommand(TyperCommand):
    """A command that accepts each option once, except switches and options that collect values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reject a repeated option before anything runs."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for option in given:
            single = option.param_type_name == "option" and option.nargs == 1
            collects = getattr(option, "multiple", False) or getattr(option, "is_flag", False)
            if single and not collects and given.count(option) > 1:
                raise InvalidInput(f"{option.opts[0]} is given several times; give it once")
        return super().parse_args(ctx, args)
