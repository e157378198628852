"""The recount of persons: what is one person, and whether classes are those of the release."""

import math

import duckdb
import pyarrow as pa
import pytest

from lookalike import RequirementNotMet
from lookalike.tables.connection import Connection
from lookalike.verify.persons import (
    CLASS_PERSONS,
    CLASS_ROWS,
    count_class_persons,
    count_rows_by_class,
    judge_persons,
    require_persons,
    shown_as,
)
from lookalike.verify.recount import Promise
from lookalike.verify.values import column_types

PROMISE = Promise(("zip",), 2, person="patient")
SHOWN = pa.table({"fate": [0, 1], shown_as("zip"): ["0213*", None]})


def private_rows(persons, fates):
    return duckdb.connect().from_arrow(pa.table({"patient": persons, "fate": fates}))


def count(persons, fates):
    counted = count_class_persons(
        private_rows(persons, fates), SHOWN, ["fate"], PROMISE
    ).to_pylist()
    return {one[shown_as("zip")]: (one[CLASS_ROWS], one[CLASS_PERSONS]) for one in counted}


def test_all_missing_persons_are_one_person():
    assert count(["a", None, None, "a"], [0, 0, 0, 0]) == {"0213*": (4, 2)}
    assert count([None, None], [1, 1]) == {None: (2, 1)}


def test_not_a_number_is_missing_and_minus_zero_is_zero():
    assert count([0.0, -0.0, math.nan, None, 1.5], [0] * 5) == {"0213*": (5, 3)}


def test_rows_that_are_not_released_are_not_counted():
    assert count(["a", "b", "c"], [0, 7, None]) == {"0213*": (1, 1)}


def judge(persons, fates, released):
    connection = Connection()
    release = connection.duckdb.from_arrow(pa.table({"zip": pa.array(released, pa.string())}))
    return judge_persons(
        count_class_persons(private_rows(persons, fates), SHOWN, ["fate"], PROMISE),
        count_rows_by_class(release, ("zip",)),
        PROMISE,
        column_types(release),
        connection,
    )


@pytest.mark.parametrize(
    ("released", "different"),
    [
        (["0213*", "0213*", None], 0),
        (["0213*", "0213*"], 1),
        (["0213*", None, None], 2),
        (["0213*", "0213*", "*"], 2),
    ],
)
def test_the_classes_must_be_those_of_the_release(released, different):
    verdict = judge(["a", "b", "c"], [0, 0, 1], released)
    assert (verdict.k, verdict.classes_below_k) == (1, 1)
    assert verdict.classes_different == different


def test_a_release_of_other_classes_is_refused():
    counted = pa.table({shown_as("zip"): ["0213*"], CLASS_ROWS: [3], CLASS_PERSONS: [3]})
    classes = pa.table({"zip": ["0213*"], CLASS_ROWS: [2]})
    types = {"zip": duckdb.sqltype("VARCHAR")}
    with pytest.raises(RequirementNotMet, match="other rows than those whose persons"):
        require_persons([PROMISE], lambda _: (counted, classes), types, Connection())
