"""The command line: every verb is one library call."""

import json
import sys
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.exceptions import TyperException

from lookalike import render
from lookalike.arguments import (
    Constraints,
    Dossier,
    EffortOption,
    Json,
    K,
    MaxSuppressed,
    MemoryLimit,
    Optimality,
    Prefer,
    Recipient,
    SpecFile,
    TimeLimit,
)
from lookalike.ask import ask_at, ask_to_keep
from lookalike.check import check
from lookalike.compare import compare_methods
from lookalike.demo import run_demo
from lookalike.errors import InternalError, InvalidInput, LookalikeError, RequirementNotMet
from lookalike.progress import Progress, show_progress
from lookalike.proof import OPTIMALITY
from lookalike.publish import check_places
from lookalike.release import minimal, prepare
from lookalike.search.argus import Decide
from lookalike.spec import Specification
from lookalike.verify_folder import verify

USAGE = InvalidInput.exit_code
INTERRUPTED = 130
WIDE = 1000
"""The width of lines that go to a file or another program, so that none is broken."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 the requirement does not hold, 2 wrong usage or input, "
    "3 infeasible, 4 a fault in lookalike.",
)
out = Console(width=None if sys.stdout.isatty() else WIDE)
err = Console(stderr=True)


def _print_version(asked: bool) -> None:
    """Print the version and stop, if that was asked for."""
    if asked:
        out.print(f"lookalike {version('lookalike')}", highlight=False)
        raise typer.Exit


@app.callback()
def common_options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and stop.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Every record you release has at least k − 1 lookalikes."""


