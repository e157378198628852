"""Read which release a document of the dossier belongs to."""

import json
import re
from pathlib import Path

_META = re.compile(r'<meta name="release-sha256" content="([0-9a-f]{64})">')
_END = "</html>"


def read_release_digest(path: Path) -> str | None:
    """Return the digest of the released file that a document names; None if it is not whole.

    A JSON document names it in the field ``release_sha256``, a page in the ``meta`` element
    ``release-sha256`` of its head.

    Parameters
    ----------
    path
        The document.
    """
    text = path.read_text(encoding="utf-8")
    if text.startswith("<"):
        named = _META.search(text) if text.rstrip().endswith(_END) else None
        return None if named is None else named[1]
    written = json.loads(text)
    return written.get("release_sha256") if isinstance(written, dict) else None
