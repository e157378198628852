"""Encrypted: tables and texts of a ledger, which nobody can read or change without its key.

They are Parquet files with Parquet's own encryption, AES-GCM with 256 bits. The key of each is
derived from the key of the ledger and a name that no other has. The name is authenticated too, so
a file that is put in the place of another is not believed. Values are neither compressed
nor replaced by entries of a dictionary: the length of a file depends on how many
rows and columns it has and on the lengths of texts, and not on how often a value occurs.
"""

from collections.abc import Sequence
from io import BytesIO
from typing import IO, Any

import pyarrow as pa

from lookalike.ledger.store.secret import derive

TEXT = "text"


def write_encrypted(stream: IO[bytes], table: pa.Table, secret: bytes, name: str) -> None:
    """Write a table.

    Parameters
    ----------
    stream
        Where to.
    table
        The table.
    secret
        The key of the ledger.
    name
        The name of the table, which no other table of the ledger ever has.
    """
    import pyarrow.parquet as parquet  # no sooner than it is needed: it takes long to import
    from pyarrow.parquet import encryption

    properties = encryption.create_encryption_properties(
        derive(secret, name), aad_prefix=name.encode(), store_aad_prefix=False
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
    """Read what :func:`write_encrypted` wrote, or some columns.

    Raises
    ------
    OSError
        If the key or the name is another one, or something was changed.
    """
    import pyarrow.parquet as parquet
    from pyarrow.parquet import encryption

    properties = encryption.create_decryption_properties(
        derive(secret, name), aad_prefix=name.encode()
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
    write_encrypted(stream, pa.table({TEXT: [text]}), secret, name)
    return stream.getvalue()


def decrypt_text(sealed: bytes, secret: bytes, name: str) -> str:
    """Read what :func:`encrypt_text` made."""
    text: str = read_encrypted(BytesIO(sealed), secret, name)[TEXT][0].as_py()
    return text
