"""`lookalike release`: the whole flow."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.flow.release import prepare
from lookalike.ledger.store.ledger import open_at
from lookalike.publish.publish import check_places
from lookalike.search.argus.options import Decide
from lookalike.shell.commands.arguments import (
    Bound,
    Constraints,
    Dossier,
    EffortOption,
    Json,
    K,
    LedgerFiles,
    LedgerKey,
    MaxSuppressed,
    Prefer,
    Recipient,
    SpecFile,
    TimeLimit,
    load_specification,
    name_methods,
    read_amount,
)
from lookalike.shell.commands.console import err, out, print_json
from lookalike.shell.views import ledger as render_ledger
from lookalike.shell.views import release as render
from lookalike.shell.views.ask import ask_at, ask_to_keep
from lookalike.shell.views.progress import Progress, show_progress
from lookalike.spec.ledger_address import below
from lookalike.spec.specification import Specification
from lookalike.verify.bound.proof import OPTIMALITY


def release_command(
    spec: SpecFile,
    recipient: Recipient = None,
    k: K = None,
    max_suppressed: MaxSuppressed = None,
    method: Annotated[str | None, typer.Option(help="In place of the file's method.")] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            help=f"The measure to make best, in place of the file's ({name_methods('objective')})."
        ),
    ] = None,
    prefer: Prefer = None,
    constraint: Constraints = None,
    time_limit: TimeLimit = None,
    effort: EffortOption = None,
    bound: Bound = False,
    generalize: Annotated[
        list[str] | None,
        typer.Option(
            help="Generalize by a level, in place of asking; may be repeated "
            f"({name_methods('argus')}).",
            metavar="ATTRIBUTE",
        ),
    ] = None,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            help=f"Go on suppressing until k-anonymity holds ({name_methods('argus')}).",
        ),
    ] = False,
    allow_unsafe: Annotated[
        bool,
        typer.Option(
            "--allow-unsafe", help="Publish although k-anonymity does not hold (mu-argus)."
        ),
    ] = False,
    target: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The file to write; its folder becomes the release."),
    ] = None,
    keep_order: Annotated[
        bool, typer.Option("--keep-order", help="Do not draw the order of rows afresh (unsafe).")
    ] = False,
    dossier: Dossier = None,
    ledger: Annotated[
        str | None,
        typer.Option(
            help="The ledger that remembers the release, an SQLite file or a PostgreSQL URL.",
            metavar="URL",
        ),
    ] = None,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    policy: Annotated[
        str | None,
        typer.Option(help="How earlier releases are considered, in place of the file's."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace an earlier release in the same folder.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Tell what would be released; write nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make a release: read, count, search, recode, count again, publish.

    Example: lookalike release patients.toml --dry-run
    """
    fields = {
        "recipient": recipient,
        "k": k,
        "max_suppressed": read_amount(max_suppressed),
        "method": method,
        "objective": objective,
        "time_limit": time_limit,
        "effort": effort,
        "bound": bound or None,
        "generalize": generalize,
        "repair": repair or None,
        "keep_order": keep_order or None,
        "out": str(target.absolute()) if target else None,
        "dossier": str(dossier.absolute()) if dossier else None,
        "ledger": below(ledger, Path.cwd()) if ledger else None,
        "ledger_files": str(ledger_files.absolute()) if ledger_files else None,
        "ledger_key": str(ledger_key.absolute()) if ledger_key else None,
        "policy": policy,
    }
    specification = load_specification(spec, fields, prefer, constraint)
    place, apart = _place(specification), specification.release.dossier
    if not dry_run:
        address = specification.release.address
        check_places(place, Path(apart) if apart else None, address, replace=replace)
        if address is not None:
            open_at(address, create=True)
    with show_progress(err, "reading") as announce:
        release = prepare(
            specification,
            announce,
            decide=_decide_at_terminal(specification, announce, as_json=as_json),
            keep_best=_keep_at_terminal(announce, as_json=as_json),
            allow_unsafe=allow_unsafe,
        )
        certificate = None if dry_run else release.publish(replace=replace)
    files = [str(place), str(place.parent / "certificate.json")] if certificate else []
    kept = str(Path(apart) / OPTIMALITY) if certificate and apart and release.has_proof else None
    if as_json:
        print_json(render.release_as_json(release, files, kept, certificate))
    else:
        out.print(render.show_release(release))
        if release.basis is not None:
            out.print(render_ledger.show_basis(release.basis))
        out.print(render.show_outcome(files, apart, kept, certificate))
    raise typer.Exit(0 if release.safe or allow_unsafe else RequirementNotMet.exit_code)


def _decide_at_terminal(
    specification: Specification, announce: Progress, *, as_json: bool
) -> Decide | None:
    """Return a way to ask what µ-Argus shall generalize, if there is somebody to ask."""
    asked = specification.release
    if asked.method != "mu-argus" or asked.generalize is not None or as_json:
        return None
    return ask_at(err, announce.quiet) if sys.stdin.isatty() and err.is_terminal else None


def _keep_at_terminal(announce: Progress, *, as_json: bool) -> Callable[[], bool]:
    """Return a way to ask whether an interrupted search shall keep the best it has found."""
    somebody = sys.stdin.isatty() and err.is_terminal and not as_json
    return ask_to_keep(err, announce.quiet) if somebody else lambda: False


def _place(specification: Specification) -> Path:
    """Return the file that the release is written to."""
    if specification.release.out is None:
        raise InvalidInput(
            'say where the release goes: out = "released/table.csv" under [release], or --out'
        )
    return Path(specification.release.out)
