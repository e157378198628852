"""Propose a hierarchy for a column, from its values and what they are thought to be."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from lookalike.draft.column import ColumnProfile
from lookalike.draft.propose_dates import KNOWN_SHARE, propose_dates
from lookalike.draft.propose_intervals import propose_intervals
from lookalike.draft.propose_mask import looks_like_codes, propose_mask
from lookalike.draft.proposed_hierarchy import (
    FileLine,
    ProposedHierarchy,
    note_lost,
    propose_file,
    propose_rule,
)
from lookalike.draft.starter import STARTERS, Starter, read_starter, spell_plainly
from lookalike.errors import InvalidInput, not_one_of
from lookalike.hierarchy import SUPPRESSED, Suppress

_FEW = 8
"""So many categories or fewer are released or suppressed."""
_FEWEST_KNOWN = 3
"""A starter must know so many values."""
_MOST_KNOWN = 2_000
"""A column with more values has others than those of a starter."""
_RARE = {"other, rare": 0.01, "other": 0.05}
"""The labels of rare values at levels 1 and 2, and the shares of the rows below which they are
rare. A label is released, so it shows no number of the private table."""
_MOST_UNITED = 1 / 3
"""The greatest share of the rows that a label of rare values may unite: beyond it, the label
says next to nothing about most rows, and a level costs real detail of other columns."""
_SHORTEST_FOUND = 2
"""A single letter is recognized only if the column is known to hold values of the starter."""


def propose_starter(column: ColumnProfile, name: str | None = None) -> ProposedHierarchy | None:
    """Propose the groups of a starter, or nothing if none knows nearly all values.

    Examples
    --------
    >>> states = ColumnProfile("state", 9, ("NY", "NJ", "TX", "Mars"), (3, 3, 2, 1), 4)
    >>> propose_starter(states) is None
    True
    >>> states = ColumnProfile("state", 99, ("NY", "NJ", "TX", "Mars"), (50, 30, 18, 1), 4)
    >>> print(propose_starter(states).file_text, end="")
    "NY";"Middle Atlantic";"*"
    "NJ";"Middle Atlantic";"*"
    "TX";"West South Central";"*"
    "Mars";"*";"*"
    """
    if column.distinct > _MOST_KNOWN:
        return None
    starters = [read_starter(one) for one in ([name] if name else STARTERS)]
    shortest = 1 if name else _SHORTEST_FOUND
    known = [_count_known(starter, column, shortest) for starter in starters]
    values, rows = max(known, key=lambda counted: counted[1])
    if values < _FEWEST_KNOWN or rows < KNOWN_SHARE * sum(column.counts):
        return None
    starter = starters[known.index((values, rows))]
    top = (SUPPRESSED,) * starter.height
    lines = [(value, *(starter.find(value) or top), SUPPRESSED) for value in column.values]
    missed = len(column.values) - values
    lost = note_lost(missed, "would go to the top directly, without a known group")
    return propose_file(column, lines, f"{STARTERS[starter.name]}{lost}.")


def _count_known(starter: Starter, column: ColumnProfile, shortest: int) -> tuple[int, int]:
    """Return how many values a starter knows, and the number of their rows."""
    known = [
        rows
        for value, rows in zip(column.values, column.counts, strict=True)
        if len(spell_plainly(value)) >= shortest and starter.find(value)
    ]
    return len(known), sum(known)


_Attempt = Callable[[ColumnProfile], ProposedHierarchy | None]
"""Proposes a hierarchy, or nothing if the values do not fit."""


def _starter(name: str) -> _Attempt:
    """Return the attempt with one starter."""
    return partial(propose_starter, name=name)


_FEW_REASON = "It has few values, and no group of them would hide much."
VALUE_KINDS: Mapping[str, Sequence[_Attempt]] = {
    "date": (propose_dates, partial(propose_intervals, kind="year")),
    "postal code": (propose_mask,),
    "code": (propose_mask,),
    "age": (partial(propose_intervals, kind="age"),),
    "year": (partial(propose_intervals, kind="year"),),
    "number": (propose_intervals,),
    "amount": (propose_intervals,),
    "sex": (lambda _: propose_rule(Suppress(), _FEW_REASON),),
    "race": (_starter("race"),),
    "marital status": (_starter("marital status"),),
    "education": (_starter("education"),),
    "occupation": (_starter("occupation"), propose_starter),
    "country": (_starter("country"),),
    "us state": (_starter("us state"),),
    "place": (propose_starter,),
    "category": (propose_starter,),
}
"""What the values of a column may be, and the attempts in their order; the rest is grouped."""

_ANY: Sequence[_Attempt] = (
    propose_dates,
    propose_starter,
    lambda column: propose_mask(column) if looks_like_codes(column) else None,
    propose_intervals,
)


def propose_hierarchy(column: ColumnProfile, kind: str | None = None) -> ProposedHierarchy:
    """Propose a hierarchy for a column; its holder reviews it.

    Parameters
    ----------
    column
        The distinct values of the column and how often each occurs
        (:func:`~lookalike.draft.column.count_column`).
    kind
        What the values are thought to be, one of :data:`VALUE_KINDS`. It is a hint: the values
        decide. Without it, every kind is tried.

    Raises
    ------
    InvalidInput
        If dates are ambiguous, with how to decide; or if there is no such kind.

    Examples
    --------
    >>> births = ColumnProfile("birth", 2, ("13.02.1965", "23.10.1944"), (1, 1), 2)
    >>> found = propose_hierarchy(births, "date")
    >>> found.reason
    'No calendar span merges only some of the dates.'
    """
    if kind is not None and kind not in VALUE_KINDS:
        raise InvalidInput(not_one_of("kind", kind, VALUE_KINDS))
    attempts = _ANY if kind is None else VALUE_KINDS[kind]
    found = (attempt(column) for attempt in attempts if column.values)
    return next((one for one in found if one is not None), None) or propose_groups(column)


def propose_groups(column: ColumnProfile) -> ProposedHierarchy:
    """Propose to keep frequent values and to put rare ones together.

    Examples
    --------
    >>> wards = ColumnProfile("ward", 200, tuple("abcdefghij"), (100, 92, *(1,) * 8), 10)
    >>> propose_groups(wards).lines[1:3]
    (('b', 'b', '*'), ('c', 'other, rare', '*'))

    Values that are nearly all rare are released or suppressed: their group would say nothing.

    >>> streets = ColumnProfile("street", 900, tuple(map(str, range(300))), (3,) * 300, 300)
    >>> propose_groups(streets).table
    '{ kind = "suppress" }'
    """
    if column.distinct <= _FEW:
        return propose_rule(Suppress(), "It has few values, without groups that are known.")
    rows, counted = sum(column.counts), [*zip(column.values, column.counts, strict=True)]
    above = []
    for other, share in _RARE.items():
        united = sum(count for _, count in counted if count < share * rows)
        if united < _MOST_UNITED * rows:
            above.append([other if count < share * rows else value for value, count in counted])
    if not above:
        reason = f"{column.distinct:,} categories, mostly rare: write groups of them if you can."
        return propose_rule(Suppress(), reason)
    lines: list[FileLine] = [
        (value, *labels, SUPPRESSED) for value, *labels in zip(column.values, *above, strict=True)
    ]
    reason = f"{column.distinct:,} categories: rare ones together; write better groups if you can."
    return propose_file(column, lines, reason)
