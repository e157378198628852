"""A command group that imports a command's module only when that command is used.

The group's own help and the completion of command names need one line per command. They read it
from a table, so that ``lookalike --help`` starts fast.
"""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from lookalike.shell.commands.strict_command import StrictCommand

COMMANDS = {
    "demo": "Release the 12 patients of Sweeney's paper and 30,162 census records, with comments.",
    "init": "Draft a specification of a table: propose a role for every column, with reasons.",
    "hierarchy": "Propose, preview and check how the values of a column become more general.",
    "check": "Report the k of a table: the size of its smallest equivalence class.",
    "release": "Make a release: read, count, search, recode, verify, publish.",
    "minimal": "List all k-minimal generalizations and mark the preferred ones; write nothing.",
    "compare": "Run every method on the same table and requirement; write nothing.",
    "explore": "Compare what is kept and lost at several k, limits and methods; release nothing.",
    "report": "Make the recipient's report again from a published folder, and compare it.",
    "verify": "Check a release against its certificate, and with --spec against its source.",
    "risk": "Measure the re-identification risk of a table, or propose quasi-identifiers.",
    "link": "Match a release with an external table and count re-identified people.",
    "attack": "Try the published attacks on several releases of one source.",
    "ledger": "List, inspect and attack the releases recorded in a ledger.",
    "studio": "Open the studio: make a release in the browser, on this machine only.",
}
"""Each command with its one-line help, the same as the first paragraph of its own help."""


def load_command(name: str) -> Any:
    """Import the module of a command and return the command.

    The module ``commands/NAME.py`` defines a function ``NAME_command``, or for a command with
    sub-commands an application ``NAME_app``.
    """
    module = import_module(f"lookalike.shell.commands.{name}")
    parent = typer.Typer()
    if hasattr(module, f"{name}_app"):
        parent.add_typer(getattr(module, f"{name}_app"), name=name)
    else:
        parent.command(name, cls=StrictCommand)(getattr(module, f"{name}_command"))
    return typer.main.get_group(parent).commands[name]


class DeferredGroup(TyperGroup):
    """A group that holds the name and help of each command and loads the one that is invoked."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, line in COMMANDS.items():
            self.add_command(TyperCommand(name, help=line))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the loaded command that the arguments name; click calls it to run or complete."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and load_command(name or ""), rest
