"""Check the release before decoys were drawn: it is one of the private table, and has its cost."""

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.tuples import Tuples
from lookalike.verify.bound.claims import CertificateClaims
from lookalike.verify.bound.cost_units import CostUnits
from lookalike.verify.bound.proof import OPTIMALITY, Proof, decode_values
from lookalike.verify.recount import Finding


def check_before_decoys(units: CostUnits, proof: Proof, claims: CertificateClaims) -> Finding:
    """Check that a release with the cost before decoys exists, within the requirement.

    It has at most the rows of every sequence of the private table, suppresses no more rows than
    allowed, has allowed levels, and every class has at least k rows.

    Parameters
    ----------
    units
        The cost of cells.
    proof
        The proof, with the tuples before decoys.
    claims
        The statements of the certificate: k or more blank rows are a class.
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
    problems = [text for text, is_so in wrong.items() if is_so]
    if not problems:
        problems = [*_check_classes(units, proof, tuples, left)]
    return Finding(claim, not problems, "; ".join(problems) or "it was")


def _check_classes(units: CostUnits, proof: Proof, tuples: Tuples, left: Counts) -> list[str]:
    """Return what is wrong with the classes and the cost of tuples at allowed levels."""
    frequency = units.frequency
    sizes = tuples.classes(frequency, frequency.attributes)[1]
    cost = units.suppressed * int(left.sum()) + _add_up(units, tuples)
    wrong = {
        "it has classes below k": bool((sizes < proof.k).any()),
        f"its cost is {cost:,}": cost != proof.cost_before,
    }
    return [text for text, is_so in wrong.items() if is_so]


def _add_up(units: CostUnits, tuples: Tuples) -> int:
    """Add up the cost of the cells of tuples; a hidden cell has the cost of the top."""
    frequency, total = units.frequency, 0
    for attribute, step in enumerate(units.steps):
        hidden = tuples.hidden(frequency, attribute)
        levels = np.where(hidden, frequency.heights[attribute], tuples.levels[attribute])
        total += int(step) * int(levels.astype(np.int64) @ tuples.counts)
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
