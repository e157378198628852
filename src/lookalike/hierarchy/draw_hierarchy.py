"""Draw a hierarchy for a notebook: its levels, and what becomes of a few values.

A rule is shown with an invented value. A tree or a file is shown with the first values that its
owner wrote; a listing that was made from a private table, and a hierarchy that is bound to the
values of a column, are shown with figures only.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from lookalike.errors import LookalikeError
from lookalike.hierarchy.html_table import HtmlCell, write_html_notes, write_html_table

if TYPE_CHECKING:
    from lookalike.hierarchy.bound import BoundHierarchy
    from lookalike.hierarchy.hierarchy import Hierarchy

MOST_EXAMPLES = 3
WRITTEN = ("taxonomy", "file")
"""The kinds whose values their owner wrote."""
INVENTED = {
    "mask": "02138",
    "dates": "1965-09",
    "intervals": "37",
    "rounding": "37",
    "suppress": "any value",
}
"""For each kind that is a rule, a value that shows it; for dates, a month."""


def draw_hierarchy(hierarchy: "Hierarchy") -> str:
    """Draw the levels of a hierarchy, with the number of labels if it lists them."""
    caption = f"{hierarchy.name} hierarchy"
    try:
        paths, listed = [*_list_examples(hierarchy)], hierarchy.domain()
    except LookalikeError as problem:  # a file that cannot be read
        return write_html_notes(f"{caption}: {problem}")
    if not paths and not listed:
        return write_html_notes(f"{caption}; its levels follow from the values of a column.")
    known = [hierarchy.ancestors(value) for value in listed]
    several = [f"example {one}" for one in range(1, len(paths) + 1)]
    examples = ["example"] if len(paths) == 1 else several
    headings = ["level", *(["labels"] if listed else []), *examples]
    lines: list[list[HtmlCell]] = [
        [level, *([len({path[level] for path in known})] if listed else []), *shown]
        for level, shown in enumerate(zip(*paths, strict=True) if paths else [()] * len(known[0]))
    ]
    return write_html_table(caption, headings, lines)


def draw_bound(bound: "BoundHierarchy") -> str:
    """Draw the figures of a hierarchy that is bound to the values of a column."""
    lines: list[list[HtmlCell]] = [
        [level, bound.size(level), int(bound.leaves[level].max(initial=0))]
        for level in range(bound.height + 1)
    ]
    headings = ["level", "labels", "values under the widest label"]
    return write_html_table(f"Hierarchy of {bound.column}", headings, lines)


def _list_examples(hierarchy: "Hierarchy") -> Iterator[Sequence[str]]:
    """Yield the labels of a few values at every level, if they may be shown."""
    if hierarchy.name in WRITTEN:
        yield from (hierarchy.ancestors(value) for value in hierarchy.domain()[:MOST_EXAMPLES])
    elif hierarchy.name in INVENTED:
        with suppress(LookalikeError):  # the rule may take other values only
            value = INVENTED[hierarchy.name]
            if hierarchy.name == "dates":  # a day, in a format of the rule
                value = hierarchy.lower(value, 1)
            yield hierarchy.fit([value]).ancestors(value)
