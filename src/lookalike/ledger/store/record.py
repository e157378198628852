"""Record: write a release into the ledger while it is published, one at a time.

1. Which private row goes into which class is written into a private folder, hashed and encrypted,
   and compared with the release as it is written.
2. The lock of the source is taken, what is pending there is settled, the rows are looked for in the
   earlier releases, and the policy judges the release against these.
3. The release is entered as pending, with the digest of its certificate, and its files are moved to
   their place. Then its rows are looked for under the names of other sources.
4. The release takes its place by a rename (:mod:`lookalike.publish.place`).
5. The entry is confirmed, and the lock is let go.

What a crash leaves is settled by whoever comes next (:mod:`lookalike.ledger.store.settle`).
"""

import platform
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
from sqlalchemy import Connection, insert
from sqlalchemy.exc import SQLAlchemyError

from lookalike.errors import InvalidInput
from lookalike.ledger.policies.paths import Paths, paths_of, refuse_other_hierarchies, to_arrow
from lookalike.ledger.policies.policy import ReleaseCandidate, consider, relevant_to
from lookalike.ledger.store.book import Ledger, open_at
from lookalike.ledger.store.classes import classify
from lookalike.ledger.store.database import now
from lookalike.ledger.store.entry import Entry, encrypt_specification, read_entries
from lookalike.ledger.store.journal import changing, checked
from lookalike.ledger.store.kept import KEPT, Kept, keep
from lookalike.ledger.store.lock import WAIT_SECONDS
from lookalike.ledger.store.people import (
    check_known_again,
    check_other_names,
    check_row_key,
    find_known,
)
from lookalike.ledger.store.row_map import map_rows
from lookalike.ledger.store.schema import PENDING, releases
from lookalike.ledger.store.secret import digest_under
from lookalike.ledger.store.settle import settle_entry
from lookalike.ledger.store.staged import check_staged
from lookalike.model.progress import Announce
from lookalike.publish.certificate import Certificate, EarlierReleases, describe_file
from lookalike.publish.place import digest_published_certificate
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.tables.plan import Plan
from lookalike.tables.private_folders import PrivateFolder, sync, write_errors
from lookalike.tables.recode import Trail
from lookalike.verify.bound.proof import digest_hierarchies, digest_table

STAGING = ".lookalike-kept-"
TOKEN_BYTES = 16


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
    new_people
        Whether people whom the ledger does not know by their row key are in no earlier release.
    wait
        How many seconds to wait at most for another process.
    tell
        Told if it has to wait.
    """

    address: LedgerAddress
    source: str
    row_key: str
    policy: str
    specification: str
    plan: Plan
    trail: Trail
    recipient: str | None = None
    contract: str | None = None
    new_people: bool = False
    wait: float = WAIT_SECONDS
    tell: Announce = lambda _: None


@dataclass(frozen=True, eq=False)
class Turn:
    """Our turn to publish a release of a source, which was judged against the earlier ones.

    Parameters
    ----------
    record
        What is to be remembered.
    ledger
        The ledger.
    connection
        To its database, where we hold the lock of the source.
    candidate
        The release.
    earlier
        What it was judged by.
    """

    record: Record
    ledger: Ledger
    connection: Connection
    candidate: ReleaseCandidate
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
            self._look_elsewhere(entry)
            yield
        finally:
            self._settle(entry)

    def _enter(self, certificate: Path, folder: Path) -> Entry:
        """Enter the release as pending."""
        record, kept = self.record, self.candidate.kept
        values = {
            "source": record.source,
            "row_key": record.row_key,
            "new_people": record.new_people,
            "state": PENDING,
            "host": platform.node(),
            "folder": str(folder),
            "certificate_before": digest_published_certificate(folder),
            "certificate_sha256": describe_file(certificate).sha256,
            "certificate_text": certificate.read_text(encoding="utf-8"),
            "specification": encrypt_specification(record.specification, kept),
            "policy": self.earlier.policy,
            "considered": self.earlier.considered,
            "recipient": record.recipient,
            "contract": record.contract,
            "table_digest": self._digest("table", digest_table(record.plan.frequency.merge())),
            "hierarchies_digest": self._digest("hierarchies", self.candidate.hierarchies_sha256),
            "token": kept.token,
            **{name: getattr(kept, name) for name in KEPT},
            "began": now(),
        }
        with changing(self.connection, self.ledger.vault):
            self.connection.execute(insert(releases).values(values))
            return read_entries(self.connection, self.ledger.vault, record.source)[-1]

    def _digest(self, purpose: str, digest: str) -> str:
        """Put a digest of what is private under the ledger's key."""
        return digest_under(self.ledger.vault.secret, purpose, digest)

    def _look_elsewhere(self, entry: Entry) -> None:
        """Look for the rows under the names of other sources.

        Two releases of the same rows under two names may be entered at once. Each is in its place
        before it looks for others, so one of both sees the other.
        """
        if self.record.new_people:
            return
        with checked(self.connection, self.ledger.vault):
            entries = read_entries(self.connection, self.ledger.vault)
        check_other_names(entry.source, entry.kept, entries)

    def _move_files(self, place: Kept) -> None:
        """Move what was written about the rows to its place."""
        for written, target in zip(self.candidate.kept.files, place.files, strict=True):
            written.rename(target)
        sync(place.folder)

    def _settle(self, entry: Entry) -> None:
        """Confirm the release, or remove its entry if it is not in its place."""
        try:
            settle_entry(self.connection, self.ledger.vault, entry)
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
    with write_errors(ledger.vault.files):
        stage = PrivateFolder(ledger.vault.files, STAGING)
    paths = paths_of(record.plan.counted, record.plan.frequency, ledger.secret())
    try:
        candidate = ReleaseCandidate(
            source=record.source,
            recipient=record.recipient,
            contract=record.contract,
            certificate=certificate,
            hierarchies_sha256=digest_hierarchies(record.plan.frequency),
            kept=_write_down(record, ledger, stage.path, paths),
        )
        check_staged(file, schema, candidate.kept, ledger.secret())
        with ledger.holding(record.source, record.wait, record.tell) as (connection, entries):
            concerned = relevant_to(entries, record.recipient, record.contract)
            refuse_other_hierarchies(concerned, paths)
            earlier = _judge(record, entries, candidate)
            yield Turn(record, ledger, connection, candidate, earlier)
    finally:
        stage.remove()


def _judge(
    record: Record, entries: Sequence[Entry], candidate: ReleaseCandidate
) -> EarlierReleases:
    """Judge a release by the earlier ones of its source; tell how many have rows of it."""
    check_row_key(entries, record.row_key)
    known = find_known(candidate.kept, entries)
    if not record.new_people:
        check_known_again(known)
    told = consider(record.policy, entries, candidate)
    sharing = [one.entry for one in known if one.shared]
    considered = len(relevant_to(sharing, record.recipient, record.contract))
    return replace(told, considered=considered, new_people=record.new_people)


def _write_down(record: Record, ledger: Ledger, folder: Path, paths: Paths) -> Kept:
    """Write the classes of a release, which private row goes into which, and what values become."""
    classes, fated = classify(record.plan, record.trail.fates)
    secret, total = ledger.secret(), record.plan.frequency.rows
    rows = map_rows(record.plan, record.trail, record.row_key, fated, secret)
    with write_errors(folder):
        token, becomes = secrets.token_hex(TOKEN_BYTES), to_arrow(paths)
        return keep(folder, token, classes, rows, becomes, total, secret)
