"""Choose the cells to suppress so that no rare combination of values remains (µ-Argus)."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Counts, Flags


@compiled
def break_combinations(unsafe: Flags, members: Flags, order: Counts, costs: Counts) -> Flags:
    """Suppress values in each sequence until no rare combination is complete.

    Each step suppresses the value that occurs in the most combinations for its cost (Achieving,
    Figure 11, step 6). Ties go to the first attribute in `order`.

    ``unsafe``: whether each combination is rare, one row per sequence, one column per combination.
    ``members``: whether each attribute takes part, one row per combination, one column per
    attribute.
    ``order``: the attributes, by precedence.
    ``costs``: the cost of suppressing a value of each attribute.

    Returns
    -------
    suppressed
        Whether each value is suppressed, one row per sequence, one column per attribute.

    Examples
    --------
    >>> members = np.array([[True, True, False], [True, False, True]])
    >>> unsafe = np.array([[True, True], [False, True], [False, False]])
    >>> order, costs = np.array([1, 0, 2]), np.ones(3, dtype=np.int64)
    >>> break_combinations(unsafe, members, order, costs).tolist()
    [[True, False, False], [True, False, False], [False, False, False]]
    """
    suppressed = np.zeros((len(unsafe), len(order)), dtype=np.bool_)
    left = np.empty(len(members), dtype=np.int64)
    for sequence in range(len(unsafe)):
        whole = 0
        for combination in range(len(members)):
            if unsafe[sequence, combination]:
                left[whole] = combination
                whole += 1
        while whole:
            found = np.zeros(len(order), dtype=np.int64)
            for place in range(whole):
                for attribute in range(len(order)):
                    found[attribute] += members[left[place], attribute]
            chosen = -1
            for attribute in order:
                if found[attribute] and (
                    chosen < 0
                    or found[attribute] * costs[chosen] > found[chosen] * costs[attribute]
                ):
                    chosen = attribute
            suppressed[sequence, chosen] = True
            kept = 0
            for place in range(whole):
                if not members[left[place], chosen]:
                    left[kept] = left[place]
                    kept += 1
            whole = kept
    return suppressed
