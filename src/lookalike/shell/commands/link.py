"""``lookalike link``: matches a release with an external table."""

from collections.abc import Sequence
from pathlib import Path

import typer

from lookalike.errors import InvalidInput
from lookalike.risk.linking.link import link
from lookalike.risk.linking.linkage import Linkage
from lookalike.shell.commands import arguments
from lookalike.shell.views.attack import show_link
from lookalike.shell.views.terminal import print_result, show_progress

LINK_OUTPUTS = {"link": Linkage}


@arguments.takes_fields("link")
def link_command(
    release: str = typer.Argument(help="Published folder, or a table."),
    external: str = typer.Argument(help="Table with one row per person, such as a voter list."),
    *,
    on: list[str] = typer.Option(
        help="Columns to link by, separated by commas; birth=dob if the external table has "
        "another name. May be repeated.",
        metavar="COLUMNS",
    ),
    spec: Path | None = typer.Option(
        None, help="Specification of the release, for its hierarchies."
    ),
    k: int = typer.Option(2, "--k", "-k", help="Minimum number of people each row must match."),
    as_written: bool = typer.Option(
        False,
        "--as-written",
        help="Match missing values with missing ones, and suppressed values with what the "
        "hierarchy suppresses; by default both match anything.",
    ),
    identity: str | None = typer.Option(
        None, help="External column that identifies a person.", metavar="COLUMN"
    ),
    truth: str | None = typer.Option(
        None,
        help="True identity of each row (needs --identity): a column of the release, or a "
        "private file of two columns, one of the release and the identity.",
        metavar="COLUMN|FILE",
    ),
    source: arguments.FromSource,
    show: arguments.Show = False,
    most: arguments.Most = 20,
    as_json: arguments.Json = False,
) -> None:
    """Match a release with an external table and count re-identified people.

    Delimiter, encoding, markers of missing values, blanks and condition apply to the external
    table.

    Example: lookalike link released voters.csv --on zip,birth=dob,sex --spec patients.toml
    """
    with show_progress("reading") as announce:
        linked = link(
            release,
            external,
            _read_pairs(on),
            spec=spec,
            as_written=as_written,
            identity=identity,
            truth=truth,
            k=k,
            announce=announce,
            **source,
        )
    shown = most if show else 0
    print_result(as_json, linked, lambda: show_link(linked, shown), most=shown)
    raise typer.Exit(0 if linked.holds else 1)


def _read_pairs(texts: Sequence[str]) -> dict[str, str]:
    """Parse which column of the external table corresponds to each attribute.

    Examples
    --------
    >>> _read_pairs(["zip,birth=dob"])
    {'zip': 'zip', 'birth': 'dob'}
    """
    pairs: dict[str, str] = {}
    for one in arguments.read_names(texts):
        name, _, column = one.partition("=")
        if name.strip() in pairs:
            raise InvalidInput(f"--on: {name.strip()!r} is named twice; name it once")
        pairs[name.strip()] = column.strip() or name.strip()
    return pairs
