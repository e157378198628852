"""StorageUrl: the address of a file or folder that Spark reads and writes, such as HDFS's."""

from dataclasses import dataclass

from lookalike.errors import InvalidInput

_PATTERN_CHARACTERS = set("*?[]{}\\%")


@dataclass(frozen=True)
class StorageUrl:
    """The address of a file or folder on a file system or object store.

    ``root``: the scheme and the authority: ``hdfs://cluster``, ``s3a://bucket`` or ``file://``.
    ``parts``: the names of the folders on the way, and its own.

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
        """Read an address."""
        scheme, _, rest = text.partition("://")
        authority, _, path = rest.partition("/")
        parts = tuple(path.rstrip("/").split("/"))
        if _PATTERN_CHARACTERS & set(text) or any(part in ("", ".", "..") for part in parts):
            raise InvalidInput(
                f"{text}: an address must name one place, without empty parts, '..', the "
                "characters * ? [ ] { } \\, which Spark reads as patterns, and %: it writes each "
                "character as it is, such as a blank"
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
        "this machine, such as released/table.parquet, or let Spark read the source: engine = "
        '"spark"'
    )
