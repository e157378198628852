"""Duals: row values that prove a lower bound on the loss of releases at the cell level."""

from dataclasses import dataclass

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts


@dataclass(frozen=True, eq=False)
class Duals(Discreet):
    """A feasible solution of the dual linear program, in integer units.

    A cell of weight w at level l of a hierarchy of height h costs w · l ∕ h · `scale` units. A
    suppressed cell, and a cell written as the suppressed value, costs w · `scale`. A cell of a
    hierarchy of height 0 costs nothing. The cost of a generalized tuple is the sum over its
    cells.

    The values are feasible if (1) for every generalized tuple that covers at least k rows, the
    k largest values among the covered rows sum to at most k times the cost of the tuple, and
    (2) no value exceeds the cost of a suppressed row by more than `price`. Then no release loses
    less than the sum of the values of all rows minus MaxSup · `price`: each class of a release
    is a tuple that covers its rows, each row of the class costs as much as the tuple, and any k
    of the rows cost at least the sum of their values.

    Parameters
    ----------
    scale
        Cost in units of a suppressed cell of weight 1.
    values
        The value of one row of each sequence of the frequency list.
    price
        The price of suppressing a row; 0 if no row may be suppressed.
    """

    scale: int
    values: Counts
    price: int = 0
