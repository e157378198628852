"""Array types that the whole package shares."""

from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int32]
"""Positions in a list: codes of values, of sequences, of classes."""
Levels = npt.NDArray[np.int32]
"""Levels of generalization, one row per attribute."""
Counts = npt.NDArray[np.int64]
"""Numbers of rows; also costs in whole units."""
Totals = npt.NDArray[np.uint8] | Counts
"""Numbers of rows, in bytes if they fit."""
Flags = npt.NDArray[np.bool_]
"""A truth value for each entry."""
Reals = npt.NDArray[np.float64]
"""A floating-point value for each entry."""
Hashes = npt.NDArray[np.uint64]
"""A 64-bit hash or word for each entry."""
Digests = npt.NDArray[Any]
"""Bytes of fixed length for each entry, such as keyed digests of rows or values."""
