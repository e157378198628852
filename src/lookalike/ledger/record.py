"""Record: write a release into the ledger while it is published, one at a time.

1. Which private row goes into which class is written into a private folder, hashed, and compared
   with the release as it is written.
2. The lock of the source is taken, what is pending there is settled, and the policy judges the
   release against the earlier ones.
3. The release is entered as pending, with the digest of its certificate, and its files are moved to
   their place.
4. The release takes its place by a rename (:mod:`lookalike.place`).
5. The entry is confirmed, and the lock is let go.

What a crash leaves is settled by whoever comes next (:mod:`lookalike.ledger.settle`).
"""

import platform
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from sqlalchemy import Connection, insert
from sqlalchemy.exc import SQLAlchemyError

from lookalike.certificate import Certificate, EarlierReleases, describe_file
from lookalike.errors import InvalidInput
from lookalike.ledger.address import Address
from lookalike.ledger.book import Ledger, open_at
from lookalike.ledger.classes import classify
from lookalike.ledger.database import now
from lookalike.ledger.entry import Entry, read_entries
from lookalike.ledger.kept import Kept, keep
from lookalike.ledger.lock import WAIT_SECONDS, Tell
from lookalike.ledger.paths import paths_of, refuse_other_hierarchies
from lookalike.ledger.policy import Candidate, concern, consider
from lookalike.ledger.row_map import map_rows, map_schema
from lookalike.ledger.schema import PENDING, releases
from lookalike.ledger.settle import settle_entry
from lookalike.ledger.staged import check_staged
from lookalike.place import look
from lookalike.private import PrivateFolder, sync, write_errors
from lookalike.proof import digest_hierarchies, digest_table
from lookalike.recode import Plan, Trail

STAGING = ".lookalike-kept-"


@dataclass(frozen=True, eq=False)
class Record:
    """What a ledger shall remember of a release.

    Parameters
    ----------
    address
        Where the ledger is; it is made if it is not there.
    source
        The source that the release is made of.
    row_key
        The column that tells its private rows apart.
    policy
        What judges it against the earlier releases of the source.
    specification
        What was asked for, as JSON.
    plan
        What was decided.
    trail
        What became of every private row.
    recipient
        Whom it is made for, if it is for somebody.
    contract
        The contract that keeps this recipient apart from all others, if there is one.
    wait
        How many seconds to wait at most for another process.
    tell
        Told if it has to wait.
    """

    address: Address
    source: str
    row_key: str
    policy: str
    specification: str
    plan: Plan
    trail: Trail
    recipient: str | None = None
    contract: str | None = None
    wait: float = WAIT_SECONDS
    tell: Tell = lambda _: None


@dataclass(frozen=True, eq=False)
class Turn:
    """Our turn to publish a release of a source, which was judged against the earlier ones.

    Parameters
    ----------
    record
        What is to be remembered.
    connection
        To the ledger's database, where we hold the lock of the source.
    candidate
        The release.
    earlier
        What it was judged by.
    """

    record: Record
    connection: Connection
    candidate: Candidate
    earlier: EarlierReleases

    @contextmanager
    def recording(self, certificate: Path, folder: Path) -> Iterator[None]:
        """Enter the release, if what is done meanwhile puts it in its place.

        Parameters
        ----------
        certificate
            The certificate that it is published with.
        folder
            The place of the release.
        """
        entry = self._enter(certificate, folder.absolute())
        try:
            with write_errors(entry.kept.folder):
                self._move_files(entry.kept)
            yield
        finally:
            self._settle(entry)

    def _enter(self, certificate: Path, folder: Path) -> Entry:
        """Enter the release as pending."""
        record, kept = self.record, self.candidate.kept
        files = record.address.files
        values = {
            "source": record.source,
            "state": PENDING,
            "host": platform.node(),
            "folder": str(folder),
            "certificate_before": look(folder),
            "certificate_sha256": describe_file(certificate).sha256,
            "certificate_text": certificate.read_text(encoding="utf-8"),
            "specification": record.specification,
            "policy": self.earlier.policy,
            "considered": self.earlier.considered,
            "recipient": record.recipient,
            "contract": record.contract,
            "table_sha256": digest_table(record.plan.frequency.merge()),
            "hierarchies_sha256": self.candidate.hierarchies_sha256,
            "token": kept.token,
            "classes_sha256": kept.classes_sha256,
            "rows_sha256": kept.rows_sha256,
            "began": now(),
        }
        with self.connection.begin():
            self.connection.execute(insert(releases).values(values))
            return read_entries(self.connection, files, record.source)[-1]

    def _move_files(self, place: Kept) -> None:
        """Move what was written about the rows to its place."""
        for written, target in zip(self.candidate.kept.paths, place.paths, strict=True):
            written.rename(target)
        sync(place.folder)

    def _settle(self, entry: Entry) -> None:
        """Confirm the release, or remove its entry if it is not in its place."""
        try:
            settle_entry(self.connection, entry)
        except SQLAlchemyError:
            raise InvalidInput(
                f"the ledger {self.record.address} cannot be told whether {entry.folder} "
                "was published; it finds out when it is next used"
            ) from None


@contextmanager
def taking_turn(
    record: Record, certificate: Certificate, file: Path, schema: pa.Schema
) -> Iterator[Turn]:
    """Wait for our turn to publish a release of a source, and let the policy judge it.

    Parameters
    ----------
    record
        What is to be remembered.
    certificate
        What a recipient would be told.
    file
        Where the release is written.
    schema
        Its columns, with the types that were written.

    Raises
    ------
    RequirementNotMet
        If the policy refuses it.
    InvalidInput
        If the ledger cannot be used, another process does not end, or the source changed.
    """
    ledger = open_at(record.address, create=True)
    files = ledger.claim_files()
    with write_errors(files):
        stage = PrivateFolder(files, STAGING)
    try:
        candidate = Candidate(
            source=record.source,
            recipient=record.recipient,
            contract=record.contract,
            certificate=certificate,
            hierarchies_sha256=digest_hierarchies(record.plan.frequency),
            kept=_write_down(record, ledger, stage.path),
        )
        check_staged(file, schema, candidate.kept, ledger.secret())
        paths = paths_of(record.plan.counted, record.plan.frequency, ledger.secret())
        with ledger.holding(record.source, record.wait, record.tell) as (connection, entries):
            concerned = concern(entries, record.recipient, record.contract)
            refuse_other_hierarchies(concerned, paths)
            earlier = consider(record.policy, entries, candidate)
            yield Turn(record, connection, candidate, earlier)
    finally:
        stage.remove()


def _write_down(record: Record, ledger: Ledger, folder: Path) -> Kept:
    """Write the classes of a release, and which private row goes into which."""
    classes, fated = classify(record.plan, record.trail.fates)
    rows = map_rows(record.plan, record.trail, record.row_key, fated, ledger.secret())
    with write_errors(folder):
        schema, total = map_schema(record.plan), record.plan.frequency.rows
        return keep(folder, secrets.token_hex(8), classes, rows, schema, total)
