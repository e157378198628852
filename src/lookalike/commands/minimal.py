"""`lookalike minimal`: every k-minimal generalization."""

from typing import Annotated

import typer

from lookalike import render
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
from lookalike.minimal import minimal
from lookalike.progress import show_progress


def minimal_command(
    spec: SpecFile,
    recipient: Recipient = None,
    k: K = None,
    max_suppressed: MaxSuppressed = None,
    prefer: Prefer = None,
    constraint: Constraints = None,
    time_limit: TimeLimit = None,
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
    with show_progress(err, "reading") as announce:
        attributes, found = minimal(specification, announce)
    if as_json:
        print_json(render.minimal_as_json(attributes, found))
    else:
        out.print(render.show_minimal(attributes, found, most))
