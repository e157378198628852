"""Compare_records: run each method that linked tables take on the same tables and requirement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Unpack

import pyarrow as pa

from lookalike.errors import InvalidInput, LookalikeError
from lookalike.flow.linked_release import LinkedRelease
from lookalike.flow.release_records import (
    ReadRecords,
    describe_records,
    read_to_search,
    search_records,
)
from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult, pick_json
from lookalike.model.lattice import write_vector
from lookalike.model.progress import Announce, Stopwatch
from lookalike.search.takes import LINKED_METHODS
from lookalike.spec.record_fields import find_record_problems
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import name_options


@dataclass(frozen=True, eq=False)
class ComparedRecords(Discreet, JsonResult):
    """The result of one method on linked tables: a release, or why there is none."""

    json_names = (
        "method k=release.requirement.k persons_in=release.persons_in "
        "persons_out=release.persons_out persons_suppressed=release.persons_suppressed "
        "levels=release.levels precision=release.overall_precision "
        "precision_by_table=release.precision_by_table loss=release.loss "
        "optimal=release.optimal k_minimal=release.recoding.k_minimal "
        "in_time=release.recoding.in_time rows_dropped=release.rows_dropped "
        "seconds=release.seconds"
    )
    json_failed = "method error"

    method: str
    release: LinkedRelease | None = None
    error: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return what ``compare --json`` prints for one method."""
        return pick_json(self, self.json_failed) if self.release is None else super().as_json()


def compare_linked(
    specification: Specification,
    methods: Sequence[str] = (),
    announce: Announce = lambda _: None,
    table: Any = None,
    frames: Mapping[str, Any] | None = None,
) -> tuple[ComparedRecords, ...]:
    """Run methods on the same linked tables, which are read once; nothing is written."""
    for method in methods:
        if method not in LINKED_METHODS:
            raise InvalidInput(f"linked tables take {', '.join(LINKED_METHODS)}, not {method!r}")
    intake = Stopwatch(announce)
    sources, requirement, options = read_to_search(specification, intake, table, frames)
    top = sources.linked.heights
    sources.linked.mark_released(top, requirement.k)  # loads compiled loops for all methods
    intake.begin(None)
    read = sources, requirement, replace(options, announce=lambda _: None)
    compared = []
    for method in methods or LINKED_METHODS:
        announce(method)
        stopwatch = Stopwatch()
        stopwatch.seconds |= {name: intake.seconds[name] for name in ("read", "count")}
        compared.append(_run(specification, method, read, stopwatch))
    return tuple(compared)


def _run(
    specification: Specification, method: str, read: ReadRecords, stopwatch: Stopwatch
) -> ComparedRecords:
    """Run one method; a failure is a result, too, and so is what the method does not take."""
    asked = specification.release.model_copy(update={"method": method})
    chosen = specification.model_copy(update={"release": asked})
    for problem in find_record_problems(chosen):
        return ComparedRecords(method, error=problem)
    stopwatch.begin("search")
    try:
        return ComparedRecords(method, search_records(chosen, read, stopwatch))
    except LookalikeError as problem:
        return ComparedRecords(method, error=problem.discreet)


@name_options
def compare_records(
    table: Any = None,
    spec: Specification | str | PathLike[str] | None = None,
    *,
    records: Mapping[str, Any] | None = None,
    source: Mapping[str, Any] | None = None,
    methods: Sequence[str] = (),
    announce: Announce = lambda _: None,
    **changes: Unpack[SpecificationOptions],
) -> pa.Table:
    """Compare the methods that linked tables take.

    Parameters
    ----------
    table, spec, records, source, **changes
        As for :func:`lookalike.release_records`.
    methods
        The methods to run; default: all.
    announce
        Callback that receives the name of each method.

    Returns
    -------
    pyarrow.Table
        One row per method; ``levels`` are those of all tables, ``precision_of`` maps each table to
        its precision.

    Examples
    --------
    >>> hide = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
    >>> key = {"role": "identifier"}
    >>> visits = pa.table({"no": [1, 2, 3, 4, 4], "month": ["May", "May", "May", "May", "June"]})
    >>> described = {"person": "no", "knows": 1, "attributes": {"no": key, "month": hide}}
    >>> compared = compare_records(records={"visits": {"table": visits, **described}}, k=2)
    >>> compared.select(["method", "levels", "persons_suppressed"]).slice(0, 1).to_pylist()
    [{'method': 'mingen', 'levels': '[1]', 'persons_suppressed': 0}]
    """
    asked, given, frames = describe_records(table, spec, records, source, changes)
    compared = compare_linked(asked, methods, announce, given, frames)
    return pa.Table.from_pylist([_as_row(one) for one in compared], schema=_COLUMNS)


_COLUMNS = pa.schema(
    {
        "method": pa.string(),
        "levels": pa.string(),
        "k": pa.int64(),
        "persons_out": pa.int64(),
        "persons_suppressed": pa.int64(),
        "precision": pa.float64(),
        "precision_of": pa.map_(pa.string(), pa.float64()),
        "loss": pa.float64(),
        "optimal": pa.bool_(),
        "k_minimal": pa.bool_(),
        "seconds": pa.float64(),
        "error": pa.string(),
    }
)


def _as_row(compared: ComparedRecords) -> dict[str, Any]:
    """Return the result of a method as one row of the comparison."""
    made = compared.release
    if made is None:
        return {"method": compared.method, "error": compared.error}
    return {
        "method": compared.method,
        "levels": write_vector(made.recoding.vector),
        "k": made.requirement.k,
        "persons_out": made.persons_out,
        "persons_suppressed": made.persons_suppressed,
        "precision": made.overall_precision,
        "precision_of": [*made.precision_by_table.items()],
        "loss": made.loss,
        "optimal": made.optimal,
        "k_minimal": made.recoding.k_minimal,
        "seconds": made.stopwatch.seconds["search"],
        "error": None,
    }
