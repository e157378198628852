"""Progress: the callback that long steps report to, what it is told, and the seconds of steps."""

import re
import time
from collections.abc import Callable

Announce = Callable[[str], None]
"""Callback that receives the name of each step as it begins, or a short progress message."""


STEPS = ("read", "count", "search", "preflight", "recode", "verify", "publish")


def describe_best(best: float, bound: float) -> str:
    """Describe how far a search has come: the best found, and what cannot be exceeded."""
    return f"best {best:.4f}, bound {bound:.4f}"


def read_best(words: str) -> tuple[float, float] | None:
    """Read the best and the bound of a progress message that :func:`describe_best` is a part of.

    Examples
    --------
    >>> read_best(f"search: {describe_best(0.9, 0.95)}, gap 0.05"), read_best("search")
    ((0.9, 0.95), None)
    """
    found = re.search(r"best (-?[0-9.]+), bound (-?[0-9.]+[0-9])", words)
    return None if found is None else (float(found[1]), float(found[2]))


def read_share(words: str) -> float | None:
    """Read how much of a step is done, if its progress message says so.

    Examples
    --------
    >>> read_share("count: 43 %"), read_share("point 11 of 1,000: mingen"), read_share("search")
    (0.43, 0.01, None)
    """
    percent = re.search(r"(?:^|: )(\d+) %", words)
    counted = re.search(r"^(?:point|weight) ([\d,]+) of ([\d,]+)", words)
    if counted is not None:
        number, of = (int(one.replace(",", "")) for one in counted.groups())
        return (number - 1) / of
    return None if percent is None else int(percent[1]) / 100


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
