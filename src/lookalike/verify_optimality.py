"""Verify optimality: check the bound of a release at the cell level, without what found it.

Nothing of the search is imported here. A class of a release is the rows that some generalized
tuple covers, k of them at least, and each pays what the tuple costs. So if the k largest values
among the rows that a tuple covers add up to no more than k times its cost, whatever the tuple,
then any k rows of a class pay no less than their values, and so does the whole class. A
suppressed row pays no less than its value less the price. Summed up, no release costs less than
Σ count · value − MaxSup · price: :func:`check_optimality` checks the premises one by one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np

from lookalike.count import count
from lookalike.duals import Duals
from lookalike.frequency import FrequencyList, list_frequencies
from lookalike.hierarchy import Hierarchy
from lookalike.lattice import Lattice
from lookalike.proof import Proof, decode_values, digest_hierarchies, digest_table
from lookalike.read import Engine
from lookalike.sql import derive, engine_errors, quote_name
from lookalike.table import Frame
from lookalike.verify import Finding, as_relation
from lookalike.verify_cells import NOWHERE, read_attribute
from lookalike.verify_duals import Units, find_violated
from lookalike.verify_truth import column_kinds, recognize

EXACT = 2**62
"""Sums below it are exact in 64 bits."""


@dataclass(frozen=True)
class Told:
    """What the certificate of a release tells of what was asked, and reached.

    Parameters
    ----------
    software, method, release_sha256
        What made the release, and the digest of its file.
    weights
        The weight of each attribute.
    quasi_identifiers
        The attributes of each quasi-identifier, and its k.
    max_suppressed
        How many rows could be suppressed, or which fraction of them; nothing allows none.
    levels
        The least and the greatest vector that constraints leave, by the heights.
    suppressed_label
        How the suppressed value is written.
    precision, precision_bound, proved
        The Prec of the release, the greatest that is possible, and whether that is reached.
    """

    software: str
    method: str
    release_sha256: str
    weights: Mapping[str, Decimal]
    quasi_identifiers: Sequence[tuple[tuple[str, ...], int]]
    max_suppressed: int | Decimal | None
    levels: Lattice
    suppressed_label: str
    precision: float
    precision_bound: float | None
    proved: bool

    def allowed(self, rows: int) -> int:
        """Return how many of so many rows could be suppressed."""
        limit = self.max_suppressed or 0
        return limit if isinstance(limit, int) else int(limit * rows)


def check_optimality(
    proof: Proof,
    told: Told,
    private: Frame,
    release: duckdb.DuckDBPyRelation,
    hierarchies: Mapping[str, Hierarchy],
    engine: Engine,
) -> Iterator[Finding]:
    """Check that no release is better than the bound, and how far this one is from it.

    Parameters
    ----------
    proof
        What the holder keeps.
    told
        What the certificate tells.
    private
        The private table.
    release
        The released rows.
    hierarchies
        The hierarchy of each attribute.
    engine
        Where the release was opened.
    """
    counted = count(private, list(hierarchies))
    bound = [
        rule.bind(name, values, told.suppressed_label)
        for (name, rule), values in zip(hierarchies.items(), counted.values, strict=True)
    ]
    _, frequency = list_frequencies(bound, counted.positions, counted.counts)
    belongs = [*_check_origin(proof, told, frequency), *_check_asked(proof, told, frequency)]
    yield from belongs
    if not all(finding.holds for finding in belongs):
        return
    units = Units(frequency, [Decimal(text) for text in proof.weights], proof.scale)
    duals = Duals(proof.scale, decode_values(proof.values), proof.price)
    exact = _check_exact(units, duals, proof.k)
    yield exact
    if exact.holds:
        yield _check_price(units, duals, proof.allowed)
        yield _check_groups(units, duals, proof)
        yield _check_bound(units, duals, proof, told)
        kinds = column_kinds(as_relation(private, engine))
        yield _check_cost(units, proof, told, release, kinds)
        yield _check_proved(units, proof, told)


def _check_origin(proof: Proof, told: Told, frequency: FrequencyList) -> Iterator[Finding]:
    """Check that a proof is of this release, this private table and these hierarchies."""
    made = (told.release_sha256, told.software, told.method)
    yield _compare(
        "the proof of optimality is of this release",
        (proof.release_sha256, proof.software, proof.method) == made,
        "it is of another one",
    )
    yield _compare(
        "it is of this private table",
        proof.table_sha256 == digest_table(frequency),
        "the distinct sequences of values or their counts differ",
    )
    shape = (frequency.attributes, frequency.heights, digest_hierarchies(frequency))
    yield _compare(
        "it is of these hierarchies",
        (proof.attributes, proof.heights, proof.hierarchies_sha256) == shape,
        "the attributes, their heights or what becomes of their values differ",
    )


def _check_asked(proof: Proof, told: Told, frequency: FrequencyList) -> Iterator[Finding]:
    """Check that a proof answers what was asked."""
    yield _compare(
        f"it is for k = {proof.k} over all attributes together",
        list(told.quasi_identifiers) == [(frequency.attributes, proof.k)],
        "the certificate says k = "
        + ", and ".join(f"{k} over {', '.join(names)}" for names, k in told.quasi_identifiers),
    )
    allowed = told.allowed(frequency.rows)
    yield _compare(
        f"it is for at most {proof.allowed:,} suppressed rows",
        proof.allowed == allowed,
        f"the certificate allows {allowed:,}",
    )
    yield _compare(
        "it is for the weights of the certificate",
        [Decimal(text) for text in proof.weights]
        == [told.weights.get(name) for name in frequency.attributes],
        "they differ",
    )
    yield _compare(
        "it is for the levels that the constraints leave",
        (proof.bottom, proof.top) == (told.levels.bottom, told.levels.top),
        f"they leave {list(told.levels.bottom)} to {list(told.levels.top)}, the proof is for "
        f"{list(proof.bottom)} to {list(proof.top)}",
    )


def _compare(claim: str, holds: bool, otherwise: str) -> Finding:
    """Say that something is as it must be, or what it is instead."""
    return Finding(claim, holds, "it is" if holds else otherwise)


def _check_exact(units: Units, duals: Duals, k: int) -> Finding:
    """Check that there is a value for each sequence, and that all numbers are exact."""
    claim = "it has a value for each distinct sequence, in whole units"
    sequences, found = len(units.frequency), len(duals.values)
    if found != sequences:
        return Finding(claim, False, f"{found:,} values for {sequences:,} sequences")
    if not units.whole:
        return Finding(claim, False, f"a level costs no whole number of {duals.scale:,} units")
    if not any(units.weights):
        return Finding(claim, False, "every weight is 0")
    largest = max(-int(duals.values.min()), int(duals.values.max()), units.suppressed)
    if k * largest >= EXACT:
        return Finding(claim, False, f"{k:,} of the largest cannot be added up exactly")
    return Finding(claim, True, f"{found:,} values, {duals.scale:,} units for a suppressed cell")


def _check_price(units: Units, duals: Duals, allowed: int) -> Finding:
    """Check that a suppressed row is worth its value; if none may be, there is no price."""
    claim = "no value exceeds the cost of a suppressed row and the price of suppressing it"
    if duals.price < 0:
        return Finding(claim, False, f"the price is {duals.price:,} units, below 0")
    if not allowed:
        return Finding(claim, True, "no row may be suppressed")
    most = units.suppressed + duals.price
    above = int(np.count_nonzero(duals.values > most))
    found = f"{above:,} values are above {most:,} units" if above else f"all up to {most:,} units"
    return Finding(claim, not above, found)


def _check_groups(units: Units, duals: Duals, proof: Proof) -> Finding:
    """Check every generalized tuple that covers k rows or more."""
    levels = Lattice(proof.bottom, proof.top)
    found = find_violated(units, duals.values, levels, proof.k)
    claim = f"of no tuple do {proof.k} rows have values that sum to more than they pay"
    if found is None:
        return Finding(claim, True, f"at all {levels.size:,} vectors of levels")
    return Finding(
        claim,
        False,
        f"at the levels {list(found.vector)} some sum to {found.largest:,} units and pay "
        f"{proof.k * found.cost:,}",
    )


def _check_bound(units: Units, duals: Duals, proof: Proof, told: Told) -> Finding:
    """Check what the values sum to, and that the certificate tells no other bound.

    The certificate may tell the least cost that a release can have, which is the bound or the
    next multiple of the least difference of two costs.
    """
    worth = zip(units.frequency.counts.tolist(), duals.values.tolist(), strict=True)
    bound = sum(rows * value for rows, value in worth) - proof.allowed * duals.price
    precise = {units.precision(bound), units.precision(_least(bound, units))}
    holds = proof.bound == bound and proof.precision_bound in precise
    shown = "none" if told.precision_bound is None else f"{told.precision_bound:.6f}"
    return Finding(
        f"so no release has a greater precision than {shown}",
        holds and told.precision_bound == proof.precision_bound,
        f"the values prove {bound:,} units, a precision of {min(precise):.6f}",
    )


def _least(bound: int, units: Units) -> int:
    """Return the least cost of a release that is not below a bound."""
    return -(-max(bound, 0) // units.step) * units.step if units.step else 0


def _check_cost(
    units: Units,
    proof: Proof,
    told: Told,
    release: duckdb.DuckDBPyRelation,
    kinds: Mapping[str, str],
) -> Finding:
    """Add up what the released cells cost, by the levels that their values have."""
    claim = f"the release has a precision of {told.precision:.6f}"
    cost = released = 0
    for attribute, name in enumerate(proof.attributes):
        levels, rows = _read_levels(units, proof, attribute, release, kinds[name])
        if NOWHERE in levels:
            return Finding(claim, False, f"{name} has values of no level that was allowed")
        step, released = int(units.steps[attribute]), sum(rows)
        cost += sum(level * step * number for level, number in zip(levels, rows, strict=True))
    cost += units.suppressed * (units.frequency.rows - released)
    holds = proof.cost == cost and proof.precision == units.precision(cost) == told.precision
    found = f"its cells cost {cost:,} units, a precision of {units.precision(cost):.6f}"
    return Finding(claim, holds, found)


def _read_levels(
    units: Units, proof: Proof, attribute: int, release: duckdb.DuckDBPyRelation, kind: str
) -> tuple[list[int], list[int]]:
    """Return the level of each distinct value of a released column, and how many rows have it.

    The level is the lowest that was allowed; a suppressed value has the full height.
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
        recognize(shown, paths, kind),
        hierarchy.suppressed,
    )
    places = read.levels[read.released].tolist()
    found = {NOWHERE: NOWHERE, high - low + 1: height}
    return [found.get(place, place + low) for place in places], rows


def _count_values(release: duckdb.DuckDBPyRelation, name: str) -> tuple[list[Any], list[int]]:
    """Return the distinct values of a released column, and how many rows have each."""
    column = quote_name(name)
    with engine_errors("the release"):
        found = derive(release, f"SELECT {column}, count(*) FROM t GROUP BY ALL").to_arrow_table()
    return found.column(0).to_pylist(), found.column(1).to_pylist()


def _check_proved(units: Units, proof: Proof, told: Told) -> Finding:
    """Check whether the release costs the least that it can."""
    proved = proof.cost <= _least(proof.bound, units)
    gap = units.precision(proof.bound) - units.precision(proof.cost)
    claim = {True: "so no release is better", False: "a better release is not ruled out"}
    found = f"the gap is {gap:.6f}" + (", less than any difference" if proved and gap else "")
    return Finding(claim[told.proved], told.proved == proof.proved == proved, found)
