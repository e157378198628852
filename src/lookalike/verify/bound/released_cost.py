"""Recompute the cost and the precision of a release from its file."""

from collections.abc import Mapping
from typing import Any

import duckdb

from lookalike.hierarchy.released_values import NOWHERE, read_attribute
from lookalike.tables.connection import Connection
from lookalike.tables.sql import derive, engine_errors, quote_name
from lookalike.verify.bound.claims import CertificateClaims
from lookalike.verify.bound.cost_units import CostUnits
from lookalike.verify.bound.proof import Proof
from lookalike.verify.recount import Finding
from lookalike.verify.values import recognize


def check_released_cost(
    units: CostUnits,
    proof: Proof,
    claims: CertificateClaims,
    release: duckdb.DuckDBPyRelation,
    kinds: Mapping[str, Any],
    connection: Connection,
) -> Finding:
    """Check the cost of the released cells, computed from the levels of their values."""
    claim = f"the release has a precision of {claims.precision:.6f}"
    cost = released = 0
    for attribute, name in enumerate(proof.attributes):
        levels, rows = _read_levels(units, proof, attribute, release, kinds[name], connection)
        if NOWHERE in levels:
            return Finding(claim, False, f"{name} has values that no allowed level has")
        step, released = int(units.steps[attribute]), sum(rows)
        cost += sum(level * step * number for level, number in zip(levels, rows, strict=True))
    cost += units.suppressed * (units.frequency.rows - released)
    holds = proof.cost == cost and proof.precision == units.precision(cost) == claims.precision
    found = f"its cells cost {cost:,} units, a precision of {units.precision(cost):.6f}"
    return Finding(claim, holds, found)


def _read_levels(
    units: CostUnits,
    proof: Proof,
    attribute: int,
    release: duckdb.DuckDBPyRelation,
    kind: Any,
    connection: Connection,
) -> tuple[list[int], list[int]]:
    """Return the level of each distinct value of a released column, and its number of rows.

    The level is the lowest allowed level with this value; a suppressed value has the full height.
    """
    hierarchy = units.frequency.hierarchies[attribute]
    low, high, height = proof.bottom[attribute], proof.top[attribute], hierarchy.height
    columns = [
        [labels[code] for code in codes.tolist()]
        for labels, codes in zip(hierarchy.labels, hierarchy.levels, strict=True)
    ]
    paths = list(zip(*columns, strict=True))
    shown, rows = _count_values(release, hierarchy.column)
    read = read_attribute(
        hierarchy.column,
        [path[low : high + 1] for path in paths],
        recognize(shown, paths, range(low, high + 1), kind, connection),
        hierarchy.suppressed,
    )
    places = read.levels[read.released].tolist()
    found = {NOWHERE: NOWHERE, high - low + 1: height}
    return [found.get(place, place + low) for place in places], rows


def _count_values(release: duckdb.DuckDBPyRelation, name: str) -> tuple[list[Any], list[int]]:
    """Return the distinct values of a released column, and the number of rows of each."""
    column = quote_name(name)
    with engine_errors("the release"):
        found = derive(release, f"SELECT {column}, count(*) FROM t GROUP BY ALL").to_arrow_table()
    return found.column(0).to_pylist(), found.column(1).to_pylist()
