"""Entry: one release that a ledger remembers, as a row of the database and three encrypted files.

The files hold the equivalence classes that it shows (:class:`ReleasedClasses`), its row map, and
the label paths of its values.
"""

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from sqlalchemy import Row, insert, select

from lookalike.errors import InternalError, InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.kernels.types import Codes, Counts, Levels
from lookalike.ledger.store.journal import LedgerSession, recorded_transaction
from lookalike.ledger.store.key import decrypt_text, read_encrypted, write_encrypted
from lookalike.ledger.store.row_map import CLASS, LEFT_OUT
from lookalike.ledger.store.schema import FORGOTTEN, PENDING, releases
from lookalike.ledger.store.source_lock import source_folder
from lookalike.model.tuples import SUPPRESSED_CELL, SUPPRESSED_TEXT, Tuples
from lookalike.publish.certificate import Certificate
from lookalike.publish.digest import describe_file
from lookalike.tables.plan import Fates, Plan
from lookalike.tables.private_folders import sync
from lookalike.tables.sql import source_changed

_ROWS = "rows"
_TOKEN_BYTES = 16


@dataclass(frozen=True, eq=False)
class ReleasedClasses(Discreet):
    """The equivalence classes of a release over all its quasi-identifier attributes.

    ``labels``: for each attribute, the label that the rows of each class show; None is a missing
    value.
    ``levels``: for each attribute, the level of the label of each class;
    :data:`~lookalike.model.tuples.SUPPRESSED_CELL` for the suppressed value, which is more general
    than every level.
    """

    attributes: tuple[str, ...]
    labels: tuple[tuple[str | None, ...], ...]
    levels: Levels
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)

    def to_arrow(self) -> pa.Table:
        """Return a table with one row per class: labels, levels and number of rows."""
        labels = {
            f"label {name}": pa.array(shown, pa.string())
            for name, shown in zip(self.attributes, self.labels, strict=True)
        }
        levels = {
            f"level {name}": pa.array(line, pa.int32())
            for name, line in zip(self.attributes, self.levels, strict=True)
        }
        return pa.table(labels | levels | {_ROWS: pa.array(self.counts, pa.int64())})

    @classmethod
    def from_arrow(cls, table: pa.Table) -> "ReleasedClasses":
        """Read the result of :meth:`to_arrow`."""
        names = [name.removeprefix("label ") for name in table.column_names]
        attributes = names[: (len(names) - 1) // 2]
        levels = [table[f"level {name}"].to_numpy() for name in attributes]
        return cls(
            attributes=tuple(attributes),
            labels=tuple(tuple(table[f"label {name}"].to_pylist()) for name in attributes),
            levels=np.array(levels, dtype=np.int32).reshape(len(attributes), len(table)),
            counts=table[_ROWS].to_numpy().astype(np.int64),
        )


def classify(plan: Plan, fates: Fates) -> tuple[ReleasedClasses, Codes]:
    """Return the classes of a release, and the class of each fate of private rows.

    Suppressed rows that are kept blank are a class of suppressed values. Rows that are left out
    have the class :data:`LEFT_OUT`.
    """
    frequency = plan.frequency
    stays = np.flatnonzero(~fates.gone | plan.blank)
    every = fates.tuples
    shown = Tuples(every.sequence[stays], every.levels[:, stays], every.counts[stays])
    class_of, counts = shown.classes(frequency, frequency.attributes)
    _, first = np.unique(class_of, return_index=True)
    if len(first) != len(counts):
        raise InternalError("a class of the release has no tuple")
    labels, levels = [], []
    for attribute in range(len(frequency.attributes)):
        texts, codes = shown.shown(frequency, attribute)
        hidden = codes[first] == SUPPRESSED_TEXT
        labels.append(tuple(texts[code] for code in codes[first]))
        levels.append(np.where(hidden, SUPPRESSED_CELL, shown.levels[attribute, first]))
    class_of_fate = np.full(len(every), LEFT_OUT, dtype=np.int32)
    class_of_fate[stays] = class_of
    lines = np.array(levels, dtype=np.int32)
    return ReleasedClasses(frequency.attributes, tuple(labels), lines, counts), class_of_fate


FILE_DIGESTS = ("classes_sha256", "rows_sha256", "paths_sha256")
"""Fields with the digests of the files, in the order of :attr:`ReleaseFiles.locations`."""


class MissingLedgerFile(InvalidInput):
    """A file of a ledger does not exist."""


@dataclass(frozen=True)
class ReleaseFiles:
    """The three encrypted Parquet files that a ledger keeps of a release.

    ``token``: unique start of their names.
    ``classes_sha256``: digest of the encrypted file of released classes.
    ``rows_sha256``: digest of the encrypted row map.
    ``paths_sha256``: digest of the encrypted file of label paths: the labels of each value at all
    levels.
    """

    folder: Path
    token: str
    classes_sha256: str
    rows_sha256: str
    paths_sha256: str
    secret: bytes = field(repr=False)

    @property
    def locations(self) -> list[Path]:
        """The paths of the files: classes, row map, label paths."""
        return _locate_files(self.folder, self.token)

    def read_classes(self) -> ReleasedClasses:
        """Read the released classes."""
        return ReleasedClasses.from_arrow(self._read(self.locations[0], self.classes_sha256))

    def read_rows(self, columns: list[str] | None = None) -> pa.Table:
        """Read the row map (:mod:`~lookalike.ledger.store.row_map`), or some of its columns.

        The rows are sorted by the hashes of their keys.
        """
        return self._read(self.locations[1], self.rows_sha256, columns)

    def read_label_paths(self) -> pa.Table:
        """Read the hashed labels of every value (:mod:`~lookalike.ledger.policies.label_paths`)."""
        return self._read(self.locations[2], self.paths_sha256)

    def _read(self, path: Path, sha256: str, columns: list[str] | None = None) -> pa.Table:
        """Read a file, and check that it was not changed."""
        try:
            if describe_file(path).sha256 != sha256:
                raise _changed(path)
            return read_encrypted(path, self.secret, path.name, columns)
        except FileNotFoundError:
            raise MissingLedgerFile(
                f"the ledger's file {path} is missing; restore it from your backup: without it no "
                "later release can be checked"
            ) from None
        except OSError:
            raise _changed(path) from None


def write_release_files(
    folder: Path, tables: Sequence[pa.Table], total: int, secret: bytes
) -> ReleaseFiles:
    """Write the classes, the row map and the label paths of a release, in files with mode 0600.

    A row map that lacks private rows, or disagrees with the sizes of the classes, is refused.
    """
    token = secrets.token_hex(_TOKEN_BYTES)
    locations = _locate_files(folder, token)
    for path, table in zip(locations, tables, strict=True):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as stream:
            write_encrypted(stream, table, secret, path.name)
        sync(path)
    hashes = (describe_file(path).sha256 for path in locations)
    digests = dict(zip(FILE_DIGESTS, hashes, strict=True))
    files = ReleaseFiles(folder, token, secret=secret, **digests)
    column, counts = files.read_rows([CLASS])[CLASS], tables[0][_ROWS].to_numpy()
    tally = np.bincount(column.drop_null().to_numpy(), minlength=len(counts))
    if len(column) != total or not np.array_equal(tally, counts):
        raise source_changed()
    return files


def _locate_files(folder: Path, token: str) -> list[Path]:
    """Return the paths of the files: classes, row map, label paths."""
    return [folder / f"{token}.{kind}.parquet" for kind in ("classes", "rows", "paths")]


def _changed(path: Path) -> InvalidInput:
    """Return the error that a file was changed."""
    return InvalidInput(f"the ledger's file {path} was changed; restore it from your backup")


@dataclass(frozen=True)
class Entry(JsonResult):
    """One release that a ledger remembers.

    ``number``: number of the release in the ledger, in the order of publishing.
    ``new_people``: whether the holder declared that people with unknown row keys are in no earlier
    release.
    ``state``: ``pending`` while it is being published, then ``published`` or ``forgotten``.
    ``certificate_before``: digest of the certificate that was in the folder before, if any.
    ``specification_encrypted``: its specification, encrypted; None once the release is forgotten.
    ``considered``: number of earlier releases against which it was judged.
    ``recipient``: recipient, if it was made for a particular one.
    ``contract``: contract that keeps the recipient from sharing the release, if there is one.
    ``table_digest``: digest of the private table over the quasi-identifier, under the ledger's key.
    ``hierarchies_digest``: digest of the labels that the hierarchies give to its values, under the
    ledger's key.
    ``files``: its files: released classes, row map, label paths.
    """

    json_names = (
        "number source row_key state recipient contract policy considered new_people host folder "
        "method=certificate.method k=promised columns=certificate.columns "
        "rows_in=certificate.rows_in rows_out=certificate.rows_out began published forgotten "
        "reason"
    )

    number: int
    source: str
    row_key: str
    new_people: bool
    state: str
    host: str
    folder: Path
    certificate_before: str | None
    certificate_sha256: str
    certificate_text: str
    specification_encrypted: bytes | None = field(repr=False)
    policy: str
    considered: int
    recipient: str | None
    contract: str | None
    table_digest: str
    hierarchies_digest: str
    files: ReleaseFiles
    began: str
    published: str | None
    forgotten: str | None
    reason: str | None

    @property
    def name(self) -> str:
        """The name of the release in messages, such as ``release 3``."""
        return f"release {self.number}"

    @property
    def date(self) -> str:
        """The day on which it was published, or begun."""
        return (self.published or self.began)[: len("2026-01-31")]

    @property
    def promised(self) -> list[int]:
        """The k of each quasi-identifier."""
        return [one.k for one in self.certificate.quasi_identifiers]

    @cached_property
    def certificate(self) -> Certificate:
        """Its certificate."""
        place = f"the certificate of {self.name} in the ledger"
        return Certificate.from_json(self.certificate_text, place)

    @cached_property
    def specification(self) -> dict[str, Any] | None:
        """Its specification; None once the release is forgotten."""
        if self.specification_encrypted is None:
            return None
        name = name_specification(self.files.token)
        text = decrypt_text(self.specification_encrypted, self.files.secret, name)
        specification: dict[str, Any] = json.loads(text)
        return specification

    @property
    def is_pending(self) -> bool:
        """Whether it is not known yet if the release was published."""
        return self.state == PENDING

    @property
    def is_forgotten(self) -> bool:
        """Whether the specification was removed; the release is still considered."""
        return self.state == FORGOTTEN


def read_entries(session: LedgerSession, source: str | None = None) -> tuple[Entry, ...]:
    """Read the entries of one source, or of all sources, in the order of publishing."""
    query = select(releases).order_by(releases.c.number)
    if source is not None:
        query = query.where(releases.c.source == source)
    return tuple(_to_entry(row, session) for row in session.connection.execute(query))


def insert_pending(session: LedgerSession, values: Mapping[str, Any]) -> Entry:
    """Insert a release that is about to be published, and return its entry."""
    with recorded_transaction(session):
        session.connection.execute(insert(releases).values({**values, "state": PENDING}))
        return read_entries(session, values["source"])[-1]


def name_specification(token: str) -> str:
    """Return the unique name under which the specification of a release is encrypted.

    It is encrypted because conditions, hierarchies and paths may be private.
    """
    return f"{token}.specification"


def _to_entry(row: Row[Any], session: LedgerSession) -> Entry:
    """Return the entry of one row of the database."""
    columns = dict(row._mapping)
    files = ReleaseFiles(
        folder=source_folder(session.folder, columns["source"]),
        **{name: columns.pop(name) for name in ("token", *FILE_DIGESTS)},
        secret=session.secret,
    )
    columns["specification_encrypted"] = columns.pop("specification")
    return Entry(**columns | {"folder": Path(columns["folder"]), "files": files})
