"""What a generalized cell of a class shows about its rows to a reader who knows the method.

A class is released as its join: in no generalized cell do all of its rows lie below one child of
the value, for else the cell would show the child. So the rows differ there, and a rare child
becomes more likely. With decoys, a cell may also be above the join, at random
(:mod:`lookalike.search.cells.decoys`).

The reader's prior is that the rows of a class are independent and that each has a child of the
value with its share among the rows of the private table.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts, Flags

Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Node(Discreet):
    """A released value with the values below it.

    Parameters
    ----------
    rows
        The number of private rows of each child.
    hidden
        Which children are themselves written as the suppressed value, as the value then is: the
        rows of such a class may all lie below this child.
    levels
        The number of allowed levels that have the value: usually one, and none for a suppressed
        value that no allowed level has for every row.
    """

    rows: Counts
    hidden: Flags
    levels: int = 1

    @cached_property
    def shares(self) -> Shares:
        """The share of each child."""
        shares: Shares = self.rows / max(1, self.rows.sum())
        return shares

    def agree(self, rows: int) -> Shares:
        """Return for each child the probability that all rows of a class have it."""
        agree: Shares = self.shares**rows
        return agree

    def differ(self, rows: int) -> float:
        """Return the probability that the rows of a class do not all have the same child.

        It is computed from the rows outside the largest child, because 1 − q^n is not exact for
        shares near 1.
        """
        largest, total = int(self.rows.argmax()), int(self.rows.sum())
        outside = (total - int(self.rows[largest])) / max(1, total)
        if not 0 < outside < 1:
            return 0.0
        others = float(self.agree(rows).sum() - self.agree(rows)[largest])
        return max(0.0, float(-np.expm1(rows * np.log1p(-outside))) - others)

    def likelihood_of_decoy(self, rate: float) -> float:
        """Return how likely a class shows the value at random, given that it shows nothing higher.

        It is 0 without decoys, and else at least the rate.
        """
        return float(1.0 - (1.0 - rate) ** self.levels)


@dataclass(frozen=True, eq=False)
class Beliefs(Discreet):
    """What a reader believes about a row of a class after seeing a generalized cell.

    Parameters
    ----------
    gains
        For each child, how much more likely the row has it than before.
    bits
        What the cell shows beyond its value, in bits: the divergence of the beliefs about the
        rows of the class from those before.
    """

    gains: Shares
    bits: float


def update_beliefs(node: Node, rows: int, decoys: float = 0.0) -> Beliefs:
    """Return what a class of so many rows shows by a generalized cell.

    Without decoys, the belief that a row has a child of share q rises from q to
    q (1 − qⁿ⁻¹) ∕ (1 − Σ qⁿ), where n is the number of rows. The gain is at most (1 − q) ∕ n. With
    decoys, rows that agree on a child are shown so with a likelihood of p relative to rows that
    differ.

    Examples
    --------
    Of 100 private rows below a value, 1 has the first child and 99 the second. A class of five rows
    that shows the value has a row of each.

    >>> sexes = Node(np.array([1, 99]), np.zeros(2, bool))
    >>> update_beliefs(sexes, 5).gains.round(3).tolist()
    [0.194, -0.194]
    >>> update_beliefs(sexes, 5, decoys=0.02).gains.round(3).tolist()
    [0.137, -0.137]
    """
    q, agree, differ = node.shares, node.agree(rows), node.differ(rows)
    of_decoy = node.likelihood_of_decoy(decoys)
    of_child = np.where(node.hidden, 1.0, of_decoy) * agree
    likelihood = differ + float(of_child.sum())
    if not likelihood > 0.0:
        return Beliefs(np.zeros_like(q), 0.0)
    after = (q - agree + of_child) / likelihood
    divergence = (differ + float(of_child[node.hidden].sum())) * np.log2(1.0 / likelihood)
    if of_decoy:
        divergence += float(of_child[~node.hidden].sum()) * np.log2(of_decoy / likelihood)
    return Beliefs(after - q, max(0.0, float(divergence / likelihood)))
