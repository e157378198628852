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
    claim = "it has a value for each distinct sequence, in whole units"
    sequences, found = len(units.frequency), len(duals.values)
    if found != sequences:
        return Finding(claim, False, f"{found:,} values for {sequences:,} sequences")
    if not units.whole:
        return Finding(claim, False, f"a level costs no whole number of {duals.scale:,} units")
    if not any(units.weights):
        return Finding(claim, False, "every weight is 0")
    largest = max(-int(duals.values.min()), int(duals.values.max()), units.suppressed)
    if k * largest >= EXACT_LIMIT:
        return Finding(claim, False, f"{k:,} of the largest cannot be added up exactly")
    return Finding(claim, True, f"{found:,} values, {duals.scale:,} units for a suppressed cell")


def check_suppression_price(units: CostUnits, duals: Duals, allowed: int) -> Finding:
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


def check_tuple_values(units: CostUnits, duals: Duals, proof: Proof) -> Finding:
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


def check_value_sum(units: CostUnits, duals: Duals, proof: Proof) -> Finding:
    """Check what the values sum to."""
    worth = zip(units.frequency.counts.tolist(), duals.values.tolist(), strict=True)
    bound = sum(rows * value for rows, value in worth) - proof.allowed * duals.price
    return Finding(
        f"so every release costs {proof.bound:,} units or more",
        proof.bound == bound,
        f"the values prove {bound:,} units, a precision of {units.precision(bound):.6f} at most",
    )


def check_search_bound(
    units: CostUnits, duals: Duals, proof: Proof, told: CertificateClaims
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
