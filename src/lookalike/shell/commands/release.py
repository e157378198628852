"""``lookalike release``: makes a release and publishes it."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from lookalike.errors import RequirementNotMet
from lookalike.flow.documents.measure_for_rules import measure_for_rules
from lookalike.flow.explain import explain
from lookalike.flow.make_release import PublishedRelease, make_release
from lookalike.flow.result import Release
from lookalike.flow.suggest_method import suggest_method
from lookalike.json_result import to_json
from lookalike.report.rules.judge import judge_rules
from lookalike.report.rules.rule import RuleVerdict
from lookalike.search.argus.options import Decide
from lookalike.search.lattice.objectives import OBJECTIVES
from lookalike.search.methods import ALGORITHMS
from lookalike.shell.commands.arguments import (
    Accept,
    Bound,
    Constraints,
    Dossier,
    EffortOption,
    EngineOption,
    Json,
    K,
    LedgerFiles,
    LedgerKey,
    Master,
    MaxSequences,
    MaxSuppressed,
    MemorySize,
    OtherTable,
    Prefer,
    PresetOption,
    Recipient,
    SpecFile,
    SpillFolder,
    TimeLimit,
    Where,
    load_specification,
    name_methods,
    read_amount,
    read_place,
)
from lookalike.shell.console import err, out, print_json
from lookalike.shell.views.ask import ask_at, ask_to_keep
from lookalike.shell.views.explained import show_explained
from lookalike.shell.views.progress import Progress, show_progress
from lookalike.shell.views.release import show_made_release
from lookalike.shell.views.release_json import made_release_as_json
from lookalike.shell.views.rules import show_rules
from lookalike.shell.views.suggestion import show_suggestion
from lookalike.spec.policies import POLICIES
from lookalike.spec.specification import Specification


def release_command(
    spec: SpecFile,
    table: OtherTable = None,
    where: Where = None,
    recipient: Recipient = None,
    k: K = None,
    preset: PresetOption = None,
    max_suppressed: MaxSuppressed = None,
    method: Annotated[
        str | None,
        typer.Option(help=f"Override the method: {', '.join(ALGORITHMS)}.", metavar="METHOD"),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            help=f"Override the measure to optimize ({name_methods('objective')}): "
            f"{', '.join(OBJECTIVES)}.",
            metavar="MEASURE",
        ),
    ] = None,
    prefer: Prefer = None,
    constraint: Constraints = None,
    time_limit: TimeLimit = None,
    max_sequences: MaxSequences = None,
    effort: EffortOption = None,
    bound: Bound = False,
    generalize: Annotated[
        list[str] | None,
        typer.Option(
            help="Generalize this attribute by one level instead of asking; may be repeated "
            f"({name_methods('argus')}).",
            metavar="ATTRIBUTE",
        ),
    ] = None,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            help=f"Suppress more cells until k-anonymity holds ({name_methods('argus')}).",
        ),
    ] = False,
    allow_unsafe: Annotated[
        bool,
        typer.Option(
            "--allow-unsafe", help="Publish even if k-anonymity does not hold (mu-argus)."
        ),
    ] = False,
    accept: Accept = None,
    out_file: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="PATH",
            help="File to write, or an address that Spark writes to; its folder becomes the "
            "release. {date} stands for today's date, {recipient} for the recipient.",
        ),
    ] = None,
    keep_order: Annotated[
        bool, typer.Option("--keep-order", help="Keep the order of the rows (unsafe).")
    ] = False,
    neutralize_formulas: Annotated[
        bool,
        typer.Option(
            "--neutralize-formulas",
            help="In CSV and TSV, write an apostrophe before cells that a spreadsheet would take "
            "for formulas.",
        ),
    ] = False,
    dossier: Dossier = None,
    no_report: Annotated[
        bool, typer.Option("--no-report", help="Publish no report beside the table.")
    ] = False,
    ledger: Annotated[
        str | None,
        typer.Option(
            help="Ledger to record the release in: an SQLite file or a PostgreSQL URL.",
            metavar="URL",
        ),
    ] = None,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    policy: Annotated[
        str | None,
        typer.Option(
            help=f"Override how earlier releases are considered: {', '.join(POLICIES)}.",
            metavar="POLICY",
        ),
    ] = None,
    engine: EngineOption = None,
    master: Master = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace an earlier release in the same folder.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be released; write nothing.")
    ] = False,
    rules: Annotated[
        bool,
        typer.Option("--rules", help="Also show what the release reaches of laws and standards."),
    ] = False,
    memory: MemorySize = None,
    spill: SpillFolder = None,
    explained: Annotated[
        bool,
        typer.Option(
            "--explain", help="Show where the sequences are kept and why; search and write nothing."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Make a release: read, count, search, recode, verify, publish.

    Example: lookalike release patients.toml --dry-run
    """
    fields = {
        "recipient": recipient,
        "k": k,
        "preset": preset,
        "max_suppressed": read_amount(max_suppressed),
        "method": method,
        "objective": objective,
        "time_limit": time_limit,
        "max_sequences": max_sequences,
        "effort": effort,
        "bound": bound or None,
        "generalize": generalize,
        "repair": repair or None,
        "keep_order": keep_order or None,
        "neutralize_formulas": neutralize_formulas or None,
        "out": out_file,
        "report": False if no_report else None,
        "ledger": ledger,
        "policy": policy,
    }
    paths = {"dossier": dossier, "ledger_files": ledger_files, "ledger_key": ledger_key}
    fields |= {name: str(path) for name, path in paths.items() if path}
    source = {"engine": engine, "master": master, **read_place(table, where, memory, spill)}
    specification = load_specification(spec, fields, prefer, constraint, source, accept)
    if explained:
        _explain(specification, as_json=as_json)
        return
    with show_progress(err, "reading") as announce:
        made = make_release(
            specification,
            announce,
            decide=_decide_at_terminal(specification, announce, as_json=as_json),
            keep_best=_keep_at_terminal(announce, as_json=as_json),
            allow_unsafe=allow_unsafe,
            replace=replace,
            dry_run=dry_run,
        )
    _print_made(made, spec, rules=rules, as_json=as_json)
    raise typer.Exit(_exit_code(made.release, allow_unsafe=allow_unsafe))


