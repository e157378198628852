"""``lookalike review``: makes the page on which a reviewer decides about findings."""

from collections.abc import Iterator
from pathlib import Path

import typer
from rich.console import group
from rich.text import Text

from lookalike.flow.review import ReviewPage, review
from lookalike.shell.commands import arguments
from lookalike.shell.views.printing import fold
from lookalike.shell.views.terminal import print_result, show_progress

REVIEW_OUTPUTS = {"review": ReviewPage}


@arguments.takes_fields("review")
def review_command(
    spec: arguments.SpecFile,
    *,
    out_file: Path = typer.Option(
        Path("review.html"), "--out", "-o", metavar="FILE", help="New file to write the page to."
    ),
    as_json: arguments.Json = False,
) -> None:
    """Make a page on which a reviewer accepts or refuses the findings of a release.

    The release is decided on as by release --dry-run, and nothing is published. The page saves the
    answer as review.json, which release --review takes.

    Example: lookalike review patients.toml --out review.html
    """
    with show_progress("reading") as announce:
        made = review(spec, page=out_file, announce=announce)
    print_result(as_json, made, lambda: _show_page(made, spec))


@group()
def _show_page(page: ReviewPage, spec: Path) -> Iterator[Text]:
    """Show where the page is, and what to do with the answer."""
    number = len(page.findings)
    yield fold(f"{number} {'finding' if number == 1 else 'findings'} to decide on: {page.page}")
    yield fold(
        "Private: send the page to the reviewer only. It saves the answer as review.json; then:"
    )
    yield Text(f"lookalike release {spec} --review review.json")
