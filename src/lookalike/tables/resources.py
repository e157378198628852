"""Resources: the memory that DuckDB may use, and the folder in which it works beyond that."""

import re
from dataclasses import dataclass
from pathlib import Path

from lookalike.errors import InternalError, InvalidInput
from lookalike.tables.file_format import CERTIFICATE
from lookalike.tables.free_memory import free_memory

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])(i?)B", re.IGNORECASE)


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
    '4GB'
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
    def limit(self) -> str:
        """The amount of memory, as DuckDB reads it."""
        return self.memory or f"{free_memory() // 2 // 1024}KiB"

    @property
    def bytes(self) -> int:
        """The amount of memory in bytes.

        Examples
        --------
        >>> Resources("1.5 GB").bytes, Resources("2KiB").bytes
        (1500000000, 2048)
        """
        found = _AMOUNT.fullmatch(self.limit)
        if found is None:
            raise InternalError(f"{self.limit} is not an amount of memory")
        number, unit, binary = found.groups()
        return int(float(number) * (1024 if binary else 1000) ** ("KMGT".index(unit.upper()) + 1))

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
