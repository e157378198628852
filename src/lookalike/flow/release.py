"""Release: the whole flow, written once: read → count → search → recode → verify → publish."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import duckdb

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.flow.documents.certify import certify
from lookalike.flow.documents.enroll import enroll
from lookalike.flow.documents.prove import prove
from lookalike.flow.followup.find_earlier_releases import find_earlier_releases
from lookalike.flow.followup.plan_based_release import Basis, plan_based_release
from lookalike.flow.followup.widen import widen_by
from lookalike.flow.promises import promises_alone, promises_of, truth_claim
from lookalike.flow.source import CountedTable, read_and_count
from lookalike.flow.stopwatch import Stopwatch
from lookalike.hierarchy.discreet import Discreet
from lookalike.ledger.policies.earlier_releases import EarlierEntries
from lookalike.ledger.record import Record, Turn, taking_turn
from lookalike.model.binsize import Alone as AskedAlone
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import Measures, measure
from lookalike.model.progress import Announce
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.publish.certificate import Certificate, ReleasedFile
from lookalike.publish.publish import Documents, check_places, publish
from lookalike.publish.stage import Staged, recount_staged, staging, write_staged
from lookalike.search.argus.options import Decide
from lookalike.search.methods import ALGORITHMS
from lookalike.search.takes import keep_taken, refuse_untaken
from lookalike.spec.policies import ALL_RELEASED, BASED_ON
from lookalike.spec.specification import Specification
from lookalike.tables.count import settle_mixed
from lookalike.tables.read import Engine, is_lazy, read_frame
from lookalike.tables.recode import Plan, recode, recode_with_trail
from lookalike.tables.table import Frame
from lookalike.verify.recount import Declared, Promise, Verdict, as_relation, require_declared
from lookalike.verify.truth import require_truth


@dataclass(frozen=True, eq=False)
class Release(Discreet):
    """A release that was decided on: what it costs, its rows, and the way to publish it.

    Parameters
    ----------
    specification
        What was asked for.
    plan
        How rows become released rows.
    measures
        What the release costs.
    stopwatch
        The seconds that each step took.
    allow_unsafe
        Whether it may be let out although it does not satisfy k, as µ-Argus may leave it.
    basis
        What became of the rows, if it is based on earlier releases.
    private
        The private rows as they are now; without it, those of the plan. Where a release is based
        on earlier ones, the plan's show old values of other columns.
    """

    specification: Specification
    plan: Plan
    measures: Measures
    stopwatch: Stopwatch = field(default_factory=Stopwatch)
    allow_unsafe: bool = False
    basis: Basis | None = None
    private: Frame | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return (
            f"<Release of {self.plan.rows_out:,} of {self.plan.frequency.rows:,} rows by "
            f"{self.specification.release.method}: k = {self.plan.requirement.largest_k}, "
            f"precision {self.measures.precision:.4f}>"
        )

    @property
    def recoding(self) -> Recoding:
        """The answer of the method."""
        return self.plan.recoding

    @property
    def levels(self) -> dict[str, int] | None:
        """The level of each attribute of the quasi-identifier; nothing if rows differ in it."""
        if self.recoding.vector is None:
            return None
        return dict(zip(self.plan.frequency.attributes, self.recoding.vector, strict=True))

    @property
    def safe(self) -> bool:
        """Whether every row has its lookalikes."""
        return self.measures.rows_below_k == 0

    @cached_property
    def table(self) -> Any:
        """The released rows, verified, as the kind of frame that came in."""
        frame, _ = self._verified
        return frame.lazy().to_native() if self.plan.table.lazy else frame.to_native()

    @cached_property
    def certificate(self) -> Certificate:
        """What a recipient of :attr:`table` is told."""
        return self._verified[1]

    @property
    def has_proof(self) -> bool:
        """Whether its bound can be checked apart from the search."""
        known = self.recoding.optimality
        return known is not None and known.duals is not None

    def publish(
        self,
        out: str | PathLike[str] | None = None,
        *,
        replace: bool = False,
        dossier: str | PathLike[str] | None = None,
    ) -> Certificate:
        """Write the release, count it again, prove it true, and put it in its place whole.

        Parameters
        ----------
        out
            The file to write; its folder becomes the release, and its suffix chooses the
            format. Without it, ``out`` of the specification.
        replace
            Whether an earlier release in that folder, and its proof, may be replaced.
        dossier
            A folder of the holder, apart from the release, for what proves the bound on
            precision, if the method has proved one. Without it, ``dossier`` of the
            specification.
        """
        target, apart = self._targets(out, dossier)
        declared = self._declared
        check_places(target, apart, self.specification.release.address, replace=replace)
        with staging(target) as folder:
            self.stopwatch.begin("recode")
            frame, trail = recode_with_trail(self.plan)
            staged = write_staged(frame, folder, target)
            self.stopwatch.begin("verify")
            recounted = recount_staged(staged, declared, self._memory_limit)
            certificate = self._certify(recounted.verdicts, recounted.files)
            self._examine(recounted.rows, certificate, recounted.engine)
            self.stopwatch.begin("publish")
            record = enroll(self.specification, self.plan, trail, self.stopwatch.tell)
            with _turn(record, certificate, staged) as turn:
                documents = self._document(certificate, turn, apart)
                publish(recounted, documents, turn, replace=replace)
        self.stopwatch.begin(None)
        return documents.certificate

    def _targets(
        self, out: str | PathLike[str] | None, dossier: str | PathLike[str] | None
    ) -> tuple[Path, Path | None]:
        """Return where the release and its dossier go."""
        asked = self.specification.release
        target = out if out is not None else asked.out
        if target is None:
            raise InvalidInput('say where the release goes: out = "released/table.csv"')
        apart = dossier if dossier is not None else asked.dossier
        return Path(target), None if apart is None else Path(apart)

    @property
    def _memory_limit(self) -> str | None:
        """How much memory a recount may use."""
        source = self.specification.source
        return None if source is None else source.memory_limit

    def _document(
        self, certificate: Certificate, turn: Turn | None, dossier: Path | None
    ) -> Documents:
        """Complete the certificate with the ledger's judgement, and add the proof of the bound."""
        if turn is not None:
            certificate = replace(certificate, earlier_releases=turn.earlier)
        proof = None if dossier is None else prove(self.specification, self.plan, certificate)
        return Documents(certificate, proof, dossier)

    @cached_property
    def _verified(self) -> tuple[Frame, Certificate]:
        """Recode, count the released rows again, and prove that they are true."""
        declared, engine = self._declared, Engine()
        self.stopwatch.begin("recode")
        frame = recode(self.plan)
        self.stopwatch.begin("verify")
        rows = as_relation(frame, engine)
        certificate = self._certify(require_declared(rows, declared), {})
        self._examine(rows, certificate, engine)
        self.stopwatch.begin(None)
        return frame, certificate

    @cached_property
    def _promises(self) -> tuple[Promise, ...]:
        """What is promised of each quasi-identifier: what is asked, or was promised before."""
        before = 0 if self.basis is None else self.plan.requirement.k
        return tuple(
            replace(one, k=max(one.k, before))
            for one in promises_of(self.specification, self.plan.frequency.rows)
        )

    @cached_property
    def alone(self) -> tuple[AskedAlone, ...]:
        """The attributes that are protected by themselves, if at all."""
        return self.specification.alone(self.plan.frequency.rows)

    @property
    def has_apart(self) -> bool:
        """Whether some attribute is outside of the combination that is protected."""
        return any(one.linking < 1 for one in self.alone)

    @property
    def _declared(self) -> Declared:
        """What the recount must find."""
        if not self.safe and not self.allow_unsafe:
            raise RequirementNotMet(describe_unsafe(self))
        least = None if self.safe else self.measures.smallest_class
        return Declared(
            columns=self.plan.table.released,
            rows=self.plan.rows_out,
            promises=(
                *(replace(one, least=least) for one in self._promises),
                *promises_alone(self.specification, self.plan.frequency.rows),
                *((Promise(self.plan.frequency.attributes, 0),) if self.has_apart else ()),
            ),
        )

    def _certify(self, verdicts: Sequence[Verdict], files: dict[str, ReleasedFile]) -> Certificate:
        """Put together what the recipient is told."""
        return certify(
            self.specification, self.plan, self.measures, self._promises, verdicts, files
        )

    def _examine(
        self, rows: duckdb.DuckDBPyRelation, certificate: Certificate, engine: Engine
    ) -> None:
        """Refuse released rows that are not true.

        Rows that show old values of other columns are true of their quasi-identifier as it is
        now, and of the others as an earlier release showed them.
        """
        claimed = truth_claim(self.specification, certificate)
        if self.private is not None and self.private is not self.plan.table.frame:
            require_truth(self.private, rows, claimed.linkable, engine)
        require_truth(self.plan.table.frame, rows, claimed, engine)


