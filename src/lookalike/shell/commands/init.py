"""``lookalike init``: profiles a table and drafts a specification."""

import os
import re
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import typer

from lookalike.draft.draft import Draft
from lookalike.draft.make_draft import DEFAULT_K, draft
from lookalike.draft.write_toml import name_release
from lookalike.errors import InvalidInput
from lookalike.model.progress import Announce
from lookalike.shell.commands import arguments
from lookalike.shell.console import err, out
from lookalike.shell.views import draft as view
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.tables.connection import Connection
from lookalike.tables.databases.database import remove_password, resolve_database
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

_DATABASE = re.compile(r"(sqlite|duckdb|postgres|postgresql|mysql|mssql|oracle)(\+\w+)?:")
"""How the address of a database begins, which has no other table than a named one."""
_WITHOUT_PASSWORD = (
    "the password is left out: PostgreSQL takes it from PGPASSWORD or ~/.pgpass; for another "
    "database, write it into the address, and keep this file private"
)
INIT_OUTPUTS = {"init": {"**draft": Draft, "files": tuple[Path, ...]}}


@arguments.takes_fields("init")
def init_command(
    table: str = typer.Argument(
        help="Table: a file, a quoted glob for many files, or with --table a database, such as "
        "sqlite:clinic.db, duckdb:clinic.duckdb or postgresql://user@host/clinic."
    ),
    *,
    of_database: str | None = typer.Option(
        None, "--table", help="Table or view of the database.", metavar="NAME"
    ),
    spec: Path | None = typer.Option(
        None,
        "--out",
        help="Specification to write; default: NAME.toml in this folder.",
        metavar="FILE",
    ),
    k: int | None = typer.Option(
        None, "--k", "-k", help=f"k of the specification; default: {DEFAULT_K}."
    ),
    keep: list[str] | None = typer.Option(
        None,
        help="Columns that matter most, separated by commas; may be repeated. Of those that "
        "others may know, keep them before all others.",
        metavar="COLUMNS",
    ),
    asked: arguments.FromRelease,
    yes: bool = typer.Option(
        False, "--yes", help="Ask nothing: an undecided column gets the role that releases less."
    ),
    replace: bool = typer.Option(False, "--replace", help="Replace existing files."),
    source: arguments.FromSource,
    encoding: str | None = typer.Option(None, help="Text encoding of CSV and JSON Lines input."),
    as_json: arguments.Json = False,
) -> None:
    """Draft a specification of a table: propose a role for every column, with reasons.

    The file holds figures and no value of the table. Examples are shown at a terminal only.

    Example: lookalike init patients.csv
    """
    named = table if of_database is None else of_database.rpartition(".")[2]
    path = Path(f"{name_release(named)}.toml") if spec is None else spec
    if encoding is not None:
        source["encoding"] = encoding
    interactive = out.is_terminal and err.is_terminal and not (yes or as_json)
    if interactive and k is None and asked.get("preset") is None:
        asked["preset"] = view.ask_audience(err)
    with show_progress("reading") as announce:
        given: dict[str, Any] = {"k": k, "keep": arguments.read_names(keep), **asked}
        if of_database is not None:
            why = f"{of_database!r} is a table of a database (--table)"
            arguments.pick_beside_spec(source, (), {}, why)
            found = _draft_database(table, of_database, path, announce, given)
        elif _DATABASE.match(table):
            raise InvalidInput("name the table of the database (--table)")
        else:
            found = draft(table, announce=announce, **given, **source)
    found.check_places(path, replace=replace)
    shown = found.decide() if yes else found
    if not as_json:
        out.print(view.show_draft(shown, examples=out.is_terminal), highlight=False)
        shown = _ask(shown, may_choose=not (keep or yes))
    files = shown.write(path, replace=replace)
    written = {**shown.as_json(), "files": files} if as_json else {}
    print_result(as_json, written, lambda: view.show_next(shown, files), highlight=False)


def _draft_database(
    address: str, table: str, path: Path, announce: Announce, asked: dict[str, Any]
) -> Draft:
    """Draft a specification of a table in a database, without the password of its address."""
    rows = read_source(Source(database=address, table=table), Connection())
    found = draft(rows.to_native(), announce=announce, **asked)
    from_here = Path(os.path.relpath(Path.cwd(), path.parent))
    written = resolve_database(remove_password(address), from_here)
    remarks = {} if remove_password(address) == address else {"database": _WITHOUT_PASSWORD}
    return changed(
        found,
        source={"database": written, "table": table, **found.source},
        remarks={**remarks, **found.remarks},
    )


def _ask(found: Draft, *, may_choose: bool) -> Draft:
    """Ask at a terminal what matters and what is undecided; elsewhere it stays undecided."""
    if not (out.is_terminal and err.is_terminal):
        return found
    if may_choose and (kept := view.ask_kept(err, found)):
        found = found.keep(kept)
        out.print(view.show_draft(found, examples=True), highlight=False)
    person = view.ask_person(err, found)
    return found.decide(view.ask_roles(err, found) if found.undecided else None, person)
