"""Verify ledger: whether the holder's ledger remembers a release as it is."""

from collections.abc import Iterator
from pathlib import Path

from lookalike.ledger.store.database import NoLedger
from lookalike.ledger.store.ledger import open_at
from lookalike.publish.certificate import CERTIFICATE, describe_file
from lookalike.spec.specification import Specification
from lookalike.verify.recount import Finding

CLAIM = "the ledger remembers this certificate, and with it the digest of the file"


def check_ledger(folder: Path, specification: Specification) -> Iterator[Finding]:
    """Compare the certificate of a release with those that the ledger keeps, if there is one."""
    address = specification.release.address
    if address is None:
        return
    try:
        entries = open_at(address, create=False).releases()
    except NoLedger:
        yield Finding(CLAIM, True, f"no ledger is found at {address}", checked=False)
        return
    digest = describe_file(folder / CERTIFICATE).sha256
    known = any(entry.certificate_sha256 == digest for entry in entries)
    yield Finding(CLAIM, known, "it does" if known else "it remembers no such certificate")
