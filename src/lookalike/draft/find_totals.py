"""Find rows at the end of a file that are no data: totals, means and footnotes.

A row is judged by the last rows of its file, which are kept when it is read, and by the values of
columns that were counted for another purpose. So no row is read for this.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import takewhile

from lookalike.tables.connection import Connection
from lookalike.tables.files.plain_text import LastRows

_SUMMARY = re.compile(
    r"(?:(?:grand|sub|overall)[ -]?)?totals?|totale?|sums?|averages?|means?|median|"
    r"(?:gesamt)?summe|(?:ins)?gesamt|zusammen|mittelwert|durchschnitt|"
    r"somme|ensemble|moyenne|suma|promedio|media|totaal|gemiddelde",
    re.IGNORECASE,
)
"""Words by which a row of totals or means begins."""
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
LEAST_ABOVE = 3
"""How many rows above a row must be known to judge it."""
LEAST_MEANS = 2
"""How many columns of a row must be the means of the others: one may be so by chance."""

CountColumn = Callable[[str], Mapping[str, int] | None]
"""Returns the values of a column with their numbers of rows, if they were counted."""


def describe_totals(
    connection: Connection | None, counts: CountColumn
) -> Iterator[tuple[str, int]]:
    """Yield, for each file that ends with rows that are no data, a sentence and their number."""
    files = (
        [] if connection is None else [f for some in connection.last_rows.values() for f in some]
    )
    for last in files:
        number = _count_no_data(last)
        if not number and len(files) == 1 and _sums_up(last, counts):
            number = 1
        if number:
            which = "row" if number == 1 else f"{number} rows"
            verb = "looks" if number == 1 else "look"
            yield f"the last {which} of {last.file} {verb} like totals or notes, not data", number


def _count_no_data(last: LastRows) -> int:
    """Count the rows at the end of a file that are totals or notes by their empty cells."""
    places = range(len(last.rows) - 1, LEAST_ABOVE - 1, -1)
    return len(list(takewhile(lambda place: _is_no_data(last.rows, place), places)))


def _is_no_data(rows: Sequence[Sequence[str | None]], place: int) -> bool:
    """Return whether a row has far fewer values than those above, or is called a total."""
    filled = [cell for cell in rows[place] if cell is not None and cell.strip()]
    least = min(sum(cell is not None for cell in row) for row in rows[:place])
    called = bool(filled) and _SUMMARY.fullmatch(filled[0].strip(" :.=\t")) is not None
    return len(filled) < least if called else 2 * len(filled) <= least - 1


def _sums_up(last: LastRows, counts: CountColumn) -> bool:
    """Return whether a number of the last row is the sum of the others, or several their means."""
    if len(last.rows) <= LEAST_ABOVE:
        return False
    means = 0
    for name, cell in zip(last.names, last.rows[-1], strict=True):
        known = counts(name) if cell is not None and _NUMBER.fullmatch(cell) else None
        if known is None or cell is None:
            continue
        own, others = Decimal(cell), _leave_out(Decimal(cell), known)
        number = sum(rows for _, rows in others)
        total = sum((value * rows for value, rows in others), Decimal())
        if others and own == total > max(value for value, _ in others):
            return True
        last_digit = Decimal(1).scaleb(int(own.as_tuple().exponent))
        means += number >= LEAST_ABOVE and 2 * abs(total / number - own) <= last_digit
    return means >= LEAST_MEANS


def _leave_out(own: Decimal, known: Mapping[str, int]) -> list[tuple[Decimal, int]]:
    """Return the numbers of a column without the one of a row; none if others have it, too."""
    numbers = [(Decimal(value), rows) for value, rows in known.items() if _NUMBER.fullmatch(value)]
    others = [(value, rows) for value, rows in numbers if value != own]
    return others if sum(rows for value, rows in numbers if value == own) == 1 else []
