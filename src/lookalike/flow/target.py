"""Target: where a release goes, a path of this machine or an address that Spark writes to."""

from os import PathLike, fspath
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.tables.storage_url import StorageUrl, is_url


def find_target(out: str | PathLike[str], private: str | PathLike[str] | None) -> Path | StorageUrl:
    """Read where a release goes.

    Parameters
    ----------
    out
        A path, or an address with a scheme.
    private
        The ledger or the dossier of the release, if it has one.

    Raises
    ------
    InvalidInput
        If a release at an address has a ledger or a dossier: both change together with the
        release, which only a rename on this machine can do.
    """
    if not is_url(out):
        return Path(out)
    if private is not None:
        raise InvalidInput(
            f"{fspath(out)}: a release at an address can have neither a ledger nor a dossier; "
            "publish to a path of this machine, such as released/table.parquet"
        )
    return StorageUrl.parse(fspath(out))
