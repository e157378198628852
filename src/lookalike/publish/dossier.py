"""Keep the private documents of a release in the dossier, a private folder of the data holder.

These are the proof of its bound, the findings of its pre-flight, and the report for the holder.
Only its owner can access the dossier. A release and its documents are in two folders, which one
rename cannot change together, so each document is stored in three steps:

1. The document is written into the dossier under a temporary name and synced to the disk.
2. A rename puts the release in place (:mod:`lookalike.publish.place`).
3. A rename gives the document its final name, replacing an earlier one.

=====================  ====================================================================
crash                  state, and what the next start does
=====================  ====================================================================
before step 2          the earlier release and its documents are unchanged; a waiting
                       document belongs to no release and is removed
between steps 2 and 3  a document still waits; a proof is found there by
                       :func:`~lookalike.verify.bound.proof.find_proof`; step 3 is done
=====================  ====================================================================

So no release is ever without its documents. Each document names its release by the digest of the
released file; of linked tables, by that of their digests, one a line.
"""

import json
import os
import re
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from lookalike.errors import AlreadyExists, InvalidInput
from lookalike.publish.certificate import Certificate
from lookalike.publish.digest import unite_digests
from lookalike.publish.linked_certificate import LinkedCertificate, read_any
from lookalike.publish.place import check_outside_release
from lookalike.publish.review import Review
from lookalike.tables.files.file_format import REPORT
from lookalike.tables.private_folders import locked, sync, write_errors
from lookalike.verify.bound.proof import OPTIMALITY

PREFLIGHT = "preflight.json"
_META = re.compile(r'<meta name="release-sha256" content="([0-9a-f]{64})">')
_END = "</html>"


WAITING = {name: f".{name}.lookalike-ready-" for name in (OPTIMALITY, PREFLIGHT, REPORT)}
"""The prefix of the temporary name of each document."""


@dataclass(frozen=True)
class PreflightRecord:
    """What was found before a release was published, and what the specification accepted.

    ``software``: the software that published the release.
    ``release_sha256``: the digest of the released file, or of the digests of several.
    ``recorded``: when it was recorded, in UTC.
    ``findings``: name, severity, sentence and remedy of each finding, whether it was accepted, and
    the share of the rows that it concerns, of linked tables that of the persons.
    ``source_sha256``: the digest of the files of the source; None if the source has other parts.
    ``recipient``, ``purpose``: whom the release is for, and for what, if the specification says so.
    ``review``: the answer of a reviewer, if the specification names one.
    ``risks``: for each quasi-identifier its attributes, and the unique rows, the highest and the
    average risk before and after; of linked tables, for each thing that may be known of a person
    the persons whom it singles out. ``left_out``: the columns that are not released, with their
    role.
    """

    software: str
    release_sha256: str
    recorded: str
    findings: tuple[Mapping[str, Any], ...]
    source_sha256: str | None = None
    recipient: str | None = None
    purpose: str | None = None
    review: Review | None = None
    risks: tuple[Mapping[str, Any], ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, dossier: Path, released_sha256: str) -> "PreflightRecord":
        """Read the record of a dossier, if it is about the release with a digest."""
        path = dossier / PREFLIGHT
        try:
            text = path.read_text(encoding="utf-8")
            record = TypeAdapter(cls).validate_python(
                {name: one for name, one in json.loads(text).items() if name != "format"}
            )
        except OSError as error:
            raise InvalidInput(f"dossier: {path} cannot be read: {error.strerror}") from None
        except (ValueError, AttributeError, TypeError):
            raise InvalidInput(f"dossier: {path} is not a record of the checks") from None
        if record.release_sha256 != released_sha256:
            raise InvalidInput(f"dossier: {path} is about another release; name its own dossier")
        if not record.risks:
            raise InvalidInput(
                f"dossier: {path} states no risk, because an earlier version made it; publish the "
                "release again"
            )
        return record

    def to_json(self) -> str:
        """Return the text of the file."""
        return json.dumps({"format": "lookalike preflight 1", **asdict(self)}, indent=2) + "\n"


def check_dossier(dossier: Path, folder: Path, *, replace: bool) -> None:
    """Check that a dossier can hold the documents of a release."""
    check_outside_release("dossier", dossier, folder)
    if dossier.exists() and not dossier.is_dir():
        raise InvalidInput(f"dossier: {dossier} is a file; choose another folder")
    if dossier.exists() and dossier.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InvalidInput(
            f"dossier: {dossier} is accessible to other users; run chmod 700 {dossier}"
        )
    _check_free(dossier, replace=replace)


def _check_free(dossier: Path, *, replace: bool) -> None:
    """Check that no document is replaced unless the user asked for it."""
    held = [name for name in WAITING if (dossier / name).exists()]
    if held and not replace:
        raise AlreadyExists(
            f"dossier: {dossier} holds the {held[0]} of a release already; replace it with "
            f"--replace, or choose another folder, such as {dossier}-2"
        )


@contextmanager
def keeping_records(
    records: Mapping[str, str], dossier: Path, folder: Path, *, replace: bool
) -> Iterator[None]:
    """Keep the documents of a release in a dossier if the block puts the release in place.

    ``dossier``: the folder to keep them in; it is created if it does not exist.
    """
    with write_errors(dossier):
        dossier.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(dossier):
        _settle(dossier, folder)
        _check_free(dossier, replace=replace)
        try:
            for name, text in records.items():
                with write_errors(dossier / name):
                    _write(dossier / f"{WAITING[name]}{secrets.token_hex(8)}", text)
            yield
        finally:
            _settle(dossier, folder)


def _write(path: Path, text: str) -> None:
    """Write a file that only its owner can read, and sync it to the disk."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    sync(path)
    sync(path.parent)


def _settle(dossier: Path, folder: Path) -> None:
    """Give the documents of the published release their final names, and remove waiting ones."""
    for name, prefix in WAITING.items():
        for waiting in sorted(dossier.glob(f"{prefix}*")):
            if _belongs_to(waiting, folder):
                waiting.rename(dossier / name)
                sync(dossier)
            else:
                waiting.unlink()


def _belongs_to(path: Path, folder: Path) -> bool:
    """Return whether a file is a whole document of the release in a folder."""
    try:
        return read_release_digest(path) == digest_release(read_any(folder))
    except (ValueError, OSError):
        return False


def digest_release(certificate: Certificate | LinkedCertificate) -> str:
    """Return the digest by which documents name a release."""
    return unite_digests(file.sha256 for file in certificate.files.values())


def read_release_digest(path: Path) -> str | None:
    """Return the digest of the released file that a document names; None if it is not whole.

    A JSON document names it in the field ``release_sha256``, a page in the ``meta`` element
    ``release-sha256`` of its head.
    """
    text = path.read_text(encoding="utf-8")
    if text.startswith("<"):
        named = _META.search(text) if text.rstrip().endswith(_END) else None
        return None if named is None else named[1]
    written = json.loads(text)
    return written.get("release_sha256") if isinstance(written, dict) else None
