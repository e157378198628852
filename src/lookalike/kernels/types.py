"""Array types that the whole package shares."""

from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int32]
"""Positions in a list: codes of values, of sequences, of classes."""
Levels = npt.NDArray[np.int32]
"""Levels of generalization, one line an attribute."""
Counts = npt.NDArray[np.int64]
"""Numbers of rows, and costs in whole units."""
Flags = npt.NDArray[np.bool_]
"""Yes or no for each entry."""
Reals = npt.NDArray[np.float64]
"""Floating-point values of each entry."""
Hashes = npt.NDArray[np.uint64]
"""64-bit hashes of each entry."""
Digests = npt.NDArray[Any]
"""Bytes of fixed length for each entry: keyed digests of rows or values."""
