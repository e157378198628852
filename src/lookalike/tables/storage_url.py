"""StorageUrl: the address of a file or folder that Spark reads and writes, such as HDFS's."""

import re
from dataclasses import dataclass
from os import PathLike, fspath

from lookalike.errors import InvalidInput

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_PATTERN_CHARACTERS = set("*?[]{}\\")


def is_url(path: str | PathLike[str]) -> bool:
    """Return whether a text is an address with a scheme, and not a path of this machine.

    Raises
    ------
    InvalidInput
        If it is an address with one slash, which a ``pathlib.Path`` makes of two.

    Examples
    --------
    >>> is_url("hdfs://cluster/released/table.parquet"), is_url("released/table.parquet")
    (True, False)
    """
    text = fspath(path)
    found = _ADDRESS.match(text)
    if found and not text.startswith("/", found.end()):
        raise InvalidInput(
            f"{text}: an address has two slashes after its scheme, as in hdfs://cluster/released/"
            "table.parquet; give it as text, because pathlib.Path drops one"
        )
    return found is not None


@dataclass(frozen=True)
class StorageUrl:
    """The address of a file or folder on a file system or object store.

    Parameters
    ----------
    root
        The scheme and the authority: ``hdfs://cluster``, ``s3a://bucket`` or ``file://``.
    parts
        The names of the folders on the way, and its own.

    Examples
    --------
    >>> table = StorageUrl.parse("s3a://bucket/released/table.parquet")
    >>> table.name, str(table.parent), str(table.parent / "certificate.json")
    ('table.parquet', 's3a://bucket/released', 's3a://bucket/released/certificate.json')
    """

    root: str
    parts: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "StorageUrl":
        """Read an address.

        Raises
        ------
        InvalidInput
            If Spark would read it as a pattern, or it is not that of one place.
        """
        scheme, _, rest = text.partition("://")
        authority, _, path = rest.partition("/")
        parts = tuple(path.rstrip("/").split("/"))
        if _PATTERN_CHARACTERS & set(text) or any(part in ("", ".", "..") for part in parts):
            raise InvalidInput(
                f"{text}: an address must name one place, without empty parts, '..' and the "
                "characters * ? [ ] { } \\, which Spark reads as patterns"
            )
        return cls(f"{scheme}://{authority}", parts)

    def __str__(self) -> str:
        return "/".join((self.root, *self.parts))

    def __truediv__(self, name: str) -> "StorageUrl":
        return StorageUrl(self.root, (*self.parts, name))

    @property
    def name(self) -> str:
        """Its own name; empty at the root."""
        return self.parts[-1] if self.parts else ""

    @property
    def parent(self) -> "StorageUrl":
        """The folder around it; the root is around itself."""
        return StorageUrl(self.root, self.parts[:-1])


def not_in_storage(url: StorageUrl) -> InvalidInput:
    """Make the error for rows that are not in Spark and cannot be written to an address."""
    return InvalidInput(
        f"{url}: only Spark writes to an address, and the rows are not in Spark; give a path of "
        "this machine, such as released/table.parquet, or release a Spark DataFrame"
    )
