"""Spark order: rows in random order, by one shuffle.

``orderBy`` would divide the rows by ranges of the key, and computes all of them twice to find these
ranges. Here the key, which is random and different for every row, chooses the partition of its row
by Spark's own hash, and the rows of a partition are sorted by the key.

The order is unbiased: it is that of the pairs (partition, key). The keys of the rows are
independent and have the same distribution, and so have the pairs, however even or uneven the
partitions are. Exchanging two rows changes nothing, so every order is equally likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ORDER = "lookalike order"
"""The column by which rows are ordered; never released."""
ROWS_TOGETHER = 250_000
"""How many rows a partition has, on average."""
MOST_PARTITIONS = 5_000
"""More would cost more than they save: a shuffle has as many pieces as the square."""


def shuffle_rows(rows: DataFrame, number: int) -> DataFrame:
    """Order rows by their random key, the same each time.

    The number of partitions depends on that of the rows alone: what Spark would choose may
    change from run to run, and the order with it.

    Parameters
    ----------
    rows
        The rows, with their keys as :data:`ORDER`.
    number
        How many there are.
    """
    partitions = min(1 + number // ROWS_TOGETHER, MOST_PARTITIONS)
    return rows.repartition(partitions, ORDER).sortWithinPartitions(ORDER)
