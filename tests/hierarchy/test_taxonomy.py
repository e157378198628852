import pytest

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import Taxonomy


def test_one_root_is_the_top():
    taxonomy = Taxonomy({"person": ["asian", "black", "white"]})
    assert taxonomy.ancestors("asian") == ("asian", "person")
    assert taxonomy.domain() == ("asian", "black", "white")


def test_several_roots_are_joined_under_the_suppressed_value():
    taxonomy = Taxonomy({"been": ["married", "divorced"], "never": ["single"]})
    assert taxonomy.ancestors("single") == ("single", "never", "*")


def test_tables_may_be_nested():
    taxonomy = Taxonomy({"*": {"Europe": {"north": ["NO", "SE"], "south": ["IT"]}}})
    assert taxonomy.ancestors("IT") == ("IT", "south", "Europe", "*")


@pytest.mark.parametrize("nothing", [[], {}])
def test_a_leaf_near_the_top_repeats_itself_below(nothing):
    taxonomy = Taxonomy({"*": {"A": ["a1", "a2"], "b": nothing}})
    assert taxonomy.ancestors("a1") == ("a1", "A", "*")
    assert taxonomy.ancestors("b") == ("b", "b", "*")


def test_roots_may_be_leaves():
    assert Taxonomy({"yes": [], "no": []}).ancestors("no") == ("no", "*")


def test_a_single_leaf_has_the_height_0():
    assert Taxonomy({"only": []}).height == 0


def test_a_suppression_level_comes_above_one_root():
    taxonomy = Taxonomy({"person": ["asian"]}, suppression_level=True)
    assert taxonomy.ancestors("asian") == ("asian", "person", "*")


def test_a_leaf_may_be_repeated_under_its_parent():
    assert Taxonomy({"person": ["asian", "asian"]}).domain() == ("asian",)


def test_a_value_that_is_not_in_the_tree_is_unknown():
    with pytest.raises(UnknownValue, match="add it to tree"):
        Taxonomy({"person": ["asian"]}).climb("person")


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({}, "tree is empty"),
        ({"A": ["x"], "B": ["x"]}, "leaf 'x': 'x' at level 0 is under 'B', but under 'A'"),
        (
            {"*": {"A": {"x": ["1"]}, "B": {"x": ["2"]}}},
            "leaf '2': 'x' at level 1 is under 'B', but under 'A' at .*leaf '1'",
        ),
        ({"A": ["x", 1]}, "tree: 1 under 'A' is not text; put it in quotes: \"1\""),
        ({"A": [True]}, "tree: True under 'A' is not text; put it in quotes: \"True\""),
        ({"A": [["x"]]}, r"tree: \['x'\] under 'A' is not text"),
        ({1: []}, "tree: 1 at the top is not text"),
        ({"A": "x"}, r"under 'A' there must be a table or a list of leaves, .* write \['x'\]"),
        ({"A": {"B": 7}}, r"under 'B' there must be a table or a list of leaves, .* write \['7'\]"),
        ({"A": False}, "under 'A' there must be a table or a list of leaves"),
    ],
)
def test_a_tree_that_is_no_hierarchy_is_refused(tree, message):
    with pytest.raises(InvalidInput, match=message):
        Taxonomy(tree)


@pytest.mark.parametrize("tree", [{"a": [], "b": []}, {"*": ["a", "b"]}])
def test_a_suppression_level_above_the_suppressed_value_is_refused(tree):
    with pytest.raises(InvalidInput, match="leave suppression_level out"):
        Taxonomy(tree, suppression_level=True)
