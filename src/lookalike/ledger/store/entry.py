"""Entry: one release that a ledger remembers, as a row of the database and its files."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from lookalike.json_result import JsonResult
from lookalike.ledger.store.journal import FilesAndKey, recorded_transaction
from lookalike.ledger.store.key import decrypt_text, encrypt_text
from lookalike.ledger.store.release_files import FILE_DIGESTS, ReleaseFiles
from lookalike.ledger.store.schema import FORGOTTEN, PENDING, releases
from lookalike.ledger.store.source_lock import source_folder
from lookalike.publish.certificate import Certificate


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
        name, secret = _name_specification(self.files.token), self.files.secret
        text = decrypt_text(self.specification_encrypted, secret, name)
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


def read_entries(
    connection: Connection, files_and_key: FilesAndKey, source: str | None = None
) -> tuple[Entry, ...]:
    """Read the entries of one source, or of all sources, in the order of publishing."""
    query = select(releases).order_by(releases.c.number)
    if source is not None:
        query = query.where(releases.c.source == source)
    return tuple(_to_entry(row, files_and_key) for row in connection.execute(query))


def insert_pending(
    connection: Connection, files_and_key: FilesAndKey, values: Mapping[str, Any]
) -> Entry:
    """Insert a release that is about to be published, and return its entry."""
    with recorded_transaction(connection, files_and_key):
        connection.execute(insert(releases).values({**values, "state": PENDING}))
        return read_entries(connection, files_and_key, values["source"])[-1]


def encrypt_specification(specification: str, files: ReleaseFiles) -> bytes:
    """Encrypt a specification, because conditions, hierarchies and paths may be private."""
    return encrypt_text(specification, files.secret, _name_specification(files.token))


def _name_specification(token: str) -> str:
    """Return the unique name under which the specification of a release is encrypted."""
    return f"{token}.specification"


def _to_entry(row: Row[Any], files_and_key: FilesAndKey) -> Entry:
    """Return the entry of one row of the database."""
    columns = dict(row._mapping)
    files = ReleaseFiles(
        folder=source_folder(files_and_key.folder, columns["source"]),
        **{name: columns.pop(name) for name in ("token", *FILE_DIGESTS)},
        secret=files_and_key.secret,
    )
    columns["specification_encrypted"] = columns.pop("specification")
    return Entry(**columns | {"folder": Path(columns["folder"]), "files": files})
