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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from lookalike.errors import InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes
from lookalike.ledger.policies import label_paths, recognized_rows
from lookalike.ledger.policies.policy import judge_candidate, relevant_to
from lookalike.ledger.store.database import now
from lookalike.ledger.store.entry import (
    FILE_DIGESTS,
    Entry,
    ReleasedClasses,
    ReleaseFiles,
    classify,
    insert_pending,
    name_specification,
    read_entries,
    write_release_files,
)
from lookalike.ledger.store.journal import LedgerSession, checked_transaction
from lookalike.ledger.store.key import digest_under, encrypt_text
from lookalike.ledger.store.ledger import Ledger, open_at, open_if_present, settle_published
from lookalike.ledger.store.published_file import check_staged_file
from lookalike.ledger.store.row_map import KEY, map_rows
from lookalike.model.progress import Announce
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import EarlierReleases
from lookalike.publish.digest import describe_file
from lookalike.publish.place import digest_published_certificate
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.spec.policies import INCREMENTS
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan, list_fates
from lookalike.tables.private_folders import PrivateFolder, sync, write_errors
from lookalike.tables.recode import Trail
from lookalike.verify.bound.proof import digest_hierarchies, digest_table

_STAGING = ".lookalike-kept-"
UNRECORDED = {"release": {"ledger", "ledger_files", "ledger_key"}, "source": {"database"}}
"""Fields that are not recorded: the address of a database may contain a password."""


@dataclass(frozen=True, eq=False)
class Record:
    """What a ledger, which is created if it does not exist, is to remember of a release.

    ``source`` is its name. ``new_people``: whether the holder declares that people with unknown row
    keys are in no earlier release. ``shared``: the classes that it shows some columns of, if the
    recipient does not get all that they were chosen over. ``announce`` is told that another process
    has to be waited for.
    """

    address: LedgerAddress
    source: str
    row_key: str
    new_people: bool
    specification: Specification
    plan: Plan
    trail: Trail
    shared: "SharedClasses | None" = None
    announce: Announce = lambda _: None

    @property
    def whole(self) -> Plan:
        """How rows become rows of the classes, over all attributes that these were chosen over."""
        return self.plan if self.shared is None else self.shared.plan

    def find_relevant(self, entries: Iterable[Entry]) -> tuple[Entry, ...]:
        """Return the releases that somebody may have together with this one."""
        asked = self.specification.release
        return relevant_to(entries, asked.recipient, asked.contract)


def enroll(
    specification: Specification,
    plan: Plan,
    trail: Trail,
    shared: "SharedClasses | None" = None,
    announce: Announce = lambda _: None,
) -> Record:
    """Return the record of a release for the ledger."""
    address, source = specification.release.address, specification.source
    if address is None or source is None or source.row_key is None:
        raise InternalError("a release was enrolled without a ledger or without a row key")
    name, new_people = source.name or source.row_key, source.new_people
    drawn = plan, trail, shared, announce
    return Record(address, name, source.row_key, new_people, specification, *drawn)


@dataclass(frozen=True, eq=False)
class SharedClasses(Discreet):
    """The classes that a release shows some columns of.

    ``plan``: how rows become rows of these classes, over all attributes that they were chosen over.
    """

    plan: Plan
    classes: ReleasedClasses

    def find(self, shown: Plan) -> Codes:
        """Return the class of each fate of a release whose rows are tagged with their class."""
        tags = shown.counted.tags
        if tags is None:
            raise InternalError("the rows of shared classes were counted without their tags")
        tag_of = np.zeros(len(shown.frequency), dtype=np.int32)
        tag_of[shown.sequence_of] = tags
        fates = list_fates(shown.frequency, shown.recoding)
        return (tag_of[fates.tuples.sequence] - FIRST_TAG).astype(np.int32)


FIRST_TAG = 1
"""The tag of rows of the first class; rows that are left out have the one before it."""


