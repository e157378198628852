"""Verify optimality: check the bound of a release at the cell level, without what found it.

Nothing of the search is imported here. A class of a release is the rows that some generalized
tuple covers, k of them at least, and each pays what the tuple costs. So if the k largest values
among the rows that a tuple covers add up to no more than k times its cost, whatever the tuple,
then any k rows of a class pay no less than their values, and so does the whole class. A
suppressed row pays no less than its value less the price. Summed up, no release costs less than
Σ count · value − MaxSup · price: :func:`check_optimality` checks the premises one by one. What
a search proved beyond the values, only another search can check
(:mod:`lookalike.verify.bound.search_again`), and that not for every table.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal

import duckdb

from lookalike.hierarchy import Hierarchy
from lookalike.model.duals import Duals
from lookalike.model.frequency import list_frequencies
from lookalike.tables.connection import Connection
from lookalike.tables.convert import as_relation
from lookalike.tables.count import count
from lookalike.tables.table import Frame
from lookalike.verify.bound.claims import CertificateClaims
from lookalike.verify.bound.cost_units import CostUnits
from lookalike.verify.bound.dual_values import (
    check_exact_numbers,
    check_search_bound,
    check_suppression_price,
    check_tuple_values,
    check_value_sum,
)
from lookalike.verify.bound.proof import Proof, decode_values, round_bound
from lookalike.verify.bound.proof_origin import check_proof_origin, check_proof_requirement
from lookalike.verify.bound.released_cost import check_released_cost
from lookalike.verify.recount import Finding
from lookalike.verify.values import column_types


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
    belongs = [
        *check_proof_origin(proof, told, frequency),
        *check_proof_requirement(proof, told, frequency),
    ]
    yield from belongs
    if not all(finding.holds for finding in belongs):
        return
    units = CostUnits(frequency, [Decimal(text) for text in proof.weights], proof.scale)
    duals = Duals(proof.scale, decode_values(proof.values), proof.price)
    exact = check_exact_numbers(units, duals, proof.k)
    yield exact
    if exact.holds:
        yield check_suppression_price(units, duals, proof.allowed)
        yield check_tuple_values(units, duals, proof)
        yield check_value_sum(units, duals, proof)
        searched = check_search_bound(units, duals, proof, told)
        yield from searched
        yield _check_bound(units, proof, told)
        kinds = column_types(as_relation(private, engine))
        yield check_released_cost(units, proof, told, release, kinds, engine)
        yield _check_proved(units, proof, told, checked=all(one.checked for one in searched))


def _check_bound(units: CostUnits, proof: Proof, told: CertificateClaims) -> Finding:
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


def _least(bound: int, units: CostUnits) -> int:
    """Return the least cost of a release that is not below a bound."""
    return -(-max(bound, 0) // units.step) * units.step if units.step else 0


def _check_proved(
    units: CostUnits, proof: Proof, told: CertificateClaims, *, checked: bool
) -> Finding:
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
