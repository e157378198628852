"""The page of all commands with their options, made from the command line itself."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import typer

from lookalike.shell.cli import COMMANDS, app, load_command
from lookalike.shell.display import PANEL, display_options

WORDS = {"str": "TEXT", "int": "N", "int range": "N", "float": "NUMBER", "path": "PATH"}
HEAD = """# Commands

Every command has `--help` and the options for what it shows:

{display}

`lookalike --version` prints the version, `lookalike --install-completion` completes names in your
shell. {epilog}
"""


def list_commands() -> Iterator[tuple[str, Any]]:
    """Yield every command by its full name, those of groups too."""
    for name in COMMANDS:
        command = load_command(name)
        yield name, command
        for part, below in getattr(command, "commands", {}).items():
            yield f"{name} {part}", below


def own_parameters(command: Any) -> list[Any]:
    """Return the arguments and options of a command, without those that every command has."""
    return [
        one
        for one in command.params
        if getattr(one, "rich_help_panel", None) != PANEL and not getattr(one, "hidden", False)
    ]


def write_commands() -> str:
    """Write the page."""
    epilog = app.info.epilog or ""
    shown = _write_table(display_options(), typer.main.get_command(app))
    head = HEAD.format(display=shown, epilog=epilog)
    return head + "".join(_write_command(name, command) for name, command in list_commands())


def _write_command(name: str, command: Any) -> str:
    """Write the section of a command: what it does, an example, its options."""
    first, *rest = (command.help or "").split("\n\n")
    parts = [f"\n{'#' * (2 + name.count(' '))} {name}\n", f"{first}\n"]
    parts += [f"{_write_paragraph(text)}\n" for text in rest]
    for panel, options in groupby(_by_panel(own_parameters(command)), key=_panel_of):
        parts.append(f"**{panel}**\n" if panel else "")
        parts.append(f"{_write_table([*options], command)}\n")
    return "\n".join(part for part in parts if part)


def _write_paragraph(text: str) -> str:
    """Write a paragraph of a help; an example is shown as a command."""
    example = text.removeprefix("Example: ")
    return text if example == text else f"```sh\n{example}\n```"


def _panel_of(option: Any) -> str:
    """Return the panel of an option in the help."""
    return getattr(option, "rich_help_panel", None) or ""


def _by_panel(options: list[Any]) -> list[Any]:
    """Sort options by panel, in the order in which the panels begin."""
    panels = list(dict.fromkeys(map(_panel_of, options)))
    return sorted(options, key=lambda option: panels.index(_panel_of(option)))


def _write_table(options: list[Any], command: Any) -> str:
    """Write options as a table."""
    context = command.context_class(command)
    records = [option.get_help_record(context) for option in options]
    rows = [f"| `{_plain(declared)}` | {_plain(meaning)} |" for declared, meaning in records]
    return "\n".join(["| option | meaning |", "|---|---|", *rows])


def _plain(text: str) -> str:
    """Return a text without signs that end a cell of a table or are taken for HTML."""
    named = re.sub("<([^<>]+)>", lambda found: WORDS.get(found[1], found[1]), text)
    return " ".join(named.replace("|", " or ").replace(">=", "≥").replace("<=", "≤").split())
