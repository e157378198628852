"""The risk from three attackers, and classes counted by ranges of their size."""

import numpy as np
import pytest

from lookalike.risk.table.attacker_risk import (
    AttackerRisk,
    count_persons,
    journalist_risk,
    prosecutor_risk,
)
from lookalike.risk.table.sequences import Sequences
from lookalike.risk.table.uniqueness import BAND_STARTS, band_sizes, expose


def test_a_prosecutor_puts_rows_in_classes_below_k_at_risk():
    sizes = np.array([1, 2, 5])
    assert prosecutor_risk(sizes, 2) == AttackerRisk(1.0, 3 / 8, rows_at_risk=1)
    assert prosecutor_risk(sizes, 3).rows_at_risk == expose("z", sizes, 3).rows_below_k == 3


@pytest.mark.parametrize(
    ("sizes", "persons", "average"),
    [
        ([1, 3], [4, 3], (1 / 4 + 3 / 3) / 4),  # a row drawn at random
        ([1, 999], [500, 1000], 2 / 1500),  # a person drawn at random
    ],
)
def test_a_journalist_is_judged_by_the_worse_of_two_averages(sizes, persons, average):
    found = journalist_risk(np.array(sizes), np.array(persons), min(persons) + 1)
    assert found.highest == 1 / min(persons)
    assert found.average == pytest.approx(average)
    assert found.rows_at_risk == sizes[persons.index(min(persons))]


def test_persons_are_counted_by_values_whatever_their_order():
    codes = np.array([[0, 1]], dtype=np.int32)
    classes = Sequences((("f", None),), codes, np.array([2, 3]))
    everybody = np.array([[0, 1, 2]], dtype=np.int32)
    population = Sequences(((None, "m", "f"),), everybody, np.array([50, 60, 70]))
    assert count_persons(classes, population).tolist() == [70, 50]


def test_every_size_is_in_one_band():
    sizes = [(size, 1) for size in range(1, 1003)]
    bands = list(band_sizes(sizes, 1))
    assert [band.low for band in bands] == list(BAND_STARTS)
    assert [size for band in bands for size, _ in band.class_sizes] == list(range(1, 1003))