def _turn(
    record: Record | None, certificate: Certificate, staged: Staged
) -> AbstractContextManager[Turn | None]:
    """Wait for our turn to publish in the ledger, if there is one."""
    if record is None:
        return nullcontext()
    return taking_turn(record, certificate, staged.file, staged.schema)


def describe_unsafe(release: Release) -> str:
    """Say how far a release is from its requirement, and what can be done."""
    protected = release.plan.requirement.protected(release.plan.frequency.attributes)
    over = " and over ".join(", ".join(one.attributes) for one in protected)
    return (
        f"{release.measures.rows_below_k:,} of {release.plan.rows_out:,} rows would still occur "
        f"fewer than k = {release.plan.requirement.largest_k} times over {over}; set repair = true "
        "(--repair), generalize more, or let the release out as it is with --allow-unsafe"
    )


def release(
    table: Any,
    *,
    attributes: Mapping[str, Any],
    quasi_identifiers: Sequence[Mapping[str, Any]] = (),
    recipients: Mapping[str, Any] | None = None,
    source: Mapping[str, Any] | None = None,
    announce: Announce = lambda _: None,
    decide: Decide | None = None,
    allow_unsafe: bool = False,
    **fields: Any,
) -> Release:
    """Make a release of a private table.

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow or DuckDB.
    attributes
        For each column its role and what goes with it, as under ``[attributes]`` of a
        specification. A hierarchy may also be given as an object.
    quasi_identifiers
        Where there are several: the fields of each, as under ``[[quasi_identifiers]]``.
    recipients
        What is different for each recipient, as under ``[recipients]``; ``recipient`` names
        the one that the release is for.
    source
        Further fields of ``[source]``, such as ``where``; of a frame ``name``, ``row_key`` and
        ``new_people`` only.
    announce
        Told the name of each step as it begins.
    decide
        Asked by µ-Argus, as long as it answers, what to generalize: it is shown what is
        :class:`~lookalike.search.argus.options.Unsafe` and names an attribute, ``la.UNDO``,
        or nothing.
    allow_unsafe
        Whether to let out what µ-Argus leaves below k; its certificate says so.
    **fields
        The fields of ``[release]``: ``k``, ``max_suppressed``, ``method``, …

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
    ...     max_suppressed=1,
    ... )
    >>> made.levels, made.table.num_rows, made.measures.precision
    ({'zip': 1}, 2, 0.5333333333333333)
    """
    specification, frame = describe_table(
        table,
        source,
        attributes=dict(attributes),
        quasi_identifiers=list(quasi_identifiers),
        recipients=dict(recipients or {}),
        release=fields,
    )
    made = prepare(
        specification,
        announce,
        frame,
        lazy=frame is not None and is_lazy(table, frame),
        decide=decide,
        allow_unsafe=allow_unsafe,
    )
    if frame is not None:
        made.certificate  # noqa: B018  (recodes and counts again: nothing unverified returns)
    return made


