"""ExistingRelease: a release to judge, as levels over the frequency list of its private table.

It is read from a published folder or a frame of released rows, after verifying that it is true and
k-anonymous. The requirement, the hierarchies and the private table come from the data holder's
specification.
"""

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from duckdb import DuckDBPyRelation

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.examine.holder_inputs import load_holder_specification
from lookalike.examine.verify import verify
from lookalike.flow.counted_table import CountedTable
from lookalike.flow.result import Release
from lookalike.flow.source import read_and_count
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.released_values import NOWHERE, read_attribute
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.progress import Announce, Stopwatch
from lookalike.model.requirement import Requirement
from lookalike.publish.certificate import Certificate
from lookalike.publish.open_published import open_published
from lookalike.search.cells.finer.given_release import ShownTuples
from lookalike.search.options import SearchOptions
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.count import count
from lookalike.tables.counted import Counted
from lookalike.tables.engines import as_relation, settle_mixed
from lookalike.tables.name_options import declare_defaults, find_defaults
from lookalike.tables.read import read_frame
from lookalike.tables.table import check_columns, column_names
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.recount import Promise, recount
from lookalike.verify.truth import count_untruthful
from lookalike.verify.values import column_types, recognize

_DEFAULT_TIME_LIMIT = 60.0
"""Seconds after which a search ends undecided, if the specification gives no time limit."""


@dataclass(frozen=True, eq=False, repr=False)
class ExistingRelease(Discreet):
    """A release that is proved to be a k-anonymous generalization of its private table.

    ``frequency``: the frequency list of the private table.
    ``requirement``: the requirement on the release.
    ``options``: weights, constraints and the time limit.
    ``allowance``: MaxSup, as a number of rows.
    ``vector``: the level of each attribute; None at the cell level.
    ``labels``: for each attribute its distinct values in the release.
    ``codes``: one row per attribute, one column per distinct tuple: the position of the value in
    `labels`.
    ``levels``: in the same shape: the level of the value; a suppressed value is at the top.
    ``counts``: the number of rows of each tuple.
    ``blank``: marks the tuples of blank rows, which stand for suppressed rows.
    """

    frequency: FrequencyList
    requirement: Requirement
    options: SearchOptions
    allowance: int
    vector: Vector | None
    labels: tuple[tuple[str | None, ...], ...]
    codes: Codes
    levels: Codes
    counts: Counts
    blank: Flags

    @property
    def time_limit(self) -> float:
        """The time limit of a search in seconds."""
        limit = self.options.time_limit
        return _DEFAULT_TIME_LIMIT if limit is None else limit

    @property
    def one_k(self) -> int:
        """The k of the only quasi-identifier, as the cell level requires."""
        one, *others = self.requirement.protected(self.frequency.attributes)
        if others or one.attributes != self.frequency.attributes:
            raise InvalidInput(
                "the cell level is defined for one quasi-identifier without linking weights; use "
                "the attribute level"
            )
        return one.k

    @property
    def rows_suppressed(self) -> int:
        """The number of rows that are left out or blank."""
        return self.frequency.rows - int(self.counts[~self.blank].sum())

    @property
    def rows_left_out(self) -> int:
        """The number of private rows that are not in the release, not even blank."""
        return self.frequency.rows - int(self.counts.sum())

    @property
    def precision(self) -> float:
        """Prec of the release (Achieving, Definition 5), from the levels of its cells."""
        weights = [Fraction(weight) for weight in self.options.weights_of(self.frequency)]
        lost, shown = Fraction(0), ~self.blank
        columns = weights, self.frequency.heights, self.levels
        for weight, height, levels in zip(*columns, strict=True):
            steps = int(levels[shown].astype(np.int64) @ self.counts[shown])
            lost += weight * (Fraction(steps, height) + self.rows_suppressed) if height else 0
        return float(1 - lost / (self.frequency.rows * sum(weights)))

    def shown(self) -> ShownTuples:
        """Return the released tuples, including blank rows, as ground codes and levels."""
        columns = self.frequency.hierarchies, self.labels, self.codes, self.levels
        ground = [_find_ground(*column) for column in zip(*columns, strict=True)]
        return ShownTuples(self.levels, np.array(ground, dtype=np.int32), self.counts)


def _find_ground(
    hierarchy: BoundHierarchy, texts: Sequence[str | None], codes: Codes, levels: Codes
) -> list[int]:
    """Return for each cell a ground code that has its label at its level; 0 at the top."""
    below: dict[tuple[int, str | None], int] = {}
    for level, numbers in enumerate(hierarchy.levels):
        for ground, code in enumerate(numbers.tolist()):
            below.setdefault((level, hierarchy.labels[level][code]), ground)
    cells = zip(levels.tolist(), codes.tolist(), strict=True)
    return [0 if level == hierarchy.height else below[level, texts[code]] for level, code in cells]


