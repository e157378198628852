"""Release: the whole flow, from a specification to a release that was decided on.

::

    read  →  count  →  search  →  recode  →  verify  →  publish

:func:`prepare` goes through the first half without touching a row: it looks for earlier
releases, reads and counts the table, and lets a method decide, alone or based on what was released
before. The second half are steps of :class:`~lookalike.flow.result.Release`: ``verify`` recodes
and verifies its ``table``, ``publish`` writes the result.
"""

from collections.abc import Callable, Mapping
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

from lookalike.flow.beyond_memory import refuse_beyond_memory
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.decision import Decision
from lookalike.flow.exposure import refuse_exposed, refuse_unmeasured
from lookalike.flow.result import Release
from lookalike.flow.settle_method import settle_method
from lookalike.flow.source import describe_table, read_or_store
from lookalike.flow.stopwatch import Stopwatch
from lookalike.model.measures import measure
from lookalike.model.progress import Announce
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import Frequencies
from lookalike.search.argus.options import Decide
from lookalike.search.methods import ALGORITHMS
from lookalike.search.options import SearchOptions
from lookalike.search.takes import refuse_untaken
from lookalike.spec.choose_method import choose_method
from lookalike.spec.policies import ALL_RELEASED, BASED_ON
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import name_options
from lookalike.tables.plan import Plan
from lookalike.tables.table import Frame

if TYPE_CHECKING:
    from lookalike.ledger.policies.earlier_releases import EarlierEntries


@name_options
def release(
    table: Any = None,
    spec: Specification | str | PathLike[str] | None = None,
    *,
    source: Mapping[str, Any] | None = None,
    announce: Announce = lambda _: None,
    decide: Decide | None = None,
    allow_unsafe: bool = False,
    **changes: Unpack[SpecificationOptions],
) -> Release:
    """Make a release of a private table.

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow, DuckDB, Spark or Ibis. Default: the source
        of the specification.
    spec
        A specification or its file, which the other parameters change. Paths that are given here
        are relative to the working folder.
    source
        Further fields of ``[source]``, such as ``where``; of a frame ``name``, ``row_key``,
        ``person``, ``new_people``, ``missing``, ``trim``, ``memory`` and ``spill`` only.
    announce
        Callback that receives the name of each step as it begins.
    decide
        Called by µ-Argus to ask what to generalize. It receives what is
        :class:`~lookalike.search.argus.options.Unsafe` and returns the name of an attribute,
        ``la.UNDO``, or nothing to stop.
    allow_unsafe
        Whether to publish a release of µ-Argus that does not satisfy k; its certificate says so.
    **changes
        The fields of ``[release]``: ``k``, ``max_suppressed``, ``method``, …, each explained in
        docs/specification.md; and other tables of a specification: ``attributes``, for each
        column its role and what goes with it, where a hierarchy may also be an object;
        ``defaults`` for the other columns; ``quasi_identifiers``, if there are several;
        ``recipients``, of whom ``recipient`` names the one that receives the release. Columns in
        ``attributes`` replace those of a specification one by one.

    Returns
    -------
    Release
        Its ``table`` has been counted again and satisfies k.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139", "02141"], "ill": ["flu", "flu", "cold"]})
    >>> made = release(
    ...     people,
    ...     k=2,
    ...     attributes={
    ...         "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    ...         "ill": {"role": "sensitive"},
    ...     },
    ... )
    >>> made.certificate.method, made.table.num_rows, made.measures.precision
    ('mingen-cells', 3, 0.6)
    """
    specification, frame = describe_table(table, spec, source, changes)
    made = prepare(
        specification,
        announce,
        frame,
        given=None if frame is None else table,
        decide=decide,
        allow_unsafe=allow_unsafe,
    )
    if frame is not None:
        made.verify()  # nothing unverified returns
    return made


