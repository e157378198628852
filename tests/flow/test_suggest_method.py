"""What another method would keep, which is said after a release that keeps little."""

import random

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow import suggest_method as suggest
from lookalike.flow.suggest_method import suggest_method

ATTRIBUTES = {
    name: {"role": "quasi-identifier", "hierarchy": la.Mask()} for name in ("zip", "born", "tax")
}


def _release(**asked):
    """Release scattered rows."""
    draw = random.Random(3)
    columns = {
        name: [f"{int(40 * draw.random() ** 4):02d}" for _ in range(400)] for name in ATTRIBUTES
    }
    return la.release(pa.table(columns), k=3, attributes=ATTRIBUTES, **asked)


@pytest.fixture(scope="module")
def poor():
    """A release at the attribute level."""
    return _release(method="samarati")


def test_on_a_small_table_the_method_is_run_whole(poor):
    found, whole = suggest_method(poor), _release(method="mingen-cells")
    assert found.method == "mingen-cells"
    assert found.precision == whole.measures.precision
    assert found.precision_now == poor.measures.precision


def test_on_a_large_table_nothing_is_searched_and_less_is_promised(poor, monkeypatch):
    whole = suggest_method(poor)
    monkeypatch.setattr(suggest, "MOST_SEARCHED_CELLS", 0)
    run, ran = suggest.ALGORITHMS["mingen-cells"], []
    spying = {"mingen-cells": lambda *given: ran.append(run(*given)) or ran[-1]}
    monkeypatch.setattr(suggest, "ALGORITHMS", spying)
    found = suggest_method(poor)
    assert found.precision_now + suggest.MUCH_MORE <= found.precision < whole.precision
    assert ran[0].optimality.evaluated == 1


def test_no_method_is_named_whose_exposure_might_be_refused():
    assert suggest_method(_release(method="samarati", max_exposure=1)) is None