def describe_table(
    table: Any, source: Mapping[str, Any] | None, **parts: Any
) -> tuple[Specification, Frame | None]:
    """Build the specification of a table, and read it if it is a frame.

    Parameters
    ----------
    table
        A path, or a frame.
    source
        Further fields of ``[source]``; of a frame ``name``, ``row_key`` and ``new_people`` only.
    **parts
        The other parts of a specification, as plain values.
    """
    if isinstance(table, str | PathLike):
        parts["source"] = {"path": str(table), **(source or {})}
        return Specification.build(parts, "release"), None
    if set(source or ()) - {"name", "row_key", "new_people"}:
        raise InvalidInput("source is for a path; a frame holds the eligible rows already")
    if source:
        parts["source"] = dict(source)
    frame = settle_mixed(read_frame(table))
    return Specification.build(parts, "release"), frame


def prepare(
    specification: Specification,
    announce: Announce = lambda _: None,
    frame: Frame | None = None,
    *,
    lazy: bool = False,
    decide: Decide | None = None,
    keep_best: Callable[[], bool] = lambda: False,
    allow_unsafe: bool = False,
) -> Release:
    """Read, count and search: decide on a release without touching a row.

    Parameters
    ----------
    specification
        What is asked for.
    announce
        Told the name of each step as it begins.
    frame
        The eligible rows; without it they are read from the source of the specification.
    lazy
        Whether the frame was lazy and collected, so that a lazy one is given back.
    decide
        Asked by µ-Argus what to generalize.
    keep_best
        Asked, when the search is interrupted, whether to go on with the best found so far.
    allow_unsafe
        Whether the release may be let out although it does not satisfy k.
    """
    stopwatch = Stopwatch(announce)
    stopwatch.begin("read")
    earlier = find_earlier_releases(specification, stopwatch.tell)
    if earlier is not None and specification.release.policy == ALL_RELEASED:
        specification = widen_by(specification, earlier)
    _refuse_untaken(specification, decide)
    taken = read_and_count(specification, stopwatch, frame, lazy=lazy)
    return search(
        specification,
        taken,
        stopwatch,
        earlier,
        decide=decide,
        keep_best=keep_best,
        allow_unsafe=allow_unsafe,
    )


