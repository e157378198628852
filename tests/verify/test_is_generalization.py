"""Whether one table is a generalization of another (Samarati, Definitions 3.1 and 4.1)."""

import pandas as pd
import pyarrow as pa
import pytest

import lookalike as la

PRIVATE = pa.table(
    {
        "race": ["asian", "asian", "black", "white"],
        "zip": ["94138", "94139", "94141", None],
        "problem": ["flu", "flu", "cold", "cold"],
    }
)
RULES = {"race": la.Taxonomy({"person": ["asian", "black", "white"]}), "zip": la.Mask(length=5)}


def release(race, zips, problem=("flu", "flu", "cold", "cold")):
    return pa.table({"race": race, "zip": zips, "problem": problem})


@pytest.mark.parametrize(
    "table",
    [
        PRIVATE,
        release(["person"] * 4, ["94138", "94139", "94141", None]),
        release(["person"] * 4, ["*"] * 4),
        release(["person"] * 4, ["941**", "941**", "941**", None]),
        release(["asian", "asian"], ["9413*", "9413*"], ["flu", "flu"]),
        release(["white"], pa.array([None], pa.string()), ["cold"]),
    ],
)
def test_values_that_are_true_ancestors_make_one(table):
    assert la.is_generalization(PRIVATE, table, RULES)


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(release(["person"] * 4, ["9413*"] * 4), id="a wrong ancestor"),
        pytest.param(
            release(["person", "asian", "black", "white"], ["94138", "94139", "94141", None]),
            id="an attribute at two levels",
        ),
        pytest.param(
            release(["asian"] * 2, ["94138", "94138"], ["flu", "flu"]), id="a row that serves twice"
        ),
        pytest.param(
            release(["asian", "black"], ["94138", "94141"], ["cold", "flu"]),
            id="other values that are swapped",
        ),
        pytest.param(release(["person"] * 5, ["*"] * 5, ["flu"] * 2 + ["cold"] * 3), id="too many"),
    ],
)
def test_anything_else_does_not(table):
    assert not la.is_generalization(PRIVATE, table, RULES)


def test_tables_of_different_kinds_can_be_compared():
    table = pd.DataFrame({"race": ["person"] * 4, "zip": ["*"] * 4})
    assert la.is_generalization(PRIVATE, table, RULES)
