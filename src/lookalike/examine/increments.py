"""Increments: check that several releases of one source have no row in common.

A release under the policy ``increments`` shows only rows that none of the releases before it has
shown, and its certificate names these by the digests of their certificates. So a recipient can put
them together, and every class of the whole has at least the rows of its class in one of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from lookalike.publish.certificate import Certificate
from lookalike.publish.digest import describe_file
from lookalike.spec.policies import INCREMENTS
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.verify.recount import Finding


@dataclass(frozen=True)
class ReadIncrement:
    """A published release, its certificate, and the digest of that."""

    folder: Path
    certificate: Certificate
    digest: str

    @property
    def follows(self) -> tuple[str, ...]:
        """The digests of the certificates of the releases before it."""
        earlier = self.certificate.earlier_releases
        return () if isinstance(earlier, str) else earlier.follows

    @property
    def is_new(self) -> bool:
        """Whether no release before it has one of its rows: it is the first, or says so."""
        earlier = self.certificate.earlier_releases
        if isinstance(earlier, str):
            return False
        return earlier.policy == INCREMENTS or earlier.considered == 0


def find_increments(folder: str | PathLike[str]) -> list[Path]:
    """Return the releases in a folder that is none itself."""
    place = Path(folder)
    if not place.is_dir() or (place / CERTIFICATE).exists():
        return []
    return sorted(one.parent for one in place.glob(f"*/{CERTIFICATE}"))


def read_increments(folders: Sequence[str | PathLike[str]]) -> list[ReadIncrement]:
    """Read the certificates of releases, in the order of publishing."""
    found = [
        ReadIncrement(
            Path(folder),
            Certificate.read(Path(folder)),
            describe_file(Path(folder) / CERTIFICATE).sha256,
        )
        for folder in folders
    ]
    return sorted(found, key=lambda one: len(one.follows))


def check_increments(increments: Sequence[ReadIncrement]) -> Iterator[Finding]:
    """Check that releases have no row in common, and whether all of a source are there."""
    known: list[str] = []
    apart = True
    for one in increments:
        apart &= one.is_new and set(known) <= set(one.follows)
        known.append(one.digest)
    yield Finding(
        "each release shows only rows that none of those before it has shown",
        apart,
        "so their certificates say" if apart else "some certificate does not say so of all others",
    )
    missing = len(set(increments[-1].follows) - set(known))
    yield Finding(
        "no earlier release of the source is missing here",
        True,
        f"{missing:,} missing" if missing else "none is missing",
        checked=not missing,
    )
