"""The roles of columns of public tables are not less safe than an expert's, and not all strict."""

import pyarrow as pa
import pytest

import lookalike as la

from .labelled import SAFETY, propose, read_labels

LEAST_LABELLED = 150
LEAST_HELD_OUT = 300
LEAST_TABLES = 50
LESS_SAFE = {"tuned": 0.01, "held out": 0.05}
"""Reached: 3 of 907 columns (0.3 %) and 2 of 358 (0.6 %)."""
TOO_STRICT = {"tuned": 0.20, "held out": 0.27}
"""Reached: 161 of 907 columns (18 %) and 90 of 358 (25 %), most of them left to the holder."""
KNOWN_WRONG = {
    "sampling_weight": "drop",
    "household_weights": "drop",
    "dweight": "drop",
    "ori_hid": "identifier",
    "hhid": "identifier",
    "pid": "identifier",
    "subject_id": "identifier",
    "USUBJID": "identifier",
    "SEQN": "identifier",
    **dict.fromkeys(("urbrur", "roof", "relat", "hhcivil", "female", "male", "gndr", "agea"), "qi"),
    **dict.fromkeys(("ppage", "RIDAGEYR", "yrbrn", "SeniorCitizen"), "qi"),
    "young people: Country": "other",
}


@pytest.fixture(scope="module")
def proposed():
    return list(propose(read_labels()))


@pytest.mark.parametrize("part", ["tuned", "held out"])
def test_few_columns_are_released_more_freely_than_an_expert_would(proposed, part):
    differences = [
        SAFETY[found.stricter] - SAFETY[labelled["role"]]
        for labelled, found in proposed
        if labelled["part"] == part
    ]
    assert len(differences) >= LEAST_HELD_OUT
    assert sum(one < 0 for one in differences) <= LESS_SAFE[part] * len(differences)
    assert sum(one > 0 for one in differences) <= TOO_STRICT[part] * len(differences)


def test_there_are_enough_labels_of_different_tables(proposed):
    assert len(proposed) >= LEAST_LABELLED
    assert len({labelled["table"] for labelled, _ in proposed}) >= LEAST_TABLES


@pytest.mark.parametrize(("name", "role"), KNOWN_WRONG.items())
def test_columns_that_were_once_wrong_are_right(proposed, name, role):
    table, _, column = name.rpartition(": ")
    found = {
        one.stricter
        for labelled, one in proposed
        if labelled["column"] == column and table in ("", labelled["table"])
    }
    assert found == {"quasi-identifier" if role == "qi" else role}


@pytest.mark.parametrize("name", ["subject_id", "USUBJID", "hhid", "id", "key", "pid", "caseid"])
@pytest.mark.parametrize("rows", [2, 25, 500])
def test_the_number_of_a_person_is_one_however_many_rows_a_person_has(name, rows):
    numbers = [str(10_006 + one // rows) for one in range(12 * rows)]
    [column] = la.draft(pa.table({name: numbers})).columns
    assert column.stricter in ("identifier", "drop")
    assert "number" in column.reason


def test_zeros_stand_for_a_missing_postal_code():
    codes = ["02138", "02139", "0", "02140"] * 30
    drafted = la.draft(pa.table({"zip": codes, "sex": ["f", "m"] * 60}))
    assert drafted.columns[0].missing == ("0",)
    assert "0" not in drafted.columns[0].profile.values
    assert 'missing = ["0"]' in drafted.toml()
