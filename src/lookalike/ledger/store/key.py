"""The secret key of a ledger, in a file of its own, and encryption of tables and texts under it.

Encrypted tables are Parquet files with Parquet's own encryption, AES-GCM with 256 bits. The key of
each file is derived from the key of the ledger and the unique name of the file. The name is
authenticated too, so a file that replaces another is rejected. Values are neither compressed nor
encoded with a dictionary: the length of a file depends on the number of rows and columns and on the
lengths of texts, not on how often a value occurs.
"""

import hashlib
import hmac
import os
import secrets
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
from sqlalchemy import Engine, update

from lookalike.errors import InvalidInput
from lookalike.ledger.store import database, schema
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.tables.private_folders import write_errors, write_whole

KEY_BYTES = 32


def open_key(address: LedgerAddress, engine: Engine, *, create: bool) -> tuple[str, Path, bytes]:
    """Return the identity of a ledger, the file of its key, and the key.

    Row keys and values in a ledger are hashed or encrypted under this key. Without it nobody can
    test guesses against the hashes, and nobody can recognize a row, not even the holder.
    """
    with database.database_errors(address), engine.begin() as connection:
        known = database.read_identity(connection)
        settings = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
        usual = Path(settings) / "lookalike" / f"ledger-{known.id}.key"
        check, path = known.key_check, address.key or usual
        if check is None and not create:
            raise database.NoLedger(
                f"no ledger is found at {address}: no release was ever recorded there"
            )
        if check is None and not path.exists():
            with write_errors(path):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_whole(path, secrets.token_bytes(KEY_BYTES))
        key = _read_key(path, address)
        if check is None:
            connection.execute(update(schema.ledger).values(key_check=_check_value(key)))
        elif not hmac.compare_digest(check, _check_value(key)):
            raise InvalidInput(f"ledger_key: {path} is not the key of the ledger {address}")
    return known.id, path, key


def derive_key(secret: bytes, purpose: str) -> bytes:
    """Derive a key of 32 bytes for one purpose from the key of a ledger.

    Examples
    --------
    >>> derive_key(bytes(32), "one") == derive_key(bytes(32), "other")
    False
    """
    return hashlib.blake2b(
        purpose.encode(), key=secret, digest_size=KEY_BYTES, person=b"lookalike-derive"
    ).digest()


def digest_under(secret: bytes, purpose: str, content: str) -> str:
    """Return the digest of a text under a key derived for one purpose."""
    return hashlib.blake2b(
        content.encode(), key=derive_key(secret, purpose), digest_size=32
    ).hexdigest()


def _read_key(path: Path, address: LedgerAddress) -> bytes:
    """Read a key; refuse a file that other users may read."""
    if not path.is_file():
        raise InvalidInput(
            f"ledger_key: the key of the ledger {address} is not at {path}; restore it from your "
            "backup, or give its path (--ledger-key): without the key nothing can be read"
        )
    database.refuse_open_to_others(path, "ledger_key")
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise InvalidInput(f"ledger_key: {path} is not a key: it does not have {KEY_BYTES} bytes")
    return key


def _check_value(key: bytes) -> str:
    """Return the check value by which the database recognizes its key."""
    return hashlib.blake2b(key=key, digest_size=16, person=b"ledger").hexdigest()


_TEXT = "text"


def write_encrypted(stream: IO[bytes], table: pa.Table, secret: bytes, name: str) -> None:
    """Write an encrypted table."""
    import pyarrow.parquet as parquet  # slow to import
    from pyarrow.parquet import encryption

    properties = encryption.create_encryption_properties(
        derive_key(secret, name), aad_prefix=name.encode(), store_aad_prefix=False
    )
    parquet.write_table(
        table,
        stream,
        encryption_properties=properties,
        use_dictionary=False,
        compression="none",
        write_statistics=False,
    )


def read_encrypted(
    source: Any, secret: bytes, name: str, columns: list[str] | None = None
) -> pa.Table:
    """Read a table that :func:`write_encrypted` wrote, or some of its columns."""
    import pyarrow.parquet as parquet
    from pyarrow.parquet import encryption

    properties = encryption.create_decryption_properties(
        derive_key(secret, name), aad_prefix=name.encode()
    )
    return parquet.ParquetFile(source, decryption_properties=properties).read(columns)


def encrypt_text(text: str, secret: bytes, name: str) -> bytes:
    """Encrypt a text.

    Examples
    --------
    >>> sealed = encrypt_text("where = 'ill'", bytes(32), "specification")
    >>> b"ill" in sealed, decrypt_text(sealed, bytes(32), "specification")
    (False, "where = 'ill'")
    """
    stream = BytesIO()
    write_encrypted(stream, pa.table({_TEXT: [text]}), secret, name)
    return stream.getvalue()


def decrypt_text(sealed: bytes, secret: bytes, name: str) -> str:
    """Decrypt the result of :func:`encrypt_text`."""
    text: str = read_encrypted(BytesIO(sealed), secret, name)[_TEXT][0].as_py()
    return text
