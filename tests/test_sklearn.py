"""The transformer for scikit-learn: what it promises of the fitted table and of new rows."""

import pickle
import subprocess
import sys
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import check_estimator

import lookalike as la

TEXT = "the check computes with the output, which is text"
EXPECTED_FAILURES = {
    "check_pipeline_consistency": TEXT,
    "check_estimators_pickle": TEXT,
    "check_transformer_data_not_an_array": TEXT,
    "check_transformer_general": TEXT,
    "check_methods_sample_order_invariance": TEXT,
    "check_methods_subset_invariance": TEXT,
    "check_fit_idempotent": TEXT,
}
"""Checks of scikit-learn that subtract outputs; the tests below make them on text."""
Anonymizer = la.sklearn.Anonymizer
ZIPS = ["02138", "02138", "02139", "02139", "02141", "02142", "02142", "94301"]
AGES = [31, 32, 33, 34, 38, 39, 36, 62]
PEOPLE = pd.DataFrame({"zip": ZIPS, "age": AGES, "ill": [*"ababcaba"]})
ROLES = {
    "zip": {"role": "quasi-identifier", "hierarchy": la.Mask()},
    "age": {"role": "quasi-identifier", "hierarchy": la.Intervals([5, 10])},
    "ill": {"role": "sensitive"},
}
NEW = pd.DataFrame({"zip": ["02137", "94301", "2", "02143"], "age": [30, 62, 31, 35], "ill": "a"})


def fitted(**options):
    return Anonymizer(k=2, attributes=ROLES, max_suppressed=1, **options).fit(PEOPLE)


@pytest.mark.slow
def test_the_checks_of_scikit_learn():
    found = check_estimator(Anonymizer(k=2), expected_failed_checks=EXPECTED_FAILURES, on_skip=None)
    failed = {one["check_name"] for one in found if one["status"] == "xfail"}
    assert failed == set(EXPECTED_FAILURES)


def test_the_fitted_table_is_k_anonymous_and_keeps_its_order():
    released = Anonymizer(k=2, attributes=ROLES, max_suppressed=3).fit_transform(PEOPLE)
    classes = Counter(map(tuple, released[:, :2].tolist()))
    assert min(classes.values()) >= 2
    assert released[:, 2].tolist() == PEOPLE["ill"].tolist()
    for zip_code, (shown, *_) in zip(ZIPS, released, strict=True):
        assert shown == "*" or zip_code.startswith(shown.rstrip("*"))


def test_suppressed_rows_are_blank_and_at_least_k():
    released = Anonymizer(k=2, attributes=ROLES, max_suppressed=1).fit_transform(PEOPLE)
    blank = (released[:, :2] == "*").all(axis=1)
    assert blank[-1]
    assert blank.sum() >= 2


def test_new_rows_show_the_values_of_fitted_classes_or_are_suppressed():
    anonymizer = fitted()
    shown = anonymizer.transform(NEW).tolist()
    known = set(map(tuple, anonymizer.transform(PEOPLE)[:, :2].tolist()))
    assert shown[0][:2] == ["0213*", "30-34"]
    assert [row[:2] for row in shown[1:3]] == [["*", "*"], ["*", "*"]]
    assert {tuple(row[:2]) for row in shown} <= known
    assert [row[2] for row in shown] == ["a"] * 4


def test_levels_are_those_of_a_release():
    made = la.release(
        PEOPLE, attributes=ROLES, k=2, max_suppressed=1, method="mingen", suppressed_rows="blank"
    )
    assert fitted().levels_ == made.levels
    assert fitted().measures_ == made.measures


def test_kept_values_keep_their_type():
    roles = ROLES | {"age": {"role": "quasi-identifier", "hierarchy": la.Suppress()}}
    people = PEOPLE.assign(age=40)
    released = Anonymizer(k=2, attributes=roles, max_suppressed=2).fit_transform(people)
    assert {type(age) for age in released[:, 1] if age != "*"} == {int}


