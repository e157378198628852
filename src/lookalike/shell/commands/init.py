"""``lookalike init``: profiles a table, or linked ones, and drafts a specification."""

import os
import re
from collections.abc import Mapping
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import typer

from lookalike.draft.draft import Draft
from lookalike.draft.draft_records import draft_records
from lookalike.draft.linked_draft import LinkedDraft, name_records
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

AnyDraft = Draft | LinkedDraft
_DATABASE = re.compile(r"(sqlite|duckdb|postgres|postgresql|mysql|mssql|oracle)(\+\w+)?:")
"""How the address of a database begins, which has no other table than a named one."""
_WITHOUT_PASSWORD = (
    "the password is left out: PostgreSQL takes it from PGPASSWORD or ~/.pgpass; for another "
    "database, write it into the address, and keep this file private"
)
INIT_OUTPUTS = {
    "init": {"**draft": Draft, "files": tuple[Path, ...]},
    "init-records": {"**draft": LinkedDraft, "files": tuple[Path, ...]},
}


@arguments.takes_fields("init")
def init_command(
    table: list[str] = typer.Argument(
        help="Table: a file, a quoted glob for many files, or with --table a database, such as "
        "sqlite:clinic.db, duckdb:clinic.duckdb or postgresql://user@host/clinic. Several: a "
        "table of persons, and tables with their records."
    ),
    *,
    of_database: list[str] | None = typer.Option(
        None,
        "--table",
        help="Table or view of the database; may be repeated, for persons and their records.",
        metavar="NAME",
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

    The file holds figures and no value of the table. Examples are shown at a terminal only. Of
    several tables, keys show which one has the persons, and which columns refer to it.

    Example: lookalike init patients.csv
    """
    if encoding is not None:
        source["encoding"] = encoding
    interactive = out.is_terminal and err.is_terminal and not (yes or as_json)
    if interactive and k is None and asked.get("preset") is None:
        asked["preset"] = view.ask_audience(err)
    tables = _name_tables(table, of_database)
    given: dict[str, Any] = {"k": k, **asked}
    if len(tables) == 1:
        given["keep"] = arguments.read_names(keep)
    elif keep:
        raise InvalidInput("--keep is taken for one table; of several, leave it out")
    if of_database:
        why = f"{', '.join(map(repr, of_database))}: from a database (--table)"
        arguments.pick_beside_spec(source, (), {}, why)
    with show_progress("reading") as announce:
        read = _read_database(table[0], tables) if of_database else tables
        found = _draft(read, announce, {**given, **source})
    first = found.persons if isinstance(found, LinkedDraft) else next(iter(tables))
    path = Path(f"{name_release(first)}.toml") if spec is None else spec
    if of_database:
        found = _place_in_database(found, table[0], tables, path)
    found.check_places(path, replace=replace)
    shown = found.decide() if yes else found
    if not as_json:
        _show(shown)
        shown = _ask(shown, may_choose=not (keep or yes))
    files = shown.write(path, replace=replace)
    written = {**shown.as_json(), "files": files} if as_json else {}
    print_result(as_json, written, lambda: view.show_next(shown, files), highlight=False)


def _name_tables(given: list[str], of_database: list[str] | None) -> dict[str, str]:
    """Return the tables by their names in the specification."""
    if of_database and len(given) > 1:
        raise InvalidInput("give one address of a database, and its tables with --table")
    if not of_database and any(map(_DATABASE.match, given)):
        raise InvalidInput("name the table of the database (--table)")
    tables, named = of_database or given, dict[str, str]()
    for one in tables:
        name = name_release(one.rpartition(".")[2] if of_database else one)
        named[name_records(name, named) if len(tables) > 1 else name] = one
    return named


def _draft(tables: Mapping[str, Any], announce: Announce, asked: dict[str, Any]) -> AnyDraft:
    """Draft a specification of one table, or of linked ones."""
    if len(tables) > 1:
        return draft_records(tables, announce=announce, **asked)
    [one] = tables.values()
    return draft(one, announce=announce, **asked)


def _read_database(address: str, tables: Mapping[str, str]) -> dict[str, Any]:
    """Return the rows of tables in a database."""
    sources = {name: Source(database=address, table=one) for name, one in tables.items()}
    return {name: read_source(one, Connection()).to_native() for name, one in sources.items()}


def _place_in_database(
    found: AnyDraft, address: str, tables: Mapping[str, str], path: Path
) -> AnyDraft:
    """Say where the tables are: in a database, without the password of its address."""
    from_here = Path(os.path.relpath(Path.cwd(), path.parent))
    written = resolve_database(remove_password(address), from_here)
    remarks = {} if remove_password(address) == address else {"database": _WITHOUT_PASSWORD}

    def place(name: str, own: Draft) -> Draft:
        source = {"database": written, "table": tables[name], **own.source}
        return changed(own, source=source, remarks={**remarks, **own.remarks})

    if isinstance(found, LinkedDraft):
        return found.change(place)
    return place(next(iter(tables)), found)


def _show(found: AnyDraft) -> None:
    """Show the proposed roles of each table."""
    shown = found.tables if isinstance(found, LinkedDraft) else {"": found}
    for table, own in shown.items():
        if table:
            out.print(view.head_table(table))
        out.print(view.show_draft(own, examples=out.is_terminal), highlight=False)


def _ask(found: AnyDraft, *, may_choose: bool) -> AnyDraft:
    """Ask at a terminal what matters and what is undecided; elsewhere it stays undecided."""
    if not (out.is_terminal and err.is_terminal):
        return found
    if isinstance(found, LinkedDraft):
        return found.change(_ask_table)
    if may_choose and (kept := view.ask_kept(err, found)):
        found = found.keep(kept)
        _show(found)
    return _ask_table("", found)


def _ask_table(name: str, found: Draft) -> Draft:
    """Ask what is undecided of a table."""
    if name and (found.undecided or found.is_person_undecided):
        err.print(view.head_table(name))
    person = view.ask_person(err, found)
    return found.decide(view.ask_roles(err, found) if found.undecided else None, person)
