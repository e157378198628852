"""Verify optimality: check the bound of a release at the cell level, without what found it.

Nothing of the search is imported here. A class of a release is the rows that some generalized
tuple covers, k of them at least, and each pays what the tuple costs. So if the k largest values
among the rows that a tuple covers add up to no more than k times its cost, whatever the tuple,
then any k rows of a class pay no less than their values, and so does the whole class. A
suppressed row pays no less than its value less the price. Summed up, no release costs less than
Σ count · value − MaxSup · price: :func:`check_optimality` checks the premises one by one. What
a search proved beyond the values, only another search can check
(:mod:`lookalike.verify.bound.search`), and that not for every table.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np

from lookalike.hierarchy import Hierarchy
from lookalike.model.duals import Duals
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.lattice import Lattice
from lookalike.tables.connection import Connection
from lookalike.tables.convert import as_relation
from lookalike.tables.count import count
from lookalike.tables.sql import derive, engine_errors, quote_name
from lookalike.tables.table import Frame
from lookalike.verify.bound.duals import Units, find_violated
from lookalike.verify.bound.proof import (
    Proof,
    allow_suppression,
    decode_values,
    digest_hierarchies,
    digest_table,
    round_bound,
)
from lookalike.verify.bound.search import EXACT, find_cheaper
from lookalike.verify.cells import NOWHERE, read_attribute
from lookalike.verify.recount import Finding
from lookalike.verify.values import column_types, recognize


@dataclass(frozen=True)
class CertificateClaims:
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
    blank
        Whether suppressed rows stay, blank.
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
    blank: bool
    suppressed_label: str
    precision: float
    precision_bound: float | None
    proved: bool

    def allowed(self, frequency: FrequencyList) -> int:
        """Return how many rows of a table could be suppressed other than as a class."""
        limit = self.max_suppressed or 0
        most = limit if isinstance(limit, int) else int(limit * frequency.rows)
        to_the_top = self.levels.top == frequency.heights
        return allow_suppression(most, blank=self.blank, to_the_top=to_the_top)


def check_optimality(
    proof: Proof,
    told: CertificateClaims,
    private: Frame,
    release: duckdb.DuckDBPyRelation,
    hierarchies: Mapping[str, Hierarchy],
    engine: Connection,
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
        yield _check_values(units, duals, proof)
        searched = _check_search(units, duals, proof, told)
        yield from searched
        yield _check_bound(units, proof, told)
        kinds = column_types(as_relation(private, engine))
        yield _check_cost(units, proof, told, release, kinds, engine)
        yield _check_proved(units, proof, told, checked=all(one.checked for one in searched))


def _check_origin(
    proof: Proof, told: CertificateClaims, frequency: FrequencyList
) -> Iterator[Finding]:
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


def _check_asked(
    proof: Proof, told: CertificateClaims, frequency: FrequencyList
) -> Iterator[Finding]:
    """Check that a proof answers what was asked."""
    yield _compare(
        f"it is for k = {proof.k} over all attributes together",
        list(told.quasi_identifiers) == [(frequency.attributes, proof.k)],
        "the certificate says k = "
        + ", and ".join(f"{k} over {', '.join(names)}" for names, k in told.quasi_identifiers),
    )
    allowed = told.allowed(frequency)
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


def _check_values(units: Units, duals: Duals, proof: Proof) -> Finding:
    """Check what the values sum to."""
    worth = zip(units.frequency.counts.tolist(), duals.values.tolist(), strict=True)
    bound = sum(rows * value for rows, value in worth) - proof.allowed * duals.price
    return Finding(
        f"so every release costs {proof.bound:,} units or more",
        proof.bound == bound,
        f"the values prove {bound:,} units, a precision of {units.precision(bound):.6f} at most",
    )


def _check_search(
    units: Units, duals: Duals, proof: Proof, told: CertificateClaims
) -> list[Finding]:
    """Search again for a release that costs less than a search says, if it says anything.

    Where rows may stay blank that no class could hold, no search goes through all releases.
    """
    if proof.searched is None:
        return []
    claim = f"by a search of all, every release costs {proof.searched:,} units or more"
    if told.blank and proof.allowed:
        return [Finding(claim, False, "none takes account of rows that stay blank")]
    levels = Lattice(proof.bottom, proof.top)
    cheaper = find_cheaper(units, duals, levels, proof.k, proof.allowed, proof.searched)
    found = {
        False: "searched again, in another way: none costs less",
        True: "searched again, in another way: one costs less",
        None: "not checked: the table is too large to be searched again in another way",
    }
    return [Finding(claim, not cheaper, found[cheaper], checked=cheaper is not None)]


def _check_bound(units: Units, proof: Proof, told: CertificateClaims) -> Finding:
    """Check that the certificate tells no other bound than what is proved.

    It may tell the least cost that a release can have, which is the bound or the next multiple
    of the least difference of two costs.
    """
    bound = _proved_bound(proof)
    precise = {units.precision(bound), units.precision(_least(bound, units))}
    shown = round_bound(proof.precision_bound, proof.precision)
    return Finding(
        f"so no release has a greater precision than {told.precision_bound}",
        proof.precision_bound in precise and told.precision_bound == shown,
        f"{bound:,} units are a precision of {units.precision(bound):.6f}; costs of releases are "
        f"multiples of {units.step:,}",
    )


def _proved_bound(proof: Proof) -> int:
    """Return what every release costs at least, by the values and by a search."""
    return proof.bound if proof.searched is None else max(proof.bound, proof.searched)


def _least(bound: int, units: Units) -> int:
    """Return the least cost of a release that is not below a bound."""
    return -(-max(bound, 0) // units.step) * units.step if units.step else 0


def _check_cost(
    units: Units,
    proof: Proof,
    told: CertificateClaims,
    release: duckdb.DuckDBPyRelation,
    kinds: Mapping[str, Any],
    engine: Connection,
) -> Finding:
    """Add up what the released cells cost, by the levels that their values have."""
    claim = f"the release has a precision of {told.precision:.6f}"
    cost = released = 0
    for attribute, name in enumerate(proof.attributes):
        levels, rows = _read_levels(units, proof, attribute, release, kinds[name], engine)
        if NOWHERE in levels:
            return Finding(claim, False, f"{name} has values of no level that was allowed")
        step, released = int(units.steps[attribute]), sum(rows)
        cost += sum(level * step * number for level, number in zip(levels, rows, strict=True))
    cost += units.suppressed * (units.frequency.rows - released)
    holds = proof.cost == cost and proof.precision == units.precision(cost) == told.precision
    found = f"its cells cost {cost:,} units, a precision of {units.precision(cost):.6f}"
    return Finding(claim, holds, found)


def _read_levels(
    units: Units,
    proof: Proof,
    attribute: int,
    release: duckdb.DuckDBPyRelation,
    kind: Any,
    engine: Connection,
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
        recognize(shown, paths, range(low, high + 1), kind, engine),
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


def _check_proved(units: Units, proof: Proof, told: CertificateClaims, *, checked: bool) -> Finding:
    """Check whether the release costs the least that it can."""
    bound = _proved_bound(proof)
    proved = proof.cost <= _least(bound, units)
    gap = units.precision(bound) - units.precision(proof.cost)
    claim = {True: "so no release is better", False: "a better release is not ruled out"}
    found = f"the gap is {gap:.6f}" + (", less than any difference" if proved and gap else "")
    by_values = proof.cost <= _least(proof.bound, units)
    if not checked and not by_values:
        known = units.precision(proof.bound) - units.precision(proof.cost)
        found += f", as the search says; by the values alone it is {known:.6f}"
    holds = told.proved == proof.proved == proved
    return Finding(claim[told.proved], holds, found, checked=checked or by_values)
