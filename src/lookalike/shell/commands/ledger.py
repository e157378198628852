"""``lookalike ledger``: lists, shows, attacks and forgets recorded releases."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group

from lookalike.draft.write_draft import write_private
from lookalike.errors import AlreadyExists, InvalidInput
from lookalike.flow.attack_ledger import AttackedSource, attack_ledger
from lookalike.flow.forecast.forecast import (
    FORECAST_SECONDS,
    MONTHS,
    RATES,
    AskedForecast,
    Forecast,
    forecast_policies,
)
from lookalike.flow.forecast.simulate import SIMULATED
from lookalike.flow.forecast.simulated_people import Rates
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.journal import AcceptedRestore
from lookalike.ledger.store.ledger import Ledger, accept_restore, open_ledger
from lookalike.shell.commands import arguments
from lookalike.shell.display import StrictCommand
from lookalike.shell.views.attack import show_attacked_source
from lookalike.shell.views.check import show_certificate
from lookalike.shell.views.forecast import show_forecast
from lookalike.shell.views.ledger import (
    WholeEntry,
    show_entry,
    show_ledger,
    show_restore,
    show_restores,
)
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.spec.specification import Specification

ledger_app = typer.Typer(
    no_args_is_help=True,
    help="Choose a policy; list, inspect and attack the releases recorded in a ledger.",
)

LEDGER_OUTPUTS = {
    "ledger-list": {"ledger": str, "releases": tuple[Entry, ...]},
    "ledger-show": WholeEntry,
    "ledger-attack": AttackedSource,
    "ledger-forecast": Forecast,
    "ledger-forget": Entry,
    "ledger-accept-restore": {"changes_lost": int},
    "ledger-restores": {"ledger": str, "restores": tuple[AcceptedRestore, ...]},
}
_POLICIES = ", ".join(SIMULATED)
ReleaseNumber = Annotated[int, typer.Argument(help="Number of the release.")]
LedgerUrl = Annotated[
    str, typer.Option("--ledger", help="Ledger: an SQLite file or a PostgreSQL URL.", metavar="URL")
]
Reason = Annotated[str, typer.Option(help="Reason, stored in the ledger.", metavar="TEXT")]


@ledger_app.command("list", cls=StrictCommand)
@arguments.takes_fields("ledger")
def list_command(
    *,
    ledger: LedgerUrl,
    source: str | None = typer.Option(None, help="List only releases of this source."),
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """List the recorded releases.

    Example: lookalike ledger list --ledger ledger.db
    """
    opened = _open(ledger, place)
    entries = opened.releases(source)
    listed = {"ledger": str(opened.address), "releases": entries}
    print_result(as_json, listed, lambda: show_ledger(entries))


@ledger_app.command("show", cls=StrictCommand)
@arguments.takes_fields("ledger")
def show_command(
    number: ReleaseNumber,
    *,
    ledger: LedgerUrl,
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Show the record of one release.

    Example: lookalike ledger show 1 --ledger ledger.db
    """
    entry = _open(ledger, place).release(number)
    print_result(
        as_json,
        WholeEntry(entry),
        lambda: Group(show_entry(entry), show_certificate(entry.certificate)),
    )


