"""Target: where a release goes, a path of this machine or an address that Spark writes to."""

import re
from os import PathLike, fspath
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.spec.model import require_filled
from lookalike.tables.source import is_address
from lookalike.tables.storage_url import StorageUrl


def find_target(out: str | PathLike[str], private: str | PathLike[str] | None) -> Path | StorageUrl:
    """Read where a release goes."""
    text = fspath(out)
    require_filled(text)
    if is_address(text) and private is None:
        return StorageUrl.parse(text)
    if is_address(text):
        raise InvalidInput(
            f"{text}: a release at an address can have neither a ledger nor a dossier; publish to "
            "a path of this machine, such as released/table.parquet"
        )
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", text):
        raise InvalidInput(
            f"{text}: an address has two slashes after its scheme, as in hdfs://cluster/released/"
            "table.parquet; give it as text, because pathlib.Path drops one"
        )
    return Path(text)


def find_dossier(dossier: str | PathLike[str] | None) -> Path | None:
    """Read where the holder's dossier goes, if there is one."""
    if dossier is None:
        return None
    require_filled(fspath(dossier))
    return Path(dossier)
