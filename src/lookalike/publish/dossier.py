"""Keep the proof of a release's bound in the dossier, a private folder of the data holder.

Only its owner can access the dossier. A release and its proof are in two folders, which one
rename cannot change together, so the proof is stored in three steps:

1. The proof is written into the dossier under a temporary name and synced to the disk.
2. A rename puts the release in place (:mod:`lookalike.publish.place`).
3. A rename gives the proof its final name, replacing an earlier proof.

=====================  ====================================================================
crash                  state, and what the next start does
=====================  ====================================================================
before step 2          the earlier release and its proof are unchanged; the waiting proof
                       belongs to no release and is removed
between steps 2 and 3  the proof still waits, where
                       :func:`~lookalike.verify.bound.proof.find_proof` finds it; step 3 is
                       done
=====================  ====================================================================

So no release is ever without its proof.
"""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate
from lookalike.publish.place import check_outside_release
from lookalike.tables.private_folders import locked, sync, write_errors
from lookalike.verify.bound.proof import OPTIMALITY, READY, Proof


def check_dossier(dossier: Path, folder: Path, *, replace: bool) -> None:
    """Check that a dossier can hold the proof of a release.

    Parameters
    ----------
    dossier
        The dossier; it need not exist.
    folder
        The place of the release.
    replace
        Whether an earlier proof may be replaced.

    Raises
    ------
    InvalidInput
        If the dossier is inside or around a release, other users can access it, or it holds a
        proof that may not be replaced.
    """
    check_outside_release("dossier", dossier, folder)
    if dossier.exists() and not dossier.is_dir():
        raise InvalidInput(f"dossier: {dossier} is a file; choose another folder")
    if dossier.exists() and dossier.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InvalidInput(
            f"dossier: {dossier} is accessible to other users; run chmod 700 {dossier}"
        )
    _check_free(dossier, replace=replace)


def _check_free(dossier: Path, *, replace: bool) -> None:
    """Check that no proof is replaced unless the user asked for it."""
    if not replace and (dossier / OPTIMALITY).exists():
        raise InvalidInput(
            f"dossier: {dossier} holds the {OPTIMALITY} of a release already; replace it with "
            "--replace, or choose another folder"
        )


@contextmanager
def keeping_proof(proof: Proof, dossier: Path, folder: Path, *, replace: bool) -> Iterator[None]:
    """Keep a proof in a dossier if the block puts its release in place.

    Parameters
    ----------
    proof
        The proof.
    dossier
        The folder to keep it in; it is created if it does not exist.
    folder
        The place of the release.
    replace
        Whether an earlier proof may be replaced.
    """
    with write_errors(dossier):
        dossier.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(dossier):
        _settle(dossier, folder)
        _check_free(dossier, replace=replace)
        try:
            with write_errors(dossier / OPTIMALITY):
                _write(dossier / f"{READY}{secrets.token_hex(8)}", proof.to_json())
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
    """Give the proof of the published release its final name, and remove other waiting proofs."""
    for waiting in sorted(dossier.glob(f"{READY}*")):
        if _is_proof_of(waiting, folder):
            waiting.rename(dossier / OPTIMALITY)
            sync(dossier)
        else:
            waiting.unlink()


def _is_proof_of(path: Path, folder: Path) -> bool:
    """Return whether a file is the proof of the release in a folder."""
    try:
        proof, certificate = Proof.read(path), Certificate.read(folder)
    except InvalidInput:
        return False
    return proof.release_sha256 in {file.sha256 for file in certificate.files.values()}
