"""Compare the methods: run each on the same table and requirement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

import pyarrow as pa

from lookalike.describe.bound import name_beyond_rows
from lookalike.describe.utility import utility_figures
from lookalike.errors import InvalidInput, LookalikeError
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.explore.run_settings import search_within
from lookalike.flow.result import Release
from lookalike.flow.source import describe_table, read_or_store
from lookalike.json_result import JsonResult, pick_json
from lookalike.model.clock import deadline_after
from lookalike.model.lattice import Vector, write_vector
from lookalike.model.minimality import minimal_below
from lookalike.model.progress import Announce, Stopwatch
from lookalike.search.methods import ALGORITHMS
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.engines import as_given
from lookalike.tables.name_options import name_options
from lookalike.tables.table import Frame

if TYPE_CHECKING:
    from lookalike.describe.utility.trial import ModelTrial


@dataclass(frozen=True, eq=False)
class Compared(JsonResult):
    """The result of one method on a table: a release, or why there is none.

    ``minimal_below`` is a k-minimal vector at or below that of the release; None at the cell level,
    or if none was found within the time limit. ``precision_bound`` is the greatest Prec that is
    possible for releases of this kind, if known. A bound that one method proves at the cell level
    holds for the others at that level. There it is of classes of k rows alone. ``utility`` is known
    if a target was named.
    """

    json_names = (
        "**release precision_bound gap accuracy=release.measures.accuracy "
        "completeness=release.measures.completeness minimal_below=levels_below utility?"
    )
    json_failed = "method error"

    method: str
    release: Release | None = None
    minimal_below: Vector | None = None
    precision_bound: float | None = None
    error: str | None = None
    utility: utility_figures.Utility | None = None

    @property
    def gap(self) -> float | None:
        """How far the search may be from the best of what the bound is of, if known.

        What persons, protections and decoys cost after the search is no part of it.
        """
        if self.release is None or self.precision_bound is None:
            return None
        known = self.release.recoding.optimality
        if known is not None:
            return self.precision_bound - known.searched
        if name_beyond_rows(self.release.specification, self.release.plan):
            return None
        return self.precision_bound - self.release.precision_before_decoys

    @property
    def levels_below(self) -> dict[str, int] | None:
        """The levels of ``minimal_below``, by attribute."""
        if self.release is None or self.minimal_below is None:
            return None
        return dict(zip(self.release.plan.frequency.attributes, self.minimal_below, strict=True))

    def as_json(self) -> dict[str, Any]:
        """Return what ``compare --json`` prints for one method."""
        return pick_json(self, self.json_failed) if self.release is None else super().as_json()

    @property
    def at_cells(self) -> bool:
        """Whether the release is recoded at the cell level."""
        return self.release is not None and self.release.levels is None


def compare_methods(
    specification: Specification,
    methods: Sequence[str] = (),
    announce: Announce = lambda _: None,
    frame: Frame | None = None,
    target: str | None = None,
) -> tuple[Compared, ...]:
    """Run methods on the same counted table; nothing is written."""
    for method in methods:
        if method not in ALGORITHMS:
            raise InvalidInput(f"method is one of {', '.join(ALGORITHMS)}, not {method!r}")
    specification = settle_columns(specification, frame)
    trial = None
    if target is not None:
        from lookalike.flow.utility import ask_trial  # imports scipy

        trial = ask_trial(specification, target)  # refuses a target before the table is read
    intake = Stopwatch(announce)
    counted_table = read_or_store(specification, intake, frame)
    intake.begin(None)
    if trial is not None:
        trial.check_table(counted_table.table.frame)
    compared = []
    for method in methods or ALGORITHMS:
        announce(method)
        stopwatch = Stopwatch()
        stopwatch.seconds |= intake.seconds
        compared.append(_run(specification, method, counted_table, stopwatch))
    shared = _share_bound(compared)
    return shared if trial is None else _measure_utility(shared, trial, announce)


def _measure_utility(
    compared: Sequence[Compared], trial: "ModelTrial", announce: Announce
) -> tuple[Compared, ...]:
    """Measure the utility of each release; models of the private rows are trained once."""
    from lookalike.flow.utility import measure_utility  # imports scipy and scikit-learn

    measured: list[Compared] = []
    references: tuple[utility_figures.ModelScore, ...] = ()
    for one in compared:
        if one.release is None:
            measured.append(one)
            continue
        announce(f"utility of {one.method}")
        found = measure_utility(one.release, trial, references)
        references = found.models.references if found.models else ()
        measured.append(replace(one, utility=found))
    return tuple(measured)


def _share_bound(compared: Sequence[Compared]) -> tuple[Compared, ...]:
    """Give all methods at the cell level the best bound that one of them has proved."""
    known = [one.precision_bound for one in compared if one.at_cells]
    best = min((bound for bound in known if bound is not None), default=None)
    return tuple(replace(one, precision_bound=best) if one.at_cells else one for one in compared)


def _run(
    specification: Specification,
    method: str,
    counted_table: CountedTable | StoredTable,
    stopwatch: Stopwatch,
) -> Compared:
    """Run one method; a failure is a result, too."""
    asked = specification.release.model_copy(update={"method": method})
    chosen = specification.model_copy(update={"release": asked})
    deadline = deadline_after(specification.release.time_limit)
    try:
        release = search_within(chosen, counted_table, stopwatch)
    except LookalikeError as problem:
        return Compared(method, error=problem.discreet)
    below = _minimal_below(release, counted_table, deadline)
    return Compared(method, release, below, release.recoding.precision_bound)


def _minimal_below(
    release: Release, counted: CountedTable | StoredTable, deadline: float
) -> Vector | None:
    """Return a k-minimal vector at or below that of a release, at the attribute level."""
    recoding, plan = release.recoding, release.plan
    if recoding.vector is None or recoding.allowance is None:
        return None
    return minimal_below(
        counted.frequency, recoding.vector, plan.requirement, recoding.allowance, deadline
    )


@name_options
def compare(
    table: Any = None,
    spec: Specification | str | PathLike[str] | None = None,
    *,
    source: Mapping[str, Any] | None = None,
    methods: Sequence[str] = (),
    announce: Announce = lambda _: None,
    target: str | None = None,
    **changes: Unpack[SpecificationOptions],
) -> Any:
    """Compare the methods on a private table.

    Parameters
    ----------
    table, spec, source, **changes
        As for :func:`lookalike.release`.
    methods
        The methods to run; default: all.
    announce
        Callback that receives the name of each method.
    target
        A released column. With it, the frame has the columns
        :data:`~lookalike.describe.utility.utility_figures.UTILITY_COLUMNS`, and two more rows for
        the models on the original rows and for the majority (:func:`lookalike.utility`).

    Returns
    -------
    frame
        One row per method, as the kind of frame that was given; an Arrow table for a path.

    Examples
    --------
    >>> people = pa.table({"zip": ["02138", "02139", "02141"], "ill": ["flu", "flu", "cold"]})
    >>> roles = {
    ...     "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    ...     "ill": {"role": "sensitive"},
    ... }
    >>> compared = compare(people, attributes=roles, k=2, max_suppressed=1)
    >>> compared.select(["method", "levels", "precision"]).slice(0, 1).to_pylist()
    [{'method': 'datafly', 'levels': '[1]', 'precision': 0.5333333333333333}]
    """
    specification, frame = describe_table(table, spec, source, changes)
    lines = list_comparison(compare_methods(specification, methods, announce, frame, target))
    added = (
        []
        if target is None
        else [pa.field(name, pa.float64()) for name in utility_figures.UTILITY_COLUMNS]
    )
    compared = pa.Table.from_pylist(lines, schema=pa.schema([*_COLUMNS, *added]))
    return compared if frame is None else as_given(compared, frame)


def list_comparison(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """Return one row per method, and after them what the accuracy of models is compared with."""
    measured = [one.utility for one in compared if one.utility is not None]
    references = utility_figures.reference_rows(measured[0]) if measured else []
    return [*map(as_comparison_row, compared), *references]


_COLUMNS = pa.schema(
    {
        "method": pa.string(),
        "levels": pa.string(),
        "k": pa.int64(),
        "k_reached": pa.int64(),
        "rows_suppressed": pa.int64(),
        "cells_suppressed": pa.int64(),
        "precision": pa.float64(),
        "precision_bound": pa.float64(),
        "loss": pa.float64(),
        "gap": pa.float64(),
        "accuracy": pa.float64(),
        "completeness": pa.float64(),
        "classes": pa.int64(),
        "k_minimal": pa.bool_(),
        "minimal_below": pa.string(),
        "seconds": pa.float64(),
        "error": pa.string(),
    }
)


def as_comparison_row(compared: Compared) -> dict[str, Any]:
    """Return the result of a method as one row of the comparison."""
    release = compared.release
    if release is None:
        return {"method": compared.method, "error": compared.error}
    recoding, measures = release.recoding, release.measures
    return {
        "method": compared.method,
        "levels": write_vector(recoding.vector),
        "k": release.plan.requirement.k,
        "k_reached": measures.smallest_class,
        "rows_suppressed": recoding.rows_suppressed + recoding.rows_complementary,
        "cells_suppressed": measures.cells_suppressed,
        "precision": measures.precision,
        "precision_bound": compared.precision_bound,
        "loss": measures.loss,
        "gap": compared.gap,
        "accuracy": measures.accuracy,
        "completeness": measures.completeness,
        "classes": measures.classes,
        "k_minimal": recoding.k_minimal,
        "minimal_below": write_vector(compared.minimal_below),
        "seconds": release.stopwatch.seconds["search"],
        "error": None,
        **({} if compared.utility is None else utility_figures.utility_columns(compared.utility)),
    }
