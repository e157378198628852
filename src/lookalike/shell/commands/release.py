"""``lookalike release``: makes a release and publishes it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from lookalike.errors import RequirementNotMet
from lookalike.flow.explain import Explained, explain
from lookalike.flow.measure_for_rules import measure_for_rules
from lookalike.flow.release import PublishedRelease, make_release, suggest_method
from lookalike.json_result import to_json
from lookalike.report.rules.judge import judge_rules
from lookalike.report.rules.rule import RuleVerdict
from lookalike.search.argus.options import Decide
from lookalike.shell.commands import arguments
from lookalike.shell.console import err, out, print_json
from lookalike.shell.views import release as view
from lookalike.shell.views import terminal
from lookalike.spec.specification import Specification

RELEASE_OUTPUTS = {"release": PublishedRelease, "release-explain": Explained}


@arguments.takes_fields("release")
def release_command(
    spec: arguments.SpecFile,
    *,
    source: arguments.FromSource,
    asked: arguments.FromRelease,
    allow_unsafe: Annotated[
        bool,
        typer.Option(
            "--allow-unsafe", help="Publish even if k-anonymity does not hold (mu-argus)."
        ),
    ] = False,
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
    explained: Annotated[
        bool,
        typer.Option(
            "--explain", help="Show where the sequences are kept and why; search and write nothing."
        ),
    ] = False,
    as_json: arguments.Json = False,
) -> None:
    """Make a release: read, count, search, recode, verify, publish.

    Options replace fields of the specification.

    Example: lookalike release patients.toml --dry-run
    """
    specification = arguments.load_specification(spec, asked, source)
    if explained:
        _explain(specification, as_json=as_json)
        return
    can_ask = sys.stdin.isatty() and err.is_terminal and not as_json
    with terminal.show_progress("reading") as announce:
        made = make_release(
            specification,
            announce,
            decide=_decide_at_terminal(specification, announce) if can_ask else None,
            keep_best=terminal.ask_to_keep(err, announce.quiet) if can_ask else lambda: False,
            allow_unsafe=allow_unsafe,
            replace=replace,
            dry_run=dry_run,
        )
    _print_made(made, spec, rules=rules, as_json=as_json)
    good = (made.release.safe or allow_unsafe) and made.release.can_be_published
    raise typer.Exit(0 if good else RequirementNotMet.exit_code)


def _judge(made: PublishedRelease) -> tuple[RuleVerdict, ...]:
    """Judge a release by the rules of laws and standards."""
    with terminal.show_progress("measuring"):
        certificate = made.certificate or made.release.verify()
        return judge_rules(measure_for_rules(made.release, certificate))


def _print_made(made: PublishedRelease, spec: Path, *, rules: bool, as_json: bool) -> None:
    """Print what was released, and the method that would keep much more, if there is one."""
    if as_json:
        judged = {"rules": to_json(_judge(made))} if rules else {}
        print_json(made.as_json() | judged)
        return
    out.print(view.show_made_release(made))
    if rules:
        out.print(view.show_rules(_judge(made)))
    with terminal.show_progress("trying another method"):
        suggestion = suggest_method(made.release)
    if suggestion is not None:
        out.print(view.show_suggestion(suggestion, spec))


def _explain(specification: Specification, *, as_json: bool) -> None:
    """Print how the release would be made."""
    with terminal.show_progress("reading") as announce:
        plan = explain(specification, announce)
    terminal.print_result(as_json, plan, lambda: view.show_explained(plan))


def _decide_at_terminal(specification: Specification, announce: terminal.Progress) -> Decide | None:
    """Return a callback that asks what µ-Argus must generalize, unless the specification says."""
    asked = specification.release
    if asked.method != "mu-argus" or asked.generalize is not None:
        return None
    return terminal.ask_at(err, announce.quiet)
