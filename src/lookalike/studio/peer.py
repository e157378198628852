"""Find the user at the other end of a connection within this machine.

Every user of a machine can connect to 127.0.0.1. Linux lists the owner of each connection, so that
a request of another user is refused whatever cookie it brings.
"""

import os
import struct
from pathlib import Path

_CONNECTIONS = Path("/proc/net/tcp")
_LOOPBACK = f"{struct.unpack('=I', bytes([127, 0, 0, 1]))[0]:08X}"


def is_foreign(peer_port: int, own_port: int) -> bool:
    """Return whether a connection from a port of 127.0.0.1 belongs to another user.

    Where the system does not list the owners of connections, none is known to be foreign.
    """
    owner = _find_owner(peer_port, own_port)
    return owner is not None and owner != os.getuid()


def _find_owner(peer_port: int, own_port: int) -> int | None:
    """Return the user who opened a connection to our port."""
    ends = f"{_LOOPBACK}:{peer_port:04X}", f"{_LOOPBACK}:{own_port:04X}"
    try:
        lines = _CONNECTIONS.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return None
    fields = (line.split() for line in lines)
    return next((int(one[7]) for one in fields if (one[1], one[2]) == ends), None)