def _judge(made: PublishedRelease) -> tuple[RuleVerdict, ...]:
    """Judge a release by the rules of laws and standards."""
    with show_progress(err, "measuring"):
        certificate = made.certificate or made.release.verify()
        return judge_rules(measure_for_rules(made.release, certificate))


def _print_made(made: PublishedRelease, spec: Path, *, rules: bool, as_json: bool) -> None:
    """Print what was released, and the method that would keep much more, if there is one."""
    if as_json:
        judged = {"rules": to_json(_judge(made))} if rules else {}
        print_json({**made_release_as_json(made), **judged})
        return
    out.print(show_made_release(made))
    if rules:
        out.print(show_rules(_judge(made)))
    with show_progress(err, "trying another method"):
        suggestion = suggest_method(made.release)
    if suggestion is not None:
        out.print(show_suggestion(suggestion, spec))


def _exit_code(release: Release, *, allow_unsafe: bool) -> int:
    """Return 0 if the release was published, or could be."""
    good = (release.safe or allow_unsafe) and release.can_be_published
    return 0 if good else RequirementNotMet.exit_code


def _explain(specification: Specification, *, as_json: bool) -> None:
    """Print how the release would be made."""
    with show_progress(err, "reading") as announce:
        plan = explain(specification, announce)
    if as_json:
        print_json(to_json(plan))
    else:
        out.print(show_explained(plan))


def _decide_at_terminal(
    specification: Specification, announce: Progress, *, as_json: bool
) -> Decide | None:
    """Return a callback that asks what µ-Argus must generalize, if there is a terminal."""
    asked = specification.release
    if asked.method != "mu-argus" or asked.generalize is not None or not _can_ask(as_json=as_json):
        return None
    return ask_at(err, announce.quiet)


def _keep_at_terminal(announce: Progress, *, as_json: bool) -> Callable[[], bool]:
    """Return a callback that asks whether to keep the best result of an interrupted search."""
    return ask_to_keep(err, announce.quiet) if _can_ask(as_json=as_json) else lambda: False


def _can_ask(*, as_json: bool) -> bool:
    """Check whether questions can be asked at a terminal."""
    return sys.stdin.isatty() and err.is_terminal and not as_json
