"""Start a definition: what the form of another kind begins with, and the tree of a column."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lookalike.draft.column import ColumnProfile
from lookalike.draft.numbers import read_column_numbers
from lookalike.draft.propose_dates import propose_dates
from lookalike.draft.propose_intervals import propose_intervals
from lookalike.draft.propose_mask import propose_mask
from lookalike.draft.proposed_hierarchy import ProposedHierarchy
from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import SUPPRESSED, File, Hierarchy, Intervals
from lookalike.studio.editing.edit_toml import parse_toml
from lookalike.studio.hierarchies.definition_fields import read_definition
from lookalike.studio.hierarchies.edit_tree import (
    TreeNodes,
    list_leaves,
    plant_tree,
    read_tree,
    write_tree,
)
from lookalike.studio.hierarchies.hierarchy_column import HierarchyColumn, find_rule
from lookalike.studio.hierarchies.interval_bounds import (
    cut_alike,
    find_places,
    find_starts,
    write_starts,
)
from lookalike.studio.session import Session

MOST_LEAVES = 2_000
"""The most values of a tree that is edited here and kept in the specification."""
MOST_PROPOSED = 10_000
"""How many values of a column a proposal looks at, the most frequent ones."""
_Propose = Callable[[ColumnProfile], ProposedHierarchy | None]
_PROPOSALS: Mapping[str, _Propose] = {
    "mask": propose_mask,
    "dates": propose_dates,
    "intervals": propose_intervals,
}


def start_definition(
    kind: str, profile: ColumnProfile | None, rule: Hierarchy | None
) -> dict[str, Any]:
    """Return the definition with which a form of a kind begins.

    ``rule``: the present hierarchy, if it is valid; a tree and bounds are taken from it.
    """
    if kind == "taxonomy":
        return {"kind": "taxonomy", "tree": write_tree(plant_hierarchy(profile, rule))}
    if profile is None or not profile.values:
        return _USUAL[kind]
    if kind == "ranges":
        return _start_ranges(profile, rule)
    few = replace(
        profile, values=profile.values[:MOST_PROPOSED], counts=profile.counts[:MOST_PROPOSED]
    )
    return _propose(kind, few) or _USUAL[kind]


_USUAL: Mapping[str, dict[str, Any]] = {
    "mask": {"kind": "mask"},
    "dates": {"kind": "dates"},
    "intervals": {"kind": "intervals", "widths": [10, 100]},
    "ranges": {"kind": "intervals", "ranges": [[[0, 49], [50, 99]]]},
    "rounding": {"kind": "rounding", "bases": [10, 100]},
    "file": {"kind": "file", "path": ""},
    "suppress": {"kind": "suppress"},
}


def _propose(kind: str, profile: ColumnProfile) -> dict[str, Any] | None:
    """Return the definition that is proposed for the values, if it is of this kind."""
    try:
        found = _PROPOSALS[kind](profile) if kind in _PROPOSALS else None
    except InvalidInput:
        return None
    if found is None or found.kind != kind:
        return None
    definition: dict[str, Any] = parse_toml(f"hierarchy = {found.table}")["hierarchy"]
    return None if "ranges" in definition else definition


def _start_ranges(profile: ColumnProfile, rule: Hierarchy | None) -> dict[str, Any]:
    """Return listed ranges with the bounds of the present intervals, or at the quarters."""
    numbers = read_column_numbers(profile)
    if not numbers.units:
        return _USUAL["ranges"]
    places, last = numbers.decimals, numbers.units[-1]
    starts: tuple[tuple[int, ...], ...] = ()
    if isinstance(rule, Intervals):
        places = find_places(rule, numbers)
        last *= 10 ** (places - numbers.decimals)
        starts = tuple(level for level in find_starts(rule, numbers, places) if level)
    if not starts:
        quarters = [numbers.quantile(share) for share in (0.25, 0.5, 0.75)]
        lowest = numbers.units[0]
        starts = (tuple(sorted({lowest, *quarters})), tuple(sorted({lowest, quarters[1]})))
    given = {"starts": write_starts(cut_alike(starts), places), "decimals": str(places)}
    return read_definition("ranges", {**given, "last": write_starts([[last]], places)})


def plant_hierarchy(profile: ColumnProfile | None, rule: Hierarchy | None) -> TreeNodes:
    """Return the tree of a hierarchy over the values that it lists and those of the column.

    Without a hierarchy, all values stand under the suppressed value. Values that the hierarchy
    does not know are left out.
    """
    values = () if profile is None else sorted(profile.values)
    known = [*(rule.domain() if rule is not None else ()), *values]
    listed = list(dict.fromkeys(known))
    if not listed:
        raise InvalidInput("the values of this column are not known; profile the table under Data")
    if len(listed) > MOST_LEAVES:
        raise InvalidInput(
            f"a tree is edited here for up to {MOST_LEAVES:,} values, and this column has "
            f"{len(listed):,}; export the hierarchy, edit the file elsewhere, and import it"
        )
    if rule is None:
        return plant_tree([(value, SUPPRESSED) for value in listed])
    fitted = rule.fit(values)
    paths = [path for value in listed if (path := _climb(fitted, value))]
    return plant_tree(paths or [(value, SUPPRESSED) for value in listed])


def _climb(rule: Hierarchy, value: str) -> tuple[str, ...]:
    """Return the labels of a value at every level; nothing if the hierarchy does not know it."""
    try:
        return rule.ancestors(value)
    except UnknownValue:
        return ()


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
