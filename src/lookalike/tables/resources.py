"""Resources: the memory that DuckDB may use, and the folder in which it works beyond that."""

import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.tables.file_format import CERTIFICATE
from lookalike.tables.free_memory import free_memory

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])(i?)B", re.IGNORECASE)
_COUNTED = Decimal("0.9")
"""The share of its memory that DuckDB counts against its own limit, with a margin: it stayed below
1.09 × that limit when it sorted 100 million rows."""


@dataclass(frozen=True)
class Resources:
    """The memory that DuckDB may use, and the folder in which it works beyond that.

    One value is handed to every connection of a release: the one that reads, the one that counts
    the written file again, and both for the proof of truth.

    Parameters
    ----------
    memory
        The amount, such as ``"4GB"``. Default: half of the memory that is free when a connection
        opens.
    spill
        An existing folder, in which each connection creates a private folder. Default: the folder
        that will hold the release, or the temporary folder.

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

    def place(self) -> Path | None:
        """Return the folder that was chosen for spill, if one was.

        Raises
        ------
        InvalidInput
            If it is no folder, or is part of a published release.
        """
        if self.spill is None:
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