@dataclass(frozen=True, eq=False)
class Turn:
    """The turn of this process to publish a release of a source, which the policy accepted.

    The session holds the lock of the source. ``files`` are those of the release, staged, and
    ``prepared`` fields of its entry that need not be computed now. ``earlier`` is what the
    certificate states about earlier releases, and ``entries`` are those of the source.
    """

    record: Record
    session: LedgerSession
    files: ReleaseFiles
    prepared: dict[str, Any]
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
            settle_published(self.session, entry)

    def _enter(self, certificate: Path, folder: Path) -> Entry:
        """Enter the release as pending."""
        record, files, asked = self.record, self.files, self.record.specification.release
        values = {
            "source": record.source,
            "row_key": record.row_key,
            "new_people": record.new_people,
            "host": platform.node(),
            "folder": str(folder),
            "certificate_before": digest_published_certificate(folder),
            "certificate_sha256": describe_file(certificate).sha256,
            "certificate_text": certificate.read_text(encoding="utf-8"),
            "policy": self.earlier.policy,
            "considered": self.earlier.considered,
            "recipient": asked.recipient,
            "contract": asked.contract,
            **self.prepared,
            "token": files.token,
            **{name: getattr(files, name) for name in FILE_DIGESTS},
            "began": now(),
        }
        return insert_pending(self.session, values)

    def _check_other_sources(self, entry: Entry) -> None:
        """Refuse a release whose rows belong to another source.

        Two releases of the same rows under two names may be entered at the same time. Each has its
        files in place before it searches the others, so at least one of the two finds the other.
        """
        if self.record.new_people:
            return
        with checked_transaction(self.session):
            entries = read_entries(self.session)
        recognized_rows.check_other_sources(entry.source, entry.files, entries)


@contextmanager
def taking_turn(
    record: Record, certificate: Certificate, file: Path, schema: pa.Schema
) -> Iterator[Turn]:
    """Wait for the lock of the source, and judge a release against earlier ones."""
    ledger, frequency = open_at(record.address, create=True), record.whole.frequency
    secret = ledger.secret()
    with _staging_files(record, ledger) as (files, paths):
        table, labels = digest_table(frequency.without_beside[1]), digest_hierarchies(frequency)
        text = record.specification.model_dump_json(
            exclude=UNRECORDED, exclude_unset=True, fallback=repr, warnings=False
        )
        prepared = {
            "specification": encrypt_text(text, secret, name_specification(files.token)),
            "table_digest": digest_under(secret, "table", table),
            "hierarchies_digest": digest_under(secret, "hierarchies", labels),
        }
        check_staged_file(file, schema, files, secret)
        with ledger.holding(record.source, announce=record.announce) as (session, entries):
            earlier = _judge(record, entries, certificate, files, paths)
            yield Turn(record, session, files, prepared, earlier, entries)


def rehearse(record: Record, certificate: Certificate) -> None:
    """Judge a release against earlier ones, if there is a ledger, and record nothing."""
    ledger = open_if_present(record.address)
    if ledger is None:
        return
    with (
        _staging_files(record, ledger) as (files, paths),
        ledger.holding(record.source, announce=record.announce) as (_, entries),
    ):
        _judge(record, entries, certificate, files, paths)
        if not record.new_people:
            recognized_rows.check_other_sources(record.source, files, ledger.releases())


@contextmanager
def _staging_files(
    record: Record, ledger: Ledger
) -> Iterator[tuple[ReleaseFiles, label_paths.LabelPaths]]:
    """Write the files that a ledger keeps of a release to a private folder, which is removed."""
    folder, secret = ledger.files_and_key.folder, ledger.secret()
    with write_errors(folder):
        stage = PrivateFolder(folder, _STAGING)
    paths = label_paths.hash_label_paths(record.whole.counted, record.whole.frequency, secret)
    try:
        yield _write_files(record, secret, stage.path, paths), paths
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
    relevant = record.find_relevant(entries)
    label_paths.refuse_other_hierarchies(relevant, paths)
    recognized_rows.check_row_key(entries, record.row_key)
    shared = recognized_rows.count_shared_rows(files, entries)
    asked = record.specification.release
    if not record.new_people and asked.policy != INCREMENTS:  # whose rows are new
        recognized_rows.check_rows_recognized(shared)
    statement = judge_candidate(asked.policy, relevant, certificate, files, asked.leavers)
    sharing = record.find_relevant(one.entry for one in shared if one.shared)
    considered = len(relevant if asked.policy == INCREMENTS else sharing)
    return replace(statement, considered=considered, new_people=record.new_people)


def _write_files(
    record: Record, secret: bytes, folder: Path, paths: label_paths.LabelPaths
) -> ReleaseFiles:
    """Write the released classes, the row map and the label paths of a release."""
    plan, trail, total = record.plan, record.trail, record.plan.frequency.rows
    if record.shared is None:
        classes, class_of_fate = classify(plan, trail.fates)
    else:
        classes, class_of_fate = record.shared.classes, record.shared.find(plan)
    person = next(iter(record.specification.persons), None)
    rows = pa.concat_tables(
        map_rows(plan, trail, record.row_key, person, classes.attributes, class_of_fate, secret)
    ).sort_by(KEY)  # so that the file does not reveal the order of the source
    tables = classes.to_arrow(), rows, label_paths.label_paths_to_arrow(paths)
    with write_errors(folder):
        return write_release_files(folder, tables, total, secret)
