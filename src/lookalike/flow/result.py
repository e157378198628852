"""Release: the result of the flow. Its rows, its certificate, what it costs, and its publishing.

A release is drawn once: its plan holds what is random, so the table, the published file and the
ledger's row map show the same rows. Publishing goes from left to right: recode and write the
rows, verify the written file, make the documents, put everything in its place.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.flow.check_registers import require_registers
from lookalike.flow.decision import Basis
from lookalike.flow.documents.certify import certify
from lookalike.flow.documents.prove import prove_bound
from lookalike.flow.read_promises import (
    make_truth_claim,
    read_promises,
    read_single_attribute_promises,
)
from lookalike.flow.resume import forget_saved
from lookalike.flow.stopwatch import Stopwatch
from lookalike.flow.target import find_target
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.binsize import ProtectedAlone
from lookalike.model.measures import Measures
from lookalike.model.recoding import Recoding
from lookalike.publish.certificate import Certificate, ReleasedFile
from lookalike.publish.parts.publish import publish_parts
from lookalike.publish.parts.stage import recount_parts, staging_parts, write_parts
from lookalike.publish.publish import Documents, check_places, publish
from lookalike.publish.stage import Staged, recount_staged, staging, write_staged
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.convert import as_relation, give_back, open_store
from lookalike.tables.plan import Plan
from lookalike.tables.query_progress import watching
from lookalike.tables.recode import Trail, recode, recode_with_trail
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import Frame
from lookalike.verify.recount import Declared, Promise, Verdict, require_declared
from lookalike.verify.spark_tables import require_truth_in_spark
from lookalike.verify.truth import require_truth

if TYPE_CHECKING:
    from lookalike.ledger.record import Turn


@dataclass(frozen=True, eq=False)
class Release(Discreet):
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
        """The level of each attribute of the quasi-identifier; `None` at the cell level."""
        if self.recoding.vector is None:
            return None
        return dict(zip(self.plan.frequency.attributes, self.recoding.vector, strict=True))

    @property
    def safe(self) -> bool:
        """Whether every class has at least k rows."""
        return self.measures.rows_below_k == 0

    @cached_property
    def table(self) -> Any:
        """The released rows, verified, as the kind of frame that came in."""
        return give_back(self._verified[0], self.plan.table.given)

    @cached_property
    def certificate(self) -> Certificate:
        """The certificate of :attr:`table`, for its recipient."""
        return self._verified[1]

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
        """Whether the release is proved to be the best possible, or loses nothing."""
        known = self.recoding.optimality
        return self.measures.precision == 1.0 or (known is not None and known.proved)

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
            format. Without it, ``out`` of the specification. To an address such as
            ``hdfs://cluster/released/table.parquet`` Spark writes a folder of part files.
        replace
            Whether an earlier release in that folder, and its proof, may be replaced.
        dossier
            A folder of the holder, apart from the release, for what proves the bound on
            precision, if the method has proved one. Without it, ``dossier`` of the
            specification.
        """
        target, apart = self._targets(out, dossier)
        if isinstance(target, StorageUrl):
            return self._publish_parts(target, replace=replace)
        declared, resources = self._declared, self.specification.resources
        ledger = self.specification.release.address
        check_places(target, apart, ledger, resources.spill, replace=replace)
        with staging(target) as folder:
            self.stopwatch.begin("recode")
            with watching(self.plan.table.connection, self.stopwatch.report):
                frame, trail = recode_with_trail(self.plan)
                staged = write_staged(frame, folder, target)
            self.stopwatch.begin("verify")
            another = Connection(resources, beside=target.parent.parent)
            with watching(another, self.stopwatch.report):
                recounted = recount_staged(staged, declared, another)
                certificate = self._certify(recounted.verdicts, recounted.files)
                self._examine(recounted.rows, certificate, another)
            self.stopwatch.begin("publish")
            with self._turn(trail, certificate, staged) as turn:
                documents = self._document(certificate, turn, apart)
                publish(recounted, documents, turn, replace=replace)
        forget_saved(self.specification)
        self.stopwatch.begin(None)
        return documents.certificate

    def _publish_parts(self, out: StorageUrl, *, replace: bool) -> Certificate:
        """Let Spark write the release as part files, count it again there, and prove it true."""
        declared, private = self._declared, self.plan.table.frame
        if self.specification.release.registers:
            raise InvalidInput(
                "k_map and presence are recounted on this machine before a release is published; "
                "publish to a local path"
            )
        with staging_parts(open_store(private, out), out, replace=replace) as staged:
            self.stopwatch.begin("recode")
            write_parts(recode(self.plan), staged)
            self.stopwatch.begin("verify")
            recounted = recount_parts(staged, declared)
            certificate = self._certify(recounted.verdicts, recounted.files)
            claimed = make_truth_claim(self.specification, certificate)
            require_truth_in_spark(private, recounted.frame, claimed)
            self.stopwatch.begin("publish")
            publish_parts(recounted, certificate, replace=replace)
        self.stopwatch.begin(None)
        return certificate

    def _targets(
        self, out: str | PathLike[str] | None, dossier: str | PathLike[str] | None
    ) -> tuple[Path | StorageUrl, Path | None]:
        """Return where the release and its dossier go."""
        asked = self.specification.release
        target = out if out is not None else asked.out
        if target is None:
            raise InvalidInput('say where the release goes: out = "released/table.csv"')
        apart = dossier if dossier is not None else asked.dossier
        return find_target(target, asked.ledger or apart), None if apart is None else Path(apart)

    def _turn(
        self, trail: Trail, certificate: Certificate, staged: Staged
    ) -> "AbstractContextManager[Turn | None]":
        """Wait for our turn to publish in the ledger, if there is one."""
        if self.specification.release.ledger is None:
            return nullcontext()
        from lookalike.flow.documents.enroll import enroll  # the ledger imports sqlalchemy
        from lookalike.ledger.record import taking_turn

        record = enroll(self.specification, self.plan, trail, self.stopwatch.report)
        return taking_turn(record, certificate, staged.file, staged.schema)

    def _document(
        self, certificate: Certificate, turn: "Turn | None", dossier: Path | None
    ) -> Documents:
        """Complete the certificate with the ledger's judgement, and add the proof of the bound."""
        if turn is not None:
            certificate = replace(certificate, earlier_releases=turn.earlier)
        proof = None if dossier is None else prove_bound(self.specification, self.plan, certificate)
        return Documents(certificate, proof, dossier)

    @cached_property
    def _verified(self) -> tuple[Frame, Certificate]:
        """Recode, count the released rows again, and prove that they are true."""
        declared, connection = self._declared, Connection(self.specification.resources)
        self.stopwatch.begin("recode")
        frame = recode(self.plan)
        self.stopwatch.begin("verify")
        rows = as_relation(frame, connection)
        certificate = self._certify(require_declared(rows, declared), {})
        self._examine(rows, certificate, connection)
        self.stopwatch.begin(None)
        return frame, certificate

    @cached_property
    def _promises(self) -> tuple[Promise, ...]:
        """The promise for each quasi-identifier: the k asked for, or a higher one of before."""
        before = 0 if self.basis is None else self.plan.requirement.k
        return tuple(
            replace(one, k=max(one.k, before))
            for one in read_promises(self.specification, self.plan.frequency.rows)
        )

    @cached_property
    def alone(self) -> tuple[ProtectedAlone, ...]:
        """The attributes that are protected by themselves, if at all."""
        return self.specification.alone(self.plan.frequency.rows)

    @property
    def has_apart(self) -> bool:
        """Whether some attribute is not part of the protected combination."""
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
                *read_single_attribute_promises(self.specification, self.plan.frequency.rows),
                *((Promise(self.plan.frequency.attributes, 0),) if self.has_apart else ()),
            ),
        )

    def _certify(self, verdicts: Sequence[Verdict], files: dict[str, ReleasedFile]) -> Certificate:
        """Make the certificate."""
        return certify(
            self.specification, self.plan, self.measures, self._promises, verdicts, files
        )

    def _examine(
        self, rows: duckdb.DuckDBPyRelation, certificate: Certificate, connection: Connection
    ) -> None:
        """Refuse released rows that are not true, or break a condition on a register.

        Rows that show old values of other columns must be true to the current quasi-identifier,
        and to the other columns as an earlier release showed them.
        """
        claimed = make_truth_claim(self.specification, certificate)
        if self.private is not None and self.private is not self.plan.table.frame:
            require_truth(self.private, rows, claimed.linkable, connection)
        require_truth(self.plan.table.frame, rows, claimed, connection)
        private = self.plan.table.frame
        require_registers(self.specification, certificate, private, rows, connection)


def describe_unsafe(release: Release) -> str:
    """Describe how far a release is from its requirement, and the remedies."""
    protected = release.plan.requirement.protected(release.plan.frequency.attributes)
    over = " and over ".join(", ".join(one.attributes) for one in protected)
    return (
        f"{release.measures.rows_below_k:,} of {release.plan.rows_out:,} rows would still occur "
        f"fewer than k = {release.plan.requirement.largest_k} times over {over}; set repair = true "
        "(--repair), generalize more, or publish it as it is with --allow-unsafe"
    )
