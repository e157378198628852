"""Output of ``lookalike init``: the proposed roles, as text and as JSON, and its questions."""

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console, RenderableType, group
from rich.table import Table
from rich.text import Text

from lookalike.draft.draft import Draft
from lookalike.draft.linked_draft import LinkedDraft
from lookalike.draft.make_draft import DEFAULT_K
from lookalike.draft.proposed_column import ProposedColumn
from lookalike.draft.toml_text import write_value_as_toml
from lookalike.draft.write_toml import NOT_LINKABLE, is_linkable
from lookalike.errors import not_one_of
from lookalike.shell.display import display
from lookalike.shell.views.budget import show_budget
from lookalike.shell.views.printing import begin_table, fold, percent, shorten
from lookalike.shell.views.terminal import read_line
from lookalike.spec.presets import AUDIENCES, PRESETS, describe_k
from lookalike.tables.source import EACH_ROW, UNDECIDED
from lookalike.tables.table import Role

LETTERS_SHOWN = 32
"""How much of a name or an example is shown."""
EXAMPLES = 2
ONE_SCREEN = 20
"""Of a table with more columns, roles are shown by name; --verbose shows every column."""
FIRST_NAMED = 12
"""How many columns of a role are named then."""
WIDTH_OF_NAMES = 46
ROLE_OF_ANSWERS = "other (answers)"
TOLD = ("quasi-identifier", "sensitive")
"""The roles whose columns are shown with what they are about."""
CHOOSE_PRESET = (
    "--preset ema suits a release to the public, cms one under a contract, ons one in a trusted "
    "environment"
)
FOLDED = "The reason and the figures of each column: in the file, and with --verbose."
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
ASK_PERSON_OF = 'Decide who is a person: replace person = "?" by a column for'
ASK_KEPT = "Which columns matter most? (up to three, with commas between; Enter: as proposed) "
SEVERAL = 4
"""How many columns that are not recognized are asked about together."""
ASK_TOGETHER = (
    "Answer o if they are answers, events or outcomes that nobody else could know of a person."
)
ROLE_STYLES = {"?": "bold red", "identifier": "magenta", "drop": "dim", "sensitive": "yellow"}


@group()
def show_draft(draft: Draft, *, examples: bool) -> Iterator[RenderableType]:
    """Show the proposed role of each column with its reason and figures."""
    columns = len(draft.columns)
    yield fold(f"{draft.rows:,} rows, {columns:,} column{'s' * (columns != 1)}. Proposed roles:")
    if columns <= ONE_SCREEN or display.verbose:
        yield _show_columns(draft, examples=examples)
    else:
        yield _show_roles(draft)
        yield fold(FOLDED)
    if draft.budget is not None and draft.quasi_identifier:
        yield from show_budget(draft.budget)
    if draft.answers:
        yield fold(draft.answers, style="bold")
    for name, remark in draft.remarks.items():
        given = name in draft.source
        field = f"{name} = {write_value_as_toml(draft.source[name])}: " if given else ""
        yield fold(f"{field}{remark}.", indent="  ")


def _show_roles(draft: Draft) -> Table:
    """Show the columns of each role by name, with what they are about; of answers the patterns."""
    table = begin_table("role", "columns", "names", text=3)
    table.columns[1].justify = "right"
    table.columns[2].width, table.columns[2].overflow = WIDTH_OF_NAMES, "fold"
    if display.wide:
        table.columns[2].width = None
    by_role = defaultdict[str, list[str]](list)
    patterns = Counter[str]()
    for column in draft.columns:
        if column.block is not None and column.block.pattern:
            patterns[column.block.pattern] += 1
        else:
            role = column.role if column.block is None else ROLE_OF_ANSWERS
            about = "" if column.meaning is None else column.meaning.name
            told = column.role in TOLD and column.block is None and about
            name = shorten(column.name, LETTERS_SHOWN)
            by_role[role].append(f"{name} ({about})" if told else name)
    found = {
        ROLE_OF_ANSWERS: [f"{shorten(one, LETTERS_SHOWN)} ({n:,})" for one, n in patterns.items()]
    }
    for role in (*TOLD, ROLE_OF_ANSWERS, "other", "identifier", "drop", UNDECIDED):
        names = [*found.get(role, ()), *by_role[role]]
        number = len(by_role[role]) + (patterns.total() if role == ROLE_OF_ANSWERS else 0)
        if number:
            shown = Text(role, style=ROLE_STYLES.get(role, ""))
            table.add_row(shown, f"{number:,}", name_first(names))
    return table


def name_first(names: Sequence[str]) -> str:
    """Name the first of several columns, and how many more there are."""
    more = len(names) - FIRST_NAMED
    listed = ", ".join(names[:FIRST_NAMED])
    return f"{listed} and {more:,} more" if more > 0 and not display.verbose else ", ".join(names)


