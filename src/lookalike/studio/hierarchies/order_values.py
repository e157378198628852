"""A tree of neighbours: values in an order, so many of them in a group, and groups in groups."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from lookalike.draft.column import ColumnProfile
from lookalike.hierarchy import SUPPRESSED
from lookalike.studio.hierarchies.edit_tree import TreeNode, TreeNodes
from lookalike.studio.session import Refused

MOST_ORDER_TEXT = 4_000
"""The most characters of values that a form lists; more would not fit into an address."""
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,30})?")


def sort_values(values: Sequence[str]) -> list[str]:
    """Sort values, numbers by size before names.

    Examples
    --------
    >>> sort_values(["10", "b", "9", "A"])
    ['9', '10', 'A', 'b']
    """

    def rank(value: str) -> tuple[bool, Decimal, str, str]:
        is_number = _NUMBER.fullmatch(value) is not None
        return not is_number, Decimal(value if is_number else 0), value.casefold(), value

    return sorted(values, key=rank)


def start_order(profile: ColumnProfile | None) -> dict[str, str]:
    """Return the fields with which the form begins; it lists values that fit on lines."""
    values = [] if profile is None else sort_values(profile.values)
    lines = "\n".join(one for one in values if [one.strip()] == one.splitlines())
    return {"order": lines if len(lines) <= MOST_ORDER_TEXT else "", "sizes": "3, 3"}


def group_neighbours(values: Sequence[str], asked: Mapping[str, Any]) -> TreeNodes:
    """Return a tree of values in the order that was asked for; the others follow, sorted.

    ``asked``: ``order``, values, and ``sizes``, the neighbours in a group at levels 1, 2, …

    Examples
    --------
    >>> [top] = group_neighbours(["low", "high", "mid"], {"order": ["low", "mid"], "sizes": [2]})
    >>> [(one.label, [leaf.label for leaf in one.children]) for one in top.children]
    [('low – high', ['low', 'mid', 'high'])]
    """
    first, sizes = [*dict.fromkeys(asked.get("order", ()))], asked.get("sizes", ())
    known, chosen = set(values), set(first)
    unknown = [place for place, value in enumerate(first, 1) if value not in known]
    if unknown:
        raise Refused({"order": f"line {unknown[0]} is not a value of this column"})
    if not sizes or min(sizes) < 2:
        raise Refused({"sizes": "give at least one number of neighbours, each at least 2"})
    ordered = [*first, *sort_values([one for one in values if one not in chosen])]
    spans = [(value, value, TreeNode(value)) for value in ordered]
    for size in sizes:
        groups = _divide(spans, size)
        if len(spans) == 1 or len(groups) == len(spans):
            break
        spans = [_unite(group) for group in groups]
    return (TreeNode(SUPPRESSED, tuple(node for _, _, node in spans)),)


_Span = tuple[str, str, TreeNode]
"""The first and the last value below a node, and the node."""


def _divide(spans: Sequence[_Span], size: int) -> list[Sequence[_Span]]:
    """Divide neighbours into groups; a single one that is left joins the group before."""
    starts = [*range(0, len(spans), size)]
    if len(starts) > 1 and len(spans) - starts[-1] == 1:
        starts.pop()
    return [spans[low:high] for low, high in zip(starts, [*starts[1:], None], strict=True)]


def _unite(group: Sequence[_Span]) -> _Span:
    """Return a group of neighbours, named by its first and last value."""
    first, last = group[0][0], group[-1][1]
    return first, last, TreeNode(f"{first} – {last}", tuple(node for _, _, node in group))
