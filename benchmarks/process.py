"""Run the command line in a process of its own and read what it took."""

import json
import os
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
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    answer = json.loads(process.stdout.read()) if process.stdout else {}
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    if os.waitstatus_to_exitcode(status) not in (0, 1) or "error" in answer:
        raise SystemExit(f"{' '.join(command)} failed: {answer}")
    return Taken(seconds, usage.ru_maxrss / 1024, answer)
