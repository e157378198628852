"""A proved bound: the duals that prove it at the cell level, and the words that state it.

A bound at the cell level is proved for classes of k rows. It holds all the more for persons and
protections, but the distance to it is then not what the search may have missed. Every output that
shows a bound uses these words.
"""

from dataclasses import dataclass

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts


@dataclass(frozen=True, eq=False)
class Duals(Discreet):
    """A feasible solution of the dual linear program, in integer units.

    By precision, a cell of weight w at level l of a hierarchy of height h costs w · l ∕ h · `scale`
    units. By loss, it costs w · (leaves under its label − 1) ∕ (all leaves − 1) · `scale`, rounded
    down. A suppressed cell, and a cell written as the suppressed value, costs w · `scale`. A cell
    of a hierarchy of height 0 costs nothing. The cost of a generalized tuple is the sum over its
    cells.

    The values are feasible if (1) for every generalized tuple that covers at least k rows, the
    k largest values among the covered rows sum to at most k times the cost of the tuple, and
    (2) no value exceeds the cost of a suppressed row by more than `price`. Then no release loses
    less than the sum of the values of all rows minus MaxSup · `price`: each class of a release
    is a tuple that covers its rows, each row of the class costs as much as the tuple, and any k
    of the rows cost at least the sum of their values.

    ``scale``: cost in units of a suppressed cell of weight 1.
    ``values``: the value of one row of each sequence of the frequency list.
    ``price``: the price of suppressing a row; 0 if no row may be suppressed.
    """

    scale: int
    values: Counts
    price: int = 0


def name_stricter(*, persons: bool, protections: bool, keep: bool = False) -> str:
    """Name what a release satisfies beyond classes of k rows, if that may have cost something."""
    asked = {
        "k persons a class": persons,
        "the protections of sensitive values": protections,
        "what must be kept of some attributes": keep,
    }
    return " and ".join(name for name, is_asked in asked.items() if is_asked)


def state_bound(exceeds: str, k: int, stricter: str = "", reached: str | None = None) -> str:
    """State that no release exceeds a bound, and what else makes the distance to it.

    Examples
    --------
    >>> state_bound("reaches more than 0.85", 5)
    'no release reaches more than 0.85'
    >>> more = name_stricter(persons=False, protections=True)
    >>> state_bound("reaches more than 0.76", 5, more, "0.75")  # doctest: +NORMALIZE_WHITESPACE
    'no release with k = 5 alone reaches more than 0.76 (with k = 5 alone 0.75 was reached; the rest
    of the difference is due to the protections of sensitive values)'
    >>> state_bound("exceeds 0.76", 5, more)  # doctest: +NORMALIZE_WHITESPACE
    'no release with k = 5 alone exceeds 0.76 (part of the difference may be due to the protections
    of sensitive values)'
    """
    if not stricter:
        return f"no release {exceeds}"
    alone = f"with k = {k:,} alone"
    part = (
        f"part of the difference may be due to {stricter}"
        if reached is None
        else f"{alone} {reached} was reached; the rest of the difference is due to {stricter}"
    )
    return f"no release {alone} {exceeds} ({part})"
