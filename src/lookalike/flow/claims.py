"""Claims: what a release promises, and the examination that its rows must pass.

Nothing is published or given back before its rows, read back where they were written, have been
counted again and proved true. The order is: rows, columns and k; persons; protections of
sensitive values; then the certificate is made, and the rows are proved true to it and compared with
registers of the population.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from lookalike.describe.bound import describe_unsafe
from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.examine.people import recount_persons, recount_registers
from lookalike.examine.promises import (
    certify_answers,
    certify_protection,
    make_truth_claim,
    read_answers,
    read_promises,
    read_protections,
    read_single_attribute_promises,
)
from lookalike.flow.documents import add_exposure, certify
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.address import RecountedParts
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import CertifiedAnswers, CertifiedProtection, ReleasedFile
from lookalike.publish.publish import Recounted
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.engines.sql_engine import QueryRows
from lookalike.tables.plan import Plan
from lookalike.tables.recode import Trail
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import Frame
from lookalike.verify.answers import AnswersPromise, require_answers, require_single_rows
from lookalike.verify.protections import require_protections
from lookalike.verify.recount import Declared, Promise, Verdict, require_declared
from lookalike.verify.register import require_people
from lookalike.verify.released_values import require_coarse
from lookalike.verify.truth import require_truth

if TYPE_CHECKING:
    from lookalike.flow.result import Release


@dataclass(frozen=True, eq=False)
class Claims(Discreet):
    """What a release promises. One that does not satisfy k promises nothing."""

    release: "Release"

    def __post_init__(self) -> None:
        made = self.release
        if not made.safe and not made.allow_unsafe:
            raise RequirementNotMet(describe_unsafe(made.plan, made.measures))

    @property
    def specification(self) -> Specification:
        """What was asked for."""
        return self.release.specification

    @property
    def plan(self) -> Plan:
        """How rows become released rows."""
        return self.release.plan

    @cached_property
    def promises(self) -> tuple[Promise, ...]:
        """The promise for each quasi-identifier: the k asked for, or a higher one of before."""
        made = self.release
        decided_before = made.basis is not None or made.shared is not None
        least = self.plan.requirement.k if decided_before else 0
        return tuple(
            replace(one, k=max(one.k, least))
            for one in read_promises(self.specification, self.plan.frequency.rows)
        )

    @cached_property
    def declared(self) -> Declared:
        """What the recount must find."""
        rows, made = self.plan.frequency.rows, self.release
        least = None if made.safe else made.measures.smallest_class
        return Declared(
            columns=self.plan.table.released,
            rows=self.plan.rows_out,
            promises=(
                *(replace(one, least=least) for one in self.promises),
                *read_single_attribute_promises(self.specification, rows),
                *((Promise(self.plan.frequency.attributes, 0),) if made.has_apart else ()),
            ),
            average_risk=self.plan.requirement.average_risk,
        )

    @cached_property
    def answers(self) -> AnswersPromise | None:
        """What answers must leave of each class."""
        return read_answers(self.specification, self.promises, self.plan.table.released)

    def examine_written(self, recounted: Recounted, trail: Trail) -> Certificate:
        """Examine the rows of a file that was written and counted again."""
        rows, verdicts = recounted.rows, recounted.verdicts
        return self._examine(rows, verdicts, recounted.files, trail, recounted.connection)

    def examine_frame(self, frame: Frame, trail: Trail, connection: Connection) -> Certificate:
        """Count the rows of a frame, and examine them."""
        rows = as_relation(frame, connection)
        verdicts = require_declared(rows, self.declared)
        return self._examine(rows, verdicts, {}, trail, connection)

    def examine_parts(self, recounted: RecountedParts, trail: Trail) -> Certificate:
        """Examine part files that Spark wrote and counted again."""
        rows, verdicts = recounted.frame.to_native(), recounted.verdicts
        return self._examine(rows, verdicts, recounted.files, trail, Connection())

    def refuse_address(self, out: StorageUrl) -> None:
        """Refuse to publish to an address what only DuckDB recounts."""
        if self.specification.release.registers:
            raise InvalidInput(
                "k_map, presence: a release that is compared with a register cannot be published "
                f"to an address such as {out}, because DuckDB recounts it; publish it to a folder"
            )
        if any(one.coarsening.is_asked for one in self.specification.attributes.values()):
            raise InvalidInput(
                "round, top, bottom: a release with coarser numbers cannot be published to an "
                f"address such as {out}, because DuckDB recounts them; publish it to a folder"
            )
        if self.answers is not None:
            raise InvalidInput(
                "knows_answers: a release whose answers are counted cannot be published to an "
                f"address such as {out}, because DuckDB recounts them; publish it to a folder"
            )
        if read_protections(self.specification, self.promises):
            raise InvalidInput(
                "protect: a release with protections of sensitive values cannot be published to "
                f"an address such as {out}, because DuckDB recounts them; publish it to a folder"
            )

    def _examine(
        self,
        rows: QueryRows,
        verdicts: Sequence[Verdict],
        files: dict[str, ReleasedFile],
        trail: Trail,
        connection: Connection,
    ) -> Certificate:
        """Refuse rows that do not keep a promise or are not true; return the certificate."""
        verdicts = recount_persons(self.plan, trail, rows, self.declared, verdicts, connection)
        protections = self._recount_protections(rows, connection)
        answers = self._recount_answers(rows, connection)
        certificate = self._certify(verdicts, files, protections, answers)
        self._require_truth(rows, certificate, connection)
        for name, done in certificate.coarsened.items():
            require_coarse(rows, name, done, certificate.label_of(name))
        given = self.specification, certificate, self.plan.table.frame, rows, connection
        for promise, verdict in recount_registers(*given):
            require_people(promise, verdict)
        return certificate

    def _recount_protections(
        self, rows: QueryRows, connection: Connection
    ) -> tuple[CertifiedProtection, ...]:
        """Refuse released rows that fail a protection of sensitive values."""
        promises = read_protections(self.specification, self.promises)
        if not promises:
            return ()
        eligible = as_relation(self.plan.table.frame, connection)
        verdicts = require_protections(rows, promises, eligible)
        return tuple(map(certify_protection, promises, verdicts))

    def _recount_answers(self, rows: QueryRows, connection: Connection) -> CertifiedAnswers | None:
        """Refuse released rows of which known answers leave too few."""
        if self.answers is None:
            return None
        for person in self.specification.persons:
            require_single_rows(as_relation(self.plan.table.frame, connection), person)
        return certify_answers(self.answers, require_answers(rows, self.answers))

    def _certify(
        self,
        verdicts: Sequence[Verdict],
        files: dict[str, ReleasedFile],
        protections: tuple[CertifiedProtection, ...],
        answers: CertifiedAnswers | None,
    ) -> Certificate:
        """Make the certificate."""
        asked, made = self.specification, self.release
        given = self.plan, made.measures, self.promises, verdicts, files, protections, answers
        certificate = certify(asked, *given)
        stated, rate = asked.release.state_exposure, asked.release.decoys
        exposed = add_exposure(certificate, rate, made.exposure, stated=stated)
        return replace(exposed, shares_classes=made.shared is not None)

    def _require_truth(
        self, rows: QueryRows, certificate: Certificate, connection: Connection
    ) -> None:
        """Refuse released rows that are not true.

        Rows that show old values of other columns must be true to the current quasi-identifier,
        and to the other columns as an earlier release showed them.
        """
        claimed = make_truth_claim(self.specification, certificate)
        private = self.release.private
        if private is not None and private is not self.plan.table.frame:
            require_truth(private, rows, claimed.linkable, connection)
        table = self.plan.table
        source = table.frame if table.again is None else table.again
        rows_in, counted = self.plan.frequency.rows, self.plan.compared
        require_truth(source, rows, claimed, connection, rows_in, counted)
        if self.answers is not None:
            from lookalike.verify.answers_truth import require_true_answers  # what few need

            original = as_relation(source, connection)
            require_true_answers(original, rows, claimed, self.answers, connection)
