"""``lookalike link``: matches a release with an external table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from lookalike.errors import InvalidInput
from lookalike.publish.linked_certificate import is_linked
from lookalike.risk.linking.link import link
from lookalike.risk.linking.link_records import link_records
from lookalike.risk.linking.linkage import Linkage
from lookalike.risk.linking.record_linkage import RecordLinkage
from lookalike.shell.commands import arguments
from lookalike.shell.views.attack import show_link
from lookalike.shell.views.terminal import print_result, show_progress

LINK_OUTPUTS = {"link": Linkage, "link-records": RecordLinkage}


@arguments.takes_fields("link")
def link_command(
    release: str = typer.Argument(help="Published folder, or a table."),
    external: str | None = typer.Argument(
        None, help="Table with one row per person, such as a voter list."
    ),
    *,
    on: list[str] = typer.Option(
        help="Columns to link by, separated by commas; birth=dob if the external table has "
        "another name, and admissions.day of the records called admissions. May be repeated.",
        metavar="COLUMNS",
    ),
    records: list[str] | None = typer.Option(
        None,
        help="Table of known records of these persons, for one of a release of linked tables: "
        "admissions=stories.csv (needs --identity). May be repeated.",
        metavar="NAME=FILE",
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
        None, help="External column that identifies a person, in every table.", metavar="COLUMN"
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
    tables.

    Example: lookalike link released voters.csv --on zip,birth=dob,sex --spec patients.toml
    """
    columns, known = _read_pairs("--on", on), _read_pairs("--records", records or ())
    options: dict[str, Any] = {"identity": identity, "spec": spec, "as_written": as_written, "k": k}
    shown = most if show else 0
    with show_progress("reading") as announce:
        if is_linked(Path(release)):
            if truth is not None:
                raise InvalidInput(
                    "--truth is not taken for a release of linked tables, whose pseudonyms nobody "
                    "can translate; leave it out"
                )
            linked: Linkage | RecordLinkage = link_records(
                release, external, columns, records=known, announce=announce, **options, **source
            )
        elif external is None:
            raise InvalidInput(
                "name the external table of persons, such as a voter list (EXTERNAL); see "
                "lookalike link --help"
            )
        elif known:
            raise InvalidInput("--records is for a published folder of linked tables; leave it out")
        else:
            linked = link(
                release, external, columns, truth=truth, announce=announce, **options, **source
            )
    print_result(as_json, linked, lambda: show_link(linked, shown), most=shown)
    raise typer.Exit(0 if linked.holds else 1)


def _read_pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """Parse what is outside for each attribute, or table, of the release.

    Examples
    --------
    >>> _read_pairs("--on", ["zip,birth=dob"])
    {'zip': 'zip', 'birth': 'dob'}
    """
    pairs: dict[str, str] = {}
    for one in arguments.read_names(texts):
        name, _, column = one.partition("=")
        if name.strip() in pairs:
            raise InvalidInput(f"{option}: {name.strip()!r} is named twice; name it once")
        pairs[name.strip()] = column.strip() or name.strip()
    return pairs
