"""Publish a recounted release of part files: its certificate is the last write."""

from lookalike.errors import InternalError, InvalidInput
from lookalike.publish.certificate import Certificate
from lookalike.publish.parts.place import check_parts_place
from lookalike.publish.parts.stage import RecountedParts, StagedParts, digest_parts
from lookalike.tables.files.file_format import CERTIFICATE


def publish_parts(recounted: RecountedParts, certificate: Certificate, *, replace: bool) -> None:
    """Move the part files of a release into its place, and then its certificate.

    The files are hashed again after the move: what is certified is what was counted. If anything
    fails, :func:`~lookalike.publish.parts.stage.staging_parts` removes what was moved.
    """
    staged, store = recounted.staged, recounted.staged.store
    if certificate.files != recounted.files:
        raise InternalError("the certificate is not that of the staged files")
    store.write(staged.certificate, certificate.to_json().encode())
    check_parts_place(store, staged.out, replace=replace)
    _withdraw(staged)
    store.make(staged.out.parent)
    store.move(staged.rows, staged.out)
    if digest_parts(staged, staged.out) != recounted.files:
        raise InvalidInput(
            f"{staged.out}: files changed while they were moved, so nothing is published; does "
            "another process write there?"
        )
    for folder in (staged.out, staged.folder):
        store.sync(folder)
    store.move(staged.certificate, staged.out.parent / CERTIFICATE)
    store.sync(staged.out.parent)


def _withdraw(staged: StagedParts) -> None:
    """Remove the release that is replaced: first its certificate, so that it is none any more."""
    store, place = staged.store, staged.out.parent
    if not store.exists(place / CERTIFICATE):
        return
    store.move(place / CERTIFICATE, staged.withdrawn)
    for name in {file.partition("/")[0] for file in store.list_files(place) or ()}:
        store.remove(place / name)
