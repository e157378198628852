"""Encoding: the text encoding of a file, found in its bytes."""

import codecs
from pathlib import Path


def detect_encoding(path: Path) -> str:
    """Return the encoding of a text file: utf-8, utf-16 or latin-1."""
    content = path.read_bytes()
    if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    try:
        content.decode("utf-8")
    except UnicodeError:
        return "latin-1"
    return "utf-8"
