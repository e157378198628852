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

from lookalike.flow import method
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.followup.withdrawn import refuse_withdrawn
from lookalike.flow.require_review import require_review
from lookalike.flow.result import Release
from lookalike.flow.source import describe_table, read_or_store
from lookalike.model.measures import measure
from lookalike.model.progress import Announce, Stopwatch
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import Frequencies
from lookalike.search.argus.options import Decide
from lookalike.search.methods import ALGORITHMS
from lookalike.search.options import SearchOptions
from lookalike.spec.choose_method import with_default_method
from lookalike.spec.policies import ALL_RELEASED, BASED_ON, INCREMENTS
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import name_options
from lookalike.tables.plan import Plan
from lookalike.tables.table import Frame

if TYPE_CHECKING:
    from lookalike.flow.followup.select_new_rows import NewRows
    from lookalike.ledger.policies.policy import EarlierEntries
    from lookalike.ledger.record import SharedClasses


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
    require_review(specification)
    specification, earlier = follow_up(specification, stopwatch.report)
    method.refuse_ignored(specification, decide)
    method.refuse_unmeasured(specification, follows=earlier is not None)
    own, specification = specification, share_if_recorded(specification, earlier)
    new_rows: list[NewRows] = []
    select = None
    if earlier is not None and specification.release.policy == INCREMENTS:
        from lookalike.flow.followup.select_new_rows import keep_new_rows  # sqlalchemy

        select = partial(keep_new_rows, specification, earlier, new_rows)
    counted = read_or_store(
        specification, stopwatch, frame, given, is_read_often=True, select=select
    )
    options = specification.options(stopwatch.report, decide, keep_best)
    searched = specification, counted, options, stopwatch, earlier
    rows = next(iter(new_rows), None)
    made = search(*searched, new_rows=rows, allow_unsafe=allow_unsafe, own=own)
    method.refuse_lacking(made.plan.frequency, made.recoding, made.specification.options())
    return made


def share_if_recorded(
    specification: Specification, earlier: "EarlierEntries | None"
) -> Specification:
    """Return a specification with the attributes of all recipients, if a ledger records it."""
    asked = specification.release
    if asked.ledger is None or asked.policy != BASED_ON:
        return specification
    from lookalike.ledger.policies.shared_classes import share_classes  # imports sqlalchemy

    return share_classes(specification, earlier)


def follow_up(
    specification: Specification, announce: Announce
) -> "tuple[Specification, EarlierEntries | None]":
    """Find the earlier releases in the ledger, if there is one, and include their columns."""
    if specification.release.ledger is None:
        return specification, None
    from lookalike.ledger.policies.policy import find_earlier_releases, widen_by  # sqlalchemy

    earlier = find_earlier_releases(specification, announce)
    if earlier is not None and specification.release.policy == ALL_RELEASED:
        specification = widen_by(specification, earlier)
    return specification, earlier


def search(
    specification: Specification,
    counted: CountedTable | StoredTable,
    options: SearchOptions,
    stopwatch: Stopwatch,
    earlier: "EarlierEntries | None" = None,
    *,
    new_rows: "NewRows | None" = None,
    allow_unsafe: bool = False,
    own: Specification | None = None,
) -> Release:
    """Let the method decide on a release of a counted table, alone or based on earlier ones.

    ``own``: the specification of the recipient, if classes are chosen over further attributes.
    """
    stopwatch.begin("search")
    specification, reason = _settle_method(specification, counted, follows=earlier is not None)
    asked, requirement = specification.release, specification.requirement(counted.frequency.rows)
    algorithm, basis = partial(_run_method, asked.method, options), None
    private, increment = counted.table.frame, None
    withdrawn = refuse_withdrawn(specification, private) if asked.leavers == "keep" else None
    if earlier is not None and asked.policy == BASED_ON and isinstance(counted, CountedTable):
        from lookalike.flow.followup.plan_based_release import plan_based_release  # sqlalchemy

        settled, recoding, requirement, basis, private = plan_based_release(
            earlier, counted, requirement, algorithm, specification, withdrawn
        )
    else:
        recoding = algorithm(counted.frequency, requirement)
        if new_rows is not None:
            recoding, increment = new_rows.let_wait(counted, recoding, asked.patience)
        settled = counted.settled(recoding.vector)
    plan, shared = settled.plan(recoding, requirement, keep_order=asked.keep_order), None
    if own is not None and [*own.hierarchies()] != [*specification.hierarchies()]:
        specification, plan, shared = _show_own(own, plan, asked.method)
        options = specification.options()
    measures = measure(plan.frequency, plan.recoding, plan.requirement, options.weights)
    stopwatch.begin(None)
    known = len(earlier.entries) if earlier else 0
    given = stopwatch, allow_unsafe, basis, private, reason, known, increment, shared
    made = Release(specification, plan, measures, *given)
    if asked.max_exposure is not None:
        method.refuse_exposed(specification, made.exposure)
    return made


def _show_own(
    own: Specification, plan: Plan, name: str
) -> "tuple[Specification, Plan, SharedClasses]":
    """Show the attributes of a recipient in classes that were chosen over further ones."""
    from lookalike.flow.followup.show_columns import show_columns  # imports sqlalchemy

    specification = with_default_method(own, name)
    return specification, *show_columns(plan, specification)


def _settle_method(
    specification: Specification, counted: CountedTable | StoredTable, *, follows: bool
) -> tuple[Specification, str | None]:
    """Settle the method, and refuse what it cannot do with a table."""
    specification, reason = method.settle_method(specification, counted)
    method.refuse_unmeasured(specification, follows=follows)
    method.refuse_beyond_memory(specification, counted)
    return specification, reason


def _run_method(
    name: str, options: SearchOptions, frequency: Frequencies, requirement: Requirement
) -> Recoding:
    """Run a method by its name."""
    return ALGORITHMS[name](frequency, requirement, options)
