"""Run the command line in a process of its own and read what it took."""

import json
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Taken:
    """What a process took: seconds from its start to its end, peak memory, and its answer."""

    seconds: float
    megabytes: float
    answer: dict[str, Any]


def run_cold(*arguments: str) -> Taken:
    """Start ``lookalike`` with ``--json`` and wait for its end."""
    command = [str(Path(sys.executable).with_name("lookalike")), *arguments, "--json"]
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    megabytes = 0.0
    while process.poll() is None:
        megabytes = max(megabytes, _peak_megabytes(process.pid))
        time.sleep(0.005)
    seconds = time.perf_counter() - begin
    answer = json.loads(process.communicate()[0])
    if process.returncode not in (0, 1) or "error" in answer:
        raise SystemExit(f"{' '.join(command)} failed: {answer}")
    return Taken(seconds, megabytes, answer)


def _peak_megabytes(process: int) -> float:
    """Read the peak memory of a running process.

    What a finished process reports would also count the one that started it.
    """
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(peak.group(1)) / 1024 if peak else 0.0
