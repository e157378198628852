"""Secret: the key under which a ledger hashes and encrypts what is private, kept apart from it."""

import hashlib
import hmac
import os
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine, update

from lookalike.errors import InvalidInput
from lookalike.ledger.store import schema
from lookalike.ledger.store.database import NoLedger, database_errors, read_identity
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.tables.private_folders import write_errors, write_whole

KEY_BYTES = 32


@dataclass(frozen=True)
class Key:
    """The key of a ledger.

    Parameters
    ----------
    ledger
        Which ledger it is.
    path
        The file of the key.
    secret
        The key.
    """

    ledger: str
    path: Path
    secret: bytes = field(repr=False)


def find_key(address: LedgerAddress, engine: Engine, *, create: bool) -> Key:
    """Return the key of a ledger.

    A ledger holds no row key and no value that can be read without this key. Without it nobody can
    try values against its hashes, and nobody can tell which row is which: not its holder either.

    Parameters
    ----------
    address
        Where the ledger is.
    engine
        The way to its database.
    create
        Whether to make a key if the ledger has none yet.

    Raises
    ------
    InvalidInput
        If the key is missing, is another one, or others may read it.
    """
    with database_errors(address), engine.begin() as connection:
        known = read_identity(connection)
        check, path = known.key_check, address.key or _usual_place(known.id)
        if check is None and not create:
            raise NoLedger(f"no ledger is found at {address}: nothing was ever entered there")
        if check is None and not path.exists():
            _make_key(path)
        key = _read_key(path, address)
        if check is None:
            connection.execute(update(schema.ledger).values(key_check=_check_of(key)))
        elif not hmac.compare_digest(check, _check_of(key)):
            raise InvalidInput(f"ledger_key: {path} is not the key of the ledger {address}")
    return Key(known.id, path, key)


def derive(secret: bytes, purpose: str) -> bytes:
    """Derive a key for one purpose from the key of a ledger, of 32 bytes.

    Examples
    --------
    >>> derive(bytes(32), "one") == derive(bytes(32), "other")
    False
    """
    return hashlib.blake2b(
        purpose.encode(), key=secret, digest_size=KEY_BYTES, person=b"lookalike-derive"
    ).digest()


def digest_under(secret: bytes, purpose: str, content: str) -> str:
    """Return the keyed digest of a text, which tells nothing to anyone without the key."""
    return hashlib.blake2b(
        content.encode(), key=derive(secret, purpose), digest_size=32
    ).hexdigest()


def _usual_place(identity: str) -> Path:
    """Return where the key of a ledger is, if nothing else is said: with the user's settings."""
    settings = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(settings) / "lookalike" / f"ledger-{identity}.key"


def _make_key(path: Path) -> None:
    """Write a new key, from the operating system's entropy."""
    with write_errors(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, secrets.token_bytes(KEY_BYTES))


def _read_key(path: Path, address: LedgerAddress) -> bytes:
    """Read a key that only its owner may read."""
    if not path.is_file():
        raise InvalidInput(
            f"ledger_key: the key of the ledger {address} is not at {path}; put it back from your "
            "backup, or say where it is (--ledger-key), because without it nothing can be read"
        )
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InvalidInput(f"ledger_key: others may read {path}; keep it to yourself: chmod 600")
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise InvalidInput(f"ledger_key: {path} does not hold {KEY_BYTES} bytes")
    return key


def _check_of(key: bytes) -> str:
    """Return what tells a key from another."""
    return hashlib.blake2b(key=key, digest_size=16, person=b"ledger").hexdigest()
