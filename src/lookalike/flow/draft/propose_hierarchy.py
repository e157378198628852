"""Propose a hierarchy for a column, from its values and what they are thought to be."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from lookalike.errors import InvalidInput, not_one_of
from lookalike.flow.draft.column import ColumnProfile
from lookalike.flow.draft.propose_dates import propose_dates
from lookalike.flow.draft.propose_groups import propose_groups, propose_starter
from lookalike.flow.draft.propose_intervals import propose_intervals
from lookalike.flow.draft.propose_mask import looks_like_codes, propose_mask
from lookalike.flow.draft.proposed_hierarchy import ProposedHierarchy, propose_rule
from lookalike.hierarchy import Suppress

_Attempt = Callable[[ColumnProfile], ProposedHierarchy | None]
"""Proposes a hierarchy, or nothing if the values do not fit."""


def _propose_sex(_: ColumnProfile) -> ProposedHierarchy:
    """Propose to release or suppress the value."""
    return propose_rule(Suppress(), "It has few values, and no group of them would hide much.")


def _propose_code(column: ColumnProfile) -> ProposedHierarchy | None:
    """Propose a mask only if the values look like codes."""
    return propose_mask(column) if looks_like_codes(column) else None


def _starter(name: str) -> _Attempt:
    """Return the attempt with one starter."""
    return partial(propose_starter, name=name)


VALUE_KINDS: Mapping[str, Sequence[_Attempt]] = {
    "date": (propose_dates, partial(propose_intervals, kind="year")),
    "postal code": (propose_mask,),
    "code": (propose_mask,),
    "age": (partial(propose_intervals, kind="age"),),
    "year": (partial(propose_intervals, kind="year"),),
    "number": (propose_intervals,),
    "amount": (propose_intervals,),
    "sex": (_propose_sex,),
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

_ANY: Sequence[_Attempt] = (propose_dates, propose_starter, _propose_code, propose_intervals)


def propose_hierarchy(column: ColumnProfile, kind: str | None = None) -> ProposedHierarchy:
    """Propose a hierarchy for a column; its holder reviews it.

    Parameters
    ----------
    column
        The distinct values of the column and how often each occurs
        (:func:`~lookalike.flow.draft.count_column.count_column`).
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
