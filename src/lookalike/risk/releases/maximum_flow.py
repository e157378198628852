"""Find a maximum flow in a network, with scipy."""

from typing import Any

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int_ | np.int32]
"""Numbers of nodes."""


def find_maximum_flow(
    capacity: npt.NDArray[np.integer[Any]], tails: Places, heads: Places, source: int, sink: int
) -> Any:
    """Return scipy's result for a maximum flow; the sink must be the last node.

    Examples
    --------
    >>> tails, heads = np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3])
    >>> int(find_maximum_flow(np.array([2, 3, 1, 5]), tails, heads, 0, 3).flow_value)
    4
    """
    from scipy.sparse import csr_array  # imported late because it is slow
    from scipy.sparse.csgraph import maximum_flow

    network = csr_array((capacity.astype(np.int32), (tails, heads)), shape=(sink + 1,) * 2)
    return maximum_flow(network, source, sink, method="dinic")
