"""Rows that are alike except for a number, to see which of them a method treats differently."""

import lookalike as la

from ..roles import UNIQUE

CATEGORICAL = ["区"]


def number_rows(names, groups):
    """Return the columns of some rows, and a column n that numbers them: n00, n01, …"""
    columns = dict(zip(names, map(list, zip(*groups, strict=True)), strict=True))
    return columns | {"n": [f"n{number:02}" for number in range(len(groups))]}


def release_numbered(engine, columns, roles, method, **fields):
    """Release numbered rows on some kind of table with k = 3."""
    table = engine(columns, categorical=CATEGORICAL)
    return la.release(table, k=3, attributes=roles | {"n": UNIQUE}, method=method, **fields)
