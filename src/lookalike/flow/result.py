"""Release: the result of the flow. Its rows, its certificate, what it costs, and its publishing.

A release is drawn once: its plan holds what is random, so table, file and row map show the same
rows. Publishing goes from left to right: describe, write, verify, draft the documents, complete
them in the ledger's turn. Attributes are computed at first use; only methods are timed steps.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lookalike.describe.attributes import kept_by_attribute
from lookalike.describe.description import Description, describe_plan
from lookalike.describe.exposure import expose_plan
from lookalike.errors import InvalidInput
from lookalike.examine.specification import certify_formulas
from lookalike.flow.claims import Claims
from lookalike.flow.documents import complete_documents, draft_documents
from lookalike.flow.preflight.facts import Facts
from lookalike.flow.preflight.run import refuse_to_publish, run_checks
from lookalike.flow.record_findings import name_accepted
from lookalike.flow.release_html import draw_release
from lookalike.flow.resume import forget_saved
from lookalike.flow.source import list_labels
from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.ledger.policies.based_on import Basis
from lookalike.ledger.policies.increments import Increment
from lookalike.model.binsize import ProtectedAlone
from lookalike.model.measures import Measures, precision
from lookalike.model.progress import Stopwatch
from lookalike.model.recoding import DecoyFigures, Recoding
from lookalike.publish.address import publish_parts, recount_parts, staging_parts, write_parts
from lookalike.publish.certificate import Certificate
from lookalike.publish.publish import (
    Staged,
    check_places,
    publish,
    read_dossier,
    read_target,
    recount_staged,
    staging,
    write_staged,
)
from lookalike.risk.finding import PreflightFinding
from lookalike.risk.table.exposure import Exposure
from lookalike.spec.model import fill_place
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection, watching
from lookalike.tables.engines import as_relation, engine_of, give_back
from lookalike.tables.plan import Plan
from lookalike.tables.recode import Trail, recode_with_trail
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import Frame

if TYPE_CHECKING:
    from lookalike.ledger.record import SharedClasses, Turn


@dataclass(frozen=True, eq=False)
class Release(Discreet, JsonResult):
    """A release: its rows, its certificate, what it costs, and the way to publish it.

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
        Whether it may be published although it does not satisfy k, as µ-Argus may leave it.
    basis
        The numbers of rows that stay, join and wait, if it is based on earlier releases.
    private
        The private rows with their current values; default: those of the plan. In a release
        that is based on earlier ones, the plan's rows show old values of other columns.
    method_reason
        Why the method is not the default one, if the specification names none.
    earlier, increment
        The number of earlier releases; what they showed, if it shows none of their rows.
    shared
        The classes that it shows some columns of.
    """

    json_names = (
        "method=specification.release.method method_reason k=plan.requirement.k "
        "k_reached=measures.smallest_class rows_in=plan.frequency.rows rows_out=plan.rows_out "
        "rows_suppressed=recoding.rows_suppressed rows_complementary=recoding.rows_complementary "
        "rows_below_k=measures.rows_below_k cells_suppressed=measures.cells_suppressed levels kept "
        "precision=measures.precision precision_bound=recoding.precision_bound "
        "precision_with_k_alone=recoding.precision_with_k_alone loss=measures.loss "
        "loss_bound=recoding.loss_bound optimal=is_optimal k_minimal=recoding.k_minimal "
        "in_time=recoding.in_time classes=measures.classes exposure decoys seconds files=[] "
        "dossier=null earlier_releases=null basis increment"
    )

    specification: Specification
    plan: Plan
    measures: Measures
    stopwatch: Stopwatch = field(default_factory=Stopwatch)
    allow_unsafe: bool = False
    basis: Basis | None = None
    private: Frame | None = field(default=None, repr=False)
    method_reason: str | None = None
    earlier: int = 0
    increment: Increment | None = None
    shared: "SharedClasses | None" = field(default=None, repr=False)

    def __repr__(self) -> str:
        return (
            f"<Release of {self.plan.rows_out:,} of {self.plan.frequency.rows:,} rows by "
            f"{self.specification.release.method}: k = {self.plan.requirement.largest_k}, "
            f"precision {self.measures.precision:.4f}>"
        )

    def _repr_html_(self) -> str:
        return draw_release(self)

    @property
    def recoding(self) -> Recoding:
        """The answer of the method."""
        return self.plan.recoding

    @property
    def levels(self) -> dict[str, int] | None:
        """The level of each attribute of the quasi-identifier; `None` at the cell level."""
        if self.recoding.vector is None:
            return None
        return dict(zip(self.plan.frequency.attributes, self.recoding.vector, strict=True))

    @property
    def kept(self) -> dict[str, float]:
        """The share of the detail of each attribute that is kept, from 0 to 1."""
        return kept_by_attribute(self.plan)

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds that each step took, and all together."""
        spent = {**self.stopwatch.seconds, "total": self.stopwatch.total}
        return {step: round(seconds, 6) for step, seconds in spent.items()}

    @property
    def safe(self) -> bool:
        """Whether every class has at least k rows."""
        return self.measures.rows_below_k == 0

    @cached_property
    def table(self) -> Any:
        """The released rows, verified, as the kind of frame that came in."""
        return give_back(self._verified[0], self.plan.table)

    @cached_property
    def certificate(self) -> Certificate:
        """The certificate of :attr:`table`, for its recipient."""
        return self._verified[1]

    @cached_property
    def exposure(self) -> Exposure | None:
        """What the classes show beyond their values, for the holder; None if they are no joins."""
        decided = self.basis or self.shared
        return None if decided else expose_plan(self.specification, self.plan)

    @property
    def precision_before_decoys(self) -> float:
        """The precision that the release had before decoys were drawn, for the holder."""
        before = self.recoding.before_decoys
        recoding = self.recoding if before is None else replace(self.recoding, tuples=before)
        weights = self.specification.options().weights_of(self.plan.frequency)
        return precision(self.plan.frequency, recoding, weights)

    @property
    def decoys(self) -> DecoyFigures | None:
        """The rate of decoys, and what was reached before them, for the holder."""
        if self.recoding.before_decoys is None:
            return None
        known = self.recoding.optimality
        return {
            "rate": float(self.specification.release.decoys),
            "precision_before": self.precision_before_decoys,
            "optimal_before": known is not None and known.proved,
        }

    @property
    def has_reports(self) -> bool:
        """Whether reports are published with it."""
        return self.specification.release.report

    def report(self) -> str:
        """Return the report for the recipient of :attr:`table`, as one HTML page."""
        from lookalike.report.recipient import write_report  # imports jinja2

        frame, certificate = self._verified
        rows = as_relation(frame, self._connect())
        drawn = write_report.draw_recipient_report(certificate, rows)
        return write_report.write_recipient_report(drawn, certificate)

    @property
    def has_proof(self) -> bool:
        """Whether its bound can be verified independently of the search."""
        known = self.recoding.optimality
        coarsened = self.plan.frequency.coarsened is not None
        return known is not None and known.duals is not None and not coarsened

    @property
    def mean_class_size(self) -> float:
        """The mean number of rows in a class."""
        return self.measures.average_class * self.plan.requirement.k

    @property
    def is_optimal(self) -> bool:
        """Whether the release is proved to be the best possible, or loses nothing.

        With decoys, only the release before them can be.
        """
        known, before = self.recoding.optimality, self.recoding.before_decoys
        return bool(known and known.proved and before is None) or self.measures.precision == 1.0

    @cached_property
    def facts(self) -> Facts:
        """What the checks before publishing and the rules know; its rows are counted once."""
        plan = self.plan
        return Facts(self.specification, plan.table, plan.frequency, plan, self.earlier)

    @cached_property
    def preflight(self) -> tuple[PreflightFinding, ...]:
        """What the checks before publishing found; the most serious findings come first.

        An error that the specification does not accept stops :meth:`publish`. It does not stop
        :attr:`table`, which stays with the data holder.
        """
        return run_checks(self.facts)

    @property
    def can_be_published(self) -> bool:
        """Whether no finding of the pre-flight stops publishing."""
        return not any(finding.stops for finding in self.preflight)

    def check(self) -> tuple[PreflightFinding, ...]:
        """Run the checks of :attr:`preflight`, as a step that is announced and timed."""
        self.stopwatch.begin("preflight")
        with watching(self.plan.table.connection, self.stopwatch.report):
            found = self.preflight
        self.stopwatch.begin(None)
        return found

    def verify(self) -> Certificate:
        """Recode and verify the rows of :attr:`table`, as steps that are announced and timed."""
        Claims(self)  # refuses a release before its rows are recoded
        self._recode()
        self.stopwatch.begin("verify")
        certificate = self.certificate
        self.stopwatch.begin(None)
        return certificate

    def publish(
        self,
        out: str | PathLike[str] | None = None,
        *,
        replace: bool = False,
        dossier: str | PathLike[str] | None = None,
    ) -> Certificate:
        """Write the release, count it again, prove it true, and put it in its place whole.

        Nothing is written if :attr:`preflight` has an error that the specification does not
        accept.

        Parameters
        ----------
        out
            The file to write; its folder becomes the release, and its suffix chooses the
            format. Without it, ``out`` of the specification. To an address such as
            ``hdfs://cluster/released/table.parquet`` Spark writes a folder of part files.
        replace
            Whether an earlier release in that folder, and its proof, may be replaced.
        dossier
            A folder of the holder, apart from the release, for the findings of the pre-flight
            and for what proves the bound on precision, if the method has proved one. Without
            it, ``dossier`` of the specification.
        """
        target, apart = self._targets(out, dossier)
        claims = Claims(self)
        if isinstance(target, StorageUrl):
            claims.refuse_address(target)
            refuse_to_publish(self.check())
            return self._publish_parts(target, claims, replace=replace)
        ledger = self.specification.release.address
        spill = self.specification.resources.spill
        check_places(target, apart, ledger, spill, replace=replace)
        refuse_to_publish(self.check())
        described = self._describe() if apart is not None and self.has_reports else None
        with staging(target) as folder:
            writing = self._connect(target.parent.parent)
            with watching(self.plan.table.connection, self.stopwatch.report):
                frame, trail = self._recode()
                formulas = certify_formulas(self.specification.release, [target.name])
                given = folder, target, writing, list_labels(self.specification, self.plan, target)
                staged = write_staged(frame, *given, neutralized=formulas == "neutralized")
            self.stopwatch.begin("verify")
            another = writing.another()
            with watching(another, self.stopwatch.report):
                recounted = recount_staged(staged, claims.declared, another)
                certificate = claims.examine_written(recounted, trail)
            self.stopwatch.begin("publish")
            drafted = draft_documents(self, certificate, recounted.rows, apart, described)
            with self._turn(trail, certificate, staged) as turn:
                documents = complete_documents(drafted, turn)
                publish(recounted, documents, turn, replace=replace)
        forget_saved(self.specification)
        self.stopwatch.begin(None)
        return documents.certificate

    def _describe(self) -> Description:
        """Describe the release for the holder's report, as a part of the checks before it."""
        self.stopwatch.begin("preflight")
        given = self.facts, self.exposure, self.measures.precision
        described = describe_plan(self.specification, self.plan, *given)
        self.stopwatch.begin(None)
        return described

    def _publish_parts(self, out: StorageUrl, claims: Claims, *, replace: bool) -> Certificate:
        """Let Spark write the release as part files, count it again there, and prove it true."""
        private = self.plan.table.frame
        store = engine_of(private).open_store(private, out)
        with staging_parts(store, out, replace=replace) as staged:
            rows, trail = self._recode()
            write_parts(rows, staged)
            self.stopwatch.begin("verify")
            recounted = recount_parts(staged, claims.declared)
            certificate = name_accepted(claims.examine_parts(recounted, trail), self.preflight)
            self.stopwatch.begin("publish")
            publish_parts(recounted, certificate, replace=replace)
        self.stopwatch.begin(None)
        return certificate

    def _targets(
        self, out: str | PathLike[str] | None, dossier: str | PathLike[str] | None
    ) -> tuple[Path | StorageUrl, Path | None]:
        """Return where the release and its dossier go."""
        asked = self.specification.release
        target = asked.out if out is None else out
        if target is None:
            raise InvalidInput('say where the release goes: out = "released/table.csv"')
        apart = dossier if dossier is not None else asked.dossier
        target = fill_place(fspath(target), asked.recipient)
        return read_target(target, asked.ledger or apart), read_dossier(apart)

    def _turn(
        self, trail: Trail, certificate: Certificate, staged: Staged
    ) -> "AbstractContextManager[Turn | None]":
        """Wait for our turn to publish in the ledger, if there is one."""
        if self.specification.release.ledger is None:
            return nullcontext()
        from lookalike.ledger.record import enroll, taking_turn  # imports sqlalchemy

        record = enroll(self.specification, self.plan, trail, self.shared, self.stopwatch.report)
        return taking_turn(record, certificate, staged.file, staged.schema)

    @property
    def trail(self) -> Trail:
        """Which fate every private row was given, for the holder."""
        return self._recoded[1]

    def _recode(self) -> tuple[Frame, Trail]:
        """Recode the rows, as a step that is announced and timed."""
        self.stopwatch.begin("recode")
        return self._recoded

    @cached_property
    def _recoded(self) -> tuple[Frame, Trail]:
        """The released rows, and which fate every private row was given; drawn once."""
        return recode_with_trail(self.plan)

    @cached_property
    def _verified(self) -> tuple[Frame, Certificate]:
        """The released rows, counted again and proved true, and what was found."""
        claims, connection = Claims(self), self._connect()
        frame, trail = self._recoded
        return frame, claims.examine_frame(frame, trail, connection)

    def _connect(self, beside: Path | None = None) -> Connection:
        """Connect for verification, apart from the connection that made the release."""
        own = self.plan.table.connection
        return Connection(self.specification.resources, beside) if own is None else own.another()

    @cached_property
    def alone(self) -> tuple[ProtectedAlone, ...]:
        """The attributes that are protected by themselves, if at all."""
        return self.specification.alone(self.plan.frequency.rows)

    @property
    def has_apart(self) -> bool:
        """Whether some attribute is not part of the protected combination."""
        return any(one.linking < 1 for one in self.alone)
