"""Edit the tree of a taxonomy. Every edit returns another tree, or says why it is not possible.

A node is addressed by its *spot*: the places of the nodes that lead to it, from the top. Names are
not used as addresses, because a label may stand at several places.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lookalike.draft.column import ColumnProfile
from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet

Spot = tuple[int, ...]
"""Where a node is: its place under its parent, last; ``()`` is above all nodes."""
_NOT_HERE = "this value or group does not exist any more; reload the page"


@dataclass(frozen=True)
class TreeNode(Discreet):
    """A value, which has no children, or a group with what belongs to it."""

    label: str
    children: tuple["TreeNode", ...] = ()

    @property
    def is_group(self) -> bool:
        """Whether something belongs to it."""
        return bool(self.children)


TreeNodes = tuple[TreeNode, ...]
"""The nodes at the top of a tree."""


def read_tree(tree: Any) -> TreeNodes:
    """Return the nodes of a tree of a specification.

    Examples
    --------
    >>> write_tree(read_tree({"person": {"asian": [], "other": ["black", "white"]}}))
    {'person': {'asian': [], 'other': ['black', 'white']}}
    """
    if isinstance(tree, Mapping):
        return tuple(TreeNode(str(label), read_tree(below)) for label, below in tree.items())
    return tuple(TreeNode(str(label)) for label in tree) if isinstance(tree, list | tuple) else ()


def write_tree(nodes: TreeNodes) -> dict[str, Any]:
    """Return nodes as the tree of a specification; the nodes at its top are always a table."""
    return {
        node.label: write_tree(node.children)
        if any(child.is_group for child in node.children)
        else [child.label for child in node.children]
        for node in nodes
    }


def plant_tree(paths: Collection[Sequence[str]]) -> TreeNodes:
    """Return the tree of the paths of values, each from the value to the top.

    Examples
    --------
    >>> write_tree(plant_tree([("a", "A", "*"), ("b", "B", "*"), ("c", "A", "*")]))
    {'*': {'A': ['a', 'c'], 'B': ['b']}}
    """
    below: dict[str, list[Sequence[str]]] = {}
    for path in paths:
        below.setdefault(path[-1], []).append(path[:-1])
    return tuple(
        TreeNode(label, plant_tree([path for path in under if path]))
        for label, under in below.items()
    )


def walk_nodes(nodes: TreeNodes, above: Spot = ()) -> Iterator[tuple[Spot, TreeNode]]:
    """Yield every node with its spot, a group before what belongs to it."""
    for place, node in enumerate(nodes):
        spot = (*above, place)
        yield spot, node
        yield from walk_nodes(node.children, spot)


def list_leaves(nodes: TreeNodes) -> list[str]:
    """List the values of a tree."""
    return [node.label for _, node in walk_nodes(nodes) if not node.is_group]


def find_node(nodes: TreeNodes, spot: Spot) -> TreeNode:
    """Return the node at a spot."""
    found = TreeNode("", nodes)
    for place in spot:
        if not 0 <= place < len(found.children):
            raise InvalidInput(_NOT_HERE)
        found = found.children[place]
    return found


def rename_group(nodes: TreeNodes, spot: Spot, name: str) -> TreeNodes:
    """Give a group another name."""
    if not find_node(nodes, spot).is_group:
        raise InvalidInput("a value of the table cannot be renamed, only a group can")
    label = _check_label(name)
    return _rebuild(
        nodes, lambda at, _, node: (replace(node, label=label) if at == spot else node,)
    )


def remove_groups(nodes: TreeNodes, spots: Collection[Spot]) -> TreeNodes:
    """Remove groups; what belongs to them goes to their parents."""
    _require(spots)
    if not all(find_node(nodes, spot).is_group for spot in spots):
        raise InvalidInput("a value of the table cannot be removed, only a group can")
    return _rebuild(nodes, lambda at, _, node: node.children if at in spots else (node,))


def move_nodes(
    nodes: TreeNodes,
    spots: Collection[Spot],
    parent: Spot,
    new: Sequence[str] = (),
    group: str | None = None,
) -> TreeNodes:
    """Move values and groups under another group; groups that get empty go.

    ``new``: values that the tree does not have yet. ``group``: the name of a new group for all.
    """
    moved = (*_find_moved(nodes, spots, parent), *map(TreeNode, new))
    _require(moved)
    added = moved if group is None else (TreeNode(_check_label(group), moved),)

    def stay(at: Spot, before: TreeNode, node: TreeNode) -> TreeNodes:
        is_empty = before.is_group and not node.is_group
        return () if at in spots or is_empty else (node,)

    return _rebuild(nodes, stay, parent=parent, added=added)


def _check_label(name: str) -> str:
    """Return the name of a group without blanks around it."""
    label = name.strip()
    if not label or not label.isprintable():
        raise InvalidInput("the name of a group must be text on one line, such as Europe")
    return label


def _require(chosen: Collection[Any]) -> None:
    """Raise if nothing was chosen."""
    if not chosen:
        raise InvalidInput("choose at least one value or group first")


def _find_moved(nodes: TreeNodes, spots: Collection[Spot], parent: Spot) -> TreeNodes:
    """Return the nodes to move, without those that go with their group."""
    for spot in spots:
        if parent[: len(spot)] == spot:
            raise InvalidInput("a group cannot be moved into itself or into one of its groups")
    if parent and not find_node(nodes, parent).is_group:
        raise InvalidInput("choose a group to move to; a value has nothing below it")
    chosen = set(spots)
    inside = (spot for spot in chosen if any(spot[:end] in chosen for end in range(1, len(spot))))
    return tuple(find_node(nodes, spot) for spot in sorted(chosen - set(inside)))


def _rebuild(
    nodes: TreeNodes,
    change: Callable[[Spot, TreeNode, TreeNode], TreeNodes],
    above: Spot = (),
    parent: Spot | None = None,
    added: TreeNodes = (),
) -> TreeNodes:
    """Return the nodes under a spot after some were changed and others were added to a parent.

    ``change``: returns what takes the place of a node, as it was and with its changed children.
    """
    kept = list[TreeNode]()
    for place, node in enumerate(nodes):
        spot = (*above, place)
        below = _rebuild(node.children, change, spot, parent, added) if node.is_group else ()
        kept += change(spot, node, replace(node, children=below))
    return (*kept, *added) if above == parent else tuple(kept)


def require_distinct(nodes: TreeNodes) -> None:
    """Raise if a label stands twice under one parent, which a specification cannot write."""
    labels = [node.label for node in nodes]
    if len(set(labels)) < len(labels):
        raise InvalidInput(
            "two groups or values with the same name would stand side by side; choose another name"
        )
    for node in nodes:
        require_distinct(node.children)


NEW_VALUES_SHOWN = 200
"""How many values that a tree does not have are listed, the most frequent ones."""
NODES_OPEN = 60
"""A tree with more nodes is shown with its groups closed."""


def view_tree(nodes: TreeNodes, profile: ColumnProfile | None) -> dict[str, Any]:
    """Return a tree as a page shows it.

    ``groups``: the spot, the depth and the label of every group, for a list to choose from.
    ``new``: the values that the tree does not have, each with its place in the column and its
    rows; ``new_left`` more are not listed.
    """
    pairs = () if profile is None else zip(profile.values, profile.counts, strict=True)
    rows, walked, new = dict(pairs), [*walk_nodes(nodes)], find_new_values(nodes, profile)
    return {
        "nodes": _view(nodes, (), (), rows),
        "groups": [
            (write_spot(spot), len(spot) - 1, node.label) for spot, node in walked if node.is_group
        ],
        "new": [(place, value, rows[value]) for place, value in new[:NEW_VALUES_SHOWN]],
        "new_left": max(0, len(new) - NEW_VALUES_SHOWN),
        "is_open": len(walked) <= NODES_OPEN,
    }


def find_new_values(nodes: TreeNodes, profile: ColumnProfile | None) -> list[tuple[int, str]]:
    """Return the values of a column that a tree does not have, with their places in the column."""
    known = set(list_leaves(nodes))
    values = () if profile is None else profile.values
    return [(place, value) for place, value in enumerate(values) if value not in known]


def write_spot(spot: Spot) -> str:
    """Write a spot as text.

    Examples
    --------
    >>> write_spot((0, 2)), write_spot(())
    ('0.2', '')
    """
    return ".".join(map(str, spot))


def _view(
    nodes: TreeNodes, above: Spot, path: tuple[str, ...], rows: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Return values and groups with the numbers of rows and values that belong to them.

    ``key`` stays the same when other nodes are moved; ``spot`` is a text, such as ``"0.2"``.
    """
    found = []
    for place, node in enumerate(nodes):
        spot, own = (*above, place), (*path, node.label)
        children = _view(node.children, spot, own, rows)
        found.append(
            {
                "key": hashlib.sha256(json.dumps(own).encode()).hexdigest()[:16],
                "spot": write_spot(spot),
                "label": node.label,
                "rows": sum(one["rows"] for one in children)
                if children
                else rows.get(node.label, 0),
                "distinct": sum(one["distinct"] for one in children) if children else 1,
                "children": children,
            }
        )
    return found
