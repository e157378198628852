"""k-Similar: classes of the most similar rows, each generalized by itself."""

from collections import Counter
from decimal import Decimal

import numpy as np
import pytest

from lookalike import Infeasible, InvalidInput, Mask, Rounding, Suppress, Taxonomy
from lookalike.model.measures import precision
from lookalike.model.requirement import QuasiIdentifier, Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import ALGORITHMS, k_similar
from lookalike.search.options import SearchOptions

from ..small_tables import TREE, frequencies, released_rows


def letters(text):
    """Return the frequency list of letters below a tree of two levels."""
    return frequencies(*text, letter=TREE)


def bound(*constraints, **fields):
    """Return options with constraints."""
    return SearchOptions(constraints=tuple(map(Constraint.parse, constraints)), **fields)


def run(frequency, k=2, options=None, **fields):
    """Return the released tuples with their numbers of rows."""
    recoding = k_similar(frequency, Requirement(k, **fields), options or SearchOptions())
    return dict(released_rows(frequency, recoding))


def test_is_registered_under_its_name():
    assert ALGORITHMS["k-similar"] is k_similar


class TestClasses:
    def test_the_most_similar_go_together(self):
        assert run(letters("abcd")) == {("A",): 2, ("C",): 2}

    def test_rows_go_to_different_levels(self):
        assert run(letters("aabbcd")) == {("a",): 2, ("b",): 2, ("C",): 2}

    def test_a_sequence_with_k_rows_loses_nothing(self):
        assert run(letters("aaaacd")) == {("a",): 4, ("C",): 2}

    def test_a_sequence_lends_what_it_has_above_k(self):
        assert run(letters("aaaaaaabbb"), k=5) == {("a",): 5, ("A",): 5}

    def test_it_lends_no_more_than_is_needed(self):
        assert run(letters("a" * 1000 + "b"), k=5) == {("a",): 996, ("A",): 5}

    def test_a_sequence_lends_to_several_classes(self):
        tree = Taxonomy({"A": ["x", "y"], "B": ["z"]})
        rows = [("x", "1")] * 9 + [("y", "1"), ("x", "2")]
        released = run(frequencies(*rows, one=tree, two=Suppress()), k=3)
        assert released == {("x", "1"): 5, ("A", "1"): 3, ("x", "*"): 3}

    def test_leftovers_join_a_class(self):
        assert run(letters("abcdd"), k=2) == {("A",): 2, ("C",): 3}

    def test_k_rows_are_one_class(self):
        assert run(letters("abcd"), k=4) == {("*",): 4}

    def test_identical_rows_are_one_class_however_many(self):
        assert run(letters("a" * 100_000), k=2) == {("a",): 100_000}

    def test_missing_values_are_alike_and_reach_only_the_top(self):
        freq = frequencies((None,), (None,), ("a",), ("b",), letter=TREE)
        assert run(freq) == {(None,): 2, ("A",): 2}
        freq = frequencies((None,), ("a",), ("b",), ("b",), letter=TREE)
        assert run(freq) == {("*",): 2, ("b",): 2}

    def test_any_writing_will_do(self):
        tree = Taxonomy({"größer": ["\u00e9", "e\u0301"], "区": ["区域", "𝔘"]})
        freq = frequencies(("\u00e9",), ("e\u0301",), ("区域",), ("𝔘",), größe=tree)
        assert run(freq) == {("größer",): 2, ("区",): 2}

    def test_what_is_written_as_suppressed_costs_as_much(self):
        rule = Taxonomy({"A": ["a", "b"]}, unknown="suppress")
        rows = [("z", "1"), ("y", "2"), ("a", "1"), ("b", "1")]
        freq = frequencies(*rows, letter=rule, number=Suppress())
        assert run(freq) == {("*", "*"): 2, ("A", "1"): 2}

    def test_an_attribute_of_height_0_is_never_parted(self):
        rows = [("a", "x")] * 2 + [("b", "x")] * 2
        only = Taxonomy({"x": []})
        assert run(frequencies(*rows, letter=TREE, only=only)) == {("a", "x"): 2, ("b", "x"): 2}

    def test_large_k_is_reached_by_clusters_of_clusters(self):
        rng = np.random.default_rng(1)
        rows = [tuple(map(str, row)) for row in rng.integers(100, 200, (700, 3))]
        freq = frequencies(*rows, one=Mask(), two=Mask(), three=Mask())
        for k in (17, 60, 300):
            released = run(freq, k)
            assert min(released.values()) >= k
            assert sum(released.values()) == 700
        assert len(run(freq, 17)) > 20


