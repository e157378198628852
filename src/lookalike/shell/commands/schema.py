"""``lookalike schema``: prints the JSON schema of what ``--json`` prints, or of a certificate."""

import json
import sys
from importlib import import_module
from typing import Any

import typer

from lookalike.errors import InvalidInput, not_one_of
from lookalike.json_result import describe_json
from lookalike.publish.certificate import Certificate
from lookalike.shell.cli import COMMANDS
from lookalike.shell.console import out

SCHEMA_OUTPUTS = {"certificate": Certificate, "error": {"error": str, "exit": int}}


def schema_command(
    name: str | None = typer.Argument(
        None,
        metavar="[NAME]",
        help="What to describe: certificate, error, or a command with --json; default: list "
        "the names.",
    ),
) -> None:
    """Print the JSON schema of what a command prints with --json, or of certificate.json.

    Example: lookalike schema release
    """
    known = list_outputs()
    if name is None:
        out.print("\n".join(known), highlight=False)
    elif name not in known:
        raise InvalidInput(not_one_of("schema", name, known))
    else:
        title = {"title": f"lookalike {name}"}
        described = json.dumps(title | describe_json(known[name]), indent=2, ensure_ascii=False)
        sys.stdout.write(f"{described}\n")


def list_outputs() -> dict[str, Any]:
    """Return the type of what is printed as JSON, by name; each command declares its own."""
    names = (*COMMANDS, "release_linked")
    modules = [(name, import_module(f"lookalike.shell.commands.{name}")) for name in names]
    outputs = [getattr(module, f"{name.upper()}_OUTPUTS", {}) for name, module in modules]
    return {name: kind for some in outputs for name, kind in some.items()}
