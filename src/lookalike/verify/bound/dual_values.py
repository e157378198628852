"""Check the numbers of a proof of optimality: the value of each sequence and their bound."""

import numpy as np

from lookalike.model.duals import Duals
from lookalike.model.lattice import Lattice
from lookalike.verify.bound.claims import CertificateClaims
from lookalike.verify.bound.cost_units import CostUnits
from lookalike.verify.bound.proof import Proof
from lookalike.verify.bound.search_again import EXACT_LIMIT, find_cheaper
from lookalike.verify.bound.violated_tuples import find_violated
from lookalike.verify.recount import Finding


def check_exact_numbers(units: CostUnits, duals: Duals, k: int) -> Finding:
    """Check that there is a value for each sequence, and that all numbers are exact."""
    claim = "the proof has a value for each distinct sequence, in whole units"
    sequences, found = len(units.frequency), len(duals.values)
    if found != sequences:
        return Finding(claim, False, f"{found:,} values for {sequences:,} sequences")
    if not units.whole:
        return Finding(
            claim,
            False,
            f"with {duals.scale:,} units for a cell, a level does not cost a whole number",
        )
    if not any(units.weights):
        return Finding(claim, False, "every weight is 0")
    largest = max(-int(duals.values.min()), int(duals.values.max()), units.suppressed)
    if k * largest >= EXACT_LIMIT:
        return Finding(claim, False, f"{k:,} of the largest values cannot be added up exactly")
    return Finding(claim, True, f"{found:,} values, {duals.scale:,} units for a suppressed cell")


def check_suppression_price(units: CostUnits, duals: Duals, allowed: int) -> Finding:
    """Check that a suppressed row pays at least its value minus the price."""
    claim = "no value exceeds the cost of a suppressed row and the price of suppressing it"
    if duals.price < 0:
        return Finding(claim, False, f"the price is {duals.price:,} units, below 0")
    if not allowed:
        return Finding(claim, True, "no row may be suppressed")
    most = units.suppressed + duals.price
    above = int(np.count_nonzero(duals.values > most))
    found = f"{above:,} values are above" if above else "all values are at most"
    return Finding(claim, not above, f"{found} {most:,} units")


def check_tuple_values(units: CostUnits, duals: Duals, proof: Proof) -> Finding:
    """Check every generalized tuple that covers k rows or more."""
    levels = Lattice(proof.bottom, proof.top)
    found = find_violated(units, duals.values, levels, proof.k)
    claim = f"in every tuple, the values of {proof.k} rows sum to at most their cost"
    if found is None:
        return Finding(claim, True, f"checked at all {levels.size:,} vectors of levels")
    return Finding(
        claim,
        False,
        f"at the levels {list(found.vector)} the values of a tuple sum to {found.largest:,} units, "
        f"but the rows cost {proof.k * found.cost:,}",
    )


def check_value_sum(units: CostUnits, duals: Duals, proof: Proof) -> Finding:
    """Check that the values sum to the bound of the proof."""
    worth = zip(units.frequency.counts.tolist(), duals.values.tolist(), strict=True)
    bound = sum(rows * value for rows, value in worth) - proof.allowed * duals.price
    return Finding(
        f"every release costs at least {proof.bound:,} units",
        proof.bound == bound,
        f"the values prove {bound:,} units, a precision of at most {units.precision(bound):.6f}",
    )


def check_search_bound(
    units: CostUnits, duals: Duals, proof: Proof, claims: CertificateClaims
) -> list[Finding]:
    """Search again for a release that costs less than the bound of the original search, if any.

    The search does not support blank rows that no class could contain.
    """
    if proof.searched is None:
        return []
    claim = f"by an exhaustive search, every release costs at least {proof.searched:,} units"
    if claims.blank and proof.allowed:
        return [Finding(claim, False, "the search does not support blank rows")]
    levels = Lattice(proof.bottom, proof.top)
    cheaper = find_cheaper(units, duals, levels, proof.k, proof.allowed, proof.searched)
    found = {
        False: "searched again with another algorithm: no release costs less",
        True: "searched again with another algorithm: a release costs less",
        None: "not checked: the table is too large to search again with another algorithm",
    }
    return [Finding(claim, not cheaper, found[cheaper], checked=cheaper is not None)]