LEVELS = ("attribute", "cell")


_DATAFLY = "datafly"
"""The method that may suppress k rows if MaxSup is not given; the others may suppress none."""


class JudgedAgainst(TypedDict, total=False):
    """What a release is judged against, and how."""

    spec: Specification | Mapping[str, Any] | str | PathLike[str] | None
    table: Any
    level: str | None
    announce: Announce


def read_existing_release(
    release: Any,
    spec: Specification | Mapping[str, Any] | str | PathLike[str] | None = None,
    table: Any = None,
    level: str | None = None,
    announce: Announce = lambda _: None,
) -> ExistingRelease:
    """Read a release, and verify that it is a k-anonymous generalization of its private table.

    ``table``: the private table, a path or a frame. Default: the source of the specification.
    ``level``: ``"attribute"`` or ``"cell"``. Default: the level of the certificate; for a frame,
    the attribute level if each attribute has one level throughout, else the cell level.
    """
    if isinstance(release, Release):
        spec = spec or release.specification
        table = release.plan.table.given if table is None else table
        level = level or LEVELS[release.levels is None]
        release = release.table
    if spec is None:
        raise InvalidInput("give the specification that the release was made with: spec=…")
    if level is not None and level not in LEVELS:
        raise InvalidInput(f"level must be one of {', '.join(LEVELS)}, not {level!r}")
    certificate = Certificate.read(Path(release)) if isinstance(release, str | PathLike) else None
    holder, frame = load_holder_specification(spec, certificate, table)
    private = read_and_count(holder, Stopwatch(announce), frame)
    announce("verify")
    connection = Connection(holder.resources)
    if certificate is None:
        rows = as_relation(settle_mixed(read_frame(release)), connection)
    else:
        _check_folder(Path(release), holder, table)
        rows = open_published(Path(release), certificate, connection)
    requirement = holder.requirement(private.frequency.rows)
    opened = _OpenedRelease(rows, private, holder, connection, announce)
    _check_k(rows, requirement, private.frequency)
    vector = _find_vector(certificate, level, opened)
    untrue = opened.count_untrue(None) if vector is None and certificate is None else 0
    if untrue:
        raise RequirementNotMet(
            f"{untrue:,} released rows generalize no private row of their own, so the release is "
            "not a generalization of the private table"
        )
    method = holder.release.method if certificate is None else certificate.method
    default = requirement.k if method == _DATAFLY else 0
    allowance = requirement.allowance(private.frequency.rows, default)
    return opened.as_levels(requirement, allowance, vector)


declare_defaults(JudgedAgainst, find_defaults(read_existing_release))


def _check_folder(folder: Path, holder: Specification, table: Any) -> None:
    """Refuse a release that fails verification."""
    for finding in verify(folder, spec=holder, table=table).findings:
        if not finding.holds:
            raise RequirementNotMet(
                f"{folder} cannot be judged: it does not hold that {finding.claim} "
                f"({finding.found}); run lookalike verify"
            )


def _check_k(rows: DuckDBPyRelation, requirement: Requirement, frequency: FrequencyList) -> None:
    """Refuse a release that is not k-anonymous over each quasi-identifier."""
    for one in requirement.protected(frequency.attributes):
        verdict = recount(rows, Promise(one.attributes, one.k))
        if verdict.k < one.k:
            raise RequirementNotMet(
                f"the release is not {one.k}-anonymous over {', '.join(one.attributes)}: "
                f"{verdict.rows_below_k:,} of {verdict.rows:,} rows are in smaller classes, so it "
                "is not a k-minimal generalization"
            )


def _find_vector(
    certificate: Certificate | None, level: str | None, opened: "_OpenedRelease"
) -> Vector | None:
    """Return the vector of a release at the attribute level; None at the cell level."""
    if level == "cell":
        return None
    if certificate is not None:
        done = certificate.generalized
        levels = [done[name].level for name in opened.private.frequency.attributes]
        known = [one for one in levels if one is not None]
        if certificate.recoding == "attribute level" and len(known) == len(levels):
            return tuple(known)
    else:
        for vector in opened.list_possible_vectors():
            if not opened.count_untrue(vector):
                return vector
    if level == "attribute":
        raise RequirementNotMet(
            "the release is not a generalization of the private table at the attribute level: its "
            "rows are not true, or an attribute has several levels; use the cell level"
        )
    return None


