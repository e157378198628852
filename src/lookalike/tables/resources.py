"""Resources: the memory that DuckDB may use, and the folder in which it works beyond that."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.storage_url import StorageUrl

GROUPS = Path("/sys/fs/cgroup")
PROCESS = Path("/proc")


_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])(i?)B", re.IGNORECASE)
_COUNTED = Decimal("0.9")
"""The share of its memory that DuckDB counts against its own limit, with a margin: it stayed below
1.09 × that limit when it sorted 100 million rows."""
SHARE = 2
"""The part of the memory of a release that sequences may take: one half."""
BYTES_OF_SEQUENCE = 160
"""The memory of a sequence besides its values, from counting to verification."""
BYTES_OF_VALUE = 60
"""The memory of a value of a sequence: text of the usual length, keys, codes and labels."""


@dataclass(frozen=True)
class Resources:
    """The memory that DuckDB may use, and the folder in which it works beyond that.

    One value is handed to every connection of a release: the one that reads, the one that counts
    the written file again, and both for the proof of truth.

    ``memory``: the amount, such as ``"4GB"``. Default: half of the memory that is free when a
    connection opens.
    ``spill``: an existing folder, in which each connection creates a private folder; or an address,
    in which Spark does. Default: the folder that will hold the release, or the temporary folder.

    Examples
    --------
    >>> Resources("4GB").limit
    '3600000000B'
    >>> Resources("plenty")
    Traceback (most recent call last):
    lookalike.errors.InvalidInput: memory = 'plenty' is not an amount; write it like "512MB" or "4GB"
    """  # noqa: E501

    memory: str | None = None
    spill: str | None = None

    def __post_init__(self) -> None:
        if self.memory is not None and not _AMOUNT.fullmatch(self.memory):
            raise InvalidInput(
                f'memory = {self.memory!r} is not an amount; write it like "512MB" or "4GB"'
            )

    @property
    def bytes(self) -> int:
        """The amount of memory in bytes.

        Examples
        --------
        >>> Resources("1.5 GB").bytes, Resources("2KiB").bytes
        (1500000000, 2048)
        """
        read = None if self.memory is None else _AMOUNT.fullmatch(self.memory)
        if read is None:
            return free_memory() // 2
        number, prefix, binary = read.groups()
        power = "KMGT".index(prefix.upper()) + 1
        return int(Decimal(number) * (1024 if binary else 1000) ** power)

    @property
    def limit(self) -> str:
        """The limit that DuckDB is given, lower than the amount by what it does not count."""
        return f"{int(self.bytes * _COUNTED)}B"

    @property
    def address(self) -> StorageUrl | None:
        """The address that was chosen for spill, for rows that Spark keeps, if one was."""
        return StorageUrl.parse(self.spill) if self.spill and "://" in self.spill else None

    def place(self) -> Path | None:
        """Return the folder of this machine that was chosen for spill, if one was."""
        if self.spill is None or self.address is not None:
            return None
        folder = Path(self.spill)
        if not folder.is_dir():
            raise InvalidInput(f"spill: {folder} is no folder; create it, or choose another one")
        place = folder.resolve()
        if any((around / CERTIFICATE).exists() for around in (place, *place.parents)):
            raise InvalidInput(
                f"spill: {folder} is part of a published release; choose a folder outside"
            )
        return folder


HALF_OF_FREE = Resources()
"""Half of the memory that is free, and no folder chosen."""


def free_memory() -> int:
    """Return the bytes of memory that are free now.

    On Linux that is what the kernel can give without swapping, or less if a control group, such
    as a container, has less left. Elsewhere it is half of the memory of the machine.
    """
    return min([_available(), *_left_in_groups()])


def _available() -> int:
    """Return what the machine has left."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB", _read(PROCESS / "meminfo"), re.MULTILINE)
    if found is not None:
        return int(found[1]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def _left_in_groups() -> Iterator[int]:
    """Yield what each control group around this process has left, if it has a limit.

    Version 2 has one tree of groups, version 1 one for memory alone. A container may show its own
    group as the root of the tree.
    """
    for line in _read(PROCESS / "self" / "cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        inside = Path(path.lstrip("/"))
        if not controllers:
            for folder in (inside, *inside.parents):
                yield from _left(GROUPS / folder, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            for folder in (inside, *inside.parents):
                yield from _left(GROUPS / "memory" / folder, *names)


def _left(group: Path, limit: str, used: str, cached: str) -> Iterator[int]:
    """Yield what a group has left; pages of files that it can drop count as free."""
    most, now = _read(group / limit).strip(), _read(group / used).strip()
    if most.isdecimal() and now.isdecimal():
        found = re.search(rf"^{cached} (\d+)$", _read(group / "memory.stat"), re.MULTILINE)
        yield max(0, int(most) - int(now) + (int(found[1]) if found else 0))


def _read(path: Path) -> str:
    """Read a small file of the system; one that is not there is empty."""
    try:
        return path.read_text()
    except OSError:
        return ""


def bytes_of_sequences(sequences: int, attributes: int) -> int:
    """Estimate the memory that a release needs for so many sequences in memory.

    Examples
    --------
    >>> bytes_of_sequences(1_000_000, 6) // 2**20
    495
    """
    return sequences * (BYTES_OF_SEQUENCE + attributes * BYTES_OF_VALUE)


def sequences_that_fit(attributes: int, resources: Resources) -> int:
    """Return how many sequences of so many attributes fit in half of the memory.

    Examples
    --------
    >>> sequences_that_fit(6, Resources("4GB"))
    3846153
    """
    return max(1, resources.bytes // SHARE // bytes_of_sequences(1, attributes))
