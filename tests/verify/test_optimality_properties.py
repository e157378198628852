"""The check of a bound agrees with checking every tuple one by one."""

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import lookalike as la
from lookalike.model.lattice import Lattice
from lookalike.model.requirement import Requirement
from lookalike.search.methods import mingen_cells
from lookalike.search.options import SearchOptions
from lookalike.verify.bound.cost import CostUnits
from lookalike.verify.bound.dual_values import find_violated

from ..brute import generalize_rows, list_vectors
from ..effort import examples
from ..invented import Invented, tables, weights

some = examples(30)


def cost_of(shown, vector, rules, scales):
    """Return what a row that shows some values at a vector costs, by Achieving's Definition 5."""
    return sum(
        (
            scale * (1 if text == "*" else Fraction(level, rule.height))
            for text, level, rule, scale in zip(shown, vector, rules, scales, strict=True)
            if rule.height
        ),
        start=Fraction(0),
    )


def find_violated_plainly(invented: Invented, values, lattice, k, scales):
    """List the vectors with a group whose k largest values sum to more than k times its cost."""
    found = set()
    for vector in list_vectors(invented.frequency.heights):
        groups = defaultdict(list)
        shown = generalize_rows(invented.rows, invented.rules, vector)
        for row, text in zip(invented.rows, shown, strict=True):
            groups[text].append(values[row])
        for text, claimed in groups.items():
            largest = sum(sorted(claimed, reverse=True)[:k])
            cost = cost_of(text, vector, invented.rules, scales)
            if vector in lattice and len(claimed) >= k and largest > k * cost:
                found.add(vector)
    return found


@st.composite
def cases(draw):
    """Invent a table, weights, k, bounds on levels, and values near those that are feasible."""
    invented = draw(tables(min_rows=2, max_rows=14))
    frequency = invented.frequency
    weighed = draw(weights(len(frequency.heights))) or (Decimal(1),) * len(frequency.heights)
    k = draw(st.integers(2, min(5, frequency.rows)))
    bottom = [draw(st.integers(0, height)) for height in frequency.heights]
    top = [draw(st.integers(b, h)) for b, h in zip(bottom, frequency.heights, strict=True)]
    whole = draw(st.booleans())
    lattice = Lattice.of_heights(frequency.heights) if whole else Lattice(tuple(bottom), tuple(top))
    asked = SearchOptions(weights=weighed, effort="quick")
    duals = mingen_cells(frequency, Requirement(k), asked).optimality.duals
    changes = draw(st.lists(st.sampled_from([0, 0, 1, -1, 7, -40]), min_size=1, max_size=20))
    return invented, weighed, k, lattice, duals, np.resize(changes, len(frequency))


@some
@given(case=cases())
def test_exactly_what_looking_everywhere_finds_is_rejected(case):
    invented, weighed, k, lattice, duals, changes = case
    frequency, values = invented.frequency, duals.values + changes
    found = find_violated(CostUnits(frequency, weighed, duals.scale), values, lattice, k)

    claimed = dict(zip(frequency.sequences(), values.tolist(), strict=True))
    by_row = {row: claimed[sequence] for row, sequence in with_sequences(invented)}
    scales = [Fraction(weight) * duals.scale for weight in weighed]
    violated = find_violated_plainly(invented, by_row, lattice, k, scales)
    assert (found is None) == (not violated)
    assert found is None or found.vector in violated


@some
@given(case=cases())
def test_the_simple_bound_is_accepted(case):
    invented, weighed, k, _, duals, _ = case
    units = CostUnits(invented.frequency, weighed, duals.scale)
    everywhere = Lattice.of_heights(invented.frequency.heights)
    assert find_violated(units, duals.values, everywhere, k) is None


def with_sequences(invented):
    """Pair each row with its sequence; values that are not known share one."""
    ground = generalize_rows(invented.rows, invented.rules, (0,) * len(invented.rules))
    return zip(invented.rows, ground, strict=True)


@st.composite
def releases(draw):
    """Invent a table and what is asked of its release."""
    invented = draw(tables(min_rows=3, max_rows=16))
    method = draw(st.sampled_from(["mingen-cells", "mingen-cells", "k-similar"]))
    fields = {
        "method": method,
        "bound": method == "k-similar",
        "effort": draw(st.sampled_from(["quick", "standard", "exact"])),
        "k": draw(st.integers(2, 3)),
        "max_suppressed": draw(st.sampled_from([None, 0, 2, Decimal("0.2")])),
        "suppressed_rows": draw(st.sampled_from(["drop", "blank"])),
    }
    weighed = draw(weights(len(invented.hierarchies)))
    attributes = {
        name: {**attribute, "weight": weight}
        for (name, attribute), weight in zip(
            invented.attributes.items(),
            weighed or [Decimal(1)] * len(invented.hierarchies),
            strict=True,
        )
    }
    return invented, attributes, fields


@examples(10)
@given(case=releases())
def test_a_release_is_proved_again(case, tmp_path_factory):
    invented, attributes, fields = case
    place = tmp_path_factory.mktemp("optimality")
    try:
        made = la.release(invented.table, attributes=attributes, **fields)
    except la.Infeasible:
        assume(False)
    made.publish(place / "released" / "table.parquet", dossier=place / "private")
    proof = la.verify(
        place / "released",
        spec=made.specification,
        table=invented.table,
        optimality=place / "private",
    )
    assert proof.complete
    assert [finding for finding in proof.findings if not finding.holds] == []
    assert len(proof.findings) > 12
