"""Budget: what a search at the cell level may still do, and how it reports its progress.

Work is counted, not timed, so that the same input gives the same classes on every machine. The
unit is a sequence that is grouped once by all attributes, about 20 ns on one core.
"""

import copy
import math
import threading
import time

from lookalike.model.clock import TooLarge, stop_if_over
from lookalike.model.progress import Announce

SECOND = 50_000_000
"""The work of about a second on one core of a laptop or server of 2020."""
PHASE_SECONDS = 1.0
"""The time between two reports of a phase; shorter phases report nothing."""


class Budget:
    """The work and the time that are left to a search.

    ``deadline``: when to stop, by the monotonic clock.
    ``announce``: callback that receives what is found so far, the running phase and the seconds
    since the beginning. Threads of the search call it, too.
    """

    def __init__(self, deadline: float = math.inf, announce: Announce = lambda _: None) -> None:
        self.left, self.deadline = math.inf, deadline
        self._found: list[str] = []  # all parts share it
        self._announce = announce
        self._began = self._reported = time.monotonic()
        self._lock = threading.Lock()

    def part(self, seconds: float) -> "Budget":
        """Return a budget for a part of the search, of the work of about so many seconds."""
        part = copy.copy(self)
        part.left = seconds * SECOND
        return part

    def spend(self, work: float, phase: str) -> None:
        """Count some work of a phase; raise `OutOfTime` at the deadline, `TooLarge` at the end."""
        self.count(work, phase)
        stop_if_over(self.deadline)
        if self.left < 0:
            raise TooLarge("the work that is allowed is done")

    def count(self, work: float, phase: str) -> None:
        """Count some work of a phase that goes on in any case, and report it now and then."""
        with self._lock:
            self.left -= work
        now = time.monotonic()
        if now >= self._reported + PHASE_SECONDS:
            self._reported = now
            running = f"{phase}, {now - self._began:.0f} s"
            self._announce("; ".join([*self._found, running]))

    def report(self, found: str) -> None:
        """Report what is found so far."""
        self._found[:] = [found]
        self._announce(found)


UNLIMITED = Budget()
"""A budget without an end, which reports nothing."""
