"""Free memory: how much of it this process may still take, as the system says."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
PROCESS = Path("/proc")


def free_memory() -> int:
    """Return the bytes of memory that are free now.

    On Linux that is what the kernel can give without swapping, or less if a control group, such
    as a container, has less left. Elsewhere it is half of the memory of the machine.
    """
    return min([_available(), *_left_in_groups()])


def _available() -> int:
    """Return what the machine has left."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB", _read(PROCESS / "meminfo"), re.MULTILINE)
    if found is not None:
        return int(found[1]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def _left_in_groups() -> Iterator[int]:
    """Yield what each control group around this process has left, if it has a limit.

    Version 2 has one tree of groups, version 1 one for memory alone. A container may show its own
    group as the root of the tree.
    """
    for line in _read(PROCESS / "self" / "cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        inside = Path(path.lstrip("/"))
        if not controllers:
            for folder in (inside, *inside.parents):
                yield from _left(GROUPS / folder, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            for folder in (inside, *inside.parents):
                yield from _left(GROUPS / "memory" / folder, *names)


def _left(group: Path, limit: str, used: str, cached: str) -> Iterator[int]:
    """Yield what a group has left; pages of files that it can drop count as free."""
    most, now = _read(group / limit).strip(), _read(group / used).strip()
    if most.isdecimal() and now.isdecimal():
        found = re.search(rf"^{cached} (\d+)$", _read(group / "memory.stat"), re.MULTILINE)
        yield max(0, int(most) - int(now) + (int(found[1]) if found else 0))


def _read(path: Path) -> str:
    """Read a small file of the system; one that is not there is empty."""
    try:
        return path.read_text()
    except OSError:
        return ""
