"""Constraints: their syntax, the levels that they leave, and errors."""

from decimal import Decimal

import pytest

from lookalike import Infeasible, InvalidInput
from lookalike.model.lattice import Lattice
from lookalike.search.lattice.constraints import Constraint, restrict
from lookalike.search.lattice.preferences import Candidate

NAMES = ("sex", "zip")
WHOLE = Lattice((0, 0), (1, 3))


def restricted(*texts, names=NAMES):
    return restrict(WHOLE, names, [Constraint.parse(text) for text in texts])


class TestParse:
    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ("zip <= 2", ("zip", "<=", "2")),
            ("zip<=2", ("zip", "<=", "2")),
            ("  zip  >  2  ", ("zip", ">", "2")),
            ("sex = 0", ("sex", "=", "0")),
            ("sex == 0", ("sex", "=", "0")),
            ("date of birth >= 1", ("date of birth", ">=", "1")),
            ("precision >= 0.75", ("precision", ">=", "0.75")),
            ("a=b < 3", ("a=b", "<", "3")),
        ],
    )
    def test_a_comparison_with_a_number_is_read(self, text, parts):
        name, comparison, number = parts
        assert Constraint.parse(text) == Constraint(name, comparison, Decimal(number))

    @pytest.mark.parametrize(
        "text", ["", "zip", "zip <=", "= 2", "zip <= two", "zip 2", "zip <= 1 2", "zip <= nan"]
    )
    def test_anything_else_is_refused_with_an_example(self, text):
        with pytest.raises(InvalidInput, match="not a comparison with a number, such as"):
            Constraint.parse(text)


class TestLevels:
    @pytest.mark.parametrize(
        ("text", "levels"),
        [
            ("zip <= 2", [0, 1, 2]),
            ("zip >= 2", [2, 3]),
            ("zip = 2", [2]),
            ("zip < 2", [0, 1]),
            ("zip > 2", [3]),
            ("zip > 1.5", [2, 3]),
            ("zip = 1.5", []),
            ("zip > 3", []),
            ("zip <= Infinity", [0, 1, 2, 3]),
        ],
    )
    def test_a_bound_leaves_the_levels_that_satisfy_it(self, text, levels):
        assert Constraint.parse(text).levels(3) == levels


class TestRestrict:
    def test_nothing_restricts_nothing(self):
        assert restricted() == (WHOLE, [])

    def test_bounds_on_one_attribute_are_taken_together(self):
        assert restricted("zip > 0", "zip <= 2", "zip < 9")[0] == Lattice((0, 1), (1, 2))

    def test_bounds_on_several_attributes_are_taken_together(self):
        assert restricted("zip > 0", "sex = 0")[0] == Lattice((0, 1), (0, 3))

    @pytest.mark.parametrize("texts", [("zip > 2", "zip < 2"), ("zip > 3",), ("sex < 0",)])
    def test_bounds_that_leave_no_level_are_infeasible(self, texts):
        with pytest.raises(Infeasible, match="contradict each other"):
            restricted(*texts)

    def test_conditions_on_solutions_are_handed_back_in_order(self):
        lattice, others = restricted("height < 3", "zip = 1", "suppressed <= 2")
        assert lattice == Lattice((0, 1), (1, 1))
        assert [other.quantity for other in others] == ["height", "suppressed"]

    def test_an_attribute_goes_before_a_quantity_of_the_same_name(self):
        assert restricted("height = 1", names=("sex", "height")) == (Lattice((0, 1), (1, 1)), [])

    def test_an_unknown_name_is_refused_with_those_that_exist(self):
        with pytest.raises(InvalidInput, match=r"'race' is neither .*sex, zip.*suppressed"):
            restricted("race = 1")


class TestAdmits:
    candidate = Candidate((1, 2), (1, 3), 4, 7, 0.1, (Decimal(1),) * 2)

    @pytest.mark.parametrize(
        "text",
        [
            "height = 3",
            "suppressed <= 4",
            "distinct > 6",
            "precision = 0.1",
            "generalized-attributes = 2",
        ],
    )
    def test_a_candidate_that_satisfies_a_condition_is_admitted(self, text):
        assert Constraint.parse(text).admits(self.candidate)

    @pytest.mark.parametrize("text", ["height < 3", "suppressed > 4", "precision > 0.1"])
    def test_a_candidate_that_does_not_is_not(self, text):
        assert not Constraint.parse(text).admits(self.candidate)
