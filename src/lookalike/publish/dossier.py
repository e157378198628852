"""Dossier: the holder's own folder, apart from the release, where the proof of its bound is kept.

Only its owner may enter it. A release and its proof lie in two folders, which no one rename
can change together, so the proof waits:

1. It is written beside its place in the dossier, whole and on the disk.
2. The release takes its place by a rename (:mod:`lookalike.publish.publish`).
3. The proof takes its own place by a rename, over an earlier one.

A process that dies before 2 leaves the earlier release and its proof as they were; one that
dies before 3 leaves the release with a proof that waits, which
:func:`~lookalike.verify.bound.proof.find_proof` finds. So no release is ever without its
proof. The next start puts a proof that waits into its place if it is that of the release in
place, and removes
it if not.
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
    """Make sure that a dossier can hold the proof of a release.

    Raises
    ------
    InvalidInput
        If it is not apart from the release, or not private, or holds a proof that may not be
        replaced.
    """
    check_outside_release("dossier", dossier, folder)
    if dossier.exists() and not dossier.is_dir():
        raise InvalidInput(f"dossier: {dossier} is a file; choose another folder")
    if dossier.exists() and dossier.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InvalidInput(f"dossier: others may enter {dossier}; keep it to yourself: chmod 700")
    _check_free(dossier, replace=replace)


def _check_free(dossier: Path, *, replace: bool) -> None:
    """Make sure that no proof is replaced without asking."""
    if not replace and (dossier / OPTIMALITY).exists():
        raise InvalidInput(
            f"dossier: {dossier} holds the {OPTIMALITY} of a release already; replace it with "
            "--replace, or choose another folder"
        )


@contextmanager
def keeping_proof(proof: Proof, dossier: Path, folder: Path, *, replace: bool) -> Iterator[None]:
    """Keep a proof in a dossier, if what is done meanwhile puts its release in place.

    Parameters
    ----------
    proof
        The proof.
    dossier
        The folder to keep it in, which is made if it is not there.
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
    """Write a file that only its owner may read, and wait until it is on the disk."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    sync(path)
    sync(path.parent)


def _settle(dossier: Path, folder: Path) -> None:
    """Put the proof of the release in place into its own, and remove what waits in vain."""
    for waiting in sorted(dossier.glob(f"{READY}*")):
        if _belongs(waiting, folder):
            waiting.rename(dossier / OPTIMALITY)
            sync(dossier)
        else:
            waiting.unlink()


def _belongs(path: Path, folder: Path) -> bool:
    """Tell whether a file is the proof of the release in a folder."""
    try:
        proof, certificate = Proof.read(path), Certificate.read(folder)
    except InvalidInput:
        return False
    return proof.release_sha256 in {file.sha256 for file in certificate.files.values()}
