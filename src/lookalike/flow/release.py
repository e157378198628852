"""Release: the whole flow, from a specification to a release that was decided on.

::

    read  →  count  →  search  →  recode  →  verify  →  publish

:func:`prepare` goes through the first half without touching a row: it looks for earlier
releases, reads and counts the table, and lets a method decide, alone or based on what was released
before. The second half are steps of :class:`~lookalike.flow.result.Release`: ``verify`` recodes
and verifies its ``table``, ``publish`` writes the result.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from lookalike.errors import InvalidInput
from lookalike.flow import method
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.followup.withdrawn import refuse_withdrawn
from lookalike.flow.require_review import require_review
from lookalike.flow.result import Release
from lookalike.flow.source import describe_table, read_or_store
from lookalike.json_result import JsonResult
from lookalike.model.measures import measure
from lookalike.model.progress import Announce, Stopwatch
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import Frequencies
from lookalike.publish.address import check_parts_place
from lookalike.publish.certificate import Certificate
from lookalike.publish.publish import check_places, read_dossier, read_target
from lookalike.report.rules.rule import RuleVerdict
from lookalike.search.argus.options import Decide
from lookalike.search.methods import ALGORITHMS
from lookalike.search.options import SearchOptions
from lookalike.spec.choose_method import with_default_method
from lookalike.spec.policies import ALL_RELEASED, BASED_ON, INCREMENTS
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.engines.spark_files import Store
from lookalike.tables.engines.spark_source import start_session
from lookalike.tables.files.file_format import CERTIFICATE, REPORT
from lookalike.tables.name_options import name_options
from lookalike.tables.plan import Plan
from lookalike.tables.storage_url import StorageUrl, not_in_storage
from lookalike.tables.table import Frame
from lookalike.verify.bound.proof import OPTIMALITY

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


@dataclass(frozen=True, eq=False)
class PublishedRelease(JsonResult):
    """A release, and where it was published: its files, and what the holder's dossier got.

    There is no certificate if it was not published. ``proof`` proves the bound on precision.
    """

    json_names = (
        "**release persons_reached preflight=release.preflight files dossier=proof "
        "earlier_releases=certificate.earlier_releases"
    )
    json_requested: ClassVar = {"rules": tuple[RuleVerdict, ...]}

    release: Release
    certificate: Certificate | None = None
    files: tuple[Path | StorageUrl, ...] = ()
    dossier: Path | None = None
    proof: Path | None = None
    report: Path | None = None

    @property
    def chooses_policy(self) -> bool:
        """Whether it is the first of a source in a ledger, and its policy nobody has chosen."""
        asked = self.release.specification.release
        chosen = asked.model_fields_set & {"policy", "leavers", "patience"}
        return asked.ledger is not None and not self.release.earlier and not chosen

    @property
    def persons_reached(self) -> int | None:
        """The number of persons of the smallest class, where k counts persons."""
        promised = () if self.certificate is None else self.certificate.quasi_identifiers
        counted = [one.persons_reached for one in promised if one.persons_reached is not None]
        return min(counted, default=None)


def make_release(
    specification: Specification,
    announce: Announce = lambda _: None,
    *,
    decide: Decide | None = None,
    keep_best: Callable[[], bool] = lambda: False,
    allow_unsafe: bool = False,
    replace: bool = False,
    dry_run: bool = False,
    confirm: Callable[[Release], None] = lambda _: None,
) -> PublishedRelease:
    """Make the release that a specification asks for and publish it.

    The folders and the ledger are checked before the search, so that a mistake is reported
    before the work is done.

    ``confirm``: callback that receives the release before it is published, and raises to stop it.
    """
    specification = settle_columns(specification)
    asked = specification.release
    dossier = read_dossier(asked.dossier)
    out = None if asked.out is None else read_target(asked.out, asked.ledger or asked.dossier)
    if out is None and not dry_run:
        raise InvalidInput(
            'no output file: set out = "released/table.csv" under [release], or give --out'
        )
    if isinstance(out, StorageUrl):
        _check_address(specification, out, replace=replace)
    elif out is not None:
        check_places(out, dossier, asked.address, specification.resources.spill, replace=replace)
        _open_ledger(specification, create=not dry_run)
    release = prepare(
        specification, announce, decide=decide, keep_best=keep_best, allow_unsafe=allow_unsafe
    )
    if dry_run or out is None:
        release.check()
        if release.safe or allow_unsafe:
            _rehearse(release)
        return PublishedRelease(release, dossier=dossier)
    confirm(release)
    certificate = release.publish(replace=replace)
    proof = dossier / OPTIMALITY if dossier is not None and release.has_proof else None
    documents = [CERTIFICATE] if certificate.report is None else [CERTIFICATE, REPORT]
    files = out, *(out.parent / name for name in documents)
    report = dossier / REPORT if dossier is not None and release.has_reports else None
    return PublishedRelease(release, certificate, files, dossier, proof, report)


def _open_ledger(specification: Specification, *, create: bool) -> None:
    """Create the ledger unless it is there, so that a mistake shows before the search."""
    address = specification.release.address
    if address is not None and create:
        from lookalike.ledger.store.ledger import open_at  # imports sqlalchemy

        open_at(address, create=True)


def _check_address(specification: Specification, out: StorageUrl, *, replace: bool) -> None:
    """Refuse an address that Spark cannot publish to, before the rows are read."""
    source = specification.source
    if source is None or source.engine != "spark":
        raise not_in_storage(out)
    store = Store(start_session(source.master), out)
    try:
        check_parts_place(store, out, replace=replace)
    finally:
        store.close()


def _rehearse(release: Release) -> None:
    """Verify a release, and let the ledger judge it as if it were published now."""
    if release.specification.release.ledger is None:
        return
    from lookalike.ledger.record import enroll, rehearse  # imports sqlalchemy

    certificate = release.verify()
    release.stopwatch.begin("publish")
    drawn = release.plan, release.trail, release.shared
    rehearse(enroll(release.specification, *drawn, release.stopwatch.report), certificate)
    release.stopwatch.begin(None)
