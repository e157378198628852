"""Duals: prices of tuples that prove how little a release at the cell level can lose."""

from dataclasses import dataclass

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts


@dataclass(frozen=True, eq=False)
class Duals(Discreet):
    """A solution of the dual of the problem, in whole units: a certificate of its bound.

    A cell of weight w at level l of a hierarchy of height h costs w · l ∕ h · `scale` units, a
    suppressed one (and one that is written as the suppressed value) w · `scale`, one of height 0
    nothing; a generalized tuple costs what its cells cost. If, for every generalized tuple that
    covers at least k rows, the k largest values among the rows it covers sum to at most k
    times its cost, and no value exceeds the cost of a suppressed row by more than `price`, then
    no release loses less than the sum of the values of all rows less MaxSup · `price`: a class
    of a release is a tuple that covers its rows, each row of it pays the tuple's cost, and of
    its rows any k pay at least their values.

    Parameters
    ----------
    scale
        How many units a cell of weight 1 costs when it is suppressed.
    values
        The value of one row of each sequence of the frequency list.
    price
        The price of suppressing a row; 0 where none may be.
    """

    scale: int
    values: Counts
    price: int = 0
