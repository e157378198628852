"""``lookalike minimal``: lists k-minimal generalizations, traces a search, judges a release."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from lookalike.errors import InvalidInput
from lookalike.flow.minimal import minimal, trace_specified
from lookalike.flow.minimality.existing_release import LEVELS
from lookalike.flow.minimality.judge import judge_release
from lookalike.publish.certificate import Certificate
from lookalike.search.lattice.trace import SEARCHES
from lookalike.shell.commands.arguments import (
    FromRelease,
    FromSource,
    Json,
    load_specification,
    takes_fields,
)
from lookalike.shell.console import err, print_result
from lookalike.shell.views.minimal import (
    minimal_as_json,
    minimality_as_json,
    show_minimal,
    show_minimality,
)
from lookalike.shell.views.search_trace import show_trace, trace_as_json
from lookalike.shell.views.terminal import show_progress
from lookalike.spec.specification import Specification


@takes_fields("minimal")
def minimal_command(
    spec: Annotated[
        Path | None, typer.Argument(help="Specification, a TOML file.", show_default=False)
    ] = None,
    *,
    of: Annotated[
        Path | None,
        typer.Option(
            help="Check whether this published release is k-minimal and of minimal distortion.",
            metavar="FOLDER",
        ),
    ] = None,
    spec_of: Annotated[
        Path | None,
        typer.Option("--spec", help="Specification, if it is not the argument.", metavar="SPEC"),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            help=f"Level at which to judge, if not that of the release: {' or '.join(LEVELS)}.",
            metavar="LEVEL",
        ),
    ] = None,
    source: FromSource,
    asked: FromRelease,
    search: Annotated[
        str | None,
        typer.Option(
            help=f"Show the steps of one of Samarati's searches: {', '.join(SEARCHES)}.",
            metavar="SEARCH",
        ),
    ] = None,
    most: Annotated[int, typer.Option(help="Maximum number to show.", min=1)] = 30,
    show: Annotated[
        bool,
        typer.Option("--show", help="With --of, show values of a finer table, which are private."),
    ] = False,
    as_json: Json = False,
) -> None:
    """List all k-minimal generalizations and mark the preferred ones; write nothing.

    Options replace fields of the specification. With --search, show the steps of a search. With
    --of, judge a published release.

    Example: lookalike minimal patients.toml --prefer minimum-suppression
    """
    prefer = asked.get("prefer")
    _check_together(of=of, search=search, prefer=prefer, level=level, show=show)
    if of is not None and "recipient" not in asked:
        asked["recipient"] = Certificate.read(of).recipient
    specification = load_specification(_choose(spec, spec_of), asked, source)
    if of is not None:
        raise typer.Exit(_judge(of, specification, level, most, show=show, as_json=as_json))
    if search is not None:
        _trace(specification, search, most, as_json=as_json)
        return
    with show_progress(err, "reading") as announce:
        attributes, found = minimal(specification, announce)
    print_result(
        as_json,
        lambda: minimal_as_json(attributes, found),
        lambda: show_minimal(attributes, found, most),
    )


def _check_together(*, of: Path | None, search: str | None, **options: Any) -> None:
    """Reject options that would be ignored."""
    if of is not None and search is not None:
        raise InvalidInput("--of and --search exclude each other; give one of them")
    refused: Mapping[str, str] = {
        "level": "" if of else "--level needs --of",
        "show": "" if of else "--show needs --of",
        "prefer": "--prefer chooses among all k-minimal generalizations; leave it out with --of "
        "and --search"
        if of or search
        else "",
    }
    for option, problem in refused.items():
        if options[option] and problem:
            raise InvalidInput(problem)


def _choose(argument: Path | None, option: Path | None) -> Path:
    """Return the specification, given as argument or as option."""
    if argument is not None and option is not None:
        raise InvalidInput("the specification is given twice; leave out --spec or the argument")
    chosen = argument or option
    if chosen is None:
        raise InvalidInput(
            "no specification: use lookalike minimal SPEC, or lookalike minimal --of FOLDER "
            "--spec SPEC"
        )
    return chosen


def _trace(specification: Specification, search: str, most: int, *, as_json: bool) -> None:
    """Show the steps of one of Samarati's searches."""
    with show_progress(err, "reading") as announce:
        trace = trace_specified(specification, search, announce)
    print_result(
        as_json,
        lambda: trace_as_json(trace, most),
        lambda: show_trace(trace, most),
        highlight=False,
    )


def _judge(
    folder: Path,
    specification: Specification,
    level: str | None,
    most: int,
    *,
    show: bool,
    as_json: bool,
) -> int:
    """Judge a release; the exit code is 0 if it is proved to be k-minimal."""
    with show_progress(err, "reading") as announce:
        found, distortion = judge_release(folder, specification, level=level, announce=announce)
    print_result(
        as_json,
        lambda: minimality_as_json(found, distortion, show=show),
        lambda: show_minimality(found, distortion, most, show=show),
        highlight=False,
    )
    return 0 if found.answer == "yes" else 1
