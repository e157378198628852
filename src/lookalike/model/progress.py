"""Progress: the callback that long steps report to, and the seconds of each step."""

import time
from collections.abc import Callable

Announce = Callable[[str], None]
"""Callback that receives the name of each step as it begins, or a short progress message."""


STEPS = ("read", "count", "search", "preflight", "recode", "verify", "publish")


class Stopwatch:
    """Measures the seconds of each step of the flow.

    ``announce``: callback that receives the name of each step, and its progress.

    Examples
    --------
    >>> stopwatch = Stopwatch(print)
    >>> stopwatch.begin("search")
    search
    >>> stopwatch.report("3 found")
    search: 3 found
    >>> stopwatch.begin(None)
    >>> [step for step, seconds in stopwatch.seconds.items() if seconds]
    ['search']
    """

    def __init__(self, announce: Announce = lambda _: None) -> None:
        self.seconds = dict.fromkeys(STEPS, 0.0)
        self._announce = announce
        self._step: str | None = None
        self._since = time.perf_counter()

    def report(self, words: str) -> None:
        """Announce the progress of the running step."""
        self._announce(f"{self._step}: {words}")

    @property
    def total(self) -> float:
        """The seconds of all steps together."""
        return sum(self.seconds.values())

    def begin(self, step: str | None) -> None:
        """End the running step, and begin the named one if there is one."""
        now = time.perf_counter()
        if self._step is not None:
            self.seconds[self._step] += now - self._since
        self._step, self._since = step, now
        if step is not None:
            self._announce(step)
