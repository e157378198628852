"""Clock: when a search must answer, for every loop that could run longer."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from lookalike.kernels.types import Flags


class OutOfTime(Exception):
    """The time that was given is used up; whoever gave it knows what is left to do."""


class TooLarge(OutOfTime):
    """More time or memory would be needed than is ever given."""


def deadline_after(seconds: float | None) -> float:
    """Return the moment of the monotonic clock that is so many seconds away; never, if nothing."""
    return math.inf if seconds is None else time.monotonic() + seconds


def is_over(deadline: float) -> bool:
    """Tell whether a moment of the monotonic clock has come."""
    return deadline < math.inf and time.monotonic() >= deadline


def stop_if_over(deadline: float) -> None:
    """Stop with `OutOfTime` if a moment of the monotonic clock has come."""
    if is_over(deadline):
        raise OutOfTime("the time is up")


@contextmanager
def stopping_at(deadline: float) -> Iterator[Flags]:
    """Give compiled loops a flag that is raised at the deadline, while they run.

    Kernels hold no lock, so a timer can raise it beside them.
    """
    flag = np.zeros(1, dtype=np.bool_)
    if deadline == math.inf:
        yield flag
        return
    left = deadline - time.monotonic()
    flag[0] = left <= 0
    timer = threading.Timer(min(max(left, 0.0), threading.TIMEOUT_MAX), flag.fill, [True])
    timer.daemon = True
    timer.start()
    try:
        yield flag
    finally:
        timer.cancel()