@ledger_app.command("attack", cls=StrictCommand)
@arguments.takes_fields("ledger")
def attack_source_command(
    *,
    ledger: LedgerUrl,
    source: str | None = typer.Option(None, help="Source, if the ledger records several."),
    recipient: str | None = typer.Option(
        None, help="Leave out releases that a contract keeps from this recipient.", metavar="NAME"
    ),
    spec: Path | None = typer.Option(
        None, help="Specification, for the hierarchies by which levels are compared."
    ),
    k: arguments.RemainingK = None,
    show: arguments.ShowExposed = False,
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Attack all recorded releases of a source, as someone who has them all could.

    Example: lookalike ledger attack --ledger ledger.db --spec patients.toml
    """
    opened = _open(ledger, place)
    with show_progress("attacking"):
        attacked = attack_ledger(opened, source, spec=spec, recipient=recipient, k=k)
    print_result(as_json, attacked, lambda: show_attacked_source(attacked, show=show), show=show)
    raise typer.Exit(0 if attacked.proved and not attacked.broken_protections else 1)


@ledger_app.command("forecast", cls=StrictCommand)
def forecast_command(
    spec: arguments.SpecFile,
    *,
    months: int = typer.Option(MONTHS, help="Months to simulate.", metavar="N"),
    leave: float = typer.Option(
        RATES.leave, help="Share of the people who leave each month.", metavar="SHARE"
    ),
    come: float = typer.Option(
        RATES.come, help="Share of the people who come each month.", metavar="SHARE"
    ),
    change: float = typer.Option(
        RATES.change,
        help="Share of the people who get other values each month, in columns that are released "
        "as they are.",
        metavar="SHARE",
    ),
    policies: list[str] | None = typer.Option(
        None, help=f"Policies to simulate: {_POLICIES}.", metavar="NAMES"
    ),
    people: int | None = typer.Option(
        None, help="People at first; default: all of the table, at most 30,000.", metavar="N"
    ),
    seed: int = typer.Option(0, help="Decides who leaves, comes and changes.", metavar="N"),
    stop_after: float = typer.Option(
        FORECAST_SECONDS, help="Begin no month after this time.", metavar="SECONDS"
    ),
    chart: Path | None = typer.Option(None, help="Also draw a chart, an SVG file."),
    as_json: arguments.Json = False,
) -> None:
    """Simulate what each policy would release of a source month by month; publish nothing.

    Example: lookalike ledger forecast patients.toml --months 12 --leave 0.04 --come 0.05
    """
    if chart is not None:
        _check_chart(chart)
    chosen, rates = tuple(arguments.read_names(policies)), Rates(leave, come, change)
    asked = AskedForecast(months, rates, chosen, people, seed, stop_after)
    specification = Specification.load(spec)
    with show_progress("reading") as announce:
        found = forecast_policies(specification, asked, announce)
    if chart is not None:
        write_private(chart, found.draw(background="white"))
    print_result(as_json, found, lambda: show_forecast(found))


def _check_chart(chart: Path) -> None:
    """Refuse a chart that could not be written, before the work is done."""
    if chart.suffix != ".svg":
        raise InvalidInput(f"--chart writes an SVG file, such as forecast.svg, not {chart.name}")
    if chart.exists():
        raise AlreadyExists(f"--chart: {chart} exists already; name a new file")
    if not chart.parent.is_dir():
        raise InvalidInput(f"--chart: there is no folder {chart.parent}; create it")
    if find_spec("vl_convert") is None:
        raise InvalidInput("--chart: to draw charts, pip install 'lookalike[charts]'")


@ledger_app.command("forget", cls=StrictCommand)
@arguments.takes_fields("ledger")
def forget_command(
    number: ReleaseNumber,
    *,
    ledger: LedgerUrl,
    reason: Reason,
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Delete the stored specification of a release; later releases still respect the release.

    Example: lookalike ledger forget 1 --ledger ledger.db --reason "a trial"
    """
    entry = _open(ledger, place).forget(number, reason)
    print_result(as_json, entry, lambda: show_entry(entry))


@ledger_app.command("accept-restore", cls=StrictCommand)
@arguments.takes_fields("ledger")
def accept_restore_command(
    *,
    ledger: LedgerUrl,
    reason: Reason,
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Continue with an older database; later releases ignore the changes that it lacks.

    Example: lookalike ledger accept-restore --ledger ledger.db --reason "the disk failed"
    """
    lost = accept_restore(
        ledger, reason, files=place.get("ledger_files"), key=place.get("ledger_key")
    )
    print_result(as_json, {"changes_lost": lost}, lambda: show_restore(lost))


@ledger_app.command("restores", cls=StrictCommand)
@arguments.takes_fields("ledger")
def restores_command(
    *,
    ledger: LedgerUrl,
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """List the restored databases that were accepted, with the reasons.

    Example: lookalike ledger restores --ledger ledger.db
    """
    opened = _open(ledger, place)
    restores = opened.restores()
    listed = {"ledger": str(opened.address), "restores": restores}
    print_result(as_json, listed, lambda: show_restores(restores))


def _open(ledger: str, place: arguments.OptionValues) -> Ledger:
    """Open a ledger, with the files and the key that are given."""
    return open_ledger(ledger, files=place.get("ledger_files"), key=place.get("ledger_key"))
