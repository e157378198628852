"""Complementary suppression: blank rows must be alike in numbers, too (Achieving, Figure 8)."""

from collections.abc import Sequence

import numpy as np

from lookalike.kernels.types import Codes, Counts
from lookalike.model.requirement import Membership, remove_small


def suppress_complementary(
    sizes: Counts, given: Counts, memberships: Sequence[Membership], needed: int
) -> Counts:
    """Say how many rows each class gives, so that the blank rows number at least k (step 4).

    As few as possible are taken: a class gives rows while k remain in it, the largest class
    first; if all classes together cannot spare enough, the smallest gives all of its rows. A
    row is a member of one class for each quasi-identifier, and all of them must spare it.

    Parameters
    ----------
    sizes
        The sizes of the classes over all attributes.
    given
        How many rows of each class are blank already.
    memberships
        For each quasi-identifier, which of those classes look alike over it.
    needed
        How many blank rows there must be.
    """
    while given.sum() < needed:
        enough = _give_spare(sizes, given, memberships, needed)
        if enough.sum() == needed:
            return enough
        left = sizes - given
        whole = np.flatnonzero(left)
        if not len(whole):
            break
        left[whole[np.argmin(left[whole])]] = 0
        given = np.where(remove_small(left, memberships) == 0, sizes, given)
    return given


def _give_spare(
    sizes: Counts, given: Counts, memberships: Sequence[Membership], needed: int
) -> Counts:
    """Take rows that classes can spare, the largest class first, until enough are blank."""
    given = given.copy()
    while (lacking := needed - int(given.sum())) > 0:
        left = sizes - given
        spare = _spare(left, memberships)
        if not spare.any():
            break
        position = int(np.lexsort((-left, spare == 0))[0])
        given[position] += min(int(spare[position]), lacking)
    return given


def _spare(left: Counts, memberships: Sequence[Membership]) -> Counts:
    """Say how many rows each class could give while k remain over every quasi-identifier."""
    spare = left.copy()
    for membership in memberships:
        spare = np.minimum(spare, membership.sizes(left) - membership.k)
    return np.where(left > 0, np.maximum(spare, 0), 0)


def spread_over_sequences(counts: Counts, class_of: Codes, sizes: Counts, given: Counts) -> Counts:
    """Spread the rows that each class gives over its sequences.

    Where a class gives some of its rows, every row is equally likely to be taken: a rule by
    value or position would tell something about the blank rows.

    Parameters
    ----------
    counts
        The number of rows of each sequence.
    class_of
        The class of each sequence.
    sizes
        The number of rows of each class.
    given
        The number of rows that each class gives.
    """
    suppressed = np.where(given[class_of] == sizes[class_of], counts, 0)
    generator = np.random.default_rng()
    for partial in np.flatnonzero((given > 0) & (given < sizes)):
        members = np.flatnonzero(class_of == partial)
        suppressed[members] = generator.multivariate_hypergeometric(
            counts[members], given[partial], method="marginals"
        )
    return suppressed
