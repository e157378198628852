"""A release to a file of SPSS or Stata keeps labels, and only those of what it shows."""

from datetime import date, datetime
from decimal import Decimal

import pandas as pd
import polars as pl
import pyreadstat
import pytest

import lookalike as la
from lookalike.errors import InvalidInput

from ..roles import LINKABLE, SENSITIVE, UNIQUE
from ..verifying import list_failures

AGES = {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10]}}
COLUMN_LABELS = {"age": "Age in years", "sex": "Sex of the patient", "ill": "Diagnosis"}
VALUE_LABELS = {
    "age": {41: "forty-one", 99: "not known"},
    "sex": {1: "male", 2: "female", 3: "secret-sex"},
    "ill": {7: "influenza", 8: "cold", 9: "secret-illness"},
}
READ = {"sav": pyreadstat.read_sav, "dta": pyreadstat.read_dta}
WRITE = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}


def write_source(folder, suffix):
    rows = {"age": [41, 42, 43, 51, 52, 77], "sex": [1, 1, 1, 2, 2, 3], "ill": [7, 8, 7, 8, 7, 9]}
    path = str(folder / f"patients.{suffix}")
    labels = {"column_labels": COLUMN_LABELS, "variable_value_labels": VALUE_LABELS}
    WRITE[suffix](pd.DataFrame(rows), path, **labels)
    return path


def release_file(path, **changes):
    fields = {"method": "datafly", "k": 2, "max_suppressed": 1}
    attributes = {"age": AGES, "sex": LINKABLE, "ill": SENSITIVE}
    return la.release(path, **(fields | {"attributes": attributes} | changes))


@pytest.mark.parametrize("suffix", ["sav", "dta"])
@pytest.mark.parametrize("source", ["sav", "dta"])
def test_labels_of_what_is_released_are_kept(source, suffix, tmp_path):
    path = write_source(tmp_path, source)
    made = release_file(path)
    assert made.levels == {"age": 1, "sex": 0}
    file = tmp_path / "released" / f"patients.{suffix}"
    made.publish(file)
    rows, described = READ[suffix](str(file), output_format="dict")
    assert sorted(zip(rows["age"], rows["sex"], rows["ill"], strict=True)) == [
        ("40-49", 1, 7),
        ("40-49", 1, 7),
        ("40-49", 1, 8),
        ("50-59", 2, 7),
        ("50-59", 2, 8),
    ]
    assert described.column_names_to_labels == COLUMN_LABELS
    assert described.variable_value_labels == {
        "sex": {1: "male", 2: "female"},
        "ill": {7: "influenza", 8: "cold"},
    }
    assert b"secret" not in file.read_bytes()
    assert b"forty-one" not in file.read_bytes()
    assert list_failures(file.parent, made, path) == []


def test_labels_that_became_values_are_the_released_text(tmp_path):
    attributes = {"age": {"role": "drop"}, "sex": LINKABLE, "ill": SENSITIVE}
    changes = {"source": {"value_labels": True}, "attributes": attributes}
    made = release_file(write_source(tmp_path, "sav"), **changes)
    made.publish(tmp_path / "released" / "patients.dta")
    rows, described = pyreadstat.read_dta(
        str(tmp_path / "released" / "patients.dta"), output_format="dict"
    )
    assert {*rows["sex"]} == {"male", "female"}
    assert described.variable_value_labels == {}
    assert described.column_names_to_labels == {
        name: text for name, text in COLUMN_LABELS.items() if name != "age"
    }


def test_a_rounded_value_has_no_label(tmp_path):
    rows = pd.DataFrame({"sex": [1, 1, 2, 2], "days": [3, 5, 3, 5]})
    labels = {"days": {5: "five exactly"}}
    pyreadstat.write_sav(rows, str(tmp_path / "t.sav"), variable_value_labels=labels)
    attributes = {"sex": LINKABLE, "days": {"role": "other", "top": 4}}
    made = la.release(str(tmp_path / "t.sav"), k=2, method="datafly", attributes=attributes)
    made.publish(tmp_path / "released" / "t.sav")
    _, described = pyreadstat.read_sav(str(tmp_path / "released" / "t.sav"), output_format="dict")
    assert described.variable_value_labels == {}


