"""FrequencyList: distinct sequences, their counts, and rolling up."""

import numpy as np
import pytest

from lookalike import InvalidInput, Mask, Suppress, Taxonomy
from lookalike.hierarchy import Listed
from lookalike.model.frequency import list_frequencies

from ..small_tables import bind_all, frequency_of, occurrences, table_of

ZIP = Mask(steps=2, length=5)
SEX = Taxonomy({"human": ["f", "m"]})
HIERARCHIES = {"sex": SEX, "zip": ZIP}
PEOPLE = table_of(
    ("sex", "zip"),
    [("m", "02141"), ("f", "02138"), ("m", "02139"), ("f", "02138"), ("m", "02138")],
)


@pytest.fixture
def freq():
    return frequency_of(PEOPLE, HIERARCHIES)


class TestListFrequencies:
    def test_counts_each_distinct_sequence(self, freq):
        assert occurrences(freq) == {
            ("f", "02138"): 2,
            ("m", "02138"): 1,
            ("m", "02139"): 1,
            ("m", "02141"): 1,
        }

    def test_sequences_come_in_the_order_of_their_codes(self, freq):
        assert freq.codes.T.tolist() == sorted(freq.codes.T.tolist())

    def test_starts_at_level_0_of_every_attribute(self, freq):
        assert freq.vector == (0, 0)
        assert freq.attributes == ("sex", "zip")
        assert freq.heights == (1, 2)

    def test_counts_add_up_to_the_rows(self, freq):
        assert (freq.rows, len(freq)) == (5, 4)

    def test_entries_may_repeat_and_stand_for_many_rows(self):
        bound = bind_all({"sex": SEX}, [["f", "m"]])
        positions = np.array([[1, 0, 1]], dtype=np.int32)
        sequence_of, freq = list_frequencies(bound, positions, np.array([10, 20, 30]))
        assert occurrences(freq) == {("f",): 20, ("m",): 40}
        assert sequence_of.tolist() == [1, 0, 1]

    def test_the_order_of_the_entries_does_not_matter(self, freq):
        shuffled = frequency_of(PEOPLE.take([4, 2, 0, 1, 3]), HIERARCHIES)
        assert shuffled.sequences() == freq.sequences()
        assert shuffled.counts.tolist() == freq.counts.tolist()

    def test_values_that_the_rule_does_not_know_are_one_value_if_suppressed(self):
        table = table_of(("sex",), [("x",), ("y",), ("m",)])
        rule = Taxonomy({"human": ["f", "m"]}, unknown="suppress")
        assert occurrences(frequency_of(table, {"sex": rule})) == {("*",): 2, ("m",): 1}


class TestRollUp:
    def test_adds_up_what_becomes_alike(self, freq):
        assert occurrences(freq.roll_up((1, 1))) == {("human", "0213*"): 4, ("human", "0214*"): 1}

    def test_to_its_own_vector_changes_nothing(self, freq):
        assert occurrences(freq.roll_up((0, 0))) == occurrences(freq)

    def test_to_the_top_leaves_one_sequence(self, freq):
        assert occurrences(freq.roll_up((1, 2))) == {("human", "021**"): 5}

    def test_of_a_rolled_up_list_goes_on_from_there(self, freq):
        rolled = freq.roll_up((0, 1)).roll_up((0, 2))
        assert rolled.vector == (0, 2)
        assert occurrences(rolled) == {("f", "021**"): 2, ("m", "021**"): 3}

    def test_below_its_own_vector_is_refused(self, freq):
        with pytest.raises(
            InvalidInput, match=r"\(1, 0\) is not above the frequency list's vector \(0, 1\)"
        ):
            freq.roll_up((0, 1)).roll_up((1, 0))

    def test_classify_returns_the_class_of_each_sequence(self, freq):
        class_of, classes = freq.classify((0, 2))
        shown = [classes.sequences()[position] for position in class_of]
        assert shown == [(sex, "021**") for sex, _ in freq.sequences()]


