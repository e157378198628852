"""The papers' examples of linking: Samarati's Figure 1, Model's Example 1 and section 3.1."""

import csv

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow.release import prepare

from ..small_tables import table_of
from ..voters import PATIENTS, VOTERS, write_voters
from .samarati_tables import (
    SAMARATI_FIGURE_6,
    SAMARATI_FIGURE_6_GT_1_3_0_1_1,
    SAMARATI_FIGURE_6_HIERARCHIES,
    SAMARATI_FIGURE_7,
)
from .sweeney_tables import MODEL_FIGURE_2

HEALTH_PROBLEMS = [
    "hypertension",
    "obesity",
    "chest pain",
    "obesity",
    "hypertension",
    "shortness of breath",
    "shortness of breath",
    "obesity",
    "chest pain",
    "obesity",
    "shortness of breath",
]
SUE = ("Sue J. Carlson", "94142", "9/15/61", "female")
VOTER_LIST = table_of(
    ("Name", "ZIP", "DOB", "Sex"),
    [
        SUE,
        ("somebody of her birth date", "94139", "9/15/61", "female"),
        ("somebody of her street", "94142", "4/15/64", "female"),
        ("her neighbour", "94142", "9/15/61", "male"),
    ],
)
"""The figure omits the other lines; these share values with her."""

ON = ["ZIP", "DOB", "Sex"]


def numbers_of(linked):
    """Return the number of candidate rows of each voter."""
    return dict(
        zip(VOTER_LIST["Name"].to_pylist(), linked.persons.matches.number.tolist(), strict=True)
    )


class TestSamaratiFigure1:
    def test_sue_is_found_in_the_raw_table_though_her_birth_date_is_written_differently(self):
        medical = SAMARATI_FIGURE_6.append_column("HealthProblem", [HEALTH_PROBLEMS])
        linked = la.link(
            medical, VOTER_LIST, ON, hierarchies=SAMARATI_FIGURE_6_HIERARCHIES, identity="Name"
        )
        assert numbers_of(linked)["Sue J. Carlson"] == 1
        row = int(linked.persons.matches.only[0])
        assert medical["HealthProblem"][row].as_py() == "shortness of breath"
        assert linked.rows.matches.number[row] == 1
        assert linked.protection == "none"
        [found] = linked.show(most=5)
        assert found["person"] == dict(
            zip(("ZIP", "DOB", "Sex", "Name"), (*SUE[1:], SUE[0]), strict=True)
        )
        assert found["row"] == {"ZIP": "94142", "DOB": "09/15/61", "Sex": "female"}

    def test_sue_is_not_found_in_the_release_that_suppresses_her_row(self):
        """Figure 7: the month of birth, and the eleventh row left out."""
        linked = self.link_release(SAMARATI_FIGURE_7)
        assert numbers_of(linked)["Sue J. Carlson"] == 0
        assert linked.protection == "null-map"

    def test_sue_is_one_of_several_in_the_release_that_generalizes_more(self):
        """Figure 6, GT[1,3,0,1,1]: three women of her five years and ZIP 9414*."""
        linked = self.link_release(SAMARATI_FIGURE_6_GT_1_3_0_1_1)
        assert numbers_of(linked)["Sue J. Carlson"] == 3
        assert linked.rows.matches.number[[6, 7, 10]].tolist() == [2, 2, 2]

    @staticmethod
    def link_release(rows):
        released = table_of(SAMARATI_FIGURE_6.column_names, rows)
        return la.link(released, VOTER_LIST, ON, hierarchies=SAMARATI_FIGURE_6_HIERARCHIES)


