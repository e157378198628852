"""``lookalike compare``: runs every method on one table."""

from typing import Annotated

import typer

from lookalike.flow.compare import compare_methods
from lookalike.shell.commands.arguments import (
    Bound,
    EffortOption,
    Json,
    K,
    MaxSuppressed,
    MemorySize,
    OtherTable,
    PresetOption,
    Recipient,
    SpecFile,
    SpillFolder,
    TimeLimit,
    Where,
    load_specification,
    read_amount,
    read_place,
)
from lookalike.shell.console import err, out, print_json
from lookalike.shell.views.comparison import compared_as_json, show_comparison
from lookalike.shell.views.progress import show_progress


def compare_command(
    spec: SpecFile,
    method: Annotated[
        list[str] | None,
        typer.Option(help="Run only this method; may be repeated.", metavar="METHOD"),
    ] = None,
    table: OtherTable = None,
    where: Where = None,
    target: Annotated[
        str | None,
        typer.Option(
            help="Measure utility: how well models trained on each release predict this column "
            "(extra: utility).",
            metavar="COLUMN",
        ),
    ] = None,
    recipient: Recipient = None,
    k: K = None,
    preset: PresetOption = None,
    max_suppressed: MaxSuppressed = None,
    time_limit: TimeLimit = None,
    effort: EffortOption = None,
    bound: Bound = False,
    memory: MemorySize = None,
    spill: SpillFolder = None,
    as_json: Json = False,
) -> None:
    """Run every method on the same table and requirement; write nothing.

    Example: lookalike compare patients.toml
    """
    fields = {
        "recipient": recipient,
        "k": k,
        "preset": preset,
        "max_suppressed": read_amount(max_suppressed),
        "time_limit": time_limit,
        "effort": effort,
        "bound": bound or None,
    }
    source = read_place(table, where, memory, spill)
    specification = load_specification(spec, fields, source=source)
    with show_progress(err, "reading") as announce:
        compared = compare_methods(specification, method or (), announce, target=target)
    if as_json:
        print_json({"methods": [compared_as_json(one) for one in compared]})
    else:
        out.print(show_comparison(compared))
