"""``lookalike minimal``: lists k-minimal generalizations, traces a search, judges a release."""

from functools import partial
from pathlib import Path

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

MINIMAL_OUTPUTS = {"minimal": Minimal, "minimal-search": SearchTrace, "minimal-of": JudgedRelease}


@arguments.takes_fields("minimal")
def minimal_command(
    spec: Path | None = typer.Argument(
        None, help="Specification, a TOML file.", show_default=False
    ),
    *,
    of: Path | None = typer.Option(
        None,
        help="Check whether this published release is k-minimal and of minimal distortion.",
        metavar="FOLDER",
    ),
    spec_of: Path | None = typer.Option(
        None, "--spec", help="Specification, if it is not the argument.", metavar="SPEC"
    ),
    level: str | None = typer.Option(
        None,
        help=f"Level at which to judge, if not that of the release: {' or '.join(LEVELS)}.",
        metavar="LEVEL",
    ),
    source: arguments.FromSource,
    asked: arguments.FromRelease,
    search: str | None = typer.Option(
        None,
        help=f"Show the steps of one of Samarati's searches: {', '.join(SEARCHES)}.",
        metavar="SEARCH",
    ),
    most: int = typer.Option(30, help="Maximum number to show.", min=1),
    show: bool = typer.Option(
        False, "--show", help="With --of, show values of a finer table, which are private."
    ),
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
        with show_progress("reading") as announce:
            found = judge_release(of, specification, level=level, announce=announce)
        judged = JudgedRelease(*found)
        view = partial(show_minimality, judged, most, show=show)
        print_result(as_json, judged, view, highlight=False, show=show)
        raise typer.Exit(0 if judged.minimal.answer == "yes" else 1)
    if search is not None:
        with show_progress("reading") as announce:
            trace = trace_specified(specification, search, announce)
        print_result(as_json, trace, lambda: show_trace(trace, most), highlight=False, most=most)
        return
    with show_progress("reading") as announce:
        listed = Minimal(*minimal(specification, announce))
    print_result(as_json, listed, lambda: show_minimal(listed, most))


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
