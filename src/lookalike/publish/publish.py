"""Publish a release with its documents, completely or not at all.

The release is written into a private folder beside its place, and counted again there. One rename
moves it into place (:mod:`lookalike.publish.place`), while its private documents are stored in the
dossier and its entry in the ledger.
"""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Protocol

import duckdb
import narwhals as nw
import pyarrow as pa

from lookalike.errors import InternalError, InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import ReleasedFile
from lookalike.publish.digest import describe_file
from lookalike.publish.dossier import PREFLIGHT, PreflightRecord, check_dossier, keeping_records
from lookalike.publish.place import (
    check_outside_release,
    check_place,
    private_prefix,
    put_in_place,
    recover,
)
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.spec.model import require_filled
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation, write_table
from lookalike.tables.files.file_format import CERTIFICATE, REPORT
from lookalike.tables.files.read_files import find_kind
from lookalike.tables.files.statistics_file import Labels, write_statistics_file
from lookalike.tables.private_folders import PrivateFolder, write_errors
from lookalike.tables.read import parse_once
from lookalike.tables.source import is_address
from lookalike.tables.sql import engine_errors
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import Frame
from lookalike.tables.write import neutralize
from lookalike.verify.bound.proof import OPTIMALITY, Proof
from lookalike.verify.recount import Declared, Verdict, open_release, require_declared
from lookalike.verify.released_values import count_active_cells


@dataclass(frozen=True, eq=False)
class Staged:
    """A release that is written but not in place yet.

    ``folder``: the private folder that holds it.
    ``out``: the path to publish to; its folder is the place of the release.
    ``schema``: the columns and types of the written file.
    ``neutralized``: whether apostrophes were written before formulas.
    """

    folder: PrivateFolder
    out: Path
    schema: pa.Schema
    neutralized: bool = False

    @property
    def file(self) -> Path:
        """The written file."""
        return self.folder.path / self.out.name


@dataclass(frozen=True, eq=False)
class Recounted(Discreet):
    """A staged release whose file was read back, counted again, and meets its declaration."""

    staged: Staged
    connection: Connection
    rows: duckdb.DuckDBPyRelation
    verdicts: tuple[Verdict, ...]

    @cached_property
    def files(self) -> dict[str, ReleasedFile]:
        """The files of the release, as the certificate lists them."""
        return {self.staged.out.name: describe_file(self.staged.file)}


@contextmanager
def staging(out: Path) -> Iterator[PrivateFolder]:
    """Create a private folder beside the place of a release, and remove it at the end.

    An unfinished publication of a dead process is finished or undone first.
    """
    place = out.parent
    with write_errors(out):
        place.parent.mkdir(parents=True, exist_ok=True)
        recover(place)
        folder = PrivateFolder(place.parent, private_prefix(place, "staging"))
        try:
            yield folder
        except OSError as error:
            if folder.released:
                raise InvalidInput(
                    f"{place} is published, but the steps after that failed ({error.strerror}): "
                    "the release may not be synced to the disk, or the earlier release, the "
                    "dossier or the ledger may not be up to date; the next use of each completes it"
                ) from None
            raise
        finally:
            folder.remove()


def write_staged(
    frame: Frame,
    folder: PrivateFolder,
    out: Path,
    connection: Connection,
    labels: Labels | None = None,
    *,
    neutralized: bool = False,
) -> Staged:
    """Write the released rows into the private folder.

    ``connection``: writes rows that are not in DuckDB.
    ``labels``: those of columns and values, for a file of SPSS or Stata.
    """
    if find_kind(out.name, [out]) == "statistics":
        with engine_errors(out.name):
            rows = as_relation(frame, connection).to_arrow_table()
            held = connection.duckdb.from_arrow(rows)
            write_statistics_file(held, folder.path / out.name, labels or {})
        return Staged(folder, out, rows.schema)
    if neutralized:
        frame = nw.from_native(neutralize(as_relation(frame, connection)))
    schema = write_table(frame, folder.path / out.name, connection)
    return Staged(folder, out, schema, neutralized)


