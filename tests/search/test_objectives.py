"""Objectives: exact weights, suppressed cells, and names."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from lookalike import InvalidInput, Mask, Suppress, Taxonomy
from lookalike.model.measures import measure
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.objectives import make_objective
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import mingen
from lookalike.search.options import SearchOptions

from ..small_tables import TREE, frequencies, frequency_of, table_of

PAIRS = [(first, second) for first in "abcd" for second in "abcd"]


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(("0.3333333333333333", "0.6666666666666667"), id="beyond 64 bits"),
        pytest.param(("0." + "3" * 40, "0." + "6" * 40), id="beyond the digits of a decimal"),
        pytest.param(("0.1", "0.2"), id="not exact in binary"),
    ],
)
@pytest.mark.parametrize("unknown", [[], [("stranger", "a")]])
def test_weights_are_exact_however_long(texts, unknown):
    weights = tuple(Decimal(text) for text in texts)
    rules = {"one": Taxonomy(TREE.tree, unknown="suppress"), "two": TREE}
    frequency = frequency_of(table_of(("one", "two"), [*PAIRS * 1000, *unknown]), rules)
    requirement = Requirement(1001, 5)
    recoding = mingen(frequency, requirement, SearchOptions(weights))
    reached = measure(frequency, recoding, requirement, weights).precision
    assert recoding.optimality.reached == reached
    assert recoding.vector == ((0, 1) if weights[0] > weights[1] else (1, 0))


@pytest.mark.parametrize("objective", ["precision", "loss", "entropy"])
def test_an_empty_value_under_a_mask_costs_what_is_measured_beside_unknown_ones(objective):
    rows = [("",), ("",), ("too long",), ("too long",), ("ab",), ("ax",)]
    rule = Mask(length=2, unknown="suppress")
    frequency = frequency_of(table_of(("zip",), rows), {"zip": rule})
    recoding = mingen(frequency, Requirement(2), SearchOptions(objective=objective))
    assert recoding.vector == (1,)
    measured = getattr(measure(frequency, recoding, Requirement(2)), objective)
    assert recoding.optimality.reached == pytest.approx(measured)


def test_a_column_of_unknown_values_only_loses_everything():
    rule = Mask(length=2, unknown="suppress")
    frequency = frequency_of(table_of(("zip",), [("too long",)] * 2), {"zip": rule})
    recoding = mingen(frequency, Requirement(2), SearchOptions(objective="loss"))
    assert recoding.optimality.reached == measure(frequency, recoding, Requirement(2)).loss == 1


def test_discernibility_is_exact_beyond_64_bits():
    small = frequencies(*"aab", letter=Suppress())
    large = replace(small, counts=np.array([2**33, 2**32]))
    judging = make_objective("discernibility", RollUps(large, Requirement(2)), (), 0)
    assert judging.judge((0,)).cost == 2**66 + 2**64
    assert judging.bound((0,), 0) == 2**66 + 2**64


def test_an_unknown_name_is_refused_with_those_that_exist():
    frequency = frequency_of(table_of(("sex",), [("f",), ("m",)]), {"sex": Suppress()})
    rollups = RollUps(frequency, Requirement(2))
    with pytest.raises(InvalidInput, match="objective is one of precision"):
        make_objective("luck", rollups, (Decimal(1),), 0)
