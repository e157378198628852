"""`lookalike link`: a release against what others know."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from lookalike.errors import InvalidInput
from lookalike.risk.linking.link import link
from lookalike.shell.commands.arguments import (
    Delimiter,
    Encoding,
    Json,
    MemoryLimit,
    Most,
    Show,
    Where,
    read_names,
)
from lookalike.shell.commands.console import err, out, print_json
from lookalike.shell.views import risk as render_risk
from lookalike.shell.views.progress import show_progress


def link_command(
    release: Annotated[str, typer.Argument(help="A published folder, or a table.")],
    external: Annotated[str, typer.Argument(help="A table with a row a person: a voter list.")],
    on: Annotated[
        list[str],
        typer.Option(
            help="The columns to link by, with commas between them; birth=dob where the external "
            "table has another name. May be repeated.",
            metavar="COLUMNS",
        ),
    ],
    spec: Annotated[
        Path | None, typer.Option(help="The specification of the release, for its hierarchies.")
    ] = None,
    k: Annotated[
        int, typer.Option("--k", "-k", help="How many persons each row should be possible for.")
    ] = 2,
    as_written: Annotated[
        bool,
        typer.Option(
            "--as-written",
            help="Missing matches missing, and suppressed what the hierarchy suppresses; else "
            "both match anything.",
        ),
    ] = False,
    identity: Annotated[
        str | None,
        typer.Option(help="The external column that tells who somebody is.", metavar="COLUMN"),
    ] = None,
    truth: Annotated[
        str | None,
        typer.Option(
            help="Whose each row is (needs --identity): a column of the release, or a private "
            "file of two columns, one of the release and the identity.",
            metavar="COLUMN|FILE",
        ),
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    where: Where = None,
    memory_limit: MemoryLimit = None,
    show: Show = False,
    most: Most = 20,
    as_json: Json = False,
) -> None:
    """Match a release with an external table, and tell who could be found.

    Delimiter, encoding and condition are those of the external table.

    Example: lookalike link released voters.csv --on zip,birth=dob,sex --spec patients.toml
    """
    with show_progress(err, "reading") as announce:
        linked = link(
            release,
            external,
            _read_pairs(on),
            specification=spec,
            as_written=as_written,
            identity=identity,
            truth=truth,
            k=k,
            announce=announce,
            delimiter=delimiter,
            encoding=encoding,
            where=where,
            memory_limit=memory_limit,
        )
    if as_json:
        print_json(render_risk.link_as_json(linked, most if show else 0))
    else:
        out.print(render_risk.show_link(linked, most if show else 0))
    raise typer.Exit(0 if linked.holds else 1)


def _read_pairs(texts: Sequence[str]) -> dict[str, str]:
    """Read which column of the external table goes with each attribute.

    Examples
    --------
    >>> _read_pairs(["zip,birth=dob"])
    {'zip': 'zip', 'birth': 'dob'}
    """
    pairs: dict[str, str] = {}
    for one in read_names(texts):
        name, _, column = one.partition("=")
        if name.strip() in pairs:
            raise InvalidInput(f"--on: {name.strip()!r} is named twice; name it once")
        pairs[name.strip()] = column.strip() or name.strip()
    return pairs
