"""Check that the data holder's ledger holds the certificate of a release."""

from collections.abc import Iterator
from pathlib import Path

from lookalike.ledger.store.database import NoLedger
from lookalike.ledger.store.ledger import open_at
from lookalike.publish.certificate import describe_file
from lookalike.spec.specification import Specification
from lookalike.tables.file_format import CERTIFICATE
from lookalike.verify.recount import Finding

_CLAIM = "the ledger holds this certificate, and with it the digest of the file"


def check_ledger_entry(folder: Path, specification: Specification) -> Iterator[Finding]:
    """Compare the certificate of a release with those in the ledger.

    Parameters
    ----------
    folder
        The release.
    specification
        The holder's specification; if it names no ledger, nothing is checked.
    """
    address = specification.release.address
    if address is None:
        return
    try:
        entries = open_at(address, create=False).releases()
    except NoLedger:
        yield Finding(_CLAIM, True, f"no ledger is found at {address}", checked=False)
        return
    digest = describe_file(folder / CERTIFICATE).sha256
    known = any(entry.certificate_sha256 == digest for entry in entries)
    yield Finding(_CLAIM, known, "it does" if known else "it holds no such certificate")
