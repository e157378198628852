"""Complementary suppression: blank rows must number at least k (Achieving, Figure 8, step 4)."""

from collections.abc import Sequence

import numpy as np

from lookalike.kernels.types import Codes, Counts
from lookalike.model.membership import Membership, remove_failing


def suppress_complementary(
    sizes: Counts, given: Counts, memberships: Sequence[Membership], needed: int
) -> Counts:
    """Return the number of rows of each class to suppress, so that enough rows are blank.

    As few rows as possible are taken: a class gives rows while k remain in it, the largest class
    first. If all classes together cannot spare enough rows, the smallest class gives all of its
    rows. A row belongs to one class per quasi-identifier, and each of them must be able to
    spare it.
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
        given = np.where(remove_failing(left, memberships) == 0, sizes, given)
    return given


def _give_spare(
    sizes: Counts, given: Counts, memberships: Sequence[Membership], needed: int
) -> Counts:
    """Take rows that classes can spare, the largest class first, until enough are blank.

    A class can give rows while k remain over every quasi-identifier.
    """
    given = given.copy()
    while (lacking := needed - int(given.sum())) > 0:
        left = sizes - given
        spare = left
        for membership in memberships:
            of_class = membership.sizes(left)[membership.class_of]
            spare = np.minimum(spare, of_class - membership.k)
        spare = np.where(left > 0, np.maximum(spare, 0), 0)
        if not spare.any():
            break
        position = int(np.lexsort((-left, spare == 0))[0])
        given[position] += min(int(spare[position]), lacking)
    return given


def spread_over_sequences(counts: Counts, class_of: Codes, sizes: Counts, given: Counts) -> Counts:
    """Distribute the suppressed rows of each class over its sequences.

    If a class gives some of its rows, every row is equally likely to be taken: a rule by value
    or position would reveal something about the blank rows.
    """
    suppressed = np.where(given[class_of] == sizes[class_of], counts, 0)
    generator = np.random.default_rng()
    for partial in np.flatnonzero((given > 0) & (given < sizes)):
        members = np.flatnonzero(class_of == partial)
        suppressed[members] = generator.multivariate_hypergeometric(
            counts[members], given[partial], method="marginals"
        )
    return suppressed
