"""Find the user at the other end of a connection within this machine.

Every user of a machine can connect to 127.0.0.1. Linux lists the owner of each connection, so that
a request of another user is refused whatever cookie it brings.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from sys import byteorder

_LOOPBACK = f"{int.from_bytes(bytes([127, 0, 0, 1]), byteorder):08X}"
_MAPPED = f"{0:016X}{int.from_bytes(bytes([0, 0, 255, 255]), byteorder):08X}{_LOOPBACK}"
_CONNECTIONS = {Path("/proc/net/tcp"): _LOOPBACK, Path("/proc/net/tcp6"): _MAPPED}
"""Where Linux lists connections, and how it writes 127.0.0.1 there."""


def is_foreign(peer_port: int, own_port: int) -> bool:
    """Return whether a connection from a port of 127.0.0.1 belongs to another user.

    Where the system does not list the owners of connections, none is known to be foreign.
    """
    return any(owner != os.getuid() for owner in _find_owners(peer_port, own_port))


def _find_owners(peer_port: int, own_port: int) -> Iterator[int]:
    """Yield the user who opened a connection to our port."""
    for path, address in _CONNECTIONS.items():
        ends = [f"{address}:{peer_port:04X}", f"{address}:{own_port:04X}"]
        lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
        for fields in map(str.split, lines):
            if fields[1:3] == ends:
                yield int(fields[7])