class TestWeights:
    def test_what_weighs_more_is_kept(self):
        rows = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
        freq = frequencies(*rows, one=Suppress(), two=Suppress())
        kept = [
            run(freq, options=SearchOptions(weights=tuple(map(Decimal, weights))))
            for weights in (("1", "2"), ("2", "1"), ("0", "0.1"), ("0.001", "0"))
        ]
        assert kept[0] == kept[2] == {("*", "x"): 2, ("*", "y"): 2}
        assert kept[1] == kept[3] == {("a", "*"): 2, ("b", "*"): 2}

    def test_where_nothing_can_be_lost_rows_are_still_k_alike(self):
        rows = [("a", "x"), ("b", "x"), ("c", "x"), ("d", "x"), ("d", "x")]
        freq = frequencies(*rows, letter=TREE, only=Taxonomy({"x": []}))
        released = run(freq, options=SearchOptions(weights=(Decimal(0), Decimal(1))))
        assert min(released.values()) >= 2
        assert sum(released.values()) == 5

    def test_weights_far_apart_count_exactly(self):
        weights = (Decimal("1e9"), Decimal("1e-8"))
        rows = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
        freq = frequencies(*rows, one=Suppress(), two=Suppress())
        released = run(freq, options=SearchOptions(weights=weights))
        assert released == {("a", "*"): 2, ("b", "*"): 2}

    @pytest.mark.parametrize("weights", [("1e12", "1e-8"), ("1", "1e-18"), ("1e30", "1e-30")])
    def test_weights_that_do_not_fit_into_64_bits_are_refused(self, weights):
        freq = frequencies(*["ab", "cd", "ab", "ad", "cb"], one=Suppress(), two=Suppress())
        with pytest.raises(InvalidInput, match=r"weights: .* round the weights to fewer digits"):
            run(freq, options=SearchOptions(weights=tuple(map(Decimal, weights))))


class TestConstraints:
    def test_no_cell_is_below_the_least_level(self):
        assert run(letters("aaab"), options=bound("letter >= 1")) == {("A",): 4}

    def test_rows_of_values_that_are_alike_at_the_least_level_are_counted_once(self):
        freq = frequencies(*[("a", "1"), ("b", "1"), ("a", "2"), ("b", "2")], one=TREE, two=Mask())
        recoding = k_similar(freq, Requirement(2), bound("one >= 1"))
        assert released_rows(freq, recoding) == {("A", "1"): 2, ("A", "2"): 2}
        assert recoding.tuples.rows_by_sequence(freq).tolist() == [1, 1, 1, 1]

    def test_no_cell_is_above_the_greatest_level(self):
        rows = [("a", "x"), ("b", "y"), ("a", "y"), ("b", "x")]
        freq = frequencies(*rows, one=Suppress(), two=Suppress())
        assert run(freq, options=bound("one = 0")) == {("a", "*"): 2, ("b", "*"): 2}
        assert run(freq, options=bound("two <= 0")) == {("*", "x"): 2, ("*", "y"): 2}

    def test_rows_that_have_no_others_there_must_be_suppressed(self):
        freq, options = letters("aabbc"), bound("letter <= 1")
        with pytest.raises(
            Infeasible, match=r"1 of 5 rows are in classes below k = 2 .* loosen the"
        ):
            run(freq, options=options)
        assert run(freq, options=options, max_suppressed=1) == {("a",): 2, ("b",): 2}

    def test_blank_rows_must_number_k(self):
        freq, options = letters("aaabbc"), bound("letter <= 1")
        requirement = Requirement(2, 1, "blank")
        recoding = k_similar(freq, requirement, options)
        assert (recoding.rows_suppressed, recoding.rows_complementary) == (1, 1)
        assert released_rows(freq, recoding) == {("a",): 2, ("b",): 2}
        assert recoding.suppressed.tolist() == [1, 0, 1]

    def test_a_release_without_a_row_is_infeasible(self):
        with pytest.raises(Infeasible, match="every one of the 4 rows"):
            run(letters("abcd"), options=bound("letter = 0"), max_suppressed=4)

    def test_bounds_that_contradict_each_other_are_infeasible(self):
        with pytest.raises(Infeasible, match="contradict"):
            run(letters("abcd"), options=bound("letter > 1", "letter < 1"))