@dataclass(frozen=True, eq=False)
class _OpenedRelease(Discreet):
    """The rows of a release, beside its private table and the specification of its holder."""

    rows: DuckDBPyRelation
    private: CountedTable
    holder: Specification
    connection: Connection
    announce: Announce

    @cached_property
    def counted(self) -> Counted:
        """The released rows, counted by their values as they are written."""
        return count(read_frame(self.rows), self.private.frequency.attributes)

    def read_labels(
        self, hierarchy: BoundHierarchy, shown: Sequence[str | None], levels: Collection[int]
    ) -> list[str | None]:
        """Return released values as the labels that they stand for at some levels."""
        kind = self.types[hierarchy.column]
        paths = list(zip(*hierarchy.list_texts(), strict=True))
        return recognize(shown, paths, levels, kind, self.connection)

    @cached_property
    def types(self) -> dict[str, Any]:
        """The types of the private columns."""
        return column_types(as_relation(self.private.table.frame, self.connection))

    def list_possible_vectors(self) -> Iterator[Vector]:
        """Yield the vectors at which every released value occurs, lowest first."""
        counted = self.counted
        blank = self.mark_blank(counted.values, counted.positions)
        blank &= not blank.all()
        possible = []
        for attribute, hierarchy in enumerate(self.private.frequency.hierarchies):
            used = np.unique(counted.positions[attribute][~blank])
            shown = [counted.values[attribute][place] for place in used.tolist()]
            texts = set(self.read_labels(hierarchy, shown, range(hierarchy.height + 1)))
            labels = enumerate(hierarchy.labels)
            possible.append([level for level, known in labels if texts <= set(known)])
        yield from sorted(itertools.product(*possible), key=lambda vector: (sum(vector), vector))

    def mark_blank(self, values: Sequence[Sequence[str | None]], codes: Codes) -> Flags:
        """Mark the tuples of blank rows, whose values are all suppressed, if such rows are kept."""
        asked = self.holder.release
        marks = np.full(codes.shape[1], asked.suppressed_rows == "blank", dtype=np.bool_)
        for texts, line in zip(values, codes, strict=True):
            hidden = np.array([text == asked.suppressed_label for text in texts], dtype=np.bool_)
            marks &= hidden[line] if len(texts) else False
        return marks

    def count_untrue(self, vector: Vector | None) -> int:
        """Count the released rows that generalize no private row of their own."""
        names, table = self.private.frequency.attributes, self.private.table
        others = [name for name in self.rows.columns if name not in (*names, *table.pseudonym_keys)]
        check_columns(column_names(table.frame), [*names, *others], "the private table")
        levels: dict[str, int | None] = dict.fromkeys(names)
        if vector is not None:
            levels.update(zip(names, vector, strict=True))
        claim = TruthClaim(
            hierarchies=self.holder.hierarchies(),
            levels=levels,
            unchanged=others,
            blank=self.holder.release.suppressed_rows == "blank",
            suppressed_label=self.holder.release.suppressed_label,
            cells=vector is None,
        )
        return count_untruthful(table.frame, self.rows, claim, self.connection)

    def as_levels(
        self, requirement: Requirement, allowance: int, vector: Vector | None
    ) -> ExistingRelease:
        """Read the level of every released value."""
        frequency, counted = self.private.frequency, self.counted
        sizes = [len(values) for values in counted.values]
        _, first, counts = group_equal(counted.positions, sizes, counted.counts)
        codes = np.take(counted.positions, first, axis=1)
        labels, levels = [], []
        for attribute, hierarchy in enumerate(frequency.hierarchies):
            one = None if vector is None else vector[attribute]
            possible = range(hierarchy.height + 1) if one is None else [one]
            texts = self.read_labels(hierarchy, counted.values[attribute], possible)
            labels.append(tuple(texts))
            read = np.array(_read_levels(hierarchy, texts, one), dtype=np.int32)
            levels.append(read[codes[attribute]])
        return ExistingRelease(
            frequency=frequency,
            requirement=requirement,
            options=self.holder.options(self.announce),
            allowance=allowance,
            vector=vector,
            labels=tuple(labels),
            codes=codes,
            levels=np.array(levels, dtype=np.int32),
            counts=counts,
            blank=self.mark_blank(labels, codes),
        )


def _read_levels(
    hierarchy: BoundHierarchy, texts: Sequence[str | None], level: int | None
) -> list[int]:
    """Return the level of each released value; a suppressed one is at the top."""
    allowed = None if level is None else [level]
    paths = list(zip(*hierarchy.list_texts(), strict=True))
    read = read_attribute(hierarchy.column, paths, texts, hierarchy.suppressed, allowed)
    places = read.levels[read.released].tolist()
    if NOWHERE in places:
        raise RequirementNotMet(
            f"column {hierarchy.column!r}: the release has values that the hierarchy derives from "
            "no private value"
        )
    last = hierarchy.height + 1 if level is None else 1
    return [
        hierarchy.height if place == last else place if level is None else level for place in places
    ]