def prepare(
    specification: Specification,
    announce: Announce = lambda _: None,
    frame: Frame | None = None,
    *,
    given: Any = None,
    decide: Decide | None = None,
    keep_best: Callable[[], bool] = lambda: False,
    allow_unsafe: bool = False,
) -> Release:
    """Read, count and search: decide on a release without touching a row.

    ``frame``: the eligible rows; without it they are read from the source of the specification.
    ``given``: the frame as the user gave it; the released rows are given back in its kind.
    ``keep_best``: called when the search is interrupted: whether to go on with the best found so
    far.
    """
    stopwatch = Stopwatch(announce)
    stopwatch.begin("read")
    specification = settle_columns(specification, frame)
    specification, earlier = follow_up(specification, stopwatch.report)
    refuse_ignored(specification, decide)
    refuse_unmeasured(specification, follows=earlier is not None)
    counted = read_or_store(specification, stopwatch, frame, given, is_read_often=True)
    options = specification.options(stopwatch.report, decide, keep_best)
    return search(specification, counted, options, stopwatch, earlier, allow_unsafe=allow_unsafe)


def follow_up(
    specification: Specification, announce: Announce
) -> "tuple[Specification, EarlierEntries | None]":
    """Find the earlier releases in the ledger, if there is one, and include their columns."""
    if specification.release.ledger is None:
        return specification, None
    from lookalike.flow.followup.find_earlier_releases import find_earlier_releases
    from lookalike.ledger.policies.earlier_releases import widen_by  # the ledger imports sqlalchemy

    earlier = find_earlier_releases(specification, announce)
    if earlier is not None and specification.release.policy == ALL_RELEASED:
        specification = widen_by(specification, earlier)
    return specification, earlier


def refuse_ignored(specification: Specification, decide: Decide | None = None) -> None:
    """Refuse what the method would ignore, before the table is read."""
    specification, _ = choose_method(specification)
    refuse_untaken(
        specification.release.method,
        tuple(specification.hierarchies()),
        specification.requirement(rows=0),
        specification.options(decide=decide),
    )


def search(
    specification: Specification,
    counted: CountedTable | StoredTable,
    options: SearchOptions,
    stopwatch: Stopwatch,
    earlier: "EarlierEntries | None" = None,
    *,
    allow_unsafe: bool = False,
) -> Release:
    """Let the method decide on a release of a table that was counted."""
    stopwatch.begin("search")
    specification, reason = settle_method(specification, counted)
    refuse_unmeasured(specification, follows=earlier is not None)
    refuse_beyond_memory(specification, counted)
    method = partial(_run_method, specification.release.method, options)
    found = _decide(specification, counted, method, earlier)
    frequency = found.counted.frequency
    measures = measure(frequency, found.recoding, found.requirement, options.weights)
    stopwatch.begin(None)
    plan = Plan(
        table=found.counted.table,
        counted=found.counted.counted,
        sequence_of=found.counted.sequence_of,
        frequency=frequency,
        recoding=found.recoding,
        requirement=found.requirement,
        keep_order=specification.release.keep_order,
    )
    given = stopwatch, allow_unsafe, found.basis, counted.table.frame, reason
    known = 0 if earlier is None else len(earlier.entries)
    made = Release(specification, plan, measures, *given, known)
    if specification.release.max_exposure is not None:
        refuse_exposed(specification, made.exposure)
    return made


def _run_method(
    name: str, options: SearchOptions, frequency: Frequencies, requirement: Requirement
) -> Recoding:
    """Run a method by its name."""
    return ALGORITHMS[name](frequency, requirement, options)


def _decide(
    specification: Specification,
    counted: CountedTable | StoredTable,
    method: Callable[[Frequencies, Requirement], Recoding],
    earlier: "EarlierEntries | None",
) -> Decision:
    """Let the method decide alone, or on the basis of earlier releases."""
    source = specification.source
    requirement = specification.requirement(counted.frequency.rows)
    follows = earlier is not None and specification.release.policy == BASED_ON
    key = None if source is None else source.row_key
    if isinstance(counted, StoredTable) or not follows or earlier is None or key is None:
        recoding = method(counted.frequency, requirement)
        return Decision(counted.settled(recoding.vector), recoding, requirement)
    from lookalike.flow.followup.plan_based_release import plan_based_release

    return plan_based_release(earlier, counted, key, requirement, method)
