"""BoundHierarchy: a hierarchy applied to the values of one column, as arrays of codes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from lookalike.errors import InvalidInput, name_some
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.draw_hierarchy import draw_bound
from lookalike.kernels.types import Codes, Levels

LabelPath = tuple[str | None, ...]
"""The labels of a value at every level, from the ground to the top; ``None`` is missing."""


@dataclass(frozen=True, eq=False)
class BoundHierarchy(Discreet):
    """The value generalization hierarchy of one column, as arrays.

    A generalized value is a pair (level, code), so labels may repeat across levels.

    ``ground``: the code at level 0 of each distinct value of the column, in the order of binding.
    Values that are suppressed because the rule does not know them share one code.
    ``levels``: for each level, the code of every ground code at that level; ``levels[0]`` is the
    identity.
    ``labels``: for each level, the label of every code; ``None`` is the missing value.
    ``leaves``: for each level, the number of ground values under every code.
    ``hidden``: for each level, which codes are written as the suppressed value.
    ``unknown``: ground code of the values that the rule does not know, if there are any.
    """

    column: str
    ground: Codes
    levels: tuple[Codes, ...]
    labels: tuple[tuple[str | None, ...], ...]
    leaves: tuple[npt.NDArray[np.int64], ...]
    hidden: tuple[npt.NDArray[np.bool_], ...]
    suppressed: str
    unknown: int | None = None
    _lifts: dict[tuple[int, int], Codes] = field(default_factory=dict, repr=False)

    def _repr_html_(self) -> str:
        return draw_bound(self)

    @property
    def height(self) -> int:
        """The number of steps to the top, |DGH|."""
        return len(self.levels) - 1

    @property
    def most_lost(self) -> float:
        """The loss of a suppressed cell: 1 if there are several leaves or unknown values."""
        unknown = self.unknown is not None and self.height > 0
        return float(unknown or self.leaves[-1].sum() > 1)

    def size(self, level: int) -> int:
        """Return the number of values in the domain of a level."""
        return len(self.labels[level])

    def list_texts(self) -> list[list[str | None]]:
        """Return the label of every ground value at each level."""
        levels = zip(self.labels, self.levels, strict=True)
        return [[labels[code] for code in codes.tolist()] for labels, codes in levels]

    def lift(self, lower: int, upper: int) -> Codes:
        """Return the map from the codes of a level to the codes of a higher level."""
        if (lower, upper) not in self._lifts:
            lifted = np.empty(self.size(lower), dtype=np.int32)
            lifted[self.levels[lower]] = self.levels[upper]
            self._lifts[lower, upper] = lifted
        return self._lifts[lower, upper]

    def lift_ground(self, level: int | Levels, ground: Codes) -> Codes:
        """Return the codes that ground codes have at a level.

        Examples
        --------
        >>> bound = bind_paths("sex", [("f", "*"), ("m", "*")], "*")
        >>> ground = np.array([0, 1], dtype=np.int32)
        >>> bound.lift_ground(1, ground).tolist(), bound.lift_ground(ground, ground).tolist()
        ([0, 0], [0, 0])
        """
        if isinstance(level, int):
            return self.levels[level][ground]
        return np.array(self.levels)[level, ground]

    def raised(self, level: int | None) -> "BoundHierarchy":
        """Return a hierarchy of the same height whose lower levels equal a given level.

        Its ground codes are the codes of that level.

        Examples
        --------
        >>> bound = bind_paths("zip", [("021", "02*", "***"), ("022", "02*", "***")], "***")
        >>> bound.raised(1).labels, bound.raised(1).height
        ((('02*',), ('02*',), ('***',)), 2)
        """
        least = self.height if level is None else level
        lifts = [self.lift(least, max(least, above)) for above in range(self.height + 1)]
        every = [max(least, above) for above in range(self.height + 1)]
        top: tuple[str | None, ...] = (self.suppressed,)
        return BoundHierarchy(
            column=self.column,
            ground=self.levels[least][self.ground],
            levels=tuple(lifts),
            labels=tuple(top if level is None else self.labels[above] for above in every),
            leaves=tuple(self.leaves[above] for above in every),
            hidden=tuple(
                np.ones(1, dtype=np.bool_) if level is None else self.hidden[above]
                for above in every
            ),
            suppressed=self.suppressed,
            unknown=None if self.unknown is None else int(self.levels[least][self.unknown]),
        )


def bind_paths(
    column: str,
    paths: Sequence[LabelPath],
    suppressed: str,
    known: Sequence[LabelPath] | None = None,
    height: int = 0,
) -> BoundHierarchy:
    """Encode the ancestors of each value of a column as arrays of codes.

    ``paths``: the labels of each distinct value at every level, all of the same length. A value
    that the hierarchy does not know has the suppressed label at every level.
    ``known``: the paths of the whole ground domain, if the hierarchy lists it. Otherwise the leaves
    are the values of the column.

    Examples
    --------
    >>> bound = bind_paths("sex", [("f", "*"), ("m", "*"), (None, "*")], "*")
    >>> bound.height, bound.labels[1], bound.lift(0, 1).tolist()
    (1, ('*',), [0, 0, 0])
    """
    height = len(paths[0]) - 1 if paths else height
    ground_labels, ground = _encode([path[0] for path in paths])
    representative = [0] * len(ground_labels)
    for position, code in enumerate(ground):
        representative[code] = position
    encoded = [_encode([paths[p][level] for p in representative]) for level in range(height + 1)]
    labels = tuple(labels for labels, _ in encoded)
    levels = tuple(np.array(codes, dtype=np.int32) for _, codes in encoded)
    # Ground values are counted over the whole domain if it is listed.
    domain, leaves = [*(known or ()), *(paths[p] for p in representative)], []
    for level, names in enumerate(labels):
        counts = Counter({path[0]: path[level] for path in domain}.values())
        leaves.append(np.array([counts[name] for name in names], dtype=np.int64))
    _check_nesting(column, levels, labels)
    _check_top(column, labels[height])
    return BoundHierarchy(
        column=column,
        ground=np.array(ground, dtype=np.int32),
        levels=levels,
        labels=labels,
        leaves=tuple(leaves),
        hidden=_mark_hidden(column, levels, labels, suppressed),
        suppressed=suppressed,
        unknown=ground_labels.index(suppressed) if suppressed in ground_labels else None,
    )


def _mark_hidden(
    column: str, levels: Sequence[Codes], labels: Sequence[Sequence[str | None]], suppressed: str
) -> tuple[npt.NDArray[np.bool_], ...]:
    """Mark the suppressed value at each level; a suppressed value must stay suppressed above."""
    hidden = tuple(
        np.array([label == suppressed for label in names], dtype=np.bool_) for names in labels
    )
    for level in range(1, len(levels) - 1):
        if np.any(hidden[level - 1][levels[level - 1]] & ~hidden[level][levels[level]]):
            raise InvalidInput(
                f"column {column!r}: the hierarchy writes {suppressed!r}, the suppressed value, at "
                f"level {level - 1} and another label above it at level {level}; write "
                f"{suppressed!r} at every level above"
            )
    return hidden


def _encode(values: Sequence[str | None]) -> tuple[tuple[str | None, ...], list[int]]:
    """Number the distinct labels in order of appearance."""
    codes: dict[str | None, int] = {}
    encoded = [codes.setdefault(value, len(codes)) for value in values]
    return tuple(codes), encoded


def _check_nesting(
    column: str, levels: Sequence[Codes], labels: Sequence[Sequence[str | None]]
) -> None:
    """Check that each level is a function of the level below."""
    for level in range(1, len(levels)):
        parent: dict[int, int] = {}
        for child, code in zip(levels[level - 1].tolist(), levels[level].tolist(), strict=True):
            if parent.setdefault(child, code) != code:
                named = repr(labels[level - 1][child])
                raise InvalidInput(
                    f"column {column!r}: the hierarchy does not nest: {named} at level {level - 1} "
                    f"has two different values above it at level {level}; give it one",
                    named=named,
                )


def _check_top(column: str, top: Sequence[str | None]) -> None:
    """Check that the top domain has one value (Achieving: |A_n| = 1)."""
    if len(top) > 1:
        shown = name_some(sorted("(missing)" if label is None else label for label in top))
        raise InvalidInput(
            f"column {column!r}: the top of the hierarchy must be one value, but is {shown}; "
            "add a level above it, or set suppression_level = true",
            named=shown,
        )
