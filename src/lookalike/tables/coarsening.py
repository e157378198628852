"""NumberCoarsening: how the numbers of a column that is released as it is become less precise."""

from dataclasses import dataclass


@dataclass(frozen=True)
class NumberCoarsening:
    """What is done to the numbers of a column: first rounded, then cut at both ends.

    Parameters
    ----------
    round
        Numbers become the nearest multiple; one in the middle becomes the greater one.
    top
        Greater numbers become this one.
    bottom
        Smaller numbers become this one.
    """

    round: int | None = None
    top: int | None = None
    bottom: int | None = None

    @property
    def is_asked(self) -> bool:
        """Whether anything is done."""
        return self != NumberCoarsening()
