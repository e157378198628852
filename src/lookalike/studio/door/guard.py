"""Guard: refuses every request that does not come from the user's own studio page.

===========================  =====================================================================
attack                       what stops it
===========================  =====================================================================
another machine              the server listens on 127.0.0.1 only
another user of the machine  no token, no cookie; the owner of each connection (``peer.py``)
DNS rebinding                ``Host`` must be our own address
cross-site request forgery   ``Origin`` and ``Sec-Fetch-Site``; the form token; ``SameSite=Strict``
a page on another port       the same, because cookies do not distinguish ports
script in data               everything is escaped; no inline script by the content policy
framing                      ``frame-ancestors 'none'``
a body without an end        counted while it is read (:data:`FORM_BYTES`, :data:`UPLOAD_BYTES`)
===========================  =====================================================================
"""

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.formparsers import MultiPartException
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lookalike.errors import describe_fault
from lookalike.studio.door.gate import Gate

FORM_BYTES = 2**20
"""The most bytes of a form."""
UPLOAD_BYTES = 2**29
"""The most bytes of an uploaded table; a larger one is copied to the folder instead."""
IMPORT_BYTES = 2**24
"""The most bytes of an imported hierarchy."""
ENTER = "/enter"
_TABLES = ("/data/upload", "/releases/upload")
"""The forms with a table in them."""
_IMPORT = "/hierarchies/import"

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
    return IMPORT_BYTES if scope["path"] == _IMPORT else FORM_BYTES


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
