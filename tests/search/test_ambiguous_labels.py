"""A label that covers different values at different levels is found, at the cost of the labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.hierarchy.bound import bind_paths
from lookalike.search.cells.ambiguous_labels import list_ambiguous

from ..counted_text import CountedText

LABELS = st.sampled_from([None, "a", "b", "c", "d", "*"])


@st.composite
def hierarchies(draw):
    """Draw a hierarchy whose levels share labels; a suppressed value stays suppressed."""
    ground = draw(st.lists(LABELS, min_size=1, max_size=6, unique=True))
    paths = [[label] for label in ground]
    for _ in range(draw(st.integers(1, 3))):
        above = {label: draw(LABELS) for label in ["a", "b", "c", "d", None]} | {"*": "*"}
        paths = [[*path, above[path[-1]]] for path in paths]
    return bind_paths("letter", [(*path, "*") for path in paths], "*")


def find_by_sets(hierarchy, levels):
    """Compare the sets of ground codes that each label covers at each level."""
    covers = {}
    for level in levels:
        for ground, code in enumerate(hierarchy.levels[level]):
            key = hierarchy.labels[level][code], level
            covers.setdefault(key, set()).add(ground)
    pairs = [(one, other) for one in covers for other in covers if one[0] == other[0] != "*"]
    found = {one[0] for one, other in pairs if covers[one] != covers[other]}
    return sorted("(missing)" if label is None else label for label in found)


@given(hierarchies(), st.data())
def test_labels_are_compared_by_all_that_they_cover(hierarchy, data):
    least = data.draw(st.integers(0, hierarchy.height))
    levels = range(least, hierarchy.height + 1)
    assert list_ambiguous(hierarchy, levels) == find_by_sets(hierarchy, levels)


@pytest.mark.parametrize(
    "paths",
    [
        [("a", "a", "*"), ("b", "b", "*"), ("c", "b", "*")],  # more values
        [("b", "a", "*"), ("a", "b", "*")],  # as many values, but others
    ],
)
def test_a_label_that_means_something_else_above_is_ambiguous(paths):
    assert "b" in list_ambiguous(bind_paths("letter", paths, "*"), range(3))


def test_the_cost_grows_with_the_labels_and_not_with_values_times_levels():
    values, height = 300, 30
    groups = [[f"{level}:{place % 2}" for level in range(1, height)] for place in range(values)]
    paths = [(f"0:{place}", *names, "*") for place, names in enumerate(groups)]
    hierarchy = bind_paths("code", [tuple(map(CountedText, path)) for path in paths], "*")
    before = CountedText.uses
    assert list_ambiguous(hierarchy, range(height + 1)) == []
    assert CountedText.uses - before < 4 * sum(map(len, hierarchy.labels)) < values * height
