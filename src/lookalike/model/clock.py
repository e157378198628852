"""Clock: deadlines that loops check, in Python and in compiled kernels, and counted work."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from lookalike.kernels.types import Flags


class OutOfTime(Exception):
    """The deadline has passed; the caller that set it handles this."""


class TooLarge(OutOfTime):
    """The problem needs more time or memory than any search is allowed."""


class WorkMeter:
    """Counts work, so that a search stops at the same place on every machine.

    ``most``: the work that may be done, in sequences that are evaluated.
    """

    def __init__(self, most: float = math.inf) -> None:
        self.left = most

    def spend(self, work: float) -> None:
        """Count some work; raise `OutOfTime` if more is done than allowed."""
        self.left -= work
        if self.left < 0:
            raise OutOfTime("the work that is allowed is done")


def deadline_after(seconds: float | None) -> float:
    """Return the time of the monotonic clock in so many seconds; infinity for None."""
    return math.inf if seconds is None else time.monotonic() + seconds


def is_over(deadline: float) -> bool:
    """Return whether a deadline of the monotonic clock has passed."""
    return deadline < math.inf and time.monotonic() >= deadline


def stop_if_over(deadline: float) -> None:
    """Raise `OutOfTime` if a deadline of the monotonic clock has passed."""
    if is_over(deadline):
        raise OutOfTime("the time is up")


@contextmanager
def stopping_at(deadline: float) -> Iterator[Flags]:
    """Provide a flag that a timer sets at the deadline, for compiled loops to check.

    Kernels release the global interpreter lock, so the timer runs beside them. The flag is also
    set if the body is interrupted, so that kernels in other threads end, too.
    """
    flag = np.zeros(1, dtype=np.bool_)
    left = min(deadline - time.monotonic(), threading.TIMEOUT_MAX)
    flag[0] = left <= 0
    timer = threading.Timer(max(left, 0.0), flag.fill, [True])
    timer.daemon = True
    if deadline < math.inf:
        timer.start()
    try:
        yield flag
    except BaseException:
        flag[0] = True
        raise
    finally:
        timer.cancel()
