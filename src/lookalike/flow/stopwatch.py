"""Stopwatch: how long each step of the flow takes."""

import time

from lookalike.model.progress import Announce

STEPS = ("read", "count", "search", "recode", "verify", "publish")


class Stopwatch:
    """Times the steps of the flow, and tells a listener as each begins."""

    def __init__(self, announce: Announce = lambda _: None) -> None:
        self.seconds = dict.fromkeys(STEPS, 0.0)
        self._announce = announce
        self._step: str | None = None
        self._since = time.perf_counter()

    def tell(self, words: str) -> None:
        """Tell the listener how far the running step is."""
        self._announce(f"{self._step}: {words}")

    @property
    def total(self) -> float:
        """The seconds of all steps together."""
        return sum(self.seconds.values())

    def begin(self, step: str | None) -> None:
        """End the step that is running, and begin another or none."""
        now = time.perf_counter()
        if self._step is not None:
            self.seconds[self._step] += now - self._since
        self._step, self._since = step, now
        if step is not None:
            self._announce(step)