class TestModelExample1:
    """Six people of his birth date, three of them men, one in his ZIP code."""

    @pytest.fixture
    def patient(self):
        with (PATIENTS / "patients.csv").open(encoding="utf-8") as file:
            [row] = [row for row in csv.DictReader(file) if row["name"] == "K. King"]
        return pa.table({name: [value] for name, value in row.items()})

    @pytest.mark.parametrize(
        ("on", "candidates"),
        [
            ({"birth_date": "dob"}, 6),
            ({"birth_date": "dob", "gender": "sex"}, 3),
            ({"birth_date": "dob", "gender": "sex", "zip": "zip"}, 1),
        ],
        ids=["birth date", "and sex", "and ZIP code"],
    )
    def test_each_attribute_narrows_the_voters_down(self, patient, on, candidates):
        linked = la.link(patient, VOTERS, on, spec=PATIENTS / "patients.toml")
        assert linked.rows.matches.number.tolist() == [candidates]

    def test_in_the_release_nobody_is_pinned(self, tmp_path):
        specification = la.Specification.load(PATIENTS / "patients.toml")
        prepare(specification).publish(tmp_path / "released" / "patients.csv")
        on = {"birth_date": "dob", "gender": "sex", "zip": "zip"}
        linked = la.link(tmp_path / "released", VOTERS, on, spec=specification)
        assert linked.rows.count(1, 1) == linked.persons.count(1, 1) == 0
        assert linked.protection == "k-map"

    def test_the_voters_are_those_that_the_seed_draws(self):
        assert VOTERS.read_text(encoding="utf-8") == write_voters()


class TestProtectionModels:
    """Released information maps to no, k or incorrect entities (Model, section 3.1)."""

    released = pa.table({"zip": ["0213*", "0213*", "0214*"], "who": ["ann", "bob", "cat"]})
    rules = {"zip": la.Mask(length=5)}  # noqa: RUF012

    def link(self, zips, names, **fields):
        people = pa.table({"zip": zips, "who": names})
        return la.link(self.released, people, ["zip"], hierarchies=self.rules, **fields)

    def test_null_map(self):
        linked = self.link(["94138", "94139"], ["dan", "eve"])
        assert (linked.protection, linked.k_map, linked.holds) == ("null-map", None, True)

    def test_k_map(self):
        zips = ["02138", "02139", "02139", "02141", "02142", "02142"]
        linked = self.link(zips, list("abcdef"))
        assert (linked.protection, linked.k_map) == ("k-map", 3)
        assert linked.rows.matches.number.tolist() == [3, 3, 3]

    def test_not_even_2_map(self):
        linked = self.link(["02138", "02139", "02141"], ["ann", "bob", "cat"])
        assert (linked.protection, linked.k_map, linked.holds) == ("none", 1, False)

    def test_wrong_map_needs_the_truth(self):
        """Cat moved to 02138, and dan lives where she was: her row points at him."""
        zips, names = ["02138", "02139", "02138", "02141"], ["ann", "bob", "cat", "dan"]
        assert self.link(zips, names).protection == "none"
        linked = self.link(zips, names, identity="who", truth="who")
        assert linked.protection == "wrong-map"
        assert (linked.truth.rows_right, linked.truth.rows_wrong) == (2, 1)
        assert (linked.truth.pinned_right, linked.truth.pinned_wrong) == (0, 1)

    def test_what_is_pinned_rightly_is_not_protected(self):
        zips, names = ["02138", "02139", "02141"], ["ann", "bob", "cat"]
        linked = self.link(zips, names, identity="who", truth="who")
        assert linked.protection == "none"
        assert (linked.truth.pinned_right, linked.truth.small_right) == (1, 1)


def test_homogeneous_classes_disclose_the_value():
    """Samarati, footnote 2, on Model's Figure 2: two classes share one problem."""
    found = la.risk(MODEL_FIGURE_2, ["Race", "Birth", "Gender", "ZIP"], k=2, sensitive=["Problem"])
    [problem] = found.sensitive
    assert found.whole.unique_rows == 0
    assert int(problem.homogeneous.sum()) == 2
    assert int(problem.sizes[problem.homogeneous].sum()) == 4
    disclosed = [found.classes.label([n])[0] for n in problem.homogeneous.nonzero()[0]]
    assert disclosed == [("Black", "1965", "f", "0213*"), ("White", "1967", "m", "0213*")]
    assert "without finding the row" in " ".join(found.warnings)
