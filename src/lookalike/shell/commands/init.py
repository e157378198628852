"""``lookalike init``: profiles a table and drafts a specification."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.draft.draft import Draft
from lookalike.draft.make_draft import DEFAULT_K, draft
from lookalike.draft.write_toml import name_release
from lookalike.shell.commands import arguments
from lookalike.shell.console import err, out
from lookalike.shell.views.draft import ask_person, ask_roles, show_draft, show_next
from lookalike.shell.views.terminal import print_result, show_progress

INIT_OUTPUTS = {"init": {"**draft": Draft, "files": tuple[Path, ...]}}


@arguments.takes_fields("init")
def init_command(
    table: arguments.TableFile,
    *,
    spec: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Specification to write; default: NAME.toml in this folder.",
            metavar="FILE",
        ),
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", "-k", help=f"k of the specification; default: {DEFAULT_K}.")
    ] = None,
    asked: arguments.FromRelease,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes", help="Ask nothing: an undecided column gets the role that releases less."
        ),
    ] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace existing files.")] = False,
    source: arguments.FromSource,
    encoding: Annotated[
        str | None, typer.Option(help="Text encoding of CSV and JSON Lines input.")
    ] = None,
    as_json: arguments.Json = False,
) -> None:
    """Draft a specification of a table: propose a role for every column, with reasons.

    The file holds figures and no value of the table. Examples are shown at a terminal only.

    Example: lookalike init patients.csv
    """
    path = Path(f"{name_release(table)}.toml") if spec is None else spec
    if encoding is not None:
        source["encoding"] = encoding
    with show_progress("reading") as announce:
        found = draft(table, k=k, announce=announce, **asked, **source)
    found.check_places(path, replace=replace)
    shown = found.decide() if yes else found
    if not as_json:
        out.print(show_draft(shown, examples=out.is_terminal), highlight=False)
        shown = _ask(shown)
    files = shown.write(path, replace=replace)
    written = {**shown.as_json(), "files": files} if as_json else {}
    print_result(as_json, written, lambda: show_next(shown, files), highlight=False)


def _ask(found: Draft) -> Draft:
    """Ask at a terminal what is undecided; elsewhere it stays undecided."""
    if not (out.is_terminal and err.is_terminal):
        return found
    person = ask_person(err, found)
    return found.decide(ask_roles(err, found) if found.undecided else None, person)
