"""Record a release in the ledger while it is published.

1. The row map, the released classes and the label paths are written into a private folder, hashed
   and encrypted. The staged file is compared with the row map.
2. The process takes the lock of the source and settles pending entries. The ledger checks that it
   recognizes the rows of earlier releases, and the policy judges the release against these.
3. The release is entered as pending, with the digest of its certificate, and its files are moved to
   their place. Then the ledger checks that no other source has the same rows.
4. The release is renamed into its place (:mod:`lookalike.publish.place`).
5. The entry is confirmed, and the lock ends.

After a crash, the next process that opens the ledger settles the pending entry
(:func:`lookalike.ledger.store.ledger.settle`).
"""

import platform
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
from sqlalchemy import Connection

from lookalike.errors import InternalError
from lookalike.ledger.policies import label_paths, recognized_rows
from lookalike.ledger.policies.policy import judge_candidate, relevant_to
from lookalike.ledger.store.database import now
from lookalike.ledger.store.entry import (
    FILE_DIGESTS,
    Entry,
    ReleaseFiles,
    classify,
    encrypt_specification,
    insert_pending,
    read_entries,
    write_release_files,
)
from lookalike.ledger.store.journal import checked_transaction
from lookalike.ledger.store.key import digest_under
from lookalike.ledger.store.ledger import Ledger, open_at, settle_published
from lookalike.ledger.store.published_file import check_staged_file
from lookalike.ledger.store.row_map import map_rows
from lookalike.model.progress import Announce
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import EarlierReleases
from lookalike.publish.digest import describe_file
from lookalike.publish.place import digest_published_certificate
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan
from lookalike.tables.private_folders import PrivateFolder, sync, write_errors
from lookalike.tables.recode import Trail
from lookalike.verify.bound.proof import digest_hierarchies, digest_table

_STAGING = ".lookalike-kept-"
_TOKEN_BYTES = 16
UNRECORDED = {"release": {"ledger", "ledger_files", "ledger_key"}, "source": {"database"}}
"""Fields that are not recorded: the address of a database may contain a password."""


@dataclass(frozen=True, eq=False)
class Record:
    """What a ledger, which is created if it does not exist, is to remember of a release.

    ``specification`` is JSON. ``person`` is the column that identifies a person, if k counts
    persons. A contract keeps the recipient from sharing the release. ``new_people``: whether the
    holder declares that people with unknown row keys are in no earlier release. ``announce`` is
    told that another process has to be waited for.
    """

    address: LedgerAddress
    source: str
    row_key: str
    policy: str
    specification: str
    plan: Plan
    trail: Trail
    person: str | None = None
    recipient: str | None = None
    contract: str | None = None
    new_people: bool = False
    announce: Announce = lambda _: None


def enroll(
    specification: Specification, plan: Plan, trail: Trail, announce: Announce = lambda _: None
) -> Record:
    """Return the record of a release for the ledger."""
    asked, source = specification.release, specification.source
    address = asked.address
    if address is None or source is None or source.row_key is None:
        raise InternalError("a release was enrolled without a ledger or without a row key")
    return Record(
        address=address,
        source=source.name or source.row_key,
        row_key=source.row_key,
        policy=asked.policy,
        specification=specification.model_dump_json(
            exclude=UNRECORDED, exclude_unset=True, fallback=repr, warnings=False
        ),
        plan=plan,
        trail=trail,
        person=next(iter(specification.persons), None),
        recipient=asked.recipient,
        contract=asked.contract,
        new_people=source.new_people,
        announce=announce,
    )


