"""Find the user at the other end of a connection within this machine.

Every user of a machine can connect to 127.0.0.1, from any address of the machine. Linux lists the
owner of each connection, so that a request of another user is refused whatever cookie it brings.
"""

import os
from asyncio import Transport
from collections.abc import Iterator
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from sys import byteorder

from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

Address = tuple[str, int | None]
"""A host and its port."""
_CONNECTIONS = Path("/proc/net/tcp"), Path("/proc/net/tcp6")
"""Where Linux lists connections: their two ends, their owner and the inode of their socket."""
_REFUSAL = (
    "This studio belongs to another user of this machine, or this connection's owner is unknown. "
    "Open it in a browser of the user who started it."
)


class OwnConnection(H11Protocol):
    """A connection that reaches the studio only if the studio's own user has opened it.

    Its owner is that of its socket and never changes, so that it is looked up once.
    """

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Find out who has opened the connection."""
        super().connection_made(transport)
        if self.client is None or self.server is None or is_foreign(self.client, self.server):
            self.app = PlainTextResponse(_REFUSAL, 403)


def is_foreign(peer: Address, own: Address) -> bool:
    """Return whether a connection is not known to belong to the user who runs the studio.

    Where the system does not list connections, not even our own end, none is known to be foreign.
    """
    listed, peers, owns = [*_list_sockets()], _write_forms(peer), _write_forms(own)
    owners = [owner for here, there, owner in listed if here in peers and there in owns]
    if not owners:
        return any(here in owns for here, _, _ in listed)
    return any(owner != os.getuid() for owner in owners)


def _list_sockets() -> Iterator[tuple[str, str, int | None]]:
    """Yield both ends and the owner of each socket; a closed socket has no owner any more."""
    for path in _CONNECTIONS:
        lines = path.read_text(encoding="ascii").splitlines()[1:] if path.exists() else []
        for fields in map(str.split, lines):
            yield fields[1], fields[2], None if fields[9] == "0" else int(fields[7])


def _write_forms(address: Address) -> set[str]:
    """Return how Linux may list an address: an IPv4 address also as it is written in IPv6."""
    host, port = ip_address(address[0]), address[1]
    plain = (isinstance(host, IPv6Address) and host.ipv4_mapped) or host
    mapped = IPv6Address(f"::ffff:{plain}") if plain.version == 4 else plain
    return {f"{_write_words(form.packed)}:{port:04X}" for form in (plain, mapped)}


def _write_words(packed: bytes) -> str:
    """Write an address in words of four bytes, each in the byte order of the machine."""
    words = (packed[place : place + 4] for place in range(0, len(packed), 4))
    return "".join(f"{int.from_bytes(word, byteorder):08X}" for word in words)