class TestSuppression:
    ROWS = (("a", "a", "a"),) * 2 + (("a", "a", "b"), ("d", "d", "d"))
    """The first three lose little without the last."""

    def frequency(self):
        return frequencies(*self.ROWS, one=TREE, two=TREE, three=TREE)

    def test_a_row_is_left_out_if_that_loses_less(self):
        freq = self.frequency()
        recoding = k_similar(freq, Requirement(3, 1))
        assert released_rows(freq, recoding) == {("a", "a", "A"): 3}
        assert (recoding.rows_suppressed, recoding.allowance) == (1, 1)
        assert recoding.suppressed.sum() == 1
        assert precision(freq, recoding) > precision(freq, k_similar(freq, Requirement(3)))

    def test_none_is_left_out_unless_it_is_allowed(self):
        assert run(self.frequency(), 3) == {("*", "*", "*"): 4}

    def test_none_is_left_out_if_blank_rows_would_number_fewer_than_k(self):
        assert run(self.frequency(), 3, max_suppressed=2, suppressed_rows="blank") == {
            ("*", "*", "*"): 4
        }

    def test_none_is_left_out_for_nothing(self):
        assert run(letters("abcd"), max_suppressed=Decimal("1.0")) == {("A",): 2, ("C",): 2}


class TestRefused:
    @pytest.mark.parametrize(
        ("options", "problem"),
        [
            (SearchOptions(prefer=("minimum-suppression",)), "does not take preferences"),
            (bound("suppressed <= 1"), "does not take conditions"),
            (bound("colour <= 1"), "neither a quasi-identifier attribute"),
            (SearchOptions(weights=(Decimal(0),)), "weights: give one"),
        ],
    )
    def test_what_it_does_not_take(self, options, problem):
        with pytest.raises(InvalidInput, match=problem):
            run(letters("abcd"), options=options)

    @pytest.mark.parametrize("parts", [(("one",), ("two",)), (("one",),)])
    def test_several_quasi_identifiers_or_a_part_of_the_attributes(self, parts):
        freq = frequencies(("a", "b"), ("a", "b"), one=TREE, two=TREE)
        asked = tuple(QuasiIdentifier("q", names, 2) for names in parts)
        with pytest.raises(InvalidInput, match=r"k-similar does not take (several|attributes)"):
            run(freq, quasi_identifiers=asked)

    def test_one_quasi_identifier_has_its_own_k(self):
        asked = (QuasiIdentifier("q", ("letter",), 4),)
        assert run(letters("abcd"), k=2, quasi_identifiers=asked) == {("*",): 4}

    def test_fewer_rows_than_k(self):
        with pytest.raises(Infeasible, match="fewer than k = 5"):
            run(letters("abcd"), k=5)


class TestLabels:
    """A label that means different things at different levels is refused."""

    def test_numbers_that_are_rounded_look_like_numbers(self):
        freq = frequencies(("50",), ("50",), ("53",), ("54",), age=Rounding([10]))
        with pytest.raises(InvalidInput, match=r"column 'age': .*: '50'; where levels") as raised:
            run(freq)
        assert "53" not in str(raised.value)

    def test_bounds_on_levels_can_mend_it(self):
        freq = frequencies(("50",), ("50",), ("53",), ("54",), age=Rounding([10]))
        assert run(freq, options=bound("age >= 1")) == {("50",): 4}

    def test_at_most_five_are_named(self):
        rows = [(f"{decade}{unit}",) for decade in range(1, 8) for unit in (0, 1)]
        with pytest.raises(InvalidInput, match="'50' and 2 more;"):
            run(frequencies(*rows, age=Rounding([10])))

    def test_a_label_that_covers_the_same_at_two_levels_is_none(self):
        tree = Taxonomy({"A": {"a": []}, "B": {"C": ["c", "d"]}})
        released = run(frequencies(("a",), ("a",), ("c",), ("d",), letter=tree))
        assert sorted(released.values()) == [2, 2]

    def test_the_suppressed_value_means_nothing_at_any_level(self):
        rule = Taxonomy({"A": ["a", "b"]}, unknown="suppress")
        assert run(frequencies(("x",), ("y",), ("a",), ("b",), letter=rule)) == {
            ("*",): 2,
            ("A",): 2,
        }


def test_the_total_is_that_of_every_row():
    rows = [(a, b) for a in "abcd" for b in "abcd"] * 3
    freq = frequencies(*rows, one=TREE, two=TREE)
    assert Counter(run(freq, 5)).total() == 48
