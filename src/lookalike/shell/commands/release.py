"""``lookalike release``: makes a release and publishes it."""

import sys
from functools import partial
from pathlib import Path

import typer

from lookalike.errors import RequirementNotMet
from lookalike.flow.explain import Explained, explain
from lookalike.flow.make_release import PublishedRelease, make_release
from lookalike.flow.suggest_method import suggest_method
from lookalike.json_result import to_json
from lookalike.report.rules.rule import RuleVerdict
from lookalike.shell.commands import arguments
from lookalike.shell.console import err, out, print_json
from lookalike.shell.views import release as view
from lookalike.shell.views import terminal

RELEASE_OUTPUTS = {
    "release": PublishedRelease,
    "release-explain": Explained,
}


@arguments.takes_fields("release")
def release_command(
    spec: arguments.SpecFile,
    *,
    source: arguments.FromSource,
    asked: arguments.FromRelease,
    allow_unsafe: bool = typer.Option(
        False, "--allow-unsafe", help="Publish even if k-anonymity does not hold (mu-argus)."
    ),
    replace: bool = typer.Option(
        False, "--replace", help="Replace an earlier release in the same folder."
    ),
    dry_run: bool = typer.Option(
        False, "--dry-run", help="Show what would be released; write nothing."
    ),
    rules: bool = typer.Option(
        False, "--rules", help="Also show what the release reaches of laws and standards."
    ),
    explained: bool = typer.Option(
        False,
        "--explain",
        help="Show where the sequences are kept and why; search and write nothing.",
    ),
    as_json: arguments.Json = False,
) -> None:
    """Make a release: read, count, search, recode, verify, publish.

    Options replace fields of the specification.

    Example: lookalike release patients.toml --dry-run
    """
    specification = arguments.load_specification(spec, asked, source)
    if specification.is_linked:
        from lookalike.shell.commands import release_linked  # what one table does not need

        if explained:
            release_linked.explain_linked(specification, as_json=as_json)
            return
        refused = {"--rules": rules, "--allow-unsafe": allow_unsafe}
        release_linked.make_linked(
            specification, refused, replace=replace, dry_run=dry_run, as_json=as_json
        )
        return
    if explained:
        with terminal.show_progress("reading") as announce:
            plan = explain(specification, announce)
        terminal.print_result(as_json, plan, lambda: view.show_explained(plan))
        return
    can_ask = sys.stdin.isatty() and err.is_terminal and not as_json
    wanted = specification.release
    decides = can_ask and wanted.method == "mu-argus" and wanted.generalize is None
    with terminal.show_progress("reading") as announce:
        made = make_release(
            specification,
            announce,
            decide=partial(terminal.decide_at, err, announce) if decides else None,
            keep_best=partial(terminal.keep_at, err, announce) if can_ask else lambda: False,
            allow_unsafe=allow_unsafe,
            replace=replace,
            dry_run=dry_run,
        )
    _print_made(made, spec, rules=rules, as_json=as_json)
    good = (made.release.safe or allow_unsafe) and made.release.can_be_published
    raise typer.Exit(0 if good else RequirementNotMet.exit_code)


def _judge(made: PublishedRelease) -> tuple[RuleVerdict, ...]:
    """Judge a release by the rules of laws and standards."""
    from lookalike.flow.measure_for_rules import measure_for_rules  # imports draft
    from lookalike.report.rules.judge import judge_rules  # imports jinja2

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
    if made.chooses_policy:
        out.print(view.show_policy_choice(spec))
    if rules:
        out.print(view.show_rules(_judge(made)))
    with terminal.show_progress("trying another method"):
        suggestion = suggest_method(made.release)
    if suggestion is not None:
        out.print(view.show_suggestion(suggestion, spec))
