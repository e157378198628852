"""The tree of a column's hierarchy: of a taxonomy, or what another kind becomes when edited."""

from typing import Any

from lookalike.errors import InvalidInput
from lookalike.hierarchy import File, Hierarchy
from lookalike.studio.hierarchies.edit_tree import TreeNodes, list_leaves, read_tree, write_tree
from lookalike.studio.hierarchies.hierarchy_column import HierarchyColumn, find_rule
from lookalike.studio.hierarchies.start_definition import MOST_LEAVES, plant_hierarchy
from lookalike.studio.session import Session


def find_tree(session: Session, column: HierarchyColumn) -> TreeNodes:
    """Return the tree of a taxonomy, or the one that another hierarchy becomes when edited."""
    rule = find_rule(session, column)
    if column.definition.get("kind") != "taxonomy":
        return plant_hierarchy(column.profile, _read_file(rule))
    nodes = read_tree(column.definition.get("tree"))
    if len(list_leaves(nodes)) > MOST_LEAVES:
        raise InvalidInput(
            f"a tree with more than {MOST_LEAVES:,} values is not edited here; export the "
            "hierarchy, edit the file elsewhere, and import it"
        )
    return nodes


def _read_file(rule: Hierarchy | None) -> Hierarchy | None:
    """Return a hierarchy, or nothing if it is a file that cannot be read."""
    try:
        return rule if not isinstance(rule, File) or rule.listing else None
    except InvalidInput:
        return None


def define_tree(column: HierarchyColumn, nodes: TreeNodes) -> dict[str, Any]:
    """Return the definition of a taxonomy; of another kind it keeps what is done with unknowns."""
    kept = ("unknown", "suppression_level") if column.kind == "taxonomy" else ("unknown",)
    own = {name: column.definition[name] for name in kept if name in column.definition}
    return {"kind": "taxonomy", "tree": write_tree(nodes), **own}
