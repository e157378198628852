"""Taxonomy: a hierarchy written as a tree of categories."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from lookalike.hierarchy.hierarchy import SUPPRESSED
from lookalike.hierarchy.listed import ListedHierarchy, collect_paths


@dataclass(frozen=True)
class Taxonomy(ListedHierarchy):
    """A value generalization hierarchy VGH written as a tree, from the top to the leaves.

    A leaf that is nearer to the top than other leaves is repeated at the levels below, so that
    all paths have the same length. Several roots are joined under the suppressed value.

    Parameters
    ----------
    tree
        A table whose keys are labels. The value of a label is the table of its children or the
        list of its leaves. A label without children is a leaf.

    Examples
    --------
    Race of Samarati, Figure 2:

    >>> Taxonomy({"person": ["asian", "black", "white"]}).ancestors("asian")
    ('asian', 'person')
    >>> Taxonomy({"A": ["a1", "a2"], "b": []}).ancestors("b")
    ('b', 'b', '*')
    """

    tree: dict[str, Any]
    kind: Literal["taxonomy"] = "taxonomy"

    def __post_init__(self) -> None:
        if not self.tree:
            raise self.invalid('tree is empty; give for example tree = { person = ["asian"] }')
        _ = self.listing
        super().__post_init__()

    @cached_property
    def listing(self) -> Mapping[str, tuple[str, ...]]:
        """The paths from every leaf to the top, padded to the same length."""
        top = (SUPPRESSED,) if len(self.tree) > 1 else ()
        branches = list(self._walk(self.tree, top))
        longest = max(map(len, branches))
        paths = [(path[0],) * (longest - len(path)) + path for path in branches]
        lines = ((f"taxonomy hierarchy: leaf {path[0]!r}", path) for path in paths)
        return collect_paths(lines, self.suppression_level)

    @property
    def how_to_add(self) -> str:  # noqa: D102
        return "add it to tree"

    def _walk(self, below: object, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """Yield the path of every leaf under a label, or of the label itself if it is a leaf."""
        if not isinstance(below, Mapping | list | tuple):
            raise self.invalid(
                f"tree: under {path[0]!r} there must be a table or a list of leaves, not "
                f"{below!r}; write [{str(below)!r}]"
            )
        if not below:
            yield path
        for label in below:
            child = (self._text(label, path), *path)
            yield from self._walk(below[label], child) if isinstance(below, Mapping) else [child]

    def _text(self, label: object, above: tuple[str, ...]) -> str:
        """Return a label, or raise if it is not text."""
        if not isinstance(label, str):
            place = f"under {above[0]!r}" if above else "at the top"
            raise self.invalid(f'tree: {label!r} {place} is not text; put it in quotes: "{label}"')
        return label
