"""Results on Adult, 30,162 rows and 9 attributes, k = 5; ARX 3.9.2 finds the same."""

from decimal import Decimal
from pathlib import Path

import pytest

import lookalike
from lookalike.flow.source import read_and_count
from lookalike.model.progress import Stopwatch
from lookalike.model.requirement import Requirement
from lookalike.search.methods import mingen
from lookalike.search.methods.samarati import list_minimal
from lookalike.spec.specification import Specification

ADULT = Path(lookalike.__file__).parent / "shell" / "data" / "adult" / "adult.toml"


@pytest.fixture(scope="module")
def frequency():
    return read_and_count(Specification.load(ADULT), Stopwatch()).frequency


@pytest.mark.parametrize(
    ("limit", "vector", "suppressed", "precision"),
    [
        (0, (0, 4, 1, 1, 3, 2, 2, 1, 0), 0, 0.3333),
        (Decimal("0.05"), (0, 4, 0, 0, 3, 1, 0, 1, 0), 1_461, 0.6344),
        (Decimal("1.0"), (0, 4, 0, 0, 1, 0, 0, 1, 0), 4_100, 0.6881),
    ],
)
def test_the_optimum_is_proved(frequency, limit, vector, suppressed, precision):
    recoding = mingen(frequency, Requirement(5, limit))
    assert (recoding.vector, recoding.rows_suppressed) == (vector, suppressed)
    assert recoding.optimality.proved
    assert recoding.optimality.reached == pytest.approx(precision, abs=5e-5)


@pytest.mark.parametrize(
    ("limit", "count"), [(0, 27), (Decimal("0.05"), 1_071), (Decimal("1.0"), 1)]
)
def test_every_minimal_vector_is_found(frequency, limit, count):
    found = list_minimal(frequency, Requirement(5, limit))
    assert found.complete
    assert len(found.minimal) == count


def test_the_optimum_need_not_be_minimal(frequency):
    assert not mingen(frequency, Requirement(5, Decimal("1.0"))).k_minimal
