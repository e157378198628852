"""Encrypt and decrypt the tables and texts of a ledger.

They are Parquet files with Parquet's own encryption, AES-GCM with 256 bits. The key of each file is
derived from the key of the ledger and the unique name of the file. The name is authenticated too,
so a file that replaces another is rejected. Values are neither compressed nor encoded with a
dictionary: the length of a file depends on the number of rows and columns and on the lengths of
texts, not on how often a value occurs.
"""

from collections.abc import Sequence
from io import BytesIO
from typing import IO, Any

import pyarrow as pa

from lookalike.ledger.store.key import derive_key

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
    source: Any, secret: bytes, name: str, columns: Sequence[str] | None = None
) -> pa.Table:
    """Read a table that :func:`write_encrypted` wrote, or some of its columns."""
    import pyarrow.parquet as parquet
    from pyarrow.parquet import encryption

    properties = encryption.create_decryption_properties(
        derive_key(secret, name), aad_prefix=name.encode()
    )
    wanted = None if columns is None else list(columns)
    return parquet.ParquetFile(source, decryption_properties=properties).read(wanted)


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
