"""Output of ``lookalike init``: the proposed roles, as text and as JSON, and its questions."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from lookalike.draft.draft import Draft
from lookalike.draft.proposed_column import ProposedColumn
from lookalike.draft.write_toml import NOT_LINKABLE, is_linkable, write_value_as_toml
from lookalike.errors import not_one_of
from lookalike.shell.display import display
from lookalike.shell.views.printing import begin_table, fold, percent, shorten
from lookalike.shell.views.terminal import read_line
from lookalike.tables.source import EACH_ROW
from lookalike.tables.table import Role

LETTERS_SHOWN = 32
"""How much of a name or an example is shown."""
EXAMPLES = 2
WIDTHS = (22, 16, 34)
"""The widths of the columns of the table, which fits 80 columns; the last is free with --wide."""
ROLES: dict[str, Role] = {
    "i": "identifier",
    "q": "quasi-identifier",
    "s": "sensitive",
    "o": "other",
    "d": "drop",
}
"""The answers to a question about a role."""
ASK_PERSON = (
    'Decide who is a person: replace person = "?" under [source] by the column that identifies '
    'persons, or by "row" if each row is a person.'
)
SEVERAL = 4
"""How many columns that are not recognized are asked about together."""
ASK_TOGETHER = (
    "Answer o if they are answers, events or outcomes that nobody else could know of a person."
)
ROLE_STYLES = {"?": "bold red", "identifier": "magenta", "drop": "dim", "sensitive": "yellow"}


def show_draft(draft: Draft, *, examples: bool) -> RenderableType:
    """Show the proposed role of each column with its reason and figures."""
    columns = len(draft.columns)
    head = f"{draft.rows:,} rows, {columns:,} column{'s' * (columns != 1)}. Proposed roles:"
    return Group(
        fold(head),
        _show_columns(draft, examples=examples),
        *(fold(f"{line}.", indent="  ") for line in _list_remarks(draft)),
    )


def _show_columns(draft: Draft, *, examples: bool) -> Table:
    """Show a line for each column."""
    table = begin_table("column", "role", "reason", text=3)
    for drawn, width in zip(table.columns, WIDTHS, strict=True):
        drawn.width, drawn.overflow = width, "fold"
    if display.wide:
        table.columns[-1].width = None
    for column in draft.columns:
        table.add_row(
            _show_figures(column),
            Text(column.role, style=ROLE_STYLES.get(column.role, "")),
            _explain(column, examples=examples),
        )
    return table


def _show_figures(column: ProposedColumn) -> Text:
    """Write the name of a column, its number of values, and the share of rows without one."""
    missing = column.figures.missing_share
    distinct = column.figures.distinct
    figures = f"{distinct:,} value{'s' * (distinct != 1)}"
    figures += f"\n  {percent(missing)} missing" if missing else ""
    return Text.assemble(shorten(column.name, LETTERS_SHOWN), (f"\n  {figures}", "dim"))


def _explain(column: ProposedColumn, *, examples: bool) -> Text:
    """Write why a column has its role, with values of it at a terminal."""
    text = Text(column.reason)
    shown = ", ".join(shorten(value, LETTERS_SHOWN) for value in column.profile.values[:EXAMPLES])
    if examples and shown:
        text.append(f"\ne.g. {shown}", style="dim")
    return text


def _list_remarks(draft: Draft) -> Iterator[str]:
    """Yield what was found about the table as a whole."""
    for name, remark in draft.remarks.items():
        given = name in draft.source
        field = f"{name} = {write_value_as_toml(draft.source[name])}" if given else ""
        yield f"{field}: {remark}" if given else remark


def show_next(draft: Draft, files: Sequence[Path]) -> RenderableType:
    """Show what was written, and what to do next."""
    spec, *others = files
    beside = f" and {len(others):,} hierarchies beside it" if others else ""
    lines = [fold(f"Wrote {spec}{beside}. Review the roles, then:")]
    if draft.undecided:
        names = ", ".join(shorten(name, LETTERS_SHOWN) for name in draft.undecided)
        lines = [fold(f'Wrote {spec}{beside}. Decide on the columns with role "?": {names}. Then:')]
    if draft.is_person_undecided:
        lines.insert(0, fold(ASK_PERSON, style="bold"))
    if not is_linkable(draft.columns):
        lines.insert(0, fold(NOT_LINKABLE, style="bold"))
    return Group(*lines, Text(f"lookalike release {shlex.quote(str(spec))} --dry-run"))


def ask_roles(console: Console, draft: Draft) -> dict[str, Role]:
    """Ask for the role of each undecided column; Enter takes the stricter one.

    One answer may decide on most columns that are not recognized. Ctrl-C and the end of input
    stop the command, and nothing is written.
    """
    console.print("Roles: i identifier, q quasi-identifier, s sensitive, o other, d drop")
    undecided = [column for column in draft.columns if column.undecided]
    unknown = [column for column in undecided if column.meaning is None]
    together = _ask_together(console, unknown) if len(unknown) >= SEVERAL else {}
    return {
        column.name: together.get(column.name) or _ask_role(console, column) for column in undecided
    }


def _ask_together(console: Console, unknown: Sequence[ProposedColumn]) -> dict[str, Role]:
    """Ask for one role of most columns that are not recognized; Enter asks about each."""
    names = [column.name for column in unknown]
    shown = ", ".join(shorten(name, LETTERS_SHOWN) for name in names)
    console.print(fold(f"{len(unknown):,} columns are not recognized: {shown}."))
    console.print(fold(ASK_TOGETHER))
    role = _read_role(console, "One role for all, or all but some? (Enter: ask one by one) ")
    while role is not None:
        answer = read_line(console, "All but which? (names with commas between; Enter: all) ")
        others = [name.strip() for name in answer.split(",") if name.strip()]
        unlisted = [name for name in others if name not in names]
        if not unlisted:
            return {name: role for name in names if name not in others}
        console.print(not_one_of("column", unlisted[0], names), markup=False)
    return {}


def ask_person(console: Console, draft: Draft) -> str | None:
    """Ask who is a person, if that is undecided; Enter leaves it so."""
    known = [EACH_ROW, *draft.roles]
    while draft.is_person_undecided:
        answer = read_line(
            console, 'Who is a person? (a column, or "row" for each row; Enter: decide later) '
        )
        if answer in known:
            return answer
        if not answer:
            break
        console.print(not_one_of("person", answer, known), markup=False)
    return None


def _ask_role(console: Console, column: ProposedColumn) -> Role:
    """Ask for the role of one column; Enter takes the stricter one."""
    question = f"{shorten(column.name, LETTERS_SHOWN)}? (Enter: {column.stricter}) "
    return _read_role(console, question) or column.stricter


def _read_role(console: Console, question: str) -> Role | None:
    """Ask for a role until the answer is one; nothing for Enter."""
    while True:
        answer = read_line(console, question)
        if not answer:
            return None
        if answer in ROLES or answer in ROLES.values():
            return ROLES.get(answer, answer)  # type: ignore[arg-type]
        console.print("Answer i, q, s, o or d.")
