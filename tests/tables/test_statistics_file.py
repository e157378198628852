"""Files of SPSS, Stata and SAS keep their types and their missing values."""

import sys
from datetime import date, datetime

import pandas as pd
import pyreadstat
import pytest

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

from ..roles import LINKABLE, SENSITIVE
from ..verifying import list_failures

PEOPLE = pd.DataFrame(
    {
        "zip": ["02138", "", "02139"],
        "age": [41.0, -9.0, None],
        "bmi": [20.5, 21.0, None],
        "sex": [1, 2, 9],
        "born": [date(1965, 9, 20), None, date(1970, 1, 1)],
        "seen": [datetime(2024, 2, 29, 13, 45), None, datetime(2024, 1, 1)],
        "none": [None, None, None],
    }
)
LABELS = {"sex": {1: "male", 2: "female"}}
BORN, SEEN = PEOPLE["born"].tolist(), [datetime(2024, 2, 29, 13, 45), None, datetime(2024, 1, 1)]


def write_file(folder, suffix):
    path, rows = str(folder / f"t.{suffix}"), PEOPLE.astype({"none": "float64"})
    if suffix == "sav":
        pyreadstat.write_sav(rows, path, variable_value_labels=LABELS, missing_ranges={"age": [-9]})
    elif suffix == "dta":
        pyreadstat.write_dta(rows, path, variable_value_labels=LABELS)
    else:
        pyreadstat.write_xport(rows, path)
    return path


def columns_of(path, **fields):
    return read_source(Source(path=path, **fields), Connection()).collect().to_dict(as_series=False)


@pytest.mark.parametrize("suffix", ["sav", "dta", "xpt"])
def test_values_keep_their_types(suffix, tmp_path):
    found = columns_of(write_file(tmp_path, suffix), missing=["-9"])
    assert found == {
        "zip": ["02138", None, "02139"],
        "age": [41, None, None],
        "bmi": [20.5, 21.0, None],
        "sex": [1, 2, 9],
        "born": BORN,
        "seen": SEEN,
        "none": [None, None, None],
    }
    assert isinstance(found["age"][0], int)


def test_values_that_spss_declares_as_missing_are_missing(tmp_path):
    assert columns_of(write_file(tmp_path, "sav"))["age"] == [41, None, None]
    assert columns_of(write_file(tmp_path, "dta"))["age"] == [41, -9, None]


@pytest.mark.parametrize("suffix", ["sav", "dta"])
def test_value_labels_replace_codes_on_request(suffix, tmp_path):
    found = columns_of(write_file(tmp_path, suffix), value_labels=True)
    assert found["sex"] == ["male", "female", "9"]
    assert found["age"][0] == 41


@pytest.mark.parametrize("suffix", ["sav", "dta", "sas7bdat", "xpt"])
def test_what_is_no_such_file_is_refused(suffix, tmp_path):
    (tmp_path / f"t.{suffix}").write_bytes(b"nothing of the kind")
    with pytest.raises(InvalidInput, match=rf"t\.{suffix}: cannot be read; is it a whole"):
        columns_of(str(tmp_path / f"t.{suffix}"))


def test_a_file_that_is_cut_off_is_refused(tmp_path):
    path = tmp_path / "t.sav"
    write_file(tmp_path, "sav")
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(InvalidInput, match="cannot be read"):
        columns_of(str(path))


def test_a_missing_package_is_named_with_its_extra(tmp_path, monkeypatch):
    path = write_file(tmp_path, "sav")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(InvalidInput, match=r"pip install 'lookalike\[statistics\]'"):
        columns_of(path)


def test_value_labels_are_for_statistics_files(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n")
    with pytest.raises(InvalidInput, match="value_labels is for SPSS and Stata files"):
        columns_of(str(tmp_path / "t.csv"), value_labels=True)


def test_a_release_of_a_statistics_file_proves_true(tmp_path):
    rows = pd.DataFrame({"age": [41, 41, 50, 50], "sex": [1, 1, 2, 2], "ill": list("abab")})
    path = str(tmp_path / "t.sav")
    pyreadstat.write_sav(rows, path, variable_value_labels=LABELS)
    attributes = {"age": LINKABLE, "sex": LINKABLE, "ill": SENSITIVE}
    fields = {"method": "datafly", "attributes": attributes, "source": {"value_labels": True}}
    made = la.release(path, k=2, **fields)
    made.publish(tmp_path / "released" / "t.csv")
    assert list_failures(tmp_path / "released", made, path) == []
    assert "41,male,a" in (tmp_path / "released" / "t.csv").read_text()