def test_identifiers_are_left_out():
    named = PEOPLE.assign(name=[f"person {row}" for row in range(8)])
    roles = ROLES | {"name": {"role": "identifier"}}
    anonymizer = Anonymizer(k=2, attributes=roles, max_suppressed=1).set_output(transform="pandas")
    assert [*anonymizer.fit_transform(named).columns] == ["zip", "age", "ill"]
    assert anonymizer.get_feature_names_out().tolist() == ["zip", "age", "ill"]


def test_values_are_cleaned_as_a_release_cleans_them():
    lost = PEOPLE.assign(zip=[one.lstrip("0") for one in ZIPS])
    roles = ROLES | {"zip": {**ROLES["zip"], "zero_pad": 5}}
    anonymizer = Anonymizer(k=2, attributes=roles, max_suppressed=1).fit(lost)
    assert anonymizer.transform(lost).tolist() == fitted().transform(PEOPLE).tolist()


def test_missing_values_are_a_class_of_their_own():
    people = np.array([["a", None], ["a", None], ["b", 1.0], ["b", float("nan")]], dtype=object)
    released = Anonymizer(k=2).fit_transform(people)
    assert min(Counter(map(str, released.tolist())).values()) >= 2


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames_of_any_kind(make):
    table = make({"zip": ZIPS, "age": AGES, "ill": PEOPLE["ill"].tolist()})
    anonymizer = Anonymizer(k=2, attributes=ROLES, max_suppressed=1).fit(table)
    assert anonymizer.transform(table).tolist() == fitted().transform(PEOPLE).tolist()


def test_fitting_again_pickling_and_subsets_change_nothing():
    anonymizer = fitted()
    once = anonymizer.transform(PEOPLE)
    again = pickle.loads(pickle.dumps(anonymizer)).fit(PEOPLE)
    assert again.transform(PEOPLE).tolist() == once.tolist()
    turned = anonymizer.transform(PEOPLE[::-1])
    assert turned[::-1].tolist() == once.tolist()
    single = [anonymizer.transform(PEOPLE[row : row + 1])[0].tolist() for row in range(8)]
    assert single == once.tolist()


def test_a_fitted_transformer_holds_no_row():
    kept = pickle.dumps(Anonymizer(k=2, attributes=ROLES, max_suppressed=1).fit(PEOPLE))
    assert not [one for one in ZIPS if one.encode() in kept]


def test_it_works_in_a_pipeline():
    encoded = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["zip", "age"]))
    anonymizer = Anonymizer(k=2, attributes=ROLES, max_suppressed=1).set_output(transform="pandas")
    model = make_pipeline(anonymizer, encoded, LogisticRegression())
    assert len(model.fit(PEOPLE, PEOPLE["ill"]).predict(NEW)) == 4


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"method": "mingen-cells"}, "'mingen-cells'"),
        ({"attributes": {"zip": ROLES["zip"]}}, "age"),
        ({"k": 9}, "fewer than k = 9"),
    ],
)
def test_what_cannot_be_fitted_is_refused(options, problem):
    with pytest.raises(la.LookalikeError, match=problem):
        Anonymizer(**{"k": 2, "attributes": ROLES} | options).fit(PEOPLE)


def test_values_that_are_no_text_number_or_date_are_refused():
    with pytest.raises(la.InvalidInput, match="column 'x1' holds a list; give text"):
        Anonymizer(k=2).fit(np.array([["a", [1]], ["b", [2]]], dtype=object))


def test_it_must_be_fitted_first():
    with pytest.raises(NotFittedError):
        Anonymizer().transform(PEOPLE)


def test_without_scikit_learn_the_error_names_the_extra():
    program = (
        "import sys; sys.modules['sklearn'] = None\nimport lookalike as la\n"
        "try:\n    la.sklearn\nexcept ImportError as problem:\n    print(problem)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "pip install 'lookalike[utility]'" in ran.stdout
