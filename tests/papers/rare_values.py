"""Rare values and rare rows, for the tests of µ-Argus."""

from lookalike.search.argus.combinations import (
    find_unsafe,
)


def find_outliers(freq, combinations):
    """Return the outliers of every sequence that has some."""
    tested = find_unsafe(freq, combinations, 2)
    found = {values: tested.outliers(place) for place, values in enumerate(freq.sequences())}
    return {values: [set(names) for names in outliers] for values, outliers in found.items()}


def rows_below(rows, k):
    """Return the rows of a printed table that occur fewer than k times in it."""
    return [row for row in rows if rows.count(row) < k]
