"""Published: the file of an earlier release, as it was published."""

from pathlib import Path

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.certificate import describe_file
from lookalike.count import fetch
from lookalike.errors import InvalidInput
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.numbering import Digests, number_keys
from lookalike.ledger.earlier import name_of
from lookalike.ledger.entry import Entry
from lookalike.ledger.row_map import OTHER, hash_rows, to_digests
from lookalike.read import Engine
from lookalike.verify import open_release


def find_file(entry: Entry) -> Path:
    """Return the file of a release, if it is still there as it was published.

    Raises
    ------
    InvalidInput
        If it is not; the message says what to do.
    """
    [(name, told)] = entry.certificate.files.items()
    path = entry.folder / name
    if path.is_file() and describe_file(path).sha256 == told.sha256:
        return path
    found = "was changed or replaced" if path.is_file() else "is not there any more"
    raise InvalidInput(
        f"{name_of(entry)} is needed as it was published, but its file {path} {found}; put it back "
        "from your backup, and publish each release to a folder of its own"
    )


def find_values(
    file: Path, schema: pa.Schema, wanted: Digests, secret: bytes
) -> tuple[pa.Table, Codes]:
    """Find the values that a release shows of some rows, by their digests.

    A published file has no row keys. What it shows of a row is known by the digest that the ledger
    keeps, under its key.

    Parameters
    ----------
    file
        The file of the release.
    schema
        The columns, with the types that the values shall have.
    wanted
        For each row, the digest of its values.
    secret
        The key of the ledger.

    Returns
    -------
    values
        Rows of the file.
    places
        For each digest, the place among them.
    """
    release = open_release(file, Engine())
    pieces = fetch(nw.from_native(release), schema.names)
    try:
        values = pa.concat_tables([piece.cast(schema) for piece in pieces])
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError):
        raise _unlike(file) from None
    hashed = hash_rows(values, schema.names, secret=secret, kind=OTHER)
    known = to_digests(pa.chunked_array([hashed]))
    number, first = number_keys(np.concatenate([known, wanted]))
    places = first[number[len(known) :]]
    if np.any(places >= len(known)):
        raise _unlike(file)
    return values, places


def _unlike(file: Path) -> InvalidInput:
    """Return the error that values of a file are not those that the ledger remembers."""
    return InvalidInput(
        f"{file}: its values cannot be read as the types that the columns have now; give "
        "the source in the kind of file or frame that it had then"
    )