def recount_staged(staged: Staged, declared: Declared, connection: Connection) -> Recounted:
    """Read the written file back, and count it again.

    ``declared``: the columns, the number of rows and the promises that the recount must find.
    """
    if staged.neutralized and count_active_cells(open_release(staged.file, connection)):
        raise InternalError("cells of the written file begin like a formula")
    written = open_release(staged.file, connection, neutralized=staged.neutralized)
    rows = parse_once(written, staged.file)
    return Recounted(staged, connection, rows, require_declared(rows, declared))


@dataclass(frozen=True)
class Documents:
    """The documents that accompany the released rows, as far as there are any.

    Certificate and report are for the recipient; proof, pre-flight and ``holder_report`` are kept
    in the dossier, the data holder's private folder.
    """

    certificate: Certificate
    proof: Proof | None = None
    preflight: PreflightRecord | None = None
    dossier: Path | None = None
    report: str | None = None
    holder_report: str | None = None

    @property
    def private(self) -> dict[str, str]:
        """The documents of the dossier: the name and the text of each."""
        known = {OPTIMALITY: self.proof, PREFLIGHT: self.preflight}
        texts = {name: one.to_json() for name, one in known.items() if one is not None}
        return texts if self.holder_report is None else {**texts, REPORT: self.holder_report}


class LedgerTurn(Protocol):
    """The exclusive right to publish a release of a source that is in a ledger."""

    def recording(self, certificate: Path, folder: Path) -> AbstractContextManager[None]:
        """Enter the release in the ledger if the block puts it in place."""


def publish(
    recounted: Recounted,
    documents: Documents,
    turn: LedgerTurn | None = None,
    *,
    replace: bool = False,
) -> None:
    """Put a release in its place.

    This is the only way to a published folder, and it accepts only a file that was counted again.

    ``replace``: whether an earlier release in that folder, and what the dossier keeps of it, may be
    replaced.
    """
    staged, certificate = recounted.staged, documents.certificate
    if certificate.files != recounted.files:
        raise InternalError("the certificate is not that of the staged file")
    report = staged.folder.path / REPORT
    if documents.report is not None:
        report.write_text(documents.report, encoding="utf-8", newline="")
    if certificate.report != (describe_file(report) if documents.report is not None else None):
        raise InternalError("the certificate does not state the digest of the report")
    written = staged.folder.path / CERTIFICATE
    written.write_text(certificate.to_json(), encoding="utf-8")
    place = staged.out.parent
    keeping: AbstractContextManager[None] = nullcontext()
    if documents.dossier is not None:
        keeping = keeping_records(documents.private, documents.dossier, place, replace=replace)
    recording = nullcontext() if turn is None else turn.recording(written, place)
    with keeping, recording:
        put_in_place(staged.folder, staged.out, replace=replace)


def check_places(
    out: Path,
    dossier: Path | None,
    ledger: LedgerAddress | None,
    spill: str | None,
    *,
    replace: bool,
) -> None:
    """Check the paths of a release, its dossier, ledger and spill before any work is done."""
    check_place(out, replace=replace)
    if dossier is not None:
        check_dossier(dossier, out.parent, replace=replace)
    if ledger is not None:
        for name, private in ledger.places.items():
            check_outside_release(name, private, out.parent)
    if spill is not None and "://" not in spill:
        check_outside_release("spill", Path(spill), out.parent)


def read_target(out: str | PathLike[str], private: str | PathLike[str] | None) -> Path | StorageUrl:
    """Read where a release goes."""
    text = fspath(out)
    require_filled(text)
    if is_address(text) and private is None:
        return StorageUrl.parse(text)
    if is_address(text):
        raise InvalidInput(
            f"{text}: a release at an address can have neither a ledger nor a dossier; publish to "
            "a path of this machine, such as released/table.parquet"
        )
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", text):
        raise InvalidInput(
            f"{text}: an address has two slashes after its scheme, as in hdfs://cluster/released/"
            "table.parquet; give it as text, because pathlib.Path drops one"
        )
    return Path(text)


def read_dossier(dossier: str | PathLike[str] | None) -> Path | None:
    """Read where the holder's dossier goes, if there is one."""
    if dossier is None:
        return None
    require_filled(fspath(dossier))
    return Path(dossier)
