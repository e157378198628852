"""LinkedRelease: a release of linked tables: its rows, its certificate, and how it is published."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from dataclasses import replace as renew
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals as nw

from lookalike.errors import InvalidInput
from lookalike.flow.count_linked import LINK, LinkedSource, LinkedSources
from lookalike.flow.linked_documents import describe_release, draft_private
from lookalike.flow.preflight.linked import check_linked
from lookalike.flow.preflight.run import refuse_to_publish
from lookalike.flow.recode_linked import recode_linked
from lookalike.flow.record_findings import name_accepted
from lookalike.flow.release_html import draw_linked_release
from lookalike.flow.verify_linked import verify_written
from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.kernels.types import Flags
from lookalike.model.lattice import Vector
from lookalike.model.progress import Stopwatch
from lookalike.model.requirement import Requirement
from lookalike.publish.certified import GeneralizedAttribute, ReleasedFile
from lookalike.publish.digest import describe_file, describe_text
from lookalike.publish.dossier import keeping_records
from lookalike.publish.linked_certificate import (
    CertifiedTable,
    LinkedCertificate,
    write_linked_statement,
)
from lookalike.publish.place import put_in_place
from lookalike.publish.publish import check_places, read_dossier, staging, write_staged
from lookalike.risk.finding import PreflightFinding
from lookalike.search.linked import LinkedRecoding
from lookalike.spec.fields import name_units
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.files.file_format import CERTIFICATE, REPORT, without_compression
from lookalike.tables.private_folders import PrivateFolder
from lookalike.tables.read import parse_once
from lookalike.tables.table import Frame
from lookalike.verify.records import LinkedCount
from lookalike.verify.recount import open_release


@dataclass(frozen=True, eq=False)
class LinkedRelease(Discreet, JsonResult):
    """A release of linked tables.

    Parameters
    ----------
    specification
        What was asked for.
    sources
        The tables without the records that are left out of those of released persons.
    private
        The private tables.
    rows
        Marks of the private rows of each table that are released.
    recoding
        The levels of all tables, and who is released.
    requirement
        What the release must satisfy.
    precision
        Prec over the cells of all tables, then that of each table.
    loss
        The loss over the cells of all tables.
    stopwatch
        The seconds that each step took.
    drawn
        The released rows of each file once they are drawn; copies of the release share them.
    """

    json_names = (
        "method=specification.release.method k=requirement.k k_reached persons_in persons_out "
        "persons_suppressed levels precision=overall_precision precision_by_table loss optimal "
        "k_minimal=recoding.k_minimal in_time=recoding.in_time rows_in rows_out rows_dropped "
        "preflight seconds files=[]"
    )

    specification: Specification
    sources: LinkedSources
    private: LinkedSources
    rows: Mapping[str, Flags]
    recoding: LinkedRecoding
    requirement: Requirement
    precision: tuple[float | None, ...]
    loss: float
    stopwatch: Stopwatch = field(default_factory=Stopwatch)
    drawn: dict[str, Frame] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        units = name_units(self.specification.release.unit)
        return (
            f"<LinkedRelease of {self.persons_out:,} of {self.persons_in:,} {units}: "
            f"k = {self.requirement.k}, precision {self.overall_precision:.4f}>"
        )

    def _repr_html_(self) -> str:
        return draw_linked_release(self)

    @property
    def persons_in(self) -> int:
        """The number of persons."""
        return len(self.recoding.released)

    @property
    def persons_out(self) -> int:
        """The number of released persons."""
        return int(self.recoding.released.sum())

    @property
    def persons_suppressed(self) -> int:
        """The number of persons who are left out."""
        return self.persons_in - self.persons_out

    @property
    def overall_precision(self) -> float:
        """Prec over the cells of all tables."""
        return self.precision[0] or 0.0

    @property
    def precision_by_table(self) -> dict[str, float | None]:
        """Prec of each table; None for a table without quasi-identifier."""
        names = [one.name for one in self.sources.tables]
        return dict(zip(names, self.precision[1:], strict=True))

    @property
    def levels(self) -> dict[str, dict[str, int]]:
        """The level of each attribute, by table."""
        return {
            one.name: dict(zip(one.linked.frequency.attributes, levels, strict=True))
            for one, levels in self._divided
        }

    @property
    def rows_in(self) -> dict[str, int]:
        """The number of private rows of each table."""
        return {one.name: one.rows_in for one in self.sources.tables}

    @property
    def rows_out(self) -> dict[str, int]:
        """The number of released rows of each table."""
        return {name: int(rows.sum()) for name, rows in self.rows.items()}

    @property
    def rows_dropped(self) -> dict[str, int]:
        """The number of rows of released persons that are left out, of each table."""
        before = (int(self.recoding.released[one.person_of].sum()) for one in self.private.tables)
        shown = self.rows_out.items()
        return {name: own - out for own, (name, out) in zip(before, shown, strict=True)}

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no levels are better; dropping records is a heuristic."""
        known, asked = self.recoding.optimality, self.specification.release
        return known is not None and known.proved and asked.suppressed_records == "persons"

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds that each step took, and all together."""
        spent = {**self.stopwatch.seconds, "total": self.stopwatch.total}
        return {step: round(seconds, 6) for step, seconds in spent.items()}

    @property
    def k_reached(self) -> int:
        """The number of persons who share what fewest persons share, as it was recounted."""
        return self.certificate.k_reached

    @cached_property
    def tables(self) -> Mapping[str, Any]:
        """The released rows of each table, verified; of frames that were given, in their kind."""
        self.certificate  # noqa: B018  (nothing unverified returns)
        given = {one.name: one.table.given for one in self.sources.tables if not one.separator}
        return {
            name: rows.to_native() if given[name] is None else _give_back(rows, given[name])
            for name, rows in self._rows.items()
        }

    @cached_property
    def certificate(self) -> LinkedCertificate:
        """The certificate of :attr:`tables`, for their recipient."""
        connection = Connection(self.specification.resources)
        relations = {name: as_relation(rows, connection) for name, rows in self._rows.items()}
        found = verify_written(
            self.sources, self.private, self.recoding, self.requirement.k, relations, connection
        )
        return self._certify(found, {name: name for name in relations})

    @cached_property
    def preflight(self) -> tuple[PreflightFinding, ...]:
        """What the checks before publishing found; the most serious findings come first."""
        return check_linked(self.specification, self.sources, self.recoding, self.requirement.k)

    def publish(
        self,
        out: str | PathLike[str] | None = None,
        *,
        replace: bool = False,
        dossier: str | PathLike[str] | None = None,
    ) -> LinkedCertificate:
        """Write all tables into one folder, count them again, prove them true, and put it in place.

        Parameters
        ----------
        out
            The file of the person table; each other table is written beside it by its name.
            Without it, ``out`` of the specification.
        replace
            Whether an earlier release in that folder, and its documents, may be replaced.
        dossier
            A folder of the holder, apart from the release, for the findings of the pre-flight and
            the holder's report. Without it, ``dossier`` of the specification.
        """
        asked = out if out is not None else self.specification.release.out
        if asked is None:
            raise InvalidInput('say where the release goes: out = "released/patients.csv"')
        target = Path(asked)
        files = self.name_files(target)
        given = dossier if dossier is not None else self.specification.release.dossier
        apart = read_dossier(given)
        spill = self.specification.resources.spill
        check_places(target, apart, None, spill, replace=replace)
        self.stopwatch.begin("preflight")
        refuse_to_publish(self.preflight)
        described = None if apart is None else describe_release(self)
        with staging(target) as folder:
            certificate = self._write_into(folder, target, files)
            certificate = name_accepted(certificate, self.preflight)
            self.stopwatch.begin("publish")
            certificate = self._write_report(folder.path, certificate)
            (folder.path / CERTIFICATE).write_text(certificate.to_json(), encoding="utf-8")
            keeping: AbstractContextManager[None] = nullcontext()
            if apart is not None and described is not None:
                private = draft_private(self, certificate, described)
                keeping = keeping_records(private, apart, target.parent, replace=replace)
            with keeping:
                put_in_place(folder, target, replace=replace)
        self.stopwatch.begin(None)
        return certificate

    def _write_into(
        self, folder: PrivateFolder, out: Path, files: Mapping[str, str]
    ) -> LinkedCertificate:
        """Write all tables into a private folder, and verify them as they were written."""
        self.stopwatch.begin("recode")
        connection = Connection(self.specification.resources, out.parent.parent)
        for name, rows in self._rows.items():
            write_staged(rows, folder, out.with_name(files[name]), connection)
        self.stopwatch.begin("verify")
        written = {name: folder.path / file for name, file in files.items()}
        relations = {
            name: parse_once(open_release(path, connection), path) for name, path in written.items()
        }
        k = self.requirement.k
        found = verify_written(self.sources, self.private, self.recoding, k, relations, connection)
        digests = {path.name: describe_file(path) for path in written.values()}
        return self._certify(found, files, digests)

    def _write_report(self, folder: Path, certificate: LinkedCertificate) -> LinkedCertificate:
        """Write the report of the files in a folder, if one is asked for, and state its digest."""
        if not self.specification.release.report:
            return certificate
        from lookalike.report.recipient.linked import fill_linked_report  # imports jinja2

        page = fill_linked_report(folder, certificate, Connection(self.specification.resources))
        (folder / REPORT).write_text(page, encoding="utf-8", newline="")
        return renew(certificate, report=describe_text(page))

    def name_files(self, out: Path) -> dict[str, str]:
        """Return the name of the file of each table."""
        suffix = out.name.removeprefix(without_compression(out).stem)
        first, *others = (one.name for one in self.sources.tables if one.separator is None)
        names = {first: out.name, **{name: f"{name}{suffix}" for name in others}}
        taken = {name.lower() for name in (*names.values(), CERTIFICATE)}
        if len(taken) <= len(names):
            raise InvalidInput(
                f"out: two files of the release would be named alike ({', '.join(names.values())}, "
                f"{CERTIFICATE}); name the file of the person table otherwise, such as "
                f"people{suffix}, or the table of records"
            )
        return names

    @property
    def _divided(self) -> list[tuple[LinkedSource, Vector]]:
        """Each table with its levels."""
        return self.sources.divide(self.recoding.vector)

    @property
    def _rows(self) -> dict[str, Frame]:
        """The released rows of each file; drawn once."""
        if not self.drawn:
            self.drawn.update(recode_linked(self.sources, self.recoding, self.requirement))
        return self.drawn

    def _certify(
        self,
        found: LinkedCount,
        files: Mapping[str, str],
        digests: dict[str, ReleasedFile] | None = None,
    ) -> LinkedCertificate:
        """Make the certificate from what was recounted."""
        asked, known = self.specification.release, self.recoding.optimality
        precision = self.precision_by_table
        assumed = self.sources.tables[0].link == LINK
        tables = [
            self._certify_table(one, levels, files[one.file], precision[one.name])
            for one, levels in self._divided
        ]
        most = asked.max_suppressed
        return LinkedCertificate(
            statement=write_linked_statement(
                self.requirement.k, tables, linked=asked.link, assumed=assumed, unit=asked.unit
            ),
            k=self.requirement.k,
            k_reached=found.smallest,
            tables=tuple(tables),
            linked=asked.link,
            one_row_each=assumed,
            unit=asked.unit,
            persons_in=self.persons_in,
            persons_out=found.persons,
            persons_suppressed=self.persons_in - found.persons,
            max_suppressed=None if most is None else str(most),
            suppressed_label=asked.suppressed_label,
            method=asked.method,
            constraints=asked.constraints,
            objective=None if known is None else known.objective,
            optimality="proved" if self.optimal else "not proved",
            precision=self.overall_precision,
            files=digests or {},
        )

    def _certify_table(
        self, source: LinkedSource, levels: Vector, file: str, precision: float | None
    ) -> CertifiedTable:
        """State what was done to one table."""
        own, frequency = source.specification, source.linked.frequency
        rules = own.hierarchies()
        generalized = {
            name: GeneralizedAttribute(
                hierarchy=rules[name].name,
                height=bound.height,
                level=level,
                weight=str(own.attributes[name].weight),
            )
            for name, bound, level in zip(
                frequency.attributes, frequency.hierarchies, levels, strict=True
            )
        }
        columns = self.sources.list_columns(source) if source.separator is None else [source.name]
        return CertifiedTable(
            name=source.name,
            file=file,
            link=source.link if self.sources.shows_link(source) else None,
            separator=source.separator,
            key=source.key,
            refers=source.refers,
            distinct=source.distinct,
            knows=source.linked.knows if source.linked.name else None,
            at_most=source.at_most,
            generalized=generalized,
            released_as_they_are=source.table.unchanged,
            columns=tuple(columns),
            rows_in=source.rows_in,
            rows_out=self.rows_out[source.name],
            rows_dropped=self.rows_dropped[source.name],
            precision=precision,
        )


def _give_back(rows: Frame, given: Any) -> Any:
    """Return the released rows as the kind of frame that was given."""
    eager: Any = rows
    like = nw.from_native(given)
    if like.implementation.is_pyarrow():
        return eager.to_native()
    if isinstance(like, nw.DataFrame):
        return nw.from_arrow(eager.to_native(), backend=like.implementation).to_native()
    return eager.to_native()
