"""TreeView: the tree of a hierarchy as a page shows it, with the rows of every value and group."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from lookalike.draft.column import ColumnProfile
from lookalike.hierarchy.discreet import Discreet
from lookalike.studio.hierarchies.edit_tree import (
    Spot,
    TreeNode,
    TreeNodes,
    list_leaves,
    walk_nodes,
)

NEW_VALUES_SHOWN = 200
"""How many values that a tree does not have are listed, the most frequent ones."""
NODES_OPEN = 60
"""A tree with more nodes is shown with its groups closed."""


@dataclass(frozen=True)
class NodeView(Discreet):
    """A value or group of a tree.

    Parameters
    ----------
    key
        An id that stays the same when other nodes are moved.
    spot
        Where it is, as text: ``"0.2"``.
    label
        The value, or the name of the group.
    rows, values
        The number of rows, and of values, that belong to it.
    children
        What belongs to a group.
    """

    key: str
    spot: str
    label: str
    rows: int
    values: int
    children: tuple["NodeView", ...]


@dataclass(frozen=True)
class TreeView(Discreet):
    """The tree of a hierarchy.

    Parameters
    ----------
    nodes
        The nodes at its top.
    groups
        The spot, the depth and the label of every group, for a list to choose from.
    new
        The values of the column that the tree does not have: the place of each among the values
        of the column, the value, and its rows.
    new_left
        The number of such values that are not listed.
    is_open
        Whether groups are shown open.
    """

    nodes: tuple[NodeView, ...]
    groups: tuple[tuple[str, int, str], ...]
    new: tuple[tuple[int, str, int], ...]
    new_left: int
    is_open: bool


def view_tree(nodes: TreeNodes, profile: ColumnProfile | None) -> TreeView:
    """Return a tree as a page shows it."""
    pairs = () if profile is None else zip(profile.values, profile.counts, strict=True)
    rows = dict(pairs)
    new = find_new_values(nodes, profile)
    listed = tuple((place, value, rows[value]) for place, value in new[:NEW_VALUES_SHOWN])
    walked = list(walk_nodes(nodes))
    return TreeView(
        nodes=tuple(_view(node, (place,), (), rows) for place, node in enumerate(nodes)),
        groups=tuple(
            (write_spot(spot), len(spot) - 1, node.label) for spot, node in walked if node.is_group
        ),
        new=listed,
        new_left=len(new) - len(listed),
        is_open=len(walked) <= NODES_OPEN,
    )


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


def _view(node: TreeNode, spot: Spot, above: tuple[str, ...], rows: Mapping[str, int]) -> NodeView:
    """Return a node with the rows of what belongs to it."""
    path = (*above, node.label)
    children = tuple(
        _view(child, (*spot, place), path, rows) for place, child in enumerate(node.children)
    )
    return NodeView(
        key=hashlib.sha256(json.dumps(path).encode()).hexdigest()[:16],
        spot=write_spot(spot),
        label=node.label,
        rows=sum(one.rows for one in children) if children else rows.get(node.label, 0),
        values=sum(one.values for one in children) if children else 1,
        children=children,
    )
