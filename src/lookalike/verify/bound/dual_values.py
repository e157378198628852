"""Check the numbers of a proof of optimality: the value of each sequence and their bound."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lookalike.kernels import sum_largest
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.proved_bound import Duals
from lookalike.verify.bound.claims import CertificateClaims
from lookalike.verify.bound.cost import CostUnits
from lookalike.verify.bound.proof import Proof
from lookalike.verify.bound.search_again import EXACT_LIMIT, find_cheaper
from lookalike.verify.recount import Finding


class Violated(NamedTuple):
    """A generalized tuple whose rows have values above their cost, in units."""

    vector: Vector
    cost: int
    largest: int


@dataclass(frozen=True, eq=False)
class _Walk:
    """A walk over vectors of levels, attribute by attribute.

    ``least``: the least cost of a cell of each attribute, in the order of the walk.
    """

    units: CostUnits
    values: Counts
    levels: Lattice
    k: int
    order: tuple[int, ...]
    least: tuple[int, ...]

    def descend(
        self, chosen: Vector, sequences: Codes, group_of: Codes, costs: Counts
    ) -> Iterator[Violated]:
        """Yield the violated tuples that follow from some chosen levels.

        ``group_of``: the group of each sequence; sequences of a group are equal at these levels.
        """
        values, counts = self.values[sequences], self.units.frequency.counts[sequences]
        groups = int(group_of.max(initial=-1)) + 1
        sums, taken = sum_largest(group_of, counts, values, groups, self.k)
        paid = np.zeros(groups, dtype=np.int64)
        paid[group_of] = costs + sum(self.least[len(chosen) :])
        wrong = (taken == self.k) & (sums > self.k * paid)
        if not wrong.any():
            return
        if len(chosen) == len(self.order):
            one = int(np.flatnonzero(wrong)[0])
            levels = sorted(zip(self.order, chosen, strict=True))
            yield Violated(tuple(level for _, level in levels), int(paid[one]), int(sums[one]))
            return
        left = wrong[group_of]
        sequences, group_of, costs = sequences[left], group_of[left], costs[left]
        attribute, ones = self.order[len(chosen)], np.ones(len(sequences), dtype=np.int64)
        codes = self.units.frequency.codes[attribute, sequences]
        hierarchy = self.units.frequency.hierarchies[attribute]
        for level in range(self.levels.bottom[attribute], self.levels.top[attribute] + 1):
            shown = np.stack([group_of, hierarchy.levels[level][codes]])
            finer = group_equal(shown, [groups, hierarchy.size(level)], ones)[0]
            more = self.units.of_codes(attribute, level)[codes]
            yield from self.descend((*chosen, level), sequences, finer, costs + more)


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
    end = "most" if units.objective == "precision" else "least"
    return Finding(
        f"every release costs at least {proof.bound:,} units",
        proof.bound == bound,
        f"the values prove {bound:,} units, a {units.objective} of at {end} "
        f"{units.measure(bound):.6f}",
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


def find_violated(units: CostUnits, values: Counts, levels: Lattice, k: int) -> Violated | None:
    """Find a tuple with k rows whose values sum to more than k times its cost, if there is one.

    Attributes get their levels one after the other, the ones with the fewest levels first.
    """
    fewest = np.argsort(np.subtract(levels.top, levels.bottom), kind="stable").tolist()
    least = tuple(
        min(
            int(units.of_labels(attribute, level).min())
            for level in range(levels.bottom[attribute], levels.top[attribute] + 1)
        )
        for attribute in fewest
    )
    walk = _Walk(units, values, levels, k, tuple(fewest), least)
    falling = np.argsort(-values, kind="stable").astype(np.int32)
    root = np.zeros(len(falling), dtype=np.int32)
    return next(walk.descend((), falling, root, root.astype(np.int64)), None)
