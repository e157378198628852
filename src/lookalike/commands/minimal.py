"""`lookalike minimal`: every k-minimal generalization."""

from typing import Annotated

import typer

from lookalike import render, render_minimal
from lookalike.commands.arguments import (
    Constraints,
    Json,
    K,
    MaxSuppressed,
    Prefer,
    Recipient,
    SpecFile,
    TimeLimit,
    load_specification,
    read_amount,
)
from lookalike.commands.console import err, out, print_json
from lookalike.errors import InvalidInput
from lookalike.minimal import minimal, trace_specified
from lookalike.progress import show_progress
from lookalike.search.trace import SEARCHES
from lookalike.spec import Specification


def minimal_command(
    spec: SpecFile,
    recipient: Recipient = None,
    k: K = None,
    max_suppressed: MaxSuppressed = None,
    prefer: Prefer = None,
    constraint: Constraints = None,
    time_limit: TimeLimit = None,
    search: Annotated[
        str | None,
        typer.Option(
            help=f"Show the steps of one of Samarati's searches: {', '.join(SEARCHES)}.",
            metavar="SEARCH",
        ),
    ] = None,
    most: Annotated[int, typer.Option(help="How many to show.", min=1)] = 30,
    as_json: Json = False,
) -> None:
    """List every k-minimal generalization, and mark the preferred; write nothing.

    Example: lookalike minimal patients.toml --prefer minimum-suppression
    """
    fields = {
        "recipient": recipient,
        "k": k,
        "max_suppressed": read_amount(max_suppressed),
        "time_limit": time_limit,
    }
    specification = load_specification(spec, fields, prefer, constraint)
    if search is not None:
        _trace(specification, search, prefer, most, as_json=as_json)
        return
    with show_progress(err, "reading") as announce:
        attributes, found = minimal(specification, announce)
    if as_json:
        print_json(render.minimal_as_json(attributes, found))
    else:
        out.print(render.show_minimal(attributes, found, most))


def _trace(
    specification: Specification, search: str, prefer: list[str] | None, most: int, *, as_json: bool
) -> None:
    """Show the steps of one of Samarati's searches."""
    if prefer:
        raise InvalidInput("--search shows a search that knows no preferences; leave out --prefer")
    with show_progress(err, "reading") as announce:
        trace = trace_specified(specification, search, announce)
    if as_json:
        print_json(render_minimal.trace_as_json(trace, most))
    else:
        out.print(render_minimal.show_trace(trace, most), highlight=False)
