"""What a generalized cell of a class shows about its rows to a reader who knows the method.

A class is released as its join: in no generalized cell do all of its rows lie below one child of
the value, for else the cell would show the child. So the rows differ there, and a rare child
becomes more likely. With decoys, a cell may also be one level above the join, by lot.

The reader's prior is that the rows of a class are independent and that each has a child of the
value with its share among the rows of the private table.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Flags

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
    finer
        The number of private rows of each grandchild that has another label than its child.
    child_of
        The child of each of these grandchildren.
    is_last
        Whether no cell may be more general, so that a join at this value gets no decoy.
    """

    rows: Counts
    hidden: Flags
    finer: Counts
    child_of: Codes
    is_last: bool

    @cached_property
    def shares(self) -> Shares:
        """The share of each child."""
        shares: Shares = self.rows / max(1, self.rows.sum())
        return shares

    def agree(self, rows: int) -> Shares:
        """Return for each child the probability that all rows of a class have it."""
        agree: Shares = self.shares**rows
        return agree

    def join(self, rows: int) -> Shares:
        """Return for each child the probability that it is the join of a class."""
        finer = (self.finer / max(1, self.rows.sum())) ** rows
        apart = self.agree(rows) - np.bincount(self.child_of, finer, len(self.rows))
        return np.maximum(apart, 0.0)

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
    decoys, the likelihood of the cell is 1 − p if the rows differ (1 if no cell may be more
    general), and p if the child is their join.

    Parameters
    ----------
    node
        The released value.
    rows
        The number of rows of the class.
    decoys
        The probability p that a cell shows one level more than needed.

    Examples
    --------
    Of 100 private rows below a value, 1 has the first child and 99 the second. A class of five rows
    that shows the value has a row of each.

    >>> sexes = Node(np.array([1, 99]), np.zeros(2, bool), np.array([]), np.array([], int), True)
    >>> update_beliefs(sexes, 5).gains.round(3).tolist()
    [0.194, -0.194]
    >>> update_beliefs(sexes, 5, decoys=0.02).gains.round(3).tolist()
    [0.137, -0.137]
    """
    q, agree, differ = node.shares, node.agree(rows), node.differ(rows)
    of_join = 1.0 if node.is_last else 1.0 - decoys
    of_child = np.where(node.hidden, agree, decoys * node.join(rows))
    likelihood = of_join * differ + float(of_child.sum())
    if not likelihood > 0.0:
        return Beliefs(np.zeros_like(q), 0.0)
    after = (of_join * (q - agree) + of_child) / likelihood
    divergence = of_join * differ * np.log2(of_join / likelihood)
    if decoys:
        divergence += float(of_child[~node.hidden].sum()) * np.log2(decoys / likelihood)
    divergence += float(of_child[node.hidden].sum()) * np.log2(1.0 / likelihood)
    return Beliefs(after - q, max(0.0, float(divergence / likelihood)))