def _show_columns(draft: Draft, *, examples: bool) -> Table:
    """Show a line for each column."""
    table = begin_table("column", "role", "reason", text=3)
    for drawn, width in zip(table.columns, WIDTHS, strict=True):
        drawn.width, drawn.overflow = width, "fold"
    if display.wide:
        table.columns[-1].width = None
    for column in draft.columns:
        missing, distinct = column.figures.missing_share, column.figures.distinct
        figures = f"\n  {distinct:,} value{'s' * (distinct != 1)}"
        figures += f"\n  {percent(missing)} missing" if missing else ""
        name = Text.assemble(shorten(column.name, LETTERS_SHOWN), (figures, "dim"))
        role = Text(column.role, style=ROLE_STYLES.get(column.role, ""))
        shown = [shorten(value, LETTERS_SHOWN) for value in column.profile.values[:EXAMPLES]]
        given = f"\ne.g. {', '.join(shown)}" if examples and shown else ""
        table.add_row(name, role, Text.assemble(column.reason, (given, "dim")))
    return table


def head_table(name: str) -> Text:
    """Return the heading of one of several tables."""
    return Text(f"\n{shorten(name, LETTERS_SHOWN)}", "bold underline")


@group()
def show_next(found: Draft | LinkedDraft, files: Sequence[Path]) -> Iterator[RenderableType]:
    """Show what was written, and what to do next."""
    linked = isinstance(found, LinkedDraft)
    drafts = [*found.tables.values()] if isinstance(found, LinkedDraft) else [found]
    if isinstance(found, LinkedDraft):
        yield from _show_linked(found)
    if not is_linkable([column for one in drafts for column in one.columns]):
        yield fold(NOT_LINKABLE, style="bold")
    if not linked and any(one.is_person_undecided for one in drafts):
        yield fold(ASK_PERSON, style="bold")
    spec, *others = files
    beside = f" and {len(others):,} file{'s' * (len(others) > 1)} beside it" if others else ""
    names = ", ".join(shorten(name, LETTERS_SHOWN) for name in found.undecided)
    what = "Review the roles, then"
    if found.undecided:
        many = len(found.undecided) > FIRST_NAMED and not display.verbose
        which = f"{len(found.undecided):,} columns" if many else "columns"
        what = f'Decide on the {which} with role "?"{"" if many else f": {names}"}. Then'
    advice = "" if linked or drafts[0].preset else f"; {CHOOSE_PRESET}"
    yield fold(f"{describe_k(found.k)}{advice}.")
    yield fold(f"Wrote {spec}{beside}. {what}:")
    yield Text(f"lookalike release {shlex.quote(str(spec))} --dry-run")


def _show_linked(found: LinkedDraft) -> Iterator[Text]:
    """Show how the tables of a draft belong together."""
    records = ", ".join(f"{name} (knows = {known})" for name, known in found.knows.items())
    yield fold(f"{found.persons} has one row a person. Records of persons: {records or 'none'}.")
    yield from map(fold, found.list_left_out())
    if found.undecided_persons:
        names = ", ".join(found.undecided_persons)
        yield fold(f"{ASK_PERSON_OF} {names}.", style="bold")


def ask_kept(console: Console, draft: Draft) -> list[str]:
    """Ask which columns matter most, if one that others know was left out for what it costs."""
    known = [column.name for column in draft.before if column.role == "quasi-identifier"]
    if all(draft.roles[name] == "quasi-identifier" for name in known):
        return []
    possible = [one.name for one in draft.before if one.stricter == "quasi-identifier"]
    while True:
        answer = read_line(console, ASK_KEPT)
        named = [name.strip() for name in answer.split(",") if name.strip()]
        unknown = [name for name in named if name not in possible]
        if not unknown:
            return named
        console.print(not_one_of("column to keep", unknown[0], possible), markup=False)


def ask_audience(console: Console) -> str | None:
    """Ask who receives the release; return the preset for them, or nothing for Enter."""
    choices = ", ".join(
        f"{letter} {audience} ({preset}, k = {PRESETS[preset].least_k})"
        for letter, (audience, preset) in AUDIENCES.items()
    )
    console.print(fold(f"Audiences: {choices}"))
    while True:
        answer = read_line(console, f"Who receives the release? (Enter: k = {DEFAULT_K}) ")
        if not answer:
            return None
        if answer in AUDIENCES:
            return AUDIENCES[answer][1]
        console.print(f"Answer {', '.join(AUDIENCES)}, or Enter.")


def ask_roles(console: Console, draft: Draft) -> dict[str, Role]:
    """Ask for the role of each undecided column; Enter takes the stricter one.

    One answer may decide on most columns that are not recognized. Ctrl-C and the end of input
    stop the command, and nothing is written.
    """
    console.print("Roles: i identifier, q quasi-identifier, s sensitive, o other, d drop")
    unknown = [one for one in draft.columns if one.undecided and one.meaning is None]
    together = _ask_together(console, unknown) if len(unknown) >= SEVERAL else {}
    left = [column for column in draft.assign(together).columns if column.undecided]
    return together | {
        column.name: _read_role(
            console, f"{shorten(column.name, LETTERS_SHOWN)}? (Enter: {column.stricter}) "
        )
        or column.stricter
        for column in left
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


def _read_role(console: Console, question: str) -> Role | None:
    """Ask for a role until the answer is one; nothing for Enter."""
    while True:
        answer = read_line(console, question)
        if not answer:
            return None
        if answer in ROLES or answer in ROLES.values():
            return ROLES.get(answer, answer)  # type: ignore[arg-type]
        console.print("Answer i, q, s, o or d.")
