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

    def __post_init__(self) -> None:
        """Raise if there are no multiples to round to, as a forged certificate may say."""
        if self.round is not None and self.round < 1:
            raise ValueError("round: must be at least 1")

    @property
    def is_asked(self) -> bool:
        """Whether anything is done."""
        return self != NumberCoarsening()
