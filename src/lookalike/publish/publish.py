"""Publish: put a verified release in its place, with its documents, whole or not at all.

A release is written into a private folder beside its place and counted again there
(:mod:`lookalike.publish.stage`). Then it is moved to its place by one rename
(:mod:`lookalike.publish.place`), while the dossier keeps its proof and the ledger its entry.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lookalike.errors import InternalError
from lookalike.publish.certificate import CERTIFICATE, Certificate
from lookalike.publish.dossier import check_dossier, keeping_proof
from lookalike.publish.place import check_outside_release, check_place, put_in_place
from lookalike.publish.stage import Recounted
from lookalike.spec.ledger_address import Address
from lookalike.verify.bound.proof import Proof


@dataclass(frozen=True)
class Documents:
    """What is published and kept together with the released rows.

    Parameters
    ----------
    certificate
        For the recipient.
    proof
        The proof of the release's bound, for the data holder; nothing if there is none.
    dossier
        The holder's folder for the proof, apart from the release.
    """

    certificate: Certificate
    proof: Proof | None = None
    dossier: Path | None = None


class LedgerTurn(Protocol):
    """The right to publish a release of a source, held while no other process has it."""

    def recording(self, certificate: Path, folder: Path) -> AbstractContextManager[None]:
        """Enter the release in the ledger, if what is done meanwhile puts it in its place."""


def publish(
    recounted: Recounted,
    documents: Documents,
    turn: LedgerTurn | None = None,
    *,
    replace: bool = False,
) -> None:
    """Put a release in its place.

    This is the only way to a published folder, and it takes nothing but a file that was counted
    again.

    Parameters
    ----------
    recounted
        The staged release, counted again.
    documents
        Its documents.
    turn
        Our turn in the ledger, if there is one.
    replace
        Whether an earlier release in that folder, and its proof, may be replaced.
    """
    staged, certificate = recounted.staged, documents.certificate
    if certificate.files != recounted.files:
        raise InternalError("the certificate is not that of the staged file")
    written = staged.folder.path / CERTIFICATE
    written.write_text(certificate.to_json(), encoding="utf-8")
    place = staged.out.parent
    with _kept(documents, place, replace=replace), _recorded(turn, written, place):
        put_in_place(staged.folder, staged.out, replace=replace)


def _kept(documents: Documents, place: Path, *, replace: bool) -> AbstractContextManager[None]:
    """Keep the proof of what is put in place meanwhile, if there is one to be kept."""
    if documents.dossier is None or documents.proof is None:
        return nullcontext()
    return keeping_proof(documents.proof, documents.dossier, place, replace=replace)


def _recorded(
    turn: LedgerTurn | None, certificate: Path, place: Path
) -> AbstractContextManager[None]:
    """Enter what is put in place meanwhile into the ledger, if there is one."""
    return nullcontext() if turn is None else turn.recording(certificate, place)


def check_places(out: Path, dossier: Path | None, ledger: Address | None, *, replace: bool) -> None:
    """Make sure that a release, its dossier and the ledger can be where they shall be.

    Raises
    ------
    InvalidInput
        If one of them cannot.
    """
    check_place(out, replace=replace)
    if dossier is not None:
        check_dossier(dossier, out.parent, replace=replace)
    if ledger is not None:
        for name, private in ledger.places.items():
            check_outside_release(name, private, out.parent)
