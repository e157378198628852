"""Listed: a hierarchy given as the labels of every ground value at every level."""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.hierarchy import SECOND_TOP, SUPPRESSED, Hierarchy

Line = tuple[str, Sequence[str]]
"""The place of a path, for error messages, and the path: its labels from level 0 to the top."""


@dataclass(frozen=True, kw_only=True)
class ListedHierarchy(Hierarchy):
    """Base class of the kinds that list their ground domain."""

    @property
    @abstractmethod
    def listing(self) -> Mapping[str, tuple[str, ...]]:
        """The labels of every ground value at levels 0 to `rule_height`."""

    @property
    @abstractmethod
    def how_to_add(self) -> str:
        """The instruction for adding a value that is not listed."""

    @property
    def rule_height(self) -> int:  # noqa: D102
        return len(next(iter(self.listing.values()))) - 1

    def climb(self, value: str) -> Sequence[str]:  # noqa: D102
        path = self.listing.get(value)
        if path is None:
            raise UnknownValue(self.how_to_add)
        return path[1:]

    def domain(self) -> Sequence[str]:  # noqa: D102
        return tuple(self.listing)

    def lower(self, label: str, level: int) -> str:
        """Return the first ground value listed under a label."""
        return self._first_under.get((level, label), label)

    def count_children(self, value: str, level: int) -> int | None:
        """Return the number of listed labels below the ancestor of a value."""
        return len(self._children[level, self.ancestors(value)[level]])

    @cached_property
    def _children(self) -> Mapping[tuple[int, str], set[str]]:
        """The labels of the level below each label of each level above the ground."""
        children: dict[tuple[int, str], set[str]] = defaultdict(set)
        for value in self.listing:
            for level, (below, label) in enumerate(pairwise(self.ancestors(value)), start=1):
                children[level, label].add(below)
        return children

    @cached_property
    def _first_under(self) -> Mapping[tuple[int, str], str]:
        """The first ground value under each label of each level."""
        first: dict[tuple[int, str], str] = {}
        for value, path in self.listing.items():
            for step in enumerate(path):
                first.setdefault(step, value)
        return first


@dataclass(frozen=True)
class Listed(Discreet, ListedHierarchy):
    """A value generalization hierarchy given as its paths from leaf to root.

    The paths may be those of a private column, so its repr does not show them.

    ``paths``: the labels of each ground value at every level: the value first, the top last.

    Examples
    --------
    >>> Listed({"asian": ["asian", "person"], "black": ["black", "person"]}).generalize("asian", 1)
    'person'
    """

    paths: Mapping[str, Sequence[str]]

    def __post_init__(self) -> None:
        for value, path in self.paths.items():
            if not path or path[0] != value:
                raise self.invalid(f"the path of {value!r} must begin with the value itself")
        if not self.paths:
            raise self.invalid("paths is empty; list at least one value")
        object.__setattr__(self, "paths", self.listing)
        super().__post_init__()

    @cached_property
    def listing(self) -> Mapping[str, tuple[str, ...]]:
        """The paths, checked to form one hierarchy."""
        lines = ((f"listed hierarchy: path of {value!r}", p) for value, p in self.paths.items())
        return collect_paths(lines, self.suppression_level)

    @property
    def how_to_add(self) -> str:  # noqa: D102
        return "add it to paths"


def collect_paths(lines: Iterable[Line], suppression_level: bool) -> dict[str, tuple[str, ...]]:
    """Collect paths by ground value, and check that they form one hierarchy.

    All paths have the same length, every label has one parent, and the top is one value unless
    a suppression level is added above it.

    Examples
    --------
    >>> collect_paths([("line 1", ["a", "*"]), ("line 2", ["b", "*"])], suppression_level=False)
    {'a': ('a', '*'), 'b': ('b', '*')}
    """
    listing: dict[str, tuple[str, ...]] = {}
    parents: dict[tuple[int, str], tuple[str, str]] = {}
    first: Line | None = None
    for where, path in lines:
        first = first or (where, path)
        if len(path) != len(first[1]):
            raise InvalidInput(
                f"{where}: has {len(path)} labels, but {first[0]} has {len(first[1])}; "
                "give every value a label at every level"
            )
        _check_parents(where, path, parents)
        if not suppression_level and path[-1] != first[1][-1]:
            raise InvalidInput(
                f"{where}: the top must be one value, but here it is {path[-1]!r} and "
                f"{first[1][-1]!r} at {first[0]}; add a level above, or set suppression_level = "
                "true"
            )
        listing.setdefault(path[0], tuple(path))
    if first and suppression_level and {path[-1] for path in listing.values()} == {SUPPRESSED}:
        raise InvalidInput(f"{first[0]}: {SECOND_TOP}")
    return listing


def _check_parents(
    where: str, path: Sequence[str], parents: dict[tuple[int, str], tuple[str, str]]
) -> None:
    """Check that no label of a path has another parent elsewhere, and record its parents."""
    for level in range(len(path) - 1):
        label, parent = path[level], path[level + 1]
        known, known_where = parents.setdefault((level, label), (parent, where))
        if known != parent:
            raise InvalidInput(
                f"{where}: {label!r} at level {level} is under {parent!r}, but under {known!r} "
                f"at {known_where}; give it one parent"
            )
