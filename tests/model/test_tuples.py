"""Tuples: labels, classes and counts of released tuples."""

import numpy as np
import pytest

from lookalike import InternalError, Mask, Suppress, Taxonomy
from lookalike.hierarchy import Listed
from lookalike.model.tuples import (
    SUPPRESSED_CELL,
    SUPPRESSED_TEXT,
    Tuples,
    check_conserved,
    tuples_at,
)

from ..small_tables import TREE, frequencies

GONE = SUPPRESSED_CELL


def tuples_of(sequence, levels, counts):
    """Return tuples from their levels, one row per attribute."""
    return Tuples(
        np.array(sequence, dtype=np.int32),
        np.array(levels, dtype=np.int32),
        np.array(counts, dtype=np.int64),
    )


def texts(tuples, freq, attribute=0):
    """Return the label of an attribute in every tuple."""
    labels, shown = tuples.shown(freq, attribute)
    return [labels[code] for code in shown]


class TestShown:
    def test_each_tuple_shows_its_value_at_its_own_level(self):
        freq = frequencies(("a",), ("b",), ("c",), ("d",), letter=TREE)
        tuples = tuples_of(range(4), [[0, 1, 2, GONE]], [1] * 4)
        assert freq.sequences() == [("a",), ("b",), ("c",), ("d",)]
        assert texts(tuples, freq) == ["a", "A", "*", "*"]

    def test_a_sequence_may_show_several_tuples(self):
        freq = frequencies(("a",), ("a",), ("b",), letter=TREE)
        assert texts(tuples_of([0, 0, 1], [[0, GONE, 1]], [1, 1, 1]), freq) == ["a", "*", "A"]

    def test_the_suppressed_value_comes_first_among_the_labels(self):
        freq = frequencies(("a",), letter=TREE)
        labels, shown = tuples_of([0], [[GONE]], [1]).shown(freq, 0)
        assert labels[SUPPRESSED_TEXT] == "*"
        assert shown.tolist() == [SUPPRESSED_TEXT]

    def test_missing_is_shown_as_missing_until_it_is_suppressed(self):
        freq = frequencies((None,), (None,), letter=TREE)
        assert texts(tuples_of([0, 0, 0], [[0, 1, GONE]], [1, 1, 0]), freq) == [None, None, "*"]

    def test_levels_beyond_127_are_told_apart(self):
        freq = frequencies(("x" * 300,), ("y" * 300,), code=Mask())
        tuples = tuples_at(freq, (299,), np.zeros(2, dtype=np.int64))
        assert texts(tuples, freq) == ["x" + "*" * 299, "y" + "*" * 299]


class TestHidden:
    def test_suppressed_cells_and_a_suppressed_top_are_hidden(self):
        freq = frequencies(("a",), ("b",), letter=Suppress())
        tuples = tuples_of([0, 0, 1, 1], [[0, GONE, 1, 0]], [1] * 4)
        assert tuples.hidden(freq, 0).tolist() == [False, True, True, False]

    def test_a_top_with_another_label_is_not_hidden(self):
        freq = frequencies(("a",), ("b",), letter=Taxonomy({"person": ["a", "b"]}))
        assert tuples_of([0, 1], [[1, GONE]], [1, 1]).hidden(freq, 0).tolist() == [False, True]

    def test_a_value_that_is_suppressed_as_unknown_is_hidden_at_every_level(self):
        rule = Taxonomy({"A": ["a"], "B": ["b"]}, unknown="suppress")
        freq = frequencies(("?",), ("a",), letter=rule)
        unknown = freq.sequences().index(("*",))
        tuples = tuples_of([unknown] * 2, [[0, 1]], [1, 0])
        assert tuples.hidden(freq, 0).all()


class TestClasses:
    def test_tuples_that_are_written_alike_are_one_class(self):
        freq = frequencies(("a",), ("a",), ("b",), ("c",), letter=TREE)
        tuples = tuples_of([0, 1, 2], [[1, 1, 1]], [2, 1, 1])
        class_of, counts = tuples.classes(freq, ["letter"])
        assert class_of.tolist() == [0, 0, 1]
        assert counts.tolist() == [3, 1]

    def test_labels_that_are_alike_at_different_levels_are_alike(self):
        rule = Listed({"a": ["a", "b", "all"], "b": ["b", "b", "all"]})
        freq = frequencies(("a",), ("b",), letter=rule)
        tuples = tuples_of([0, 1], [[1, 0]], [1, 1])
        assert texts(tuples, freq) == ["b", "b"]
        assert tuples.classes(freq, ["letter"])[1].tolist() == [2]

    def test_a_suppressed_cell_is_like_a_suppressed_top_and_an_unknown_value(self):
        rule = Taxonomy({"A": ["a", "b"]}, suppression_level=True, unknown="suppress")
        freq = frequencies(("a",), ("b",), ("?",), letter=rule)
        unknown = freq.sequences().index(("*",))
        a, b = (freq.sequences().index((letter,)) for letter in "ab")
        levels = {a: GONE, b: 2, unknown: 0}
        tuples = tuples_of(range(3), [[levels[n] for n in range(3)]], [1] * 3)
        assert tuples.classes(freq, ["letter"])[1].tolist() == [3]

    def test_a_suppressed_cell_is_unlike_what_it_hides(self):
        freq = frequencies(("a", "x"), ("a", "x"), one=TREE, two=Suppress())
        tuples = tuples_of([0, 0], [[0, GONE], [0, 0]], [1, 1])
        assert tuples.classes(freq, ["one", "two"])[1].tolist() == [1, 1]
        assert tuples.classes(freq, ["two"])[1].tolist() == [2]

    def test_missing_is_unlike_suppressed(self):
        freq = frequencies((None,), (None,), letter=TREE)
        assert tuples_of([0, 0], [[0, GONE]], [1, 1]).classes(freq, ["letter"])[1].tolist() == [
            1,
            1,
        ]


class TestTuplesAt:
    def test_a_vector_gives_one_tuple_to_every_sequence_that_is_released(self):
        freq = frequencies(("a",), ("a",), ("b",), ("c",), letter=TREE)
        tuples = tuples_at(freq, (1,), np.array([1, 1, 0]))
        assert tuples.sequence.tolist() == [0, 2]
        assert tuples.counts.tolist() == [1, 1]
        assert texts(tuples, freq) == ["A", "C"]


class TestConservation:
    @pytest.fixture
    def freq(self):
        return frequencies(("a",), ("a",), ("b",), letter=TREE)

    def test_rows_are_released_or_suppressed_once(self, freq):
        tuples = tuples_of([0, 0], [[0, GONE]], [1, 1])
        assert tuples.rows_by_sequence(freq).tolist() == [2, 0]
        check_conserved(freq, tuples, np.array([0, 1]))

    @pytest.mark.parametrize(
        ("counts", "suppressed"),
        [
            pytest.param([1, 1], [0, 0], id="a row is lost"),
            pytest.param([2, 1], [0, 1], id="a row is doubled"),
            pytest.param([3, 0], [0, 0], id="a row becomes one of another sequence"),
        ],
    )
    def test_anything_else_is_our_fault(self, freq, counts, suppressed):
        with pytest.raises(InternalError, match="do not add up"):
            check_conserved(freq, tuples_of([0, 1], [[0, 0]], counts), np.array(suppressed))
