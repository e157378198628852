"""PairedTable: the private table beside its release, as codes: what *Compare* and attackers see.

Equal rows with one fate are one entry, so that a page looks at entries and not at rows. It is made
in the process of a dry run and stays with the data holder.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lookalike.errors import InvalidInput
from lookalike.flow.result import Release
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.model.cell_costs import count_lost_leaves
from lookalike.model.tuples import SUPPRESSED_CELL, SUPPRESSED_TEXT, Tuples
from lookalike.risk.releases.seen_release import Label
from lookalike.tables.engines.engine import FATE
from lookalike.tables.labels import encode_column, label_in
from lookalike.tables.plan import Fates, Plan

COLUMNS_PAIRED = 30
CELLS_PAIRED = 30_000_000
"""A larger table is compared as far as its first rows have so many cells."""
SmallCodes = npt.NDArray[np.integer[Any]]
"""Codes in as few bytes as they need."""
UNSHOWN = -1
"""The position of a label that the release does not show."""


@dataclass(frozen=True, eq=False)
class PairedColumn(Discreet):
    """A column of the private table and of its release, a code for each entry.

    ``labels``, ``private``: the private values, and which one each entry has; None is missing.
    ``shown``, ``released``: the same of the release. ``levels``: the level of each cell, of
    ``height`` levels above the ground; :data:`SUPPRESSED_CELL` if it is suppressed.
    ``texts``: for each level of the hierarchy, what every private value is on it.
    ``possible``: for each level that the release has, the position in ``shown`` of what every
    private value is on it. Without levels, the column is released as it is.
    """

    name: str
    labels: tuple[Label, ...]
    private: SmallCodes
    shown: tuple[Label, ...]
    released: SmallCodes
    height: int = 0
    levels: SmallCodes | None = None
    texts: tuple[tuple[Label, ...], ...] = ()
    possible: tuple[Codes, ...] = ()


@dataclass(frozen=True, eq=False)
class ColumnAxis(Discreet):
    """The values of one column, and which one each entry of a paired table has.

    ``labels``: groups of private values, so many as ``groups``, then more general released labels.
    """

    name: str
    labels: tuple[Label, ...]
    groups: int
    private: Codes
    released: Codes


@dataclass(frozen=True, eq=False)
class PairedTable(Discreet):
    """The rows of a private table, and what its release shows of each.

    ``entry_of``: the entry of each row. The other arrays have a place for each entry: ``counts``,
    its rows; ``group``, the number of its class, 0 if it is suppressed; ``alike``, how many
    released rows share its quasi-identifier, of several ones the fewest; ``lost``, the mean loss of
    its generalized columns; ``is_left_out``, whether it is not in the release.
    ``persons``: the person of each row, where k counts persons.
    """

    columns: tuple[PairedColumn, ...]
    linkable: int
    columns_left_out: int
    rows_left_out: int
    entry_of: SmallCodes
    counts: Counts
    group: Codes
    alike: Counts
    lost: Reals
    is_left_out: Flags
    is_blank: Flags
    persons: Codes | None = None

    @property
    def rows(self) -> int:
        """The number of private rows."""
        return len(self.entry_of)

    @property
    def rows_out(self) -> int:
        """The number of released rows."""
        return int(self.counts[~self.is_left_out].sum())

    @cached_property
    def is_changed(self) -> Flags:
        """Whether the release shows another value than the private one, or nothing."""
        changed = self.is_left_out.copy()
        for one in self.columns:
            if one.levels is not None:
                private = np.array(one.labels, dtype=object)[one.private]
                changed |= private != np.array(one.shown, dtype=object)[one.released]
        return changed

    @cached_property
    def is_unique(self) -> Flags:
        """Whether a private row has a combination of generalized columns that no other row has."""
        linkable = [one for one in self.columns if one.levels is not None]
        codes = np.array([one.private for one in linkable], dtype=np.int32)
        sizes = [max(len(one.labels), 1) for one in linkable]
        class_of, _, counts = group_equal(codes, sizes, self.counts)
        alone: Flags = counts[class_of] == 1
        return alone

    def find_rows(self, sort: str, chosen: Flags) -> SmallCodes:
        """Return the places of the rows whose entries are chosen, sorted; suppressed ones last."""
        if sort not in self._orders:
            keys = {"table": None, "class": (), "size": (self.alike,), "loss": (-self.lost,)}[sort]
            self._orders[sort] = self._sort(keys)
        order = self._orders[sort]
        found: SmallCodes = order[chosen[self.entry_of[order]]]
        return found

    @cached_property
    def _orders(self) -> dict[str, SmallCodes]:
        """The orders of all rows that were asked for; sorting a million rows takes a second."""
        return {}

    @cached_property
    def axes(self) -> dict[int, ColumnAxis]:
        """The columns that were laid out as axes, by their places."""
        return {}

    def _sort(self, keys: Sequence[npt.NDArray[Any]] | None) -> SmallCodes:
        """Return all rows sorted by keys of their entries, then by class; or as they are."""
        if keys is None:
            return np.arange(self.rows, dtype=np.int32)
        rank = np.empty(len(self.counts), dtype=np.int32)
        rank[np.lexsort((self.group, *keys, self.group == 0))] = np.arange(len(rank))
        return np.argsort(rank[self.entry_of], kind="stable").astype(np.int32)


SORTS = {
    "class": "class",
    "size": "class size, the smallest first",
    "loss": "loss, the greatest first",
    "table": "order of the table",
}
"""The orders of rows."""


def pair_table(release: Release) -> PairedTable:
    """Compare the private rows of a release with what it shows of them, in one pass."""
    plan, fates = release.plan, release.trail.fates
    linkable = plan.frequency.attributes
    every = (*linkable, *(name for name in plan.unchanged if name not in linkable))
    columns = every[:COLUMNS_PAIRED]
    persons = release.specification.persons[:1]
    pieces = release.trail.follow((*columns, *(one for one in persons if one not in columns)))
    rows = _read(pieces, max(CELLS_PAIRED // len(columns), 1))
    encoded = [_encode(name, rows[name]) for name in columns]
    codes = np.array([*(code for _, code in encoded), rows[FATE].to_numpy()], dtype=np.int32)
    sizes = [*(max(len(labels), 1) for labels, _ in encoded), len(fates.tuples)]
    entry_of, first, counts = group_equal(codes, sizes, np.ones(len(rows), dtype=np.int64))
    entries, fate = codes[:-1, first], codes[-1, first]
    drawn = [
        _compare_column(plan, fates, fate, name, labels, code)
        for name, (labels, _), code in zip(columns, encoded, entries, strict=True)
    ]
    class_of, _ = fates.tuples.classes(plan.frequency, linkable)
    return PairedTable(
        columns=tuple(drawn),
        linkable=min(len(linkable), len(columns)),
        columns_left_out=len(every) - len(columns),
        rows_left_out=plan.frequency.rows - len(rows),
        entry_of=_narrow(entry_of),
        counts=counts,
        group=_number_classes(np.where(fates.gone, UNSHOWN, class_of))[fate],
        alike=_count_alike(plan, fates)[fate],
        lost=_measure_loss(plan, fates.tuples)[fate],
        is_left_out=fates.gone[fate] & (not plan.blank),
        is_blank=fates.gone[fate] & plan.blank,
        persons=_encode("", rows[persons[0]])[1] if persons else None,
    )


def _read(pieces: Iterable[pa.Table], most: int) -> pa.Table:
    """Read the first rows that were there when the table was counted; only those have a fate."""
    count, taken = 0, []
    for piece in pieces:
        taken.append(piece.filter(pc.is_valid(piece[FATE])))
        count += len(taken[-1])
        if count >= most:
            break
    return pa.concat_tables(taken).slice(0, most)


def _encode(name: str, column: pa.ChunkedArray) -> tuple[tuple[Label, ...], Codes]:
    """Return the distinct labels of a column, and which one each row has."""
    try:
        return encode_column(name, column)
    except InvalidInput:  # values that cannot be compared, such as lists
        return encode_column(name, pa.array([_write(name, one) for one in column.to_pylist()]))


def _write(name: str, value: Any) -> str | None:
    """Write a value as text, whatever it is."""
    try:
        return label_in(name, value)
    except InvalidInput:
        return str(value)


def _compare_column(
    plan: Plan, fates: Fates, fate: Codes, name: str, labels: tuple[Label, ...], private: Codes
) -> PairedColumn:
    """Return a column before and after."""
    frequency, tuples = plan.frequency, fates.tuples
    if name not in frequency.attributes:
        return PairedColumn(name, labels, _narrow(private), labels, _narrow(private))
    place = frequency.attributes.index(name)
    hierarchy = frequency.hierarchies[place]
    texts, shown = tuples.shown(frequency, place)
    position = {text: number for number, text in enumerate(texts)}
    ground = np.zeros(len(labels), dtype=np.int32)
    ground[private] = frequency.codes[place, tuples.sequence[fate]]
    raised = [
        tuple(at[code] for code in above[ground].tolist())
        for at, above in zip(hierarchy.labels, hierarchy.levels, strict=True)
    ]
    used = np.unique(tuples.levels[place, ~fates.gone]).tolist()
    return PairedColumn(
        name=name,
        labels=labels,
        private=_narrow(private),
        shown=texts,
        released=_narrow(shown[fate]),
        height=hierarchy.height,
        levels=tuples.levels[place, fate].astype(np.int8),
        texts=tuple(raised),
        possible=tuple(
            np.full(len(labels), SUPPRESSED_TEXT, dtype=np.int32)
            if level == SUPPRESSED_CELL
            else np.array([position.get(one, UNSHOWN) for one in raised[level]], dtype=np.int32)
            for level in used
        ),
    )


def _number_classes(class_of: Codes) -> Codes:
    """Number the classes that have rows from 1; the rows of none have 0."""
    known = np.unique(class_of[class_of != UNSHOWN])
    found = np.searchsorted(known, class_of) + 1
    return np.where(class_of == UNSHOWN, 0, found).astype(np.int32)


def _count_alike(plan: Plan, fates: Fates) -> Counts:
    """Return for each fate the fewest released rows that share a quasi-identifier with it."""
    counts = np.where(fates.gone & (not plan.blank), 0, fates.tuples.counts)
    fewest = np.full(len(counts), plan.frequency.rows, dtype=np.int64)
    for one in plan.requirement.protected(plan.frequency.attributes):
        class_of, _ = fates.tuples.classes(plan.frequency, one.attributes)
        fewest = np.minimum(fewest, np.bincount(class_of, counts).astype(np.int64)[class_of])
    return fewest


def _measure_loss(plan: Plan, tuples: Tuples) -> Reals:
    """Return for each fate the mean loss of its cells."""
    frequency, total = plan.frequency, np.zeros(len(tuples))
    for place, hierarchy in enumerate(frequency.hierarchies):
        leaves, most = count_lost_leaves(hierarchy)
        lost = np.ones(len(tuples))
        for level, here in tuples.by_level(place):
            if level != SUPPRESSED_CELL:
                codes = frequency.codes[place, tuples.sequence[here]]
                lost[here] = (leaves[level] / most)[hierarchy.levels[level][codes]]
        total += lost
    mean: Reals = total / max(len(frequency.hierarchies), 1)
    return mean


def _narrow(codes: Codes) -> SmallCodes:
    """Return codes in as few bytes as they need."""
    return codes.astype(np.min_scalar_type(int(codes.max(initial=0))))
