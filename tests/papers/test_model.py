"""The worked examples of Model: k-anonymity, and the remedy of the unsorted matching attack."""

from itertools import chain, combinations

import pyarrow as pa
import pytest

import lookalike as la

from ..small_tables import frequency_of, generalize, occurrences, rows_of
from .sweeney_tables import (
    MODEL_FIGURE_2,
    MODEL_FIGURE_3,
    MODEL_FIGURE_3_HIERARCHIES,
    RACE_BIRTH_GENDER_ZIP,
)


class TestFigure2:
    """Example 3, the Lemma and Example 4."""

    def test_table_adheres_to_2_anonymity_and_not_to_3(self):
        found = la.check(MODEL_FIGURE_2, RACE_BIRTH_GENDER_ZIP, k=2)
        assert found == la.Checked(k=2, rows=11, classes=5, unique_rows=0, holds=True)
        assert not la.check(MODEL_FIGURE_2, RACE_BIRTH_GENDER_ZIP, k=3).holds

    def test_example_3_tells_which_rows_are_alike(self):
        suppress = dict.fromkeys(RACE_BIRTH_GENDER_ZIP, la.Suppress())
        assert occurrences(frequency_of(MODEL_FIGURE_2, suppress)) == {
            ("Black", "1965", "m", "0214*"): 2,
            ("Black", "1965", "f", "0213*"): 2,
            ("Black", "1964", "f", "0213*"): 2,
            ("White", "1964", "m", "0213*"): 3,
            ("White", "1967", "m", "0213*"): 2,
        }

    @pytest.mark.parametrize(
        ("attribute", "counts"),
        [
            ("Race", {"Black": 6, "White": 5}),
            ("Birth", {"1964": 5, "1965": 4, "1967": 2}),
            pytest.param("Gender", {"m": 7, "f": 4}, id="Gender (misprinted as 6 and 5)"),
            ("ZIP", {"0213*": 9, "0214*": 2}),
        ],
    )
    def test_example_4_counts_each_value_of_an_attribute(self, attribute, counts):
        freq = occurrences(frequency_of(MODEL_FIGURE_2, {attribute: la.Suppress()}))
        assert {value: number for (value,), number in freq.items()} == counts

    @pytest.mark.parametrize(
        "subset",
        list(chain.from_iterable(combinations(RACE_BIRTH_GENDER_ZIP, n) for n in range(1, 5))),
        ids=" ".join,
    )
    def test_lemma_no_subset_of_the_quasi_identifier_matches_fewer_than_k(self, subset):
        assert la.check(MODEL_FIGURE_2, subset, k=2).holds


class TestFigure3:
    """Example 5: two releases of one table, each 2-anonymous."""

    def test_gt1_equals_the_figure_cell_by_cell(self, gt1):
        zips = ["02138", "02139", "02141", "02142"] * 3
        assert rows_of(gt1) == [("Person", value) for value in zips]

    def test_gt2_equals_the_figure_cell_by_cell(self, gt2):
        races = ["Asian"] * 4 + ["Black"] * 4 + ["White"] * 4
        zips = ["02130", "02130", "02140", "02140"] * 3
        assert rows_of(gt2) == list(zip(races, zips, strict=True))

    def test_both_satisfy_k_2(self, gt1, gt2):
        assert la.check(gt1, ["Race", "ZIP"], k=2).k == 3
        assert la.check(gt2, ["Race", "ZIP"], k=2).k == 2

    def test_rows_in_the_same_position_give_the_private_table_away(self, gt1, gt2):
        matched = zip(gt2["Race"].to_pylist(), gt1["ZIP"].to_pylist(), strict=True)
        assert list(matched) == rows_of(MODEL_FIGURE_3)

    @pytest.fixture
    def gt1(self):
        return generalize(MODEL_FIGURE_3, MODEL_FIGURE_3_HIERARCHIES, (1, 0))

    @pytest.fixture
    def gt2(self):
        return generalize(MODEL_FIGURE_3, MODEL_FIGURE_3_HIERARCHIES, (0, 1))


class TestRemedyOfExample5:
    """Positions are drawn at random; of 200 rows the same order comes once in 200! times."""

    def test_order_of_a_release_is_not_that_of_the_source(self):
        order = released_order()
        assert order != list(range(200))
        assert sorted(order) == list(range(200))

    def test_order_of_two_releases_of_one_table_differs(self):
        assert released_order() != released_order()

    def test_certificate_says_that_the_order_is_random(self):
        assert release_in_order(people()).certificate.order == "randomized"

    def test_order_is_kept_only_on_request_and_then_the_certificate_says_so(self):
        made = release_in_order(people(), keep_order=True)
        assert made.table["row"].to_pylist() == list(range(200))
        assert made.certificate.order == "kept"


def people():
    """Return 200 people of Figure 3's races, with the number of their row."""
    races = MODEL_FIGURE_3["Race"].to_pylist()
    return pa.table({"Race": [races[row % 12] for row in range(200)], "row": range(200)})


def released_order():
    """Release the 200 people and return the order of their rows."""
    return release_in_order(people()).table["row"].to_pylist()


def release_in_order(table, **fields):
    """Release a table whose column `row` has the order of the source."""
    race = MODEL_FIGURE_3_HIERARCHIES["Race"]
    attributes = {
        "Race": {"role": "quasi-identifier", "hierarchy": race},
        "row": {"role": "other", "unique": True},
    }
    return la.release(table, attributes=attributes, k=2, **fields)