@dataclass(frozen=True, eq=False)
class Turn:
    """The turn of this process to publish a release of a source, which the policy accepted.

    The connection to the database holds the lock of the source. ``files`` are those of the release,
    staged, and ``digests`` those of its private table and of its labels. ``earlier`` is what the
    certificate states about earlier releases, and ``entries`` are those of the source.
    """

    record: Record
    ledger: Ledger
    connection: Connection
    files: ReleaseFiles
    digests: dict[str, str]
    earlier: EarlierReleases
    entries: tuple[Entry, ...]

    @contextmanager
    def recording(self, certificate: Path, folder: Path) -> Iterator[None]:
        """Enter the release; the caller renames it into its place before the context ends."""
        entry = self._enter(certificate, folder.absolute())
        try:
            with write_errors(entry.files.folder):
                moved = zip(self.files.locations, entry.files.locations, strict=True)
                for staged, place in moved:
                    staged.rename(place)
                sync(entry.files.folder)
            self._check_other_sources(entry)
            yield
        finally:
            settle_published(self.connection, self.ledger.files_and_key, entry)

    def _enter(self, certificate: Path, folder: Path) -> Entry:
        """Enter the release as pending."""
        record, files = self.record, self.files
        values = {
            "source": record.source,
            "row_key": record.row_key,
            "new_people": record.new_people,
            "host": platform.node(),
            "folder": str(folder),
            "certificate_before": digest_published_certificate(folder),
            "certificate_sha256": describe_file(certificate).sha256,
            "certificate_text": certificate.read_text(encoding="utf-8"),
            "specification": encrypt_specification(record.specification, files),
            "policy": self.earlier.policy,
            "considered": self.earlier.considered,
            "recipient": record.recipient,
            "contract": record.contract,
            **self.digests,
            "token": files.token,
            **{name: getattr(files, name) for name in FILE_DIGESTS},
            "began": now(),
        }
        return insert_pending(self.connection, self.ledger.files_and_key, values)

    def _check_other_sources(self, entry: Entry) -> None:
        """Refuse a release whose rows belong to another source.

        Two releases of the same rows under two names may be entered at the same time. Each has its
        files in place before it searches the others, so at least one of the two finds the other.
        """
        if self.record.new_people:
            return
        with checked_transaction(self.connection, self.ledger.files_and_key):
            entries = read_entries(self.connection, self.ledger.files_and_key)
        recognized_rows.check_other_sources(entry.source, entry.files, entries)


@contextmanager
def taking_turn(
    record: Record, certificate: Certificate, file: Path, schema: pa.Schema
) -> Iterator[Turn]:
    """Wait for the lock of the source, and judge a release against earlier ones."""
    ledger, frequency = open_at(record.address, create=True), record.plan.frequency
    folder, secret = ledger.files_and_key.folder, ledger.secret()
    with write_errors(folder):
        stage = PrivateFolder(folder, _STAGING)
    paths = label_paths.hash_label_paths(record.plan.counted, frequency, secret)
    try:
        table = digest_table(frequency.without_beside()[1])
        digests = {
            "table_digest": digest_under(secret, "table", table),
            "hierarchies_digest": digest_under(
                secret, "hierarchies", digest_hierarchies(frequency)
            ),
        }
        files = _write_files(record, ledger, stage.path, paths)
        check_staged_file(file, schema, files, secret)
        with ledger.holding(record.source, announce=record.announce) as (connection, entries):
            earlier = _judge(record, entries, certificate, files, paths)
            yield Turn(record, ledger, connection, files, digests, earlier, entries)
    finally:
        stage.remove()


def _judge(
    record: Record,
    entries: Sequence[Entry],
    certificate: Certificate,
    files: ReleaseFiles,
    paths: label_paths.LabelPaths,
) -> EarlierReleases:
    """Judge a release against earlier ones; return what the certificate states about them.

    The certificate counts only earlier releases that share rows with this one.
    """
    relevant = relevant_to(entries, record.recipient, record.contract)
    label_paths.refuse_other_hierarchies(relevant, paths)
    recognized_rows.check_row_key(entries, record.row_key)
    shared = recognized_rows.count_shared_rows(files, entries)
    if not record.new_people:
        recognized_rows.check_rows_recognized(shared)
    statement = judge_candidate(record.policy, relevant, certificate, files)
    sharing = [one.entry for one in shared if one.shared]
    considered = len(relevant_to(sharing, record.recipient, record.contract))
    return replace(statement, considered=considered, new_people=record.new_people)


def _write_files(
    record: Record, ledger: Ledger, folder: Path, paths: label_paths.LabelPaths
) -> ReleaseFiles:
    """Write the released classes, the row map and the label paths of a release."""
    classes, class_of_fate = classify(record.plan, record.trail.fates)
    secret, total = ledger.secret(), record.plan.frequency.rows
    plan, trail = record.plan, record.trail
    rows = map_rows(plan, trail, record.row_key, record.person, class_of_fate, secret)
    with write_errors(folder):
        token, table = secrets.token_hex(_TOKEN_BYTES), label_paths.label_paths_to_arrow(paths)
        return write_release_files(folder, token, classes, rows, table, total, secret)
