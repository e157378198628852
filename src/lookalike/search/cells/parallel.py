"""Run kernels on several cores, and return their results in order."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""The number of items submitted per core before the first result is awaited."""


def map_in_order(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Apply a function to each item, on all cores, and yield the results in order.

    Compiled kernels release Python's global lock, so threads are enough. Only a few items are
    submitted ahead of the results, so that an error or an interruption does not wait for many.

    Examples
    --------
    >>> list(map_in_order(abs, [-2, 1, -3]))
    [2, 1, 3]
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    left = iter(items)
    with ThreadPoolExecutor(cores) as threads:
        waiting: deque[Future[Result]] = deque()
        for item in islice(left, AHEAD * (cores or 1)):
            waiting.append(threads.submit(function, item))
        while waiting:
            yield waiting.popleft().result()
            for item in islice(left, 1):
                waiting.append(threads.submit(function, item))
