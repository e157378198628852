"""Refuse files and folders of a ledger that other users can read."""

import stat
from pathlib import Path

from lookalike.errors import InvalidInput


def refuse_open_to_others(path: Path, field: str) -> None:
    """Refuse a file or folder to which the group or other users have access."""
    mode = path.stat().st_mode
    if not mode & (stat.S_IRWXG | stat.S_IRWXO):
        return
    access, safe = ("open to", 700) if stat.S_ISDIR(mode) else ("readable by", 600)
    raise InvalidInput(f"{field}: {path} is {access} other users; run chmod {safe} {path}")
