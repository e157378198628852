"""The part of ``lookalike release`` that is for linked tables."""

from collections.abc import Mapping

import typer

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.flow.explain_records import ExplainedRecords, explain_records
from lookalike.flow.release_records import PublishedRecords, make_records
from lookalike.shell.views import terminal
from lookalike.shell.views.linked import show_explained_records, show_records
from lookalike.spec.specification import Specification

RELEASE_LINKED_OUTPUTS = {
    "release-records": PublishedRecords,
    "release-records-explain": ExplainedRecords,
}


def explain_linked(specification: Specification, *, as_json: bool) -> None:
    """Show what the release of linked tables would cost."""
    with terminal.show_progress("reading") as announce:
        plan = explain_records(specification, announce)
    terminal.print_result(as_json, plan, lambda: show_explained_records(plan))


def make_linked(
    specification: Specification,
    refused: Mapping[str, bool],
    *,
    replace: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Release linked tables."""
    for option, is_given in refused.items():
        if is_given:
            raise InvalidInput(f"{option} is not taken for linked tables yet; leave it out")
    with terminal.show_progress("reading") as announce:
        made = make_records(specification, announce, replace=replace, dry_run=dry_run)
        found = made.release.preflight
    terminal.print_result(as_json, made, lambda: show_records(made))
    stops = any(one.stops for one in found)
    raise typer.Exit(RequirementNotMet.exit_code if stops else 0)
