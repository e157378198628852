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
import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.proved_bound import Duals, state_bound
from lookalike.model.tuples import Tuples
from lookalike.tables.connection import Connection
from lookalike.tables.count import count
from lookalike.tables.engines import as_relation
from lookalike.tables.table import Frame
from lookalike.verify.bound import dual_values
from lookalike.verify.bound.claims import CertificateClaims, check_proof
from lookalike.verify.bound.cost import CostUnits, check_released_cost
from lookalike.verify.bound.proof import OPTIMALITY, Proof, decode_values, round_bound
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
    """Check that no release is better than the bound, and how close this release is to it."""
    counted = count(private, list(hierarchies))
    bound = [
        rule.bind(name, values, claims.suppressed_label)
        for (name, rule), values in zip(hierarchies.items(), counted.values, strict=True)
    ]
    _, frequency = list_frequencies(bound, counted.positions, counted.counts)
    belongs = [*check_proof(proof, claims, frequency)]
    yield from belongs
    if not all(finding.holds for finding in belongs):
        return
    weights = [Decimal(text) for text in proof.weights]
    units = CostUnits(frequency, weights, proof.scale, proof.objective)
    duals = Duals(proof.scale, decode_values(proof.values), proof.price)
    exact = dual_values.check_exact_numbers(units, duals, proof.k)
    yield exact
    if exact.holds:
        yield dual_values.check_suppression_price(units, duals, proof.allowed)
        yield dual_values.check_tuple_values(units, duals, proof)
        yield dual_values.check_value_sum(units, duals, proof)
        searched = dual_values.check_search_bound(units, duals, proof, claims)
        yield from searched
        yield _check_bound(units, proof, claims)
        kinds = column_types(as_relation(private, connection))
        yield check_released_cost(units, proof, claims, release, kinds, connection)
        if claims.decoys:
            yield check_before_decoys(units, proof, claims)
        yield _check_proved(units, proof, claims, checked=all(one.checked for one in searched))


def _check_bound(units: CostUnits, proof: Proof, claims: CertificateClaims) -> Finding:
    """Check that the proof and the certificate state the bound that is proved.

    They may state the measure of the bound itself, or of the least cost that a release can have:
    the next multiple of the least difference between two costs. A certificate states no bound on
    the loss, which would count private values.
    """
    bound = _proved_bound(proof)
    precise = {units.measure(bound), units.measure(_least(bound, units))}
    rounded = round_bound(proof.precision_bound, proof.precision)
    by_loss = proof.objective == "loss"
    stated = proof.loss_bound if by_loss else proof.precision_bound
    limit = f"a loss below {stated}" if by_loss else f"a precision above {rounded}"
    shown = None if claims.decoys else rounded
    return Finding(
        state_bound(f"has {limit}", proof.k, claims.stricter),
        stated in precise and claims.precision_bound == shown,
        f"{bound:,} units are a {units.objective} of {units.measure(bound):.6f}; the cost of a "
        f"release is a multiple of {units.step:,}",
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
    gap = abs(units.measure(bound) - units.measure(cost))
    claim = {True: "no release is better", False: "a better release is not ruled out"}
    what = "difference to the bound" if claims.stricter else "gap"
    found = f"the {what} is {gap:.6f}{' before decoys' if claims.decoys else ''}"
    if proved and gap:
        found += ", smaller than any difference between two releases"
    by_values = cost <= _least(proof.bound, units)
    if not checked and not by_values:
        known = abs(units.measure(proof.bound) - units.measure(cost))
        found += f" according to the search; by the values alone it is {known:.6f}"
    holds = claims.proved == proof.proved == proved
    return Finding(claim[claims.proved], holds, found, checked=checked or by_values)


def check_before_decoys(units: CostUnits, proof: Proof, claims: CertificateClaims) -> Finding:
    """Check that a release with the cost before decoys exists, within the requirement.

    It has at most the rows of every sequence of the private table, suppresses no more rows than
    allowed, has allowed levels, and every class has at least k rows.
    """
    claim = "before decoys, the release was one of this table within the requirement"
    if proof.cost_before is None or proof.tuples_before is None:
        return Finding(claim, False, "the proof does not have the tuples before decoys")
    frequency = units.frequency
    tuples = _read_tuples(proof.tuples_before, frequency)
    left = frequency.counts - tuples.rows_by_sequence(frequency)
    allowed = frequency.rows if claims.blank and left.sum() >= proof.k else proof.allowed
    bottom, top = np.array(proof.bottom)[:, None], np.array(proof.top)[:, None]
    wrong = {
        "it has rows that the table does not have": bool((left < 0).any()),
        "it suppresses too many rows": int(left.sum()) > allowed,
        "it has levels that are not allowed": bool(
            ((tuples.levels < bottom) | (tuples.levels > top)).any()
        ),
    }
    if not any(wrong.values()):
        sizes = tuples.classes(frequency, frequency.attributes)[1]
        cost = units.suppressed * int(left.sum()) + _add_up(units, tuples)
        wrong["it has classes below k"] = bool((sizes < proof.k).any())
        wrong[f"its cost is {cost:,}"] = cost != proof.cost_before
    problems = [text for text, is_so in wrong.items() if is_so]
    return Finding(claim, not problems, "; ".join(problems) or "it was")


def _add_up(units: CostUnits, tuples: Tuples) -> int:
    """Add up the cost of the cells of tuples; a hidden cell has the cost of the top."""
    total = 0
    for attribute, levels in enumerate(tuples.levels):
        ground = units.frequency.codes[attribute, tuples.sequence]
        for level in np.unique(levels).tolist():
            here = levels == level
            total += int(units.of_codes(attribute, level)[ground[here]] @ tuples.counts[here])
    return total


def _read_tuples(text: str, frequency: FrequencyList) -> Tuples:
    """Read the tuples that a proof holds."""
    numbers, lines = decode_values(text), len(frequency.hierarchies) + 2
    shaped = numbers.reshape(lines, -1) if len(numbers) % lines == 0 else numbers[None]
    known = len(shaped) == lines and bool(
        ((shaped[0] >= 0) & (shaped[0] < len(frequency)) & (shaped[1:].min(axis=0) >= 0)).all()
    )
    if not known:
        raise InvalidInput(f"{OPTIMALITY}: tuples_before: not tuples of this table")
    return Tuples(shaped[0].astype(np.int32), shaped[1:-1].astype(np.int32), shaped[-1])
