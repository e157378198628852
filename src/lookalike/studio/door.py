"""Who may see the studio: a request that is not from the user's own studio page is refused.

===========================  =====================================================================
attack                       what stops it
===========================  =====================================================================
another machine              the server listens on 127.0.0.1 only
another user of the machine  no token, no cookie; the owner of each connection
DNS rebinding                ``Host`` must be our own address
cross-site request forgery   ``Origin`` and ``Sec-Fetch-Site``; the form token; ``SameSite=Strict``
a page on another port       the same, because cookies do not distinguish ports
script in data               everything is escaped; no inline script by the content policy
framing                      ``frame-ancestors 'none'``
a body without an end        counted while it is read (:data:`FORM_BYTES`, :data:`UPLOAD_BYTES`)
===========================  =====================================================================

:class:`Gate` lets one browser in, :class:`Guard` checks its requests, and :class:`OwnConnection`
finds out who has opened a connection: every user of a machine can connect to 127.0.0.1, and Linux
lists the owner of each connection, so that a request of another user is refused whatever cookie it
brings.
"""

import os
import secrets
from asyncio import Transport
from collections.abc import Iterator, Mapping
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from sys import byteorder
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.formparsers import MultiPartException
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from lookalike.errors import describe_fault


class Gate:
    """The secrets of one run of the studio.

    The token is part of the first address and becomes useless when it is used. The session is the
    value of a cookie that scripts cannot read. The form token is a hidden field of every form.

    ``port``: the port of the studio. Cookies do not distinguish ports, so its name does.

    Examples
    --------
    >>> gate = Gate(8000)
    >>> token = gate.token
    >>> gate.enter("guessed"), gate.enter(token), gate.enter(token)
    (False, True, False)
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = f"lookalike-studio-{port}"
        self.token = secrets.token_urlsafe(32)
        self.session = secrets.token_urlsafe(32)
        self.form_token = secrets.token_urlsafe(32)
        self._is_open = True

    @property
    def address(self) -> str:
        """The address of the studio, without a secret."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def first_address(self) -> str:
        """The address that lets one browser in, once."""
        return f"{self.address}/enter?token={self.token}"

    def enter(self, token: str) -> bool:
        """Return whether a token lets its bearer in; it does so once."""
        admitted = self._is_open and _are_equal(token, self.token)
        self._is_open = self._is_open and not admitted
        return admitted

    def is_session(self, value: str) -> bool:
        """Return whether the value of the cookie is that of the browser that was let in."""
        return not self._is_open and _are_equal(value, self.session)

    def is_form(self, value: str) -> bool:
        """Return whether the hidden field of a form is ours."""
        return _are_equal(value, self.form_token)


def _are_equal(given: str, secret: str) -> bool:
    """Compare a text with a secret in a time that does not depend on where they differ."""
    return compare_digest(given.encode(errors="replace"), secret.encode())


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


FORM_BYTES = 2**20
"""The most bytes of a form."""
UPLOAD_BYTES = 2**29
"""The most bytes of an uploaded table; a larger one is copied to the folder instead."""
IMPORT_BYTES = 2**24
"""The most bytes of an imported hierarchy, or of the answer to a review."""
ENTER = "/enter"
_TABLES = ("/data/upload", "/releases/upload")
"""The forms with a table in them."""
_IMPORTS = ("/hierarchies/import", "/publish/answer")
"""The forms with a hierarchy, or the answer to a review."""

SAFE_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with no-referrer, browsers hide the Origin of our forms
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of every answer; a report has a content policy of its own."""

_CLOSED = (
    "This studio is open in another browser, or you have not been let in. Use the address that "
    "lookalike studio printed; it works once. To get another one, start the studio again."
)
_FOREIGN = "This request does not come from a page of this studio."
_TOO_LARGE = (
    "This is too large. Copy a table of more than 512 MiB, or a hierarchy of more than 16 MiB, "
    "into the folder that the studio was opened in, and choose it there."
)


class _TooLarge(Exception):
    """A body has more bytes than allowed."""


class Guard:
    """An application behind its checks."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate
        self._hosts = f"127.0.0.1:{gate.port}", f"localhost:{gate.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, if it passes every check."""
        if scope["type"] != "http":
            return
        answer = _Answer(send)
        refused = self._refuse(scope, Headers(scope=scope))
        if refused is not None:
            await refused(scope, receive, answer)
            return
        try:
            await self._app(scope, _count(receive, _most_bytes(scope)), answer)
        except Exception as error:
            if answer.begun:
                raise
            await _describe(error)(scope, receive, answer)

    def _refuse(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        """Return why a request is refused, or nothing if it is not."""
        if headers.getlist("host") not in [[host] for host in self._hosts]:
            return PlainTextResponse(_FOREIGN, 403)
        if scope["path"] == ENTER and scope["method"] == "GET":
            return None
        cookies = cookie_parser(headers.get("cookie", ""))
        if not self._gate.is_session(cookies.get(self._gate.cookie, "")):
            return PlainTextResponse(_CLOSED, 403)
        if not _is_own(scope, headers):
            return PlainTextResponse(_FOREIGN, 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > _most_bytes(scope):
            return PlainTextResponse(_TOO_LARGE, 413)
        return None


def _most_bytes(scope: Scope) -> int:
    """Return the most bytes that the body of a request may have."""
    if scope["path"] in _TABLES:
        return UPLOAD_BYTES
    return IMPORT_BYTES if scope["path"] in _IMPORTS else FORM_BYTES


def _is_own(scope: Scope, headers: Headers) -> bool:
    """Return whether a request comes from one of our pages, or from the user directly."""
    site = headers.get("sec-fetch-site")
    if scope["method"] in ("GET", "HEAD"):
        return site in (None, "none", "same-origin")
    own = headers.getlist("origin") == [f"http://{headers['host']}"]
    return own and site in (None, "same-origin")


def _count(receive: Receive, limit: int) -> Receive:
    """Return `receive` with a limit for the bytes of the body."""
    left = limit

    async def counted() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise _TooLarge
        return message

    return counted


def _describe(error: Exception) -> PlainTextResponse:
    """Return the answer to a request that failed: never a traceback, never a value."""
    if isinstance(error, _TooLarge):
        return PlainTextResponse(_TOO_LARGE, 413)
    if isinstance(error, MultiPartException):
        return PlainTextResponse("This form cannot be read; reload the page.", 400)
    return PlainTextResponse(f"{describe_fault(error)} Nothing was changed.", 500)


class _Answer:
    """Sends an answer with the safe headers, and remembers whether it has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def __call__(self, message: Any) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in SAFE_HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)