def _refuse_untaken(specification: Specification, decide: Decide | None) -> None:
    """Refuse what the method would ignore, as far as it is known before the table is read."""
    refuse_untaken(
        specification.release.method,
        tuple(specification.hierarchies()),
        specification.requirement(rows=0),
        specification.options(decide=decide),
    )


def search(
    specification: Specification,
    taken: CountedTable,
    stopwatch: Stopwatch,
    earlier: EarlierEntries | None = None,
    *,
    decide: Decide | None = None,
    keep_best: Callable[[], bool] = lambda: False,
    allow_unsafe: bool = False,
    comparing: bool = False,
) -> Release:
    """Let the method decide on a release of a table that was counted, after earlier ones.

    In a comparison the method goes without options on how to search that it does not take.
    """
    stopwatch.begin("search")
    private = taken.table.frame
    requirement = specification.requirement(taken.frequency.rows)
    options = specification.options(stopwatch.tell, decide, keep_best)
    asked, source, basis = specification.release, specification.source, None
    if comparing:
        options = keep_taken(asked.method, taken.frequency.attributes, requirement, options)

    def method(frequency: FrequencyList, requirement: Requirement) -> Recoding:
        return ALGORITHMS[asked.method](frequency, requirement, options)

    if earlier is None or asked.policy != BASED_ON or source is None or source.row_key is None:
        recoding = method(taken.frequency, requirement)
    else:
        based = plan_based_release(earlier, taken, source.row_key, requirement, method)
        taken, recoding, requirement = based.taken, based.recoding, based.requirement
        basis = based.basis
    measures = measure(taken.frequency, recoding, requirement, options.weights)
    stopwatch.begin(None)
    plan = Plan(
        table=taken.table,
        counted=taken.counted,
        sequence_of=taken.sequence_of,
        frequency=taken.frequency,
        recoding=recoding,
        requirement=requirement,
        keep_order=specification.release.keep_order,
    )
    return Release(specification, plan, measures, stopwatch, allow_unsafe, basis, private)
