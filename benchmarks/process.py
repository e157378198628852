"""Run a command in a process of its own and read what it took."""

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Taken:
    """What a process took: seconds from start to end, its peak memory, and its answer.

    The memory is that of the process and of all that it started. On a machine with other work,
    processor seconds vary less than seconds.
    """

    seconds: float
    processor_seconds: float
    megabytes: float
    answer: dict[str, Any]


def run_cold(*arguments: str) -> Taken:
    """Start ``lookalike`` with ``--json`` and wait for its end."""
    return run_process([str(Path(sys.executable).with_name("lookalike")), *arguments, "--json"])


def run_process(command: Sequence[str]) -> Taken:
    """Start a command that prints one JSON object and wait for its end.

    It finds its modules compiled, as after an installation, unless it is the first to run.
    """
    begin, used = time.perf_counter(), _processor_seconds()
    own = {name: one for name, one in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=own)
    megabytes = 0.0
    while process.poll() is None:
        megabytes = max(megabytes, sum(map(_peak_megabytes, _tree(process.pid))))
        time.sleep(0.01)
    seconds = time.perf_counter() - begin
    answer = json.loads(process.communicate()[0])
    if process.returncode not in (0, 1) or "error" in answer:
        raise SystemExit(f"{' '.join(command)} failed: {answer}")
    return Taken(seconds, _processor_seconds() - used, megabytes, answer)


def _processor_seconds() -> float:
    """Return the processor seconds of all processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _tree(process: int) -> list[int]:
    """List a process and all that it started, if they still run."""
    tree = [process]
    for one in tree:
        for children in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                tree += map(int, children.read_text().split())
            except OSError:
                continue
    return tree


def _peak_megabytes(process: int) -> float:
    """Read the peak memory of a running process.

    What a finished process reports would also count the one that started it.
    """
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(peak.group(1)) * 1024 / 1e6 if peak else 0.0