def test_a_generalized_value_has_no_label_of_a_value_of_the_source(tmp_path):
    rows = pd.DataFrame({"age": [40, 44, 50, 54], "ill": [1, 2, 1, 2]})
    labels = {"age": {40: "exactly forty"}}
    pyreadstat.write_sav(rows, str(tmp_path / "t.sav"), variable_value_labels=labels)
    ages = {"role": "quasi-identifier", "hierarchy": {"kind": "rounding", "bases": [10]}}
    attributes = {"age": ages, "ill": SENSITIVE}
    made = la.release(str(tmp_path / "t.sav"), k=2, method="datafly", attributes=attributes)
    made.publish(tmp_path / "released" / "t.sav")
    shown, described = pyreadstat.read_sav(
        str(tmp_path / "released" / "t.sav"), output_format="dict"
    )
    assert {*shown["age"]} == {"40", "50"}
    assert described.variable_value_labels == {}


TYPED = {
    "flag": [True, False, True, None],
    "whole": [2**53, 1, -5, None],
    "large": [2**53 + 1, 1, 2, 3],
    "cost": [Decimal("1.10"), Decimal("2.00"), None, Decimal("0.01")],
    "share": [0.1, 1 / 3, None, 1e300],
    "measured": [0.5, float("nan"), None, float("inf")],
    "born": [date(1965, 9, 20), None, date(1600, 1, 1), date(2024, 2, 29)],
    "old": [date(1500, 1, 1), None, date(2000, 1, 1), date(2024, 2, 29)],
    "seen": [datetime(2024, 2, 29, 13, 45, 1), None, datetime(1960, 1, 1), datetime(2000, 1, 1)],
    "exact": [datetime(2024, 2, 29, 13, 45, 1, 5), None, datetime(1960, 1, 1), None],
    "text": ["é" * 300, "a", None, " b"],
    "none": [None] * 4,
}


@pytest.mark.parametrize("suffix", ["sav", "dta"])
def test_values_of_every_type_prove_true(suffix, tmp_path):
    table = pl.DataFrame({"sex": ["f", "f", "m", "m"], **TYPED}, strict=False)
    attributes = {"sex": LINKABLE, **dict.fromkeys(TYPED, UNIQUE)}
    accepted = ["as-is-unique", "derived-column", "repeated-persons"]
    made = la.release(table, k=2, method="datafly", attributes=attributes, accept=accepted)
    made.publish(tmp_path / "released" / f"t.{suffix}")
    assert list_failures(tmp_path / "released", made, table) == []
    rows, _ = READ[suffix](str(tmp_path / "released" / f"t.{suffix}"), output_format="dict")
    assert {type(one) for one in rows["cost"]} <= {float, type(None)}
    assert str(2**53 + 1) in rows["large"]
    assert date(1965, 9, 20) in rows["born"]
    assert datetime(2024, 2, 29, 13, 45, 1) in rows["seen"]


def publish_column(values, suffix, folder, name="ill"):
    table = pl.DataFrame({"sex": ["f", "f", "m", "m"], name: values})
    attributes = {"sex": LINKABLE, name: {"role": "sensitive", "unique": True}}
    made = la.release(table, k=2, method="datafly", attributes=attributes, accept=["as-is-unique"])
    made.publish(folder / "released" / f"t.{suffix}")


@pytest.mark.parametrize("suffix", ["sav", "dta"])
@pytest.mark.parametrize(
    ("values", "problem"),
    [
        (["a", "", None, "b"], "column 'ill' has 1 values that are empty text or end with blanks"),
        (["a", "b ", "b", "b"], "column 'ill' has 1 values that are empty text or end with blanks"),
        (["a" * 40_000, "b", "b", "b"], "column 'ill' has text of 40,000 bytes"),
    ],
)
def test_what_the_format_would_not_give_back_is_refused(values, problem, suffix, tmp_path):
    with pytest.raises(InvalidInput, match=problem):
        publish_column(values, suffix, tmp_path)
    assert not (tmp_path / "released").exists()


def test_a_name_that_the_format_does_not_have_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="names of columns must begin with a letter"):
        publish_column(["a", "b", "a", "b"], "sav", tmp_path, name="1 illness")
