"""µ-Argus, step by step (Achieving, Figure 11)."""

from collections import Counter
from decimal import Decimal

import pytest

import lookalike as la
from lookalike import Infeasible, InvalidInput, Mask, Suppress, Taxonomy
from lookalike.model.requirement import QuasiIdentifier, Requirement
from lookalike.search.argus.options import ArgusOptions, Unsafe, decide_as_listed
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import ALGORITHMS, mu_argus
from lookalike.search.options import SearchOptions

from ..small_tables import TREE, frequencies, released_rows, table_of

ZIP = Mask(length=3)


def run(freq, k=2, decide=lambda _: None, weights=(), **asked):
    """Run the method; `asked` has the options of µ-Argus."""
    options = SearchOptions(argus=ArgusOptions(**asked), decide=decide, weights=weights)
    return mu_argus(freq, Requirement(k), options)


def test_is_registered_under_its_name():
    assert ALGORITHMS["mu-argus"] is mu_argus


class TestStep2:
    """Each attribute is generalized until each of its values occurs k times."""

    def test_every_attribute_reaches_the_lowest_level_that_does(self):
        rows = [("a", "100"), ("b", "101"), ("c", "110"), ("d", "111")]
        assert run(frequencies(*rows, letter=TREE, zip=ZIP)).vector == (1, 1)

    def test_attributes_are_judged_alone(self):
        rows = [("a", "1"), ("a", "2"), ("b", "1"), ("b", "2")]
        freq = frequencies(*rows, one=Suppress(), two=Suppress())
        assert run(freq).vector == (0, 0)

    def test_an_attribute_may_have_to_reach_the_top(self):
        freq = frequencies(("a",), ("a",), ("c",), letter=TREE)
        recoding = run(freq)
        assert recoding.vector == (2,)
        assert released_rows(freq, recoding) == {("*",): 3}

    def test_k_says_how_often(self):
        freq = frequencies(*[(letter,) for letter in "aabbccdd"], letter=TREE)
        assert [run(freq, k).vector for k in (2, 3, 4, 5)] == [(0,), (1,), (1,), (2,)]

    def test_what_is_suppressed_as_unknown_may_be_rare(self):
        rule = Taxonomy({"A": ["a", "b"]}, unknown="suppress")
        assert run(frequencies(("a",), ("a",), ("?",), letter=rule)).vector == (0,)

    def test_an_attribute_that_is_not_identifying_stays_as_it_is(self):
        rows = [("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]
        freq = frequencies(*rows, letter=TREE, other=Suppress())
        assert run(freq, identification=(0, 1)).vector == (0, 0)

    def test_k_is_that_of_the_only_quasi_identifier(self):
        freq = frequencies(*[(letter,) for letter in "aabbccdd"], letter=TREE)
        only = QuasiIdentifier("patient", ("letter",), 3)
        assert mu_argus(freq, Requirement(2, quasi_identifiers=(only,))).vector == (1,)


UNIQUE_PAIR = [("a", "x"), ("a", "x"), ("c", "y"), ("c", "y"), ("a", "y")]


class TestStep3:
    def test_a_cell_of_a_rare_combination_is_suppressed(self):
        freq = frequencies(*UNIQUE_PAIR, one=Suppress(), two=Suppress())
        recoding = run(freq)
        assert released_rows(freq, recoding) == {("a", "x"): 2, ("c", "y"): 2, ("*", "y"): 1}
        assert not recoding.suppressed.any()
        assert (recoding.rows_suppressed, recoding.rows_complementary) == (0, 0)
        assert recoding.k_minimal is None

    def test_the_more_identifying_attribute_is_suppressed_of_several(self):
        freq = frequencies(*UNIQUE_PAIR, one=Suppress(), two=Suppress())
        for levels, shown in {(1, 2): ("*", "y"), (2, 1): ("a", "*"), (3, 3): ("*", "y")}.items():
            assert shown in released_rows(freq, run(freq, identification=levels))

    def test_an_attribute_that_is_not_identifying_is_in_no_combination(self):
        freq = frequencies(*UNIQUE_PAIR, one=Suppress(), two=Suppress())
        recoding = run(freq, identification=(1, 0))
        assert released_rows(freq, recoding) == Counter(UNIQUE_PAIR)

    FOUR = (  # every three values of the last row occur elsewhere, all four do not
        *[tuple("b" if place == other else "1" for place in range(4)) for other in range(4)] * 2,
        ("1", "1", "1", "1"),
    )

    @pytest.mark.parametrize(
        ("dimension", "suppressed"), [(2, False), (3, False), (4, True), (9, True), (None, True)]
    )
    def test_four_values_are_rare_together_only_if_four_are_tested(self, dimension, suppressed):
        freq = frequencies(*self.FOUR, **dict.fromkeys("abcd", Suppress()))
        found = released_rows(freq, run(freq, dimension=dimension))
        assert (("1",) * 4 in found) is not suppressed
        assert (("*", "1", "1", "1") in found) is suppressed

    THREE = (*[("b", "1", "1"), ("1", "b", "1"), ("1", "1", "b")] * 2, ("1", "1", "1"))

    @pytest.mark.parametrize(("dimension", "suppressed"), [(2, False), (3, True)])
    def test_three_values_are_rare_together_only_if_three_are_tested(self, dimension, suppressed):
        freq = frequencies(*self.THREE, **dict.fromkeys("abc", Suppress()))
        assert (
            ("*", "1", "1") in released_rows(freq, run(freq, dimension=dimension))
        ) is suppressed

    def test_the_program_tests_fewer(self):
        freq = frequencies(*UNIQUE_PAIR, one=Suppress(), two=Suppress())
        whole = run(freq, identification=(2, 2))
        program = run(freq, identification=(2, 2), combinations="program")
        assert ("*", "y") in released_rows(freq, whole)
        assert released_rows(freq, program) == Counter(UNIQUE_PAIR)

    def test_hidden_cells_are_not_tested(self):
        rule = Taxonomy({"A": ["a", "c"]}, unknown="suppress")
        rows = [("a", "x"), ("a", "x"), ("c", "y"), ("c", "y"), ("?", "y"), ("!", "x")]
        freq = frequencies(*rows, one=rule, two=Suppress())
        assert released_rows(freq, run(freq)) == {
            ("a", "x"): 2,
            ("c", "y"): 2,
            ("*", "y"): 1,
            ("*", "x"): 1,
        }

    def test_an_attribute_at_a_suppressed_top_is_not_tested(self):
        rows = [(str(number), "xy"[number % 2]) for number in range(4)]
        freq = frequencies(*rows, person=Suppress(), two=Suppress())
        assert released_rows(freq, run(freq, k=2)) == {("*", "x"): 2, ("*", "y"): 2}


class TestSteps4And5:
    """The data holder decides what to generalize, until the decision is None."""

    ROWS = (("a", "x"), ("b", "x"), ("a", "y"), ("a", "y"), ("b", "x"), ("b", "y"))

    @pytest.fixture
    def freq(self):
        return frequencies(*self.ROWS, one=TREE, two=Suppress())

    def decide(self, *answers):
        """Return a callback that gives these decisions, and the list of what it received."""
        shown, remaining = [], iter(answers)

        def decide(unsafe):
            shown.append(unsafe)
            return next(remaining, None)

        return decide, shown

    def test_it_is_shown_what_is_rare(self, freq):
        decide, shown = self.decide()
        run(freq, decide=decide)
        assert shown == [
            Unsafe(
                k=2,
                levels={"one": 0, "two": 0},
                heights={"one": 2, "two": 1},
                combinations={("one", "two"): (2, 2)},
                rows=2,
            )
        ]
        assert shown[0].attributes == {"one": 2, "two": 2}
        assert shown[0].choices == ("one", "two")

    def test_it_is_asked_again_until_it_gives_no_answer(self, freq):
        decide, shown = self.decide("one", "one")
        recoding = run(freq, decide=decide)
        assert [unsafe.levels["one"] for unsafe in shown] == [0, 1, 2]
        assert [unsafe.rows for unsafe in shown] == [2, 0, 0]
        assert shown[1].combinations == {}
        assert shown[1].choices == ()
        assert recoding.vector == (2, 0)
        assert [step.vector for step in recoding.steps] == [(0, 0), (1, 0), (2, 0)]

    def test_what_is_at_the_top_or_has_nothing_rare_is_no_choice(self):
        levels, heights = {"a": 2, "b": 0, "c": 0, "d": 0}, dict.fromkeys("abcd", 2)
        combinations = {("a", "b", "c"): (3, 5), ("b", "c"): (1, 2)}
        unsafe = Unsafe(2, levels, heights, combinations, 5)
        assert unsafe.attributes == {"a": 3, "b": 4, "c": 4, "d": 0}
        assert unsafe.choices == ("b", "c")

    def test_generalizing_leaves_less_to_suppress(self, freq):
        assert released_rows(freq, run(freq, decide=decide_as_listed(["one"]))) == {
            ("A", "x"): 3,
            ("A", "y"): 3,
        }

    def test_it_may_generalize_what_has_nothing_rare(self, freq):
        assert run(freq, decide=decide_as_listed(["one", "one", "two"])).vector == (2, 1)

    def test_a_decision_can_be_undone(self, freq):
        decide, shown = self.decide("one", la.UNDO, "two")
        recoding = run(freq, decide=decide)
        assert [tuple(unsafe.levels.values()) for unsafe in shown] == [
            (0, 0),
            (1, 0),
            (0, 0),
            (0, 1),
        ]
        assert recoding.vector == (0, 1)
        assert [step.vector for step in recoding.steps] == [(0, 0), (0, 1)]

    def test_what_step_2_did_cannot_be_undone(self):
        freq = frequencies(("a", "x"), ("b", "x"), ("c", "x"), ("d", "x"), one=TREE, two=Suppress())
        decide, shown = self.decide(la.UNDO, la.UNDO, "one", la.UNDO, la.UNDO)
        assert run(freq, decide=decide).vector == (1, 0)
        assert [unsafe.levels["one"] for unsafe in shown] == [1, 1, 1, 2, 1, 1]

    def test_an_attribute_that_there_is_not(self, freq):
        with pytest.raises(InvalidInput, match="no attribute is named 'three'; they are one, two"):
            run(freq, decide=decide_as_listed(["three"]))

    def test_an_attribute_at_the_top(self, freq):
        with pytest.raises(InvalidInput, match="'two' is already at the top of its hierarchy"):
            run(freq, decide=decide_as_listed(["two", "two"]))

    def test_the_library_asks_a_callback_and_takes_a_list(self):
        attributes = {
            "one": {"role": "quasi-identifier", "hierarchy": TREE},
            "two": {"role": "quasi-identifier", "hierarchy": Suppress()},
        }
        asked = {"attributes": attributes, "k": 2, "method": "mu-argus"}
        table = table_of(("one", "two"), self.ROWS)
        decide, shown = self.decide("one")
        assert la.release(table, decide=decide, **asked).levels == {"one": 1, "two": 0}
        assert isinstance(shown[0], la.Unsafe)
        assert la.release(table, generalize=["two"], **asked).levels == {"one": 0, "two": 1}
        both = la.release(table, generalize=["two"], decide=self.decide("one")[0], **asked)
        assert both.levels == {"one": 1, "two": 0}


class TestStep6:
    """The value that occurs in the most outliers relative to its cost is suppressed first."""

    TARGET = ("a1", "b1", "c1")
    ROWS = (  # a1 is rare with b1 and with c1; b1 and c1 are not rare together
        TARGET,
        *[("a1", "b2", "c2")] * 2,
        *[(other, "b1", "c1") for other in ("a2", "a3", "a4")] * 2,
    )

    def suppressed(self, names="abc", **asked):
        """Return the attributes that are suppressed in the target row, and no other row."""
        order = ["abc".index(name) for name in names]
        rows = [tuple(row[place] for place in order) for row in self.ROWS]
        freq = frequencies(*rows, **dict.fromkeys(names, Suppress()))
        (changed,) = [
            row for row in released_rows(freq, run(freq, dimension=2, **asked)) if "*" in row
        ]
        return {name for name, value in zip(names, changed, strict=True) if value == "*"}

    def test_by_count_one_cell_breaks_both_combinations(self):
        assert self.suppressed() == {"a"}

    def test_by_entropy_the_cells_that_tell_less_go_first(self):
        assert self.suppressed(suppress_by="entropy") == {"b", "c"}

    @pytest.mark.parametrize(
        ("weights", "expected"),
        [
            pytest.param("1 1 1", {"a"}, id="all alike, as by count"),
            pytest.param("2 1 1", {"a"}, id="two combinations for twice the cost, first in order"),
            pytest.param("2.1 1 1", {"b", "c"}, id="two combinations for more than twice the cost"),
            pytest.param("9 1 0", {"b", "c"}, id="what weighs nothing goes first"),
            pytest.param("0 1 1", {"a"}, id="what weighs nothing goes, and that is enough"),
            pytest.param("1 0 9", {"a", "b"}, id="what weighs nothing goes, and is not enough"),
        ],
    )
    def test_by_weight_the_lighter_cells_go_first(self, weights, expected):
        weights = tuple(Decimal(text) for text in weights.split())
        assert self.suppressed(suppress_by="weight", weights=weights) == expected

    def test_of_cells_that_weigh_nothing_the_one_in_most_outliers_goes(self):
        weights = (Decimal(0), Decimal(1), Decimal(0))
        assert self.suppressed("bca", suppress_by="weight", weights=weights) == {"a"}

    def test_weights_matter_only_on_request(self):
        weights = (Decimal(9), Decimal(1), Decimal(1))
        assert self.suppressed(weights=weights) == {"a"}

    def test_ties_go_to_the_more_identifying_then_to_the_first(self):
        weights = tuple(map(Decimal, "211"))
        asked = {"suppress_by": "weight", "weights": weights}
        assert self.suppressed(identification=(3, 1, 1), **asked) == {"b", "c"}
        assert self.suppressed("bca", suppress_by="weight", weights=weights[::-1]) == {"b", "c"}


class TestWhatItRefuses:
    @pytest.fixture
    def freq(self):
        return frequencies(*UNIQUE_PAIR, one=Suppress(), two=Suppress())

    def test_fewer_rows_than_k(self, freq):
        with pytest.raises(Infeasible, match="fewer than k = 6"):
            run(freq, k=6)

    def test_several_quasi_identifiers(self, freq):
        several = tuple(QuasiIdentifier(name, (name,), 2) for name in ("one", "two"))
        with pytest.raises(InvalidInput, match="mu-argus does not take several"):
            mu_argus(freq, Requirement(2, quasi_identifiers=several))

    @pytest.mark.parametrize(
        "asked",
        [
            {"constraints": (Constraint.parse("one <= 1"),)},
            {"prefer": ("minimum-suppression",)},
        ],
    )
    def test_constraints_and_policies(self, freq, asked):
        with pytest.raises(InvalidInput, match="mu-argus does not take"):
            mu_argus(freq, Requirement(2), SearchOptions(**asked))

    @pytest.mark.parametrize("levels", [(1,), (1, 1, 1), (1, 4), (-1, 1)])
    def test_levels_that_do_not_fit_the_attributes(self, freq, levels):
        with pytest.raises(InvalidInput, match="give 0, 1, 2 or 3 for each of one, two"):
            run(freq, identification=levels)

    def test_levels_that_leave_nothing_to_test(self, freq):
        with pytest.raises(InvalidInput, match="every attribute is at 0"):
            run(freq, identification=(0, 0))

    @pytest.mark.parametrize("dimension", [2, 4, None])
    def test_the_program_with_another_dimension(self, freq, dimension):
        with pytest.raises(InvalidInput, match="leave dimension out"):
            run(freq, combinations="program", dimension=dimension)
