"""`lookalike risk`: who could be found in a table."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from lookalike.errors import InvalidInput
from lookalike.risk.table.assess import SUBSET_SIZE, risk
from lookalike.risk.table.propose import LEAST_SHARE, propose_quasi_identifiers
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
from lookalike.shell.views import proposal as render_proposal
from lookalike.shell.views import risk as render_risk
from lookalike.shell.views.progress import show_progress


def risk_command(
    table: Annotated[str, typer.Argument(help="A file, or a quoted glob for many.")],
    quasi_identifier: Annotated[
        list[str] | None,
        typer.Option(
            "--quasi-identifier",
            "-q",
            help="The linkable columns, with commas between them; may be repeated. Without it, "
            "propose some.",
            metavar="COLUMNS",
        ),
    ] = None,
    k: Annotated[int, typer.Option("--k", "-k", help="A class with fewer rows is small.")] = 5,
    size: Annotated[
        int, typer.Option(help="Count every subset of so many columns at most.")
    ] = SUBSET_SIZE,
    share: Annotated[
        float | None,
        typer.Option(
            help="Propose sets of columns that single out this share of the rows, 0.05 if not "
            "given; 0 asks for one row.",
            metavar="SHARE",
        ),
    ] = None,
    sensitive: Annotated[
        list[str] | None,
        typer.Option(
            help="Columns whose values must not be learned; may be repeated.", metavar="COLUMNS"
        ),
    ] = None,
    ordered: Annotated[
        list[str] | None,
        typer.Option(
            help="Sensitive columns of numbers or days, compared in order; may be repeated.",
            metavar="COLUMNS",
        ),
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(help="A file with the same columns, a row a person.", metavar="FILE"),
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    where: Where = None,
    memory_limit: MemoryLimit = None,
    show: Show = False,
    most: Most = 20,
    as_json: Json = False,
) -> None:
    """Tell who could be found in a table, by which columns, and what classes give away.

    Without -q, propose quasi-identifiers: the minimal sets of columns that single out rows.

    Example: lookalike risk patients.csv -q zip,birth,sex --sensitive problem
    """
    source = {
        "delimiter": delimiter,
        "encoding": encoding,
        "where": where,
        "memory_limit": memory_limit,
    }
    if not quasi_identifier:
        _refuse({"--sensitive": sensitive, "--ordered": ordered, "--population": population})
        _refuse({"--show": show})
        _propose(table, LEAST_SHARE if share is None else share, size, k, source, as_json=as_json)
        return
    if share is not None:
        raise InvalidInput("--share is for a proposal, which names the columns; leave out -q")
    with show_progress(err, "reading") as announce:
        found = risk(
            table,
            read_names(quasi_identifier),
            k=k,
            size=size,
            sensitive=read_names(sensitive),
            ordered=read_names(ordered),
            population=population,
            announce=announce,
            **source,
        )
    if as_json:
        print_json(render_risk.risk_as_json(found, most if show else 0))
    else:
        out.print(render_risk.show_risk(found, most if show else 0))


def _refuse(options: Mapping[str, Any]) -> None:
    """Refuse options that a proposal does not know."""
    for option, value in options.items():
        if value:
            raise InvalidInput(
                f"{option} needs the linkable columns: name them with --quasi-identifier; see "
                "lookalike risk --help"
            )


def _propose(
    table: str, share: float, size: int, k: int, source: Mapping[str, Any], *, as_json: bool
) -> None:
    """Propose quasi-identifiers."""
    with show_progress(err, "reading") as announce:
        found = propose_quasi_identifiers(
            table, share=share, size=size, k=k, announce=announce, **source
        )
    if as_json:
        print_json(render_proposal.proposal_as_json(found))
    else:
        out.print(render_proposal.show_proposal(found, table), highlight=False)
