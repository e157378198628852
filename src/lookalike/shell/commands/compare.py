"""``lookalike compare``: runs every method on one table."""

import typer

from lookalike.errors import InvalidInput
from lookalike.flow.compare import Compared, compare_methods
from lookalike.flow.compare_records import ComparedRecords, compare_linked
from lookalike.shell.commands import arguments
from lookalike.shell.views.explore import show_comparison
from lookalike.shell.views.linked import show_compared_records
from lookalike.shell.views.terminal import print_result, show_progress

COMPARE_OUTPUTS = {
    "compare": {"methods": tuple[Compared, ...]},
    "compare-records": {"methods": tuple[ComparedRecords, ...]},
}


@arguments.takes_fields("compare")
def compare_command(
    spec: arguments.SpecFile,
    *,
    method: list[str] | None = typer.Option(
        None, help="Run only this method; may be repeated.", metavar="METHOD"
    ),
    source: arguments.FromSource,
    target: str | None = typer.Option(
        None,
        help="Measure utility: how well models trained on each release predict this column "
        "(extra: utility).",
        metavar="COLUMN",
    ),
    asked: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Run every method on the same table and requirement; write nothing.

    Options replace fields of the specification. Of linked tables, it runs the methods that these
    take.

    Example: lookalike compare patients.toml
    """
    specification = arguments.load_specification(spec, asked, source)
    if specification.is_linked:
        if target is not None:
            raise InvalidInput("--target is not taken for linked tables yet; leave it out")
        with show_progress("reading") as announce:
            linked = compare_linked(specification, method or (), announce)
        print_result(as_json, {"methods": linked}, lambda: show_compared_records(linked))
        return
    with show_progress("reading") as announce:
        compared = compare_methods(specification, method or (), announce, target=target)
    print_result(as_json, {"methods": compared}, lambda: show_comparison(compared))
