"""Checking whether a table is k-anonymous."""

import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la

PEOPLE = {"zip": ["02138", "02138", "02139", None, None], "sex": ["m", "m", "f", "f", "f"]}


@pytest.fixture
def people():
    return pa.table(PEOPLE)


def test_k_is_the_size_of_the_smallest_class(people):
    assert la.check(people, ["sex"]) == la.Checked(
        k=2, rows=5, classes=2, unique_rows=0, holds=True
    )


def test_rows_that_no_other_equals_are_unique(people):
    assert la.check(people, ["zip", "sex"]) == la.Checked(
        k=1, rows=5, classes=3, unique_rows=1, holds=False
    )


def test_missing_values_are_alike(people):
    found = la.check(people.slice(3), ["zip", "sex"])
    assert (found.k, found.classes) == (2, 1)


@pytest.mark.parametrize(("k", "holds"), [(1, True), (2, True), (3, False)])
def test_holds_up_to_the_size_of_the_smallest_class(people, k, holds):
    assert la.check(people, ["sex"], k).holds is holds


def test_k_1_always_holds(people):
    assert la.check(people, ["zip", "sex"], k=1).holds


def test_a_table_of_one_row_has_k_1(people):
    found = la.check(people.slice(0, 1), ["zip"])
    assert found == la.Checked(k=1, rows=1, classes=1, unique_rows=1, holds=False)


def test_a_table_without_rows_has_no_k_and_breaks_none(people):
    found = la.check(people.slice(0, 0), ["zip"], k=5)
    assert found == la.Checked(k=None, rows=0, classes=0, unique_rows=0, holds=True)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_takes_any_frame(kind):
    assert la.check(kind(PEOPLE), ["zip", "sex"]).classes == 3


def test_takes_a_path_as_text_or_as_a_path(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text("zip,sex\n02138,m\n02138,m\n,f\n,f\n")
    assert la.check(file, ["zip", "sex"]).k == 2
    assert la.check(str(file), ["zip", "sex"]).k == 2


def test_takes_fields_of_the_source_for_a_path(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text("zip;sex\n02138;m\n02138;m\n02139;f\n")
    assert la.check(file, ["zip"], where="sex = 'm'", delimiter=";").rows == 2


def test_a_quasi_identifier_given_as_text_is_refused(people):
    with pytest.raises(la.InvalidInput, match="as a list of column names"):
        la.check(people, "zip")


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_1_is_refused(people, k):
    with pytest.raises(la.InvalidInput, match=f"k must be at least 1, not {k}"):
        la.check(people, ["zip"], k)


def test_a_column_that_is_not_there_is_refused_with_those_that_are(people):
    with pytest.raises(la.InvalidInput, match="no column 'age'; its columns are 'zip', 'sex'"):
        la.check(people, ["zip", "age"])


def test_column_names_that_may_be_values_are_not_shown():
    """In a file without a header line, the first row is read as column names."""
    headerless = pa.table({"Telltale": ["Underhill"], "02138": ["02139"]})
    with pytest.raises(la.InvalidInput, match="a header line") as refused:
        la.check(headerless, ["zip"])
    assert "Telltale" not in str(refused.value)
    assert "02138" not in str(refused.value)


def test_a_column_that_is_nearly_there_is_suggested(people):
    with pytest.raises(la.InvalidInput, match="no column 'zipp'; did you mean 'zip'"):
        la.check(people, ["zipp"])


def test_fields_of_the_source_for_a_frame_are_refused(people):
    with pytest.raises(la.InvalidInput, match="where can be given for a path only"):
        la.check(people, ["zip"], where="sex = 'm'")


def test_something_that_is_no_table_is_refused():
    with pytest.raises(la.InvalidInput, match="a dict is not a table"):
        la.check(PEOPLE, ["zip"])


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(la.InvalidInput, match="no file is found at"):
        la.check(tmp_path / "none.csv", ["zip"])


def test_a_field_of_the_source_that_does_not_exist_is_refused(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text("zip\n02138\n")
    with pytest.raises(la.InvalidInput, match="colour"):
        la.check(file, ["zip"], colour="red")


class TestPersons:
    PEOPLE = ("ann", "ann", "bob", None, None)
    VISITS = pa.table({"zip": ["1", "1", "1", "2", "2"], "person": PEOPLE})

    def test_a_class_must_have_k_persons(self):
        checked = la.check(self.VISITS, ["zip"], k=2, person="person")
        assert checked == la.Checked(
            k=2, rows=5, classes=2, unique_rows=0, holds=False, persons=3, k_persons=1
        )
        assert la.check(self.VISITS, ["zip"], k=2).holds
        assert la.check(self.VISITS, ["zip"], k=1, person="person").holds

    def test_an_empty_table_has_no_persons(self):
        checked = la.check(self.VISITS.slice(0, 0), ["zip"], person="person")
        assert (checked.k, checked.k_persons, checked.persons) == (None, None, 0)
        assert checked.holds

    def test_combinations_beyond_memory_are_refused(self, tmp_path):
        pyarrow.csv.write_csv(self.VISITS, tmp_path / "visits.csv")
        with pytest.raises(la.InvalidInput, match="raise max_sequences"):
            la.check(tmp_path / "visits.csv", ["zip"], person="person", max_sequences=1)

    def test_the_command_fails_if_a_class_has_fewer_than_k_persons(self, type_in, tmp_path):
        file = tmp_path / "visits.csv"
        pyarrow.csv.write_csv(self.VISITS, file)
        code, told, _ = type_in(f"check {file} -q zip -k 2 --person person --json")
        assert code == 1
        assert json.loads(told) == {
            "k": 2,
            "rows": 5,
            "classes": 2,
            "unique_rows": 0,
            "holds": False,
            "persons": 3,
            "k_persons": 1,
        }
        code, told, _ = type_in(f"check {file} -q zip -k 2 --person person")
        assert code == 1
        assert "3 persons in column 'person'; the class with the fewest persons has 1." in told