@app.command(name="demo")
def demo_command(
    folder: Annotated[
        Path | None,
        typer.Option(help="Keep the demo's files in this new folder.", metavar="FOLDER"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Release the 12 patients of Sweeney's paper, then 30,162 census records, and explain it.

    Example: lookalike demo
    """
    made = run_demo(Console(quiet=True) if as_json else out, folder)
    if as_json:
        print_json({"releases": [render.release_as_json(release, []) for release in made]})


@app.command(name="check")
def check_command(
    table: Annotated[str, typer.Argument(help="A file, or a quoted glob for many.")],
    quasi_identifier: Annotated[
        str,
        typer.Option(
            "--quasi-identifier", "-q", help="The linkable columns, with commas between them."
        ),
    ],
    k: Annotated[int, typer.Option("--k", "-k", help="How often each combination must occur.")] = 2,
    delimiter: Annotated[str | None, typer.Option(help="Between the fields of CSV.")] = None,
    encoding: Annotated[str, typer.Option(help="Of CSV and JSON lines.")] = "utf-8",
    where: Annotated[str | None, typer.Option(help="An SQL condition for the rows.")] = None,
    memory_limit: MemoryLimit = None,
    as_json: Json = False,
) -> None:
    """Tell the k of any table: the size of its smallest class.

    Example: lookalike check patients.csv -q zip,birth,sex -k 5
    """
    attributes = [name.strip() for name in quasi_identifier.split(",") if name.strip()]
    with show_progress(err, "counting"):
        checked = check(
            table,
            attributes,
            k,
            delimiter=delimiter,
            encoding=encoding,
            where=where,
            memory_limit=memory_limit,
        )
    if as_json:
        print_json(render.check_as_json(checked))
    else:
        out.print(render.show_check(checked, attributes, k))
    raise typer.Exit(0 if checked.holds else 1)


@app.command(name="release")
def release_command(
    spec: SpecFile,
    recipient: Recipient = None,
    k: K = None,
    max_suppressed: MaxSuppressed = None,
    method: Annotated[str | None, typer.Option(help="In place of the file's method.")] = None,
    objective: Annotated[
        str | None, typer.Option(help="What mingen makes best, in place of the file's.")
    ] = None,
    prefer: Prefer = None,
    constraint: Constraints = None,
    time_limit: TimeLimit = None,
    effort: EffortOption = None,
    generalize: Annotated[
        list[str] | None,
        typer.Option(
            help="What mu-argus generalizes by a level, in place of asking; may be repeated.",
            metavar="ATTRIBUTE",
        ),
    ] = None,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Let mu-argus go on suppressing until k-anonymity holds."),
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
        "max_suppressed": _amount(max_suppressed),
        "method": method,
        "objective": objective,
        "time_limit": time_limit,
        "effort": effort,
        "generalize": generalize,
        "repair": repair or None,
        "keep_order": keep_order or None,
        "out": str(target.absolute()) if target else None,
        "dossier": str(dossier.absolute()) if dossier else None,
    }
    specification = _load(spec, fields, prefer, constraint)
    place, apart = _place(specification), specification.release.dossier
    if not dry_run:
        check_places(place, Path(apart) if apart else None, replace=replace)
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
        print_json(render.release_as_json(release, files, kept))
    else:
        out.print(render.show_release(release))
        out.print(render.show_outcome(files, apart, kept))
    raise typer.Exit(0 if release.safe or allow_unsafe else RequirementNotMet.exit_code)


@app.command(name="minimal")
def minimal_command(
    spec: SpecFile,
    recipient: Recipient = None,
    k: K = None,
    max_suppressed: MaxSuppressed = None,
    prefer: Prefer = None,
    constraint: Constraints = None,
    time_limit: TimeLimit = None,
    most: Annotated[int, typer.Option(help="How many to show.", min=1)] = 30,
    as_json: Json = False,
) -> None:
    """List every k-minimal generalization, and mark the preferred; write nothing.

    Example: lookalike minimal patients.toml --prefer minimum-suppression
    """
    fields = {
        "recipient": recipient,
        "k": k,
        "max_suppressed": _amount(max_suppressed),
        "time_limit": time_limit,
    }
    specification = _load(spec, fields, prefer, constraint)
    with show_progress(err, "reading") as announce:
        attributes, found = minimal(specification, announce)
    if as_json:
        print_json(render.minimal_as_json(attributes, found))
    else:
        out.print(render.show_minimal(attributes, found, most))


@app.command(name="compare")
def compare_command(
    spec: SpecFile,
    method: Annotated[
        list[str] | None,
        typer.Option(help="Only this one; may be repeated.", metavar="METHOD"),
    ] = None,
    recipient: Recipient = None,
    k: K = None,
    max_suppressed: MaxSuppressed = None,
    time_limit: TimeLimit = None,
    effort: EffortOption = None,
    as_json: Json = False,
) -> None:
    """Run every method on the same table and requirement; write nothing.

    Example: lookalike compare patients.toml
    """
    fields = {
        "recipient": recipient,
        "k": k,
        "max_suppressed": _amount(max_suppressed),
        "time_limit": time_limit,
        "effort": effort,
    }
    specification = _load(spec, fields, None, None)
    with show_progress(err, "reading") as announce:
        compared = compare_methods(specification, method or (), announce)
    if as_json:
        print_json({"methods": [render.compared_as_json(one) for one in compared]})
    else:
        out.print(render.show_comparison(compared))


@app.command(name="verify")
def verify_command(
    folder: Annotated[Path, typer.Argument(help="A published release.")],
    spec: Annotated[
        Path | None,
        typer.Option(help="The holder's specification: prove against its source, too."),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(help="The private table, if not the specification's source (needs --spec)."),
    ] = None,
    optimality: Optimality = None,
    as_json: Json = False,
) -> None:
    """Check a release against its certificate; with --spec, prove that every row is true.

    Example: lookalike verify released
    """
    with show_progress(err, "counting"):
        verification = verify(folder, specification=spec, table=table, optimality=optimality)
    if as_json:
        print_json(render.verification_as_json(verification))
    else:
        out.print(render.show_verification(verification))
    raise typer.Exit(0 if verification.holds else 1)


def main() -> None:
    """Run the command line and turn errors into messages and exit codes."""
    as_json = "--json" in sys.argv
    try:
        code = app(standalone_mode=False)
        if code == INTERRUPTED:
            _report("stopped; no half release is left behind", code, as_json=as_json)
    except LookalikeError as error:
        code = _report(str(error), error.exit_code, as_json=as_json)
    except TyperException as error:
        message = error.format_message() or "name a command"
        code = _report(f"{message.rstrip('.')}; see lookalike --help", USAGE, as_json=as_json)
    except Exception as error:
        fault = InternalError(f"{type(error).__name__} at {_origin(error)}")
        code = _report(str(fault), fault.exit_code, as_json=as_json)
    sys.exit(code)


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


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object on standard output."""
    sys.stdout.write(json.dumps(content, ensure_ascii=False) + "\n")


def _amount(text: str | None) -> int | Decimal | None:
    """Read a number of rows, or a decimal fraction of them."""
    if text is None:
        return None
    try:
        return int(text) if text.strip().lstrip("+-").isdigit() else Decimal(text)
    except InvalidOperation:
        raise InvalidInput(
            f"--max-suppressed {text!r} is not a number; 20 is rows, 0.01 a fraction of them"
        ) from None


def _load(
    spec: Path,
    fields: Mapping[str, Any],
    prefer: list[str] | None,
    constraints: list[str] | None,
) -> Specification:
    """Read a specification, with what the command line says in place of or beside its fields."""
    given = {name: value for name, value in fields.items() if value is not None}
    beside = {"prefer": prefer, "constraints": constraints}
    return Specification.load(spec, given, {n: more for n, more in beside.items() if more})


def _place(specification: Specification) -> Path:
    """Return the file that the release is written to."""
    if specification.release.out is None:
        raise InvalidInput(
            'say where the release goes: out = "released/table.csv" under [release], or --out'
        )
    return Path(specification.release.out)


def _report(message: str, code: int, *, as_json: bool) -> int:
    """Say what went wrong, on standard error or as JSON."""
    if as_json:
        print_json({"error": message, "exit": code})
    else:
        render.print_error(err, message)
    return code


def _origin(error: BaseException) -> str:
    """Name the line of ours that an unforeseen error came from."""
    trace, place = error.__traceback__, "an unknown place"
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if "lookalike" in file.parts:
            place = f"{file.name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
