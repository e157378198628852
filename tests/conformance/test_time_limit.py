"""At any time limit, every method returns a valid release and a valid bound."""

import time
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from lookalike import Infeasible, Mask, Suppress
from lookalike.model import clock
from lookalike.model.measures import measure
from lookalike.model.minimality import minimal_below
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import check_conserved
from lookalike.search.argus.options import ArgusOptions
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import ALGORITHMS
from lookalike.search.methods.samarati import list_minimal
from lookalike.search.options import SearchOptions

from ..small_tables import TREE, frequencies

ROWS = list(zip("abcdaabbccddacbd", "xxyyzxyzxyzxxzyy", "ppqqpqpqppqqpqqp", strict=True))
CASES = {
    "datafly": ("datafly", Requirement(3), {}),
    "mu-argus": ("mu-argus", Requirement(3), {"argus": ArgusOptions(repair=True)}),
    "samarati": ("samarati", Requirement(3, 2), {}),
    "preferences": ("samarati", Requirement(3, 2), {"prefer": ("maximum-distribution",)}),
    "mingen": ("mingen", Requirement(3, 2), {}),
    "several best": (
        "mingen",
        Requirement(4),
        {"prefer": ("largest-absolute-peak",)},
    ),
    "blank": ("mingen", Requirement(3, 2, "blank"), {"objective": "discernibility"}),
    "bounded": (
        "mingen-cells",
        Requirement(3),
        {"constraints": (Constraint.parse("letter >= 1"), Constraint.parse("other <= 0"))},
    ),
    "cells": ("mingen-cells", Requirement(3, 2), {}),
    "quick": ("mingen-cells", Requirement(3, 2), {"effort": "quick"}),
    "exact": ("mingen-cells", Requirement(3, 2), {"effort": "exact"}),
    "k-similar": ("k-similar", Requirement(3, 2), {"bound": True}),
    "k-similar, blank": ("k-similar", Requirement(3, 2, "blank"), {}),
}


@pytest.fixture
def frequency():
    return frequencies(*ROWS, letter=TREE, code=Suppress(), other=Mask())


@pytest.fixture
def stop_at_look(monkeypatch):
    """Return a function that ends the time at the n-th check; it returns whether that happened."""

    def prepare(number):
        looks = count()
        seen = SimpleNamespace(over=False)

        def monotonic():
            seen.over |= next(looks) > number
            return 1e9 if seen.over else 0.0

        monkeypatch.setattr(time, "monotonic", monotonic)
        return seen

    return prepare


def check_valid(frequency, requirement, recoding):
    """Check that a recoding accounts for every row and satisfies k within MaxSup."""
    tuples = recoding.released(frequency)
    check_conserved(frequency, tuples, recoding.suppressed)
    assert recoding.rows_suppressed <= requirement.allowance(frequency.rows, requirement.k)
    visible = recoding.visible(frequency, requirement)
    assert visible.classes(frequency, frequency.attributes)[1].min() >= requirement.k
    return measure(frequency, recoding, requirement)


def list_tuples(frequency, recoding):
    """List the sequence, the levels and the number of rows of every released tuple."""
    tuples = recoding.released(frequency)
    return sorted(np.vstack([tuples.sequence, tuples.levels, tuples.counts]).T.tolist())


@pytest.mark.parametrize("case", CASES)
def test_whenever_time_is_up_the_answer_is_valid_and_its_bound_true(case, frequency, stop_at_look):
    name, requirement, asked = CASES[case]
    at_ease = ALGORITHMS[name](frequency, requirement, SearchOptions(**asked))
    best = check_valid(frequency, requirement, at_ease)
    options = SearchOptions(time_limit=1.0, **asked)
    for number in count(0):
        seen = stop_at_look(number)
        recoding = ALGORITHMS[name](frequency, requirement, options)
        found = check_valid(frequency, requirement, recoding)
        known = recoding.optimality
        if known is not None and known.objective == "precision":
            assert found.precision <= known.bound + 1e-12
            assert best.precision <= known.bound + 1e-12
            assert not known.proved or found.precision >= best.precision - 1e-12
        elif known is not None:
            assert known.bound <= best.discernibility <= found.discernibility
        if not seen.over:
            break
        assert number or not recoding.in_time
        if recoding.in_time:
            assert list_tuples(frequency, recoding) == list_tuples(frequency, at_ease)
    assert number > 3
    assert recoding.in_time
    assert found.precision == pytest.approx(best.precision) or name == "k-similar"


def test_levels_that_cells_must_keep_are_kept_when_time_is_up(frequency, stop_at_look):
    _, requirement, asked = CASES["bounded"]
    stop_at_look(0)
    recoding = ALGORITHMS["mingen-cells"](
        frequency, requirement, SearchOptions(time_limit=1.0, **asked)
    )
    assert recoding.tuples.levels[0].min() >= 1
    assert recoding.tuples.levels[2].max() == 0


def test_what_cannot_be_is_infeasible_in_no_time(frequency, stop_at_look):
    bounds = tuple(Constraint.parse(f"{name} = 0") for name in ("letter", "code", "other"))
    stop_at_look(0)
    for name in ("samarati", "mingen", "mingen-cells", "k-similar"):
        with pytest.raises(Infeasible):
            ALGORITHMS[name](
                frequency, Requirement(5), SearchOptions(time_limit=1.0, constraints=bounds)
            )


def test_without_time_nothing_is_called_minimal(frequency, stop_at_look):
    stop_at_look(0)
    with pytest.raises(Infeasible, match="within the time limit; raise time_limit"):
        list_minimal(frequency, Requirement(3, 2), SearchOptions(time_limit=1.0))
    assert minimal_below(frequency, frequency.heights, Requirement(3), 0, deadline=1.0) is None


@pytest.mark.parametrize("name", ["mingen-cells", "k-similar", "mingen", "samarati", "datafly"])
def test_a_lattice_of_many_vectors_is_not_laid_out(name, stop_at_look):
    """Forty attributes have about 10¹⁹ vectors, far more than can be evaluated in time."""
    draw = np.random.default_rng(1)
    rows = [tuple(row) for row in draw.choice(list("abcd"), (60, 40)).tolist()]
    wide = frequencies(*rows, **{f"a{place}": TREE for place in range(40)})
    stop_at_look(100)
    recoding = ALGORITHMS[name](wide, Requirement(3), SearchOptions(time_limit=1.0))
    assert check_valid(wide, Requirement(3), recoding).precision < 1


def test_a_flag_is_raised_at_the_deadline_and_not_before():
    with clock.stopping_at(time.monotonic() + 3600) as stop:
        assert not stop[0]
    with clock.stopping_at(time.monotonic() - 1) as stop:
        assert stop[0]
    with clock.stopping_at(clock.deadline_after(None)) as stop:
        assert not stop[0]
