"""What SPSS and Stata files say of columns and values decides their roles."""

import pandas as pd
import pyreadstat
import pytest

import lookalike as la

ROWS = 240
COLUMNS = {
    "v001": ("Case identification", [1000 + one // 8 for one in range(ROWS)]),
    "v012": ("Respondent's current age", [15 + one % 35 for one in range(ROWS)]),
    "v005": ("Women's individual sample weight", [500_000 + 997 * one for one in range(ROWS)]),
    "v025": ("Type of place of residence", [1 + one % 2 for one in range(ROWS)]),
    "q7": ("", [1 + one // 2 % 2 for one in range(ROWS)]),
    "q8": ("Satisfaction with job", [1 + one // 3 % 4 for one in range(ROWS)]),
    "q9": ("Trust in the police", [1 + one // 5 % 4 for one in range(ROWS)]),
}
SCALE = {1: "Very satisfied", 2: "Satisfied", 3: "Dissatisfied", 4: "Very dissatisfied"}
OF_VALUES = {
    "v012": {97: "Refused"},
    "v025": {1: "Urban", 2: "Rural"},
    "q7": {1: "Male", 2: "Female"},
    "q8": SCALE,
    "q9": {1: "A great deal", 2: "Some trust", 3: "Little trust", 4: "No trust at all"},
}


@pytest.fixture(params=["sav", "dta"])
def drafted(request, tmp_path):
    path = tmp_path / f"survey.{request.param}"
    write = getattr(pyreadstat, f"write_{request.param}")
    frame = pd.DataFrame({name: values for name, (_, values) in COLUMNS.items()})
    labels = [text for text, _ in COLUMNS.values()]
    write(frame, str(path), column_labels=labels, variable_value_labels=OF_VALUES)
    return {column.name: column for column in la.draft(path).columns}


def test_labels_decide_roles(drafted):
    found = {name: one.stricter for name, one in drafted.items()}
    assert found["v001"] in ("identifier", "drop")
    assert found["v005"] == "drop"
    assert {name for name, role in found.items() if role == "quasi-identifier"} == {
        *("v012", "v025", "q7")
    }


def test_the_reason_names_the_label(drafted):
    assert 'by its label "Respondent\'s current age"' in drafted["v012"].reason
    assert "by the labels of its values" in drafted["q7"].reason
    assert drafted["q9"].reason == 'opinion or answer; by its label "Trust in the police"'


def test_labelled_codes_are_categories_and_a_single_label_makes_none(drafted):
    assert drafted["v025"].kind == "place"
    assert drafted["v012"].kind == "age"
    assert drafted["q8"].kind == "category"