class TestQuestions:
    def test_outliers_are_rows_whose_sequence_occurs_fewer_than_k_times(self, freq):
        assert [freq.outliers((0, 0), k) for k in (1, 2, 3)] == [0, 3, 5]
        assert [freq.outliers((0, 1), k) for k in (1, 2, 3)] == [0, 1, 5]

    def test_a_class_of_exactly_k_rows_is_no_outlier(self, freq):
        assert freq.outliers((1, 2), 5) == 0
        assert freq.outliers((1, 2), 6) == 5

    def test_classes_are_the_sizes(self, freq):
        assert sorted(freq.classes((0, 1)).tolist()) == [1, 2, 2]

    @pytest.mark.parametrize(
        ("vector", "expected"), [((0, 0), (2, 3)), ((0, 1), (2, 2)), ((1, 2), (1, 1))]
    )
    def test_distinct_counts_the_values_of_each_attribute(self, freq, vector, expected):
        assert freq.distinct(vector) == expected

    def test_distinct_counts_values_that_occur_and_not_those_of_the_domain(self):
        freq = frequency_of(table_of(("sex",), [("m",), ("m",)]), {"sex": SEX})
        assert freq.distinct((0,)) == (1,)


class TestEdges:
    def test_no_rows(self):
        freq = frequency_of(table_of(("sex", "zip"), []), HIERARCHIES)
        assert (freq.rows, len(freq), freq.sequences()) == (0, 0, [])
        assert freq.heights == (1, 2)
        assert freq.outliers((1, 2), 2) == 0
        assert freq.distinct((0, 0)) == (0, 0)
        assert freq.roll_up((1, 1)).rows == 0

    def test_one_row(self):
        freq = frequency_of(PEOPLE.slice(0, 1), HIERARCHIES)
        assert occurrences(freq) == {("m", "02141"): 1}
        assert freq.outliers((1, 2), 2) == 1

    def test_a_hierarchy_of_height_0(self):
        table = table_of(("country", "sex"), [("us", "f"), ("us", "m")])
        freq = frequency_of(table, {"country": Listed({"us": ["us"]}), "sex": SEX})
        assert freq.heights == (0, 1)
        assert occurrences(freq.roll_up((0, 1))) == {("us", "human"): 2}

    def test_missing_is_a_value_that_reaches_only_the_top(self):
        table = table_of(("zip",), [("02138",), (None,), (None,), ("02139",)])
        freq = frequency_of(table, {"zip": ZIP})
        assert occurrences(freq) == {("02138",): 1, ("02139",): 1, (None,): 2}
        assert occurrences(freq.roll_up((1,))) == {("0213*",): 2, (None,): 2}
        assert occurrences(freq.roll_up((2,))) == {("021**",): 4}

    def test_missing_and_empty_text_are_two_values(self):
        freq = frequency_of(table_of(("a",), [(None,), ("",), ("",)]), {"a": Suppress()})
        assert occurrences(freq) == {(None,): 1, ("",): 2}

    @pytest.mark.parametrize(("rule", "top"), [(Suppress(), "*"), (SEX, "human")])
    def test_all_missing(self, rule, top):
        freq = frequency_of(table_of(("a",), [(None,), (None,)]), {"a": rule})
        assert occurrences(freq) == {(None,): 2}
        assert occurrences(freq.roll_up((rule.height,))) == {(top,): 2}

    def test_domains_whose_product_exceeds_64_bits(self):
        columns = [f"c{number}" for number in range(12)]
        rows = [tuple(str(row * 100 + number) for number in range(12)) for row in range(50)]
        table = table_of(columns, [*rows, *rows])
        freq = frequency_of(table, dict.fromkeys(columns, Suppress()))
        assert np.prod([float(bound.size(0)) for bound in freq.hierarchies]) > 2.0**64
        assert occurrences(freq) == dict.fromkeys(rows, 2)
        assert freq.roll_up((1,) * 12).counts.tolist() == [100]
