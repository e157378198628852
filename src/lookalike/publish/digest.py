"""Digests: the SHA-256 and the size of the files of a release, as its certificate states them."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from lookalike.publish.certified import ReleasedFile


def describe_file(path: Path) -> ReleasedFile:
    """Return the digest and size of a file."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return ReleasedFile(sha256=digest, bytes=path.stat().st_size)


def describe_text(text: str) -> ReleasedFile:
    """Return the digest and size of a file with this text."""
    content = text.encode()
    return ReleasedFile(sha256=hashlib.sha256(content).hexdigest(), bytes=len(content))


def unite_digests(digests: Iterable[str]) -> str:
    """Return one digest for several: that of a single one, or of all of them, one a line.

    Examples
    --------
    >>> unite_digests(["ab"]), unite_digests(["ab", "cd"])[:8]
    ('ab', '41b72d4b')
    """
    found = [*digests]
    return found[0] if len(found) == 1 else hashlib.sha256("\n".join(found).encode()).hexdigest()
