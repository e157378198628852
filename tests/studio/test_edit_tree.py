"""Edits of a tree keep every value, and write a hierarchy or change nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Taxonomy
from lookalike.studio.editing.edit_toml import parse_toml, set_field
from lookalike.studio.hierarchies.edit_tree import (
    find_node,
    list_leaves,
    move_nodes,
    plant_tree,
    read_tree,
    remove_groups,
    rename_group,
    require_distinct,
    walk_nodes,
    write_tree,
)

TREE = {"any": {"health": ["nurse", "doctor"], "trade": {"food": ["baker", "cook"], "smith": []}}}
NODES = read_tree(TREE)
HEALTH, TRADE, FOOD, SMITH = (0, 0), (0, 1), (0, 1, 0), (0, 1, 1)


def test_a_tree_is_read_and_written():
    assert write_tree(NODES) == TREE
    assert list_leaves(NODES) == ["nurse", "doctor", "baker", "cook", "smith"]
    assert find_node(NODES, FOOD).label == "food"


def test_a_group_is_renamed():
    renamed = write_tree(rename_group(NODES, FOOD, " kitchen "))
    assert renamed["any"]["trade"] == {"kitchen": ["baker", "cook"], "smith": []}


def test_values_and_groups_are_moved():
    moved = write_tree(move_nodes(NODES, [(0, 0, 1), SMITH], FOOD))
    assert moved["any"] == {
        "health": ["nurse"],
        "trade": {"food": ["baker", "cook", "doctor", "smith"]},
    }
    assert list(write_tree(move_nodes(NODES, [FOOD], HEALTH))["any"]["health"]) == [
        *("nurse", "doctor", "food")
    ]


def test_what_goes_with_its_group_is_moved_once():
    moved = move_nodes(NODES, [FOOD, (0, 1, 0, 0)], HEALTH)
    assert sorted(list_leaves(moved)) == sorted(list_leaves(NODES))


def test_a_group_that_gets_empty_goes():
    moved = write_tree(move_nodes(NODES, [(0, 0, 0), (0, 0, 1)], TRADE))
    assert list(moved["any"]) == ["trade"]


def test_a_new_group_takes_what_is_chosen_and_new_values():
    grouped = write_tree(move_nodes(NODES, [(0, 0, 0), SMITH], (0,), ["pilot"], "other"))
    assert grouped["any"]["other"] == ["nurse", "smith", "pilot"]
    assert grouped["any"]["health"] == ["doctor"]


def test_a_removed_group_leaves_its_children():
    removed = write_tree(remove_groups(NODES, [FOOD, TRADE]))
    assert removed == {"any": {"health": ["nurse", "doctor"], "baker": [], "cook": [], "smith": []}}
    assert list(write_tree(remove_groups(NODES, [(0,)]))) == ["health", "trade"]


WRONG = [
    (lambda: rename_group(NODES, SMITH, "x"), "cannot be renamed"),
    (lambda: rename_group(NODES, FOOD, "  "), "text on one line"),
    (lambda: rename_group(NODES, FOOD, "a\nb"), "text on one line"),
    (lambda: rename_group(NODES, (5,), "x"), "does not exist"),
    (lambda: remove_groups(NODES, []), "choose at least one"),
    (lambda: remove_groups(NODES, [SMITH]), "cannot be removed"),
    (lambda: move_nodes(NODES, [], TRADE), "choose at least one"),
    (lambda: move_nodes(NODES, [TRADE], FOOD), "into itself"),
    (lambda: move_nodes(NODES, [TRADE], TRADE), "into itself"),
    (lambda: move_nodes(NODES, [FOOD], SMITH), "choose a group"),
    (lambda: move_nodes(NODES, [(0, 9)], HEALTH), "does not exist"),
    (lambda: move_nodes(NODES, [], HEALTH, group="x"), "choose at least one"),
    (lambda: move_nodes(NODES, [SMITH], HEALTH, group=""), "text on one line"),
    (lambda: require_distinct(rename_group(NODES, FOOD, "smith")), "same name"),
    (lambda: require_distinct(rename_group(NODES, HEALTH, "trade")), "same name"),
]


@pytest.mark.parametrize(("edit", "why"), WRONG)
def test_an_edit_that_is_not_possible_says_why(edit, why):
    with pytest.raises(InvalidInput, match=why):
        edit()


labels = st.text(
    st.characters(exclude_categories=("Cs",)) | st.sampled_from("\n\"'\\{}[]=#,."), max_size=5
)


@given(st.lists(st.tuples(labels, labels, labels), unique_by=lambda path: path[0], min_size=1))
def test_any_tree_is_written_to_a_specification_and_read_back(paths):
    tree = write_tree(plant_tree([(*path, "*") for path in paths]))
    text = '[attributes.x]\nrole = "quasi-identifier"\n\n[release]\nk = 2\n'
    written = set_field(text, ("attributes", "x"), "hierarchy", {"kind": "taxonomy", "tree": tree})
    assert parse_toml(written)["attributes"]["x"]["hierarchy"]["tree"] == tree
    assert set_field(written, ("attributes", "x"), "hierarchy", None) == text


def test_a_big_tree_is_written_and_read_back():
    paths = [(f'value "{n}"\n', f"group {n % 50}", f"part {n % 5}", "*") for n in range(2000)]
    tree = write_tree(plant_tree(paths))
    written = set_field("[attributes.x]\n", ("attributes", "x"), "hierarchy", {"tree": tree})
    nodes = read_tree(parse_toml(written)["attributes"]["x"]["hierarchy"]["tree"])
    assert Taxonomy(write_tree(nodes)).listing == {path[0]: path for path in paths}


edits = st.lists(
    st.tuples(
        st.sampled_from(["rename", "remove", "move", "group"]),
        st.lists(st.integers(0, 30), min_size=1, max_size=3),
        st.integers(0, 30),
        st.sampled_from(["a", "b", "health", "food", "*"]),
    ),
    max_size=8,
)


def apply(nodes, edit):
    kind, chosen, place, name = edit
    spots = [spot for spot, _ in walk_nodes(nodes)]
    groups = [spot for spot, node in walk_nodes(nodes) if node.is_group]
    picked = [spots[one % len(spots)] for one in chosen]
    parent = [(), *groups][place % (1 + len(groups))]
    match kind:
        case "rename":
            return rename_group(nodes, picked[0], name)
        case "remove":
            return remove_groups(nodes, picked)
        case "move":
            return move_nodes(nodes, picked, parent)
    return move_nodes(nodes, picked, parent, group=name)


@given(edits)
def test_no_sequence_of_edits_loses_or_doubles_a_value(sequence):
    nodes = NODES
    for edit in sequence:
        try:
            changed = apply(nodes, edit)
            require_distinct(changed)
        except InvalidInput:
            continue
        nodes = changed
        assert sorted(list_leaves(nodes)) == sorted(list_leaves(NODES))
        assert read_tree(write_tree(nodes)) == nodes
