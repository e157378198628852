"""Check that no cell-level release is better than the claimed bound, without using the search.

A class of a release consists of at least k rows that one generalized tuple covers, and each row
pays the cost of the tuple. Suppose that for every tuple, the k largest values among its rows sum to
at most k times its cost. Then any k rows of a class pay at least their values, and so does the
whole class. A suppressed row pays at least its value minus the price. The sum over all rows shows
that every release costs at least Σ count · value − MaxSup · price. :func:`check_optimality` checks
these premises one by one.

A search can prove more than the values do. Only another search can check that
(:mod:`lookalike.verify.bound.search_again`), and only for small tables.
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
from lookalike.verify.bound.before_decoys import check_before_decoys
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
    claims: CertificateClaims,
    private: Frame,
    release: duckdb.DuckDBPyRelation,
    hierarchies: Mapping[str, Hierarchy],
    connection: Connection,
) -> Iterator[Finding]:
    """Check that no release is better than the bound, and how close this release is to it.

    Parameters
    ----------
    proof
        The proof from the holder's dossier.
    claims
        The statements of the certificate.
    private
        The private table.
    release
        The released rows.
    hierarchies
        The hierarchy of each attribute.
    connection
        The engine that opened the release.
    """
    counted = count(private, list(hierarchies))
    bound = [
        rule.bind(name, values, claims.suppressed_label)
        for (name, rule), values in zip(hierarchies.items(), counted.values, strict=True)
    ]
    _, frequency = list_frequencies(bound, counted.positions, counted.counts)
    belongs = [
        *check_proof_origin(proof, claims, frequency),
        *check_proof_requirement(proof, claims, frequency),
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
        searched = check_search_bound(units, duals, proof, claims)
        yield from searched
        yield _check_bound(units, proof, claims)
        kinds = column_types(as_relation(private, connection))
        yield check_released_cost(units, proof, claims, release, kinds, connection)
        if claims.decoys:
            yield check_before_decoys(units, proof, claims)
        yield _check_proved(units, proof, claims, checked=all(one.checked for one in searched))


def _check_bound(units: CostUnits, proof: Proof, claims: CertificateClaims) -> Finding:
    """Check that the certificate states the bound that is proved.

    It may state the precision of the bound itself, or of the least cost that a release can have:
    the next multiple of the least difference between two costs.
    """
    bound = _proved_bound(proof)
    precise = {units.precision(bound), units.precision(_least(bound, units))}
    rounded = round_bound(proof.precision_bound, proof.precision)
    shown = None if claims.decoys else rounded
    return Finding(
        f"no release has a precision above {rounded}",
        proof.precision_bound in precise and claims.precision_bound == shown,
        f"{bound:,} units are a precision of {units.precision(bound):.6f}; the cost of a release "
        f"is a multiple of {units.step:,}",
    )


def _proved_bound(proof: Proof) -> int:
    """Return the least cost of any release that the values and the search prove."""
    return proof.bound if proof.searched is None else max(proof.bound, proof.searched)


def _least(bound: int, units: CostUnits) -> int:
    """Return the least possible cost of a release that is not below a bound."""
    return -(-max(bound, 0) // units.step) * units.step if units.step else 0


def _check_proved(
    units: CostUnits, proof: Proof, claims: CertificateClaims, *, checked: bool
) -> Finding:
    """Check whether the release has the least possible cost."""
    bound = _proved_bound(proof)
    cost = proof.cost if proof.cost_before is None else proof.cost_before
    proved = cost <= _least(bound, units)
    gap = units.precision(bound) - units.precision(cost)
    claim = {True: "no release is better", False: "a better release is not ruled out"}
    found = f"the gap is {gap:.6f}{' before decoys' if claims.decoys else ''}"
    if proved and gap:
        found += ", smaller than any difference between two releases"
    by_values = cost <= _least(proof.bound, units)
    if not checked and not by_values:
        known = units.precision(proof.bound) - units.precision(cost)
        found += f" according to the search; by the values alone it is {known:.6f}"
    holds = claims.proved == proof.proved == proved
    return Finding(claim[claims.proved], holds, found, checked=checked or by_values)
