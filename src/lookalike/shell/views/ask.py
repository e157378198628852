"""Ask the data holder at a terminal: what to generalize, and what to keep."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from rich import box
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table

from lookalike.search.argus.options import UNDO, Decide, Unsafe

MOST_SHOWN = 12
STOP, BACK = "", "u"
WHICH = "Generalize which attribute? (name or number; u: undo; Enter: suppress the rest) "


def ask_at(console: Console, quiet: Callable[[], AbstractContextManager[None]]) -> Decide:
    """Return a decision that is asked for on a console (Achieving, Figure 11, steps 4 and 5).

    Parameters
    ----------
    console
        Where to show what is unsafe and read the answer.
    quiet
        Holds back whatever else is shown there meanwhile.
    """

    def decide(unsafe: Unsafe) -> str | None:
        with quiet():
            console.print(show_unsafe(unsafe))
            return _read_answer(console, unsafe)

    return decide


def ask_to_keep(
    console: Console, quiet: Callable[[], AbstractContextManager[None]]
) -> Callable[[], bool]:
    """Return a question that is asked when a search is interrupted (Ctrl-C).

    Parameters
    ----------
    console
        Where to ask.
    quiet
        Holds back whatever else is shown there meanwhile.
    """

    def keep() -> bool:
        with quiet():
            return _read_line(console, "Keep the best found so far? (y: yes; Enter: stop) ") == "y"

    return keep


def show_unsafe(unsafe: Unsafe) -> RenderableType:
    """Show how many rare values each attribute takes part in, and each combination has."""
    if not unsafe.combinations:
        return f"Every tested combination of values occurs at least {unsafe.k} times."
    ranked = sorted(unsafe.combinations.items(), key=lambda item: -item[1][1])
    hidden = len(ranked) - MOST_SHOWN
    return Group(
        f"{unsafe.rows:,} rows have values that occur fewer than {unsafe.k} times in combination.",
        _attributes(unsafe),
        _combinations(ranked[:MOST_SHOWN]),
        *([f"{hidden:,} more combinations have rare values."] if hidden > 0 else []),
    )


def _attributes(unsafe: Unsafe) -> Table:
    """Show each attribute, its number for the answer, and what it takes part in."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("attribute")
    table.add_column("level", justify="right")
    table.add_column("rare values it is part of", justify="right")
    for number, (name, rare) in enumerate(unsafe.attributes.items(), start=1):
        level = f"{unsafe.levels[name]} of {unsafe.heights[name]}"
        table.add_row(str(number), escape(name), level, f"{rare:,}")
    return table


def _combinations(ranked: list[tuple[tuple[str, ...], tuple[int, int]]]) -> Table:
    """Show how many values of each combination are rare, and how many rows have them."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("combination")
    table.add_column("rare values", justify="right")
    table.add_column("rows", justify="right")
    for names, (rare, rows) in ranked:
        table.add_row(escape(" × ".join(names)), f"{rare:,}", f"{rows:,}")
    return table


def _read_answer(console: Console, unsafe: Unsafe) -> str | None:
    """Read which attribute to generalize, until the answer can be understood."""
    names = list(unsafe.levels)
    numbered = {str(number): name for number, name in enumerate(names, start=1)}
    while True:
        answer = _read_line(console, WHICH)
        if answer == STOP:
            return None
        if answer == BACK:
            return UNDO
        chosen = numbered.get(answer, answer)
        if chosen not in names:
            console.print(f"There is no attribute {answer!r}.", markup=False)
        elif unsafe.levels[chosen] == unsafe.heights[chosen]:
            console.print(f"{chosen} is at the top of its hierarchy already.", markup=False)
        else:
            return chosen


def _read_line(console: Console, question: str) -> str:
    """Read a line; the end of input stops the command, as Ctrl-C does."""
    try:
        return console.input(question).strip()
    except EOFError:
        raise KeyboardInterrupt from None
