"""Entry: what a ledger remembers of one release."""

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select

from lookalike.ledger.store.encrypted import decrypt_text, encrypt_text
from lookalike.ledger.store.kept import KEPT, Kept
from lookalike.ledger.store.lock import folder_of
from lookalike.ledger.store.schema import FORGOTTEN, PENDING, releases
from lookalike.ledger.store.vault import Vault
from lookalike.publish.certificate import Certificate


@dataclass(frozen=True)
class Entry:
    """What a ledger remembers of one release.

    Parameters
    ----------
    number
        Its number in the ledger; releases are numbered in the order in which they came.
    source
        The source that it was made of.
    row_key
        The column that told its rows apart.
    new_people
        Whether its holder said that people whom the ledger did not know by that column are new.
    state
        ``pending`` while it takes its place, then ``published``, or ``forgotten``.
    host
        The machine that published it.
    folder
        Where it was published.
    certificate_before
        The digest of the certificate that was there before, if any.
    certificate_sha256
        The digest of its certificate.
    certificate_text
        Its certificate, as it was published.
    specification_encrypted
        What was asked for, encrypted; nothing once it is forgotten.
    policy
        The policy that held.
    considered
        How many earlier releases the policy looked at.
    recipient
        Whom it was made for, if it was for somebody.
    contract
        The contract that keeps this recipient apart from all others, if there is one.
    table_digest
        The digest of the private table over the quasi-identifier, under the ledger's key.
    hierarchies_digest
        The digest of what the hierarchies make of its values, under the ledger's key.
    kept
        Its classes, and which private row went into which.
    began
        When it became pending.
    published
        When it was known to be published.
    forgotten
        When it was forgotten.
    reason
        Why it was forgotten.
    """

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
    kept: Kept
    began: str
    published: str | None
    forgotten: str | None
    reason: str | None

    @cached_property
    def certificate(self) -> Certificate:
        """Its certificate."""
        place = f"the certificate of release {self.number} in the ledger"
        return Certificate.from_json(self.certificate_text, place)

    @cached_property
    def specification(self) -> dict[str, Any] | None:
        """What was asked for; nothing once it is forgotten."""
        if self.specification_encrypted is None:
            return None
        name, secret = _name_specification(self.kept.token), self.kept.secret
        told: dict[str, Any] = json.loads(decrypt_text(self.specification_encrypted, secret, name))
        return told

    @property
    def is_pending(self) -> bool:
        """Whether it is not known yet if it was published."""
        return self.state == PENDING

    @property
    def is_forgotten(self) -> bool:
        """Whether it is a tombstone: not to be shown, and still to be considered."""
        return self.state == FORGOTTEN


def read_entries(
    connection: Connection, vault: Vault, source: str | None = None
) -> tuple[Entry, ...]:
    """Read what a ledger remembers, of all sources or of one, in the order of publishing.

    Parameters
    ----------
    connection
        To the database.
    vault
        What the ledger has beside it.
    source
        The source.
    """
    query = select(releases).order_by(releases.c.number)
    if source is not None:
        query = query.where(releases.c.source == source)
    return tuple(_to_entry(row, vault) for row in connection.execute(query))


def encrypt_specification(specification: str, kept: Kept) -> bytes:
    """Encrypt what was asked for: a condition, a hierarchy or a path may hold what is private."""
    return encrypt_text(specification, kept.secret, _name_specification(kept.token))


def _name_specification(token: str) -> str:
    """Name the specification of a release, for its encryption."""
    return f"{token}.specification"


def _to_entry(row: Row[Any], vault: Vault) -> Entry:
    """Read one row of the database."""
    known = dict(row._mapping)
    kept = Kept(
        folder=folder_of(vault.files, known["source"]),
        **{name: known.pop(name) for name in ("token", *KEPT)},
        secret=vault.secret,
    )
    told = known.pop("specification")
    return Entry(
        **known | {"folder": Path(known["folder"]), "specification_encrypted": told, "kept": kept}
    )
