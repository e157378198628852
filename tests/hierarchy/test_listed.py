import pytest

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import Listed

RACES = {"asian": ["asian", "person"], "black": ["black", "person"]}


def test_a_value_has_the_labels_of_its_path():
    assert Listed(RACES).ancestors("asian") == ("asian", "person")
    assert Listed(RACES).height == 1


def test_the_ground_domain_is_what_is_listed():
    assert Listed(RACES).domain() == ("asian", "black")


def test_one_value_is_its_own_top():
    assert Listed({"x": ["x"]}).height == 0


def test_several_tops_are_allowed_below_a_suppression_level():
    listed = Listed({"a": ["a"], "b": ["b"]}, suppression_level=True)
    assert listed.ancestors("b") == ("b", "*")


def test_the_paths_do_not_change_when_the_argument_does():
    paths = {"x": ["x", "*"]}
    listed = Listed(paths)
    paths["x"][1] = "changed"
    assert listed.ancestors("x") == ("x", "*")


def test_a_value_that_is_not_listed_is_unknown():
    with pytest.raises(UnknownValue, match="add it to paths"):
        Listed(RACES).climb("white")


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ({}, "paths is empty"),
        ({"a": []}, "the path of 'a' must begin with the value itself"),
        ({"a": ["b", "*"]}, "the path of 'a' must begin with the value itself"),
        (
            {"a": ["a", "*"], "b": ["b", "B", "*"]},
            "path of 'b': has 3 labels, but .*path of 'a' has 2",
        ),
        (
            {"a": ["a", "x", "y", "*"], "b": ["b", "x", "z", "*"]},
            "path of 'b': 'x' at level 1 is under 'z', but under 'y' at .*path of 'a'",
        ),
        (
            {"a": ["a", "A"], "b": ["b", "B"]},
            "path of 'b': the top must be one value, .*'B' and 'A' at .*suppression_level = true",
        ),
    ],
)
def test_paths_that_are_no_hierarchy_are_refused(paths, message):
    with pytest.raises(InvalidInput, match=message):
        Listed(paths)


def test_a_suppression_level_above_the_suppressed_value_is_refused():
    with pytest.raises(InvalidInput, match="leave suppression_level out"):
        Listed({"a": ["a", "*"]}, suppression_level=True)
