"""Preview a hierarchy: what each of its levels makes of a column."""

from dataclasses import astuple, dataclass

import numpy as np

from lookalike.draft.column import ColumnProfile
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.bound import BoundHierarchy, LabelPath
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.html_table import write_html_table
from lookalike.json_result import JsonResult
from lookalike.kernels.types import Counts

USUAL_K = 5


@dataclass(frozen=True)
class LevelFigures:
    """What a level of a hierarchy makes of a column.

    ``level``: the level; 0 is the values themselves.
    ``values``: the number of different labels; missing is one.
    ``smallest``: the number of rows of the label with the fewest: the k that the column alone
    reaches.
    ``largest``: the number of rows of the label with the most.
    ``rows_below_k``: the number of rows with a label of fewer than k rows.
    """

    level: int
    values: int
    smallest: int
    largest: int
    rows_below_k: int


@dataclass(frozen=True)
class HierarchyPreview(Discreet, JsonResult):
    """What each level of a hierarchy makes of a column, for the holder of the table.

    Parameters
    ----------
    column
        Name of the column.
    kind
        The kind of hierarchy.
    rows
        The number of rows.
    k
        The k that groups are compared with.
    levels
        The figures of each level, from the values themselves to the top.
    examples
        The labels at every level of a frequent, a less frequent and a rare value.
    """

    json_names = "column kind rows k reaches_k levels examples"

    column: str
    kind: str
    rows: int
    k: int
    levels: tuple[LevelFigures, ...]
    examples: tuple[LabelPath, ...]

    def _repr_html_(self) -> str:
        lines = [astuple(one) for one in self.levels]
        headings = ["level", "labels", "fewest rows", "most rows", f"rows below {self.k:,}"]
        return write_html_table(f"{self.kind} hierarchy of {self.column}", headings, lines)

    @property
    def reaches_k(self) -> int | None:
        """The lowest level at which every label has k rows."""
        return next((one.level for one in self.levels if one.smallest >= self.k), None)


def preview_hierarchy(
    column: ColumnProfile, hierarchy: Hierarchy, k: int = USUAL_K, suppressed: str = SUPPRESSED
) -> HierarchyPreview:
    """Count the rows of each label at every level of a hierarchy.

    Parameters
    ----------
    column
        The values of the column, all of them.
    hierarchy
        The hierarchy.
    k
        The k that groups are compared with.
    suppressed
        Label of the suppressed value.

    Examples
    --------
    >>> from lookalike.hierarchy import Mask
    >>> zips = ColumnProfile("zip", 9, ("02138", "02139", "02142"), (5, 2, 1), 3, missing=1)
    >>> preview = preview_hierarchy(zips, Mask(keep=[4]), k=3)
    >>> [(one.values, one.smallest, one.rows_below_k) for one in preview.levels]
    [(4, 1, 4), (3, 1, 2), (1, 9, 0)]
    >>> preview.examples[0], preview.reaches_k
    (('02138', '0213*', '*'), 2)
    """
    return preview_bound(column, bind_column(column, hierarchy, suppressed), hierarchy.name, k)


def bind_column(
    column: ColumnProfile, hierarchy: Hierarchy, suppressed: str = SUPPRESSED
) -> BoundHierarchy:
    """Bind a hierarchy to the values of a column, and last to missing if some rows have none."""
    missing = [None] if column.missing else []
    return hierarchy.bind(column.name, [*column.values, *missing], suppressed)


def preview_bound(
    column: ColumnProfile, bound: BoundHierarchy, kind: str, k: int
) -> HierarchyPreview:
    """Count the rows of each label at every level of a hierarchy of :func:`bind_column`."""
    rows = sum(column.counts) + column.missing
    last = len(column.values) - 1
    shown = sorted({0, last // 2, last}) if column.values else []
    levels = []
    for level in range(bound.height + 1):
        counted = count_label_rows(column, bound, level)
        some = counted[counted > 0]
        smallest, largest = int(some.min(initial=rows)), int(some.max(initial=0))
        below_k = int(some[some < k].sum())
        levels.append(LevelFigures(level, len(some), smallest, largest, below_k))
    return HierarchyPreview(
        column=column.name,
        kind=kind,
        rows=rows,
        k=k,
        levels=tuple(levels),
        examples=tuple(
            tuple(
                labels[codes[bound.ground[place]]]
                for codes, labels in zip(bound.levels, bound.labels, strict=True)
            )
            for place in shown
        ),
    )


def count_label_rows(column: ColumnProfile, bound: BoundHierarchy, level: int) -> Counts:
    """Return the number of rows of each label of a level, in the order of ``bound.labels``."""
    missing = (column.missing,) if column.missing else ()
    counts = np.array([*column.counts, *missing], dtype=np.int64)
    codes = bound.levels[level][bound.ground]
    return np.bincount(codes, weights=counts, minlength=bound.size(level)).astype(np.int64)
