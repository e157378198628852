"""Properties that all kinds of hierarchies share when they are bound to a column."""

import pytest

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import Dates, Listed, Mask, Rounding, Suppress, Taxonomy

RACE = Taxonomy({"person": ["asian", "black", "white"]})


def test_a_column_without_values_keeps_the_height():
    bound = Dates().bind("birth", [])
    assert bound.height == 5
    assert [bound.size(level) for level in range(6)] == [0] * 6
    assert bound.ground.tolist() == []


def test_missing_stays_missing_below_the_top():
    bound = Dates().bind("birth", ["1965-09-20", None])
    code = bound.ground[1]
    path = [bound.labels[level][bound.levels[level][code]] for level in range(6)]
    assert path == [None, None, None, None, None, "*"]


def test_a_column_of_only_missing_values_goes_to_the_suppressed_value():
    assert Suppress().bind("sex", [None]).labels == ((None,), ("*",))


def test_an_empty_text_is_a_value_and_not_missing():
    bound = Suppress().bind("sex", ["", None])
    assert bound.labels[0] == ("", None)
    assert bound.leaves[1].tolist() == [2]


def test_a_column_of_one_value_may_have_the_height_0():
    bound = Listed({"x": ["x"]}).bind("constant", ["x"])
    assert bound.height == 0
    assert bound.labels == (("x",),)


def test_a_hierarchy_of_height_0_has_no_room_for_missing():
    with pytest.raises(InvalidInput, match=r"must be one value, but is '\(missing\)', 'x'"):
        Listed({"x": ["x"]}).bind("constant", ["x", None])


def test_the_suppressed_label_cannot_be_a_value_of_the_column():
    with pytest.raises(InvalidInput, match=r"'sex': '\*' stands for suppressed .*another"):
        Suppress().bind("sex", ["f", "*"])


def test_another_suppressed_label_is_written_at_the_top():
    assert Suppress().bind("sex", ["f", "*"], suppressed="(hidden)").labels == (
        ("f", "*"),
        ("(hidden)",),
    )


def test_another_suppressed_label_is_written_for_unknown_values():
    rule = Rounding([10], unknown="suppress")
    bound = rule.bind("income", ["5", "?"], suppressed="#")
    assert bound.labels == (("5", "#"), ("10", "#"), ("#",))


def test_unknown_values_are_refused_five_at_most_by_name():
    with pytest.raises(
        UnknownValue,
        match=r"'race': 7 values .*'a', 'b', 'c', 'd', 'e' and 2 more; .*unknown = \"suppress\"",
    ):
        RACE.bind("race", ["asian", *"gfedcba"])


def test_unknown_values_can_be_suppressed_under_one_code():
    rule = Taxonomy(RACE.tree, unknown="suppress")
    bound = rule.bind("race", ["x", "asian", "y"])
    assert bound.ground.tolist() == [0, 1, 0]
    assert bound.unknown == 0
    assert bound.labels == (("*", "asian"), ("person",))


def test_without_unknown_values_there_is_no_code_for_them():
    assert Suppress(unknown="suppress").bind("sex", ["f"]).unknown is None


@pytest.mark.parametrize("level", [-1, 2])
def test_a_level_outside_the_hierarchy_is_refused(level):
    with pytest.raises(InvalidInput, match=f"level {level} is outside 0 … 1"):
        RACE.generalize("asian", level)


def test_a_mask_generalizes_unseen_values_once_it_is_fitted():
    assert Mask().fit(["02138"]).generalize("94", 1) == "94*"
