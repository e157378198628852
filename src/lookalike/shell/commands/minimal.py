"""``lookalike minimal``: lists k-minimal generalizations, traces a search, judges a release."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.errors import InvalidInput
from lookalike.flow.minimal import minimal, trace_specified
from lookalike.flow.minimality.existing_release import LEVELS
from lookalike.flow.minimality.judge import judge_release
from lookalike.publish.certificate import Certificate
from lookalike.search.lattice.trace import SEARCHES, SearchTrace
from lookalike.shell.commands import arguments
from lookalike.shell.views.minimal import JudgedRelease, Minimal, show_minimal, show_minimality
from lookalike.shell.views.search_trace import show_trace
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.spec.specification import Specification

MINIMAL_OUTPUTS = {"minimal": Minimal, "minimal-search": SearchTrace, "minimal-of": JudgedRelease}


@arguments.takes_fields("minimal")
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
    source: arguments.FromSource,
    asked: arguments.FromRelease,
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
    as_json: arguments.Json = False,
) -> None:
    """List all k-minimal generalizations and mark the preferred ones; write nothing.

    Options replace fields of the specification. With --search, show the steps of a search. With
    --of, judge a published release.

    Example: lookalike minimal patients.toml --prefer minimum-suppression
    """
    _check_together(of=of, search=search, prefer=asked.get("prefer"), level=level, show=show)
    if of is not None and "recipient" not in asked:
        asked["recipient"] = Certificate.read(of).recipient
    specification = arguments.load_specification(_choose(spec, spec_of), asked, source)
    if of is not None:
        raise typer.Exit(_judge(of, specification, level, most, show=show, as_json=as_json))
    if search is not None:
        _trace(specification, search, most, as_json=as_json)
        return
    with show_progress("reading") as announce:
        found = Minimal(*minimal(specification, announce))
    print_result(as_json, found, lambda: show_minimal(found, most))


def _check_together(
    *, of: Path | None, search: str | None, prefer: object, level: str | None, show: bool
) -> None:
    """Reject options that would be ignored."""
    refused = {
        "--of and --search exclude each other; give one of them": of and search,
        "--level needs --of": level and not of,
        "--show needs --of": show and not of,
        "--prefer chooses among all k-minimal generalizations; leave it out with --of and "
        "--search": prefer and (of or search),
    }
    for problem, holds in refused.items():
        if holds:
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
    with show_progress("reading") as announce:
        trace = trace_specified(specification, search, announce)
    print_result(as_json, trace, lambda: show_trace(trace, most), highlight=False, most=most)


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
    with show_progress("reading") as announce:
        judged = JudgedRelease(
            *judge_release(folder, specification, level=level, announce=announce)
        )
    print_result(
        as_json,
        judged,
        lambda: show_minimality(judged, most, show=show),
        highlight=False,
        show=show,
    )
    return 0 if judged.minimal.answer == "yes" else 1
