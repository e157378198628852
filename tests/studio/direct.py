"""Ask the application directly, for tests of many requests: no thread, no look at connections."""

import asyncio

import httpx

from .conftest import ORIGIN


def ask_directly(app, method, path, headers=None, **more):
    """Return the answer of an application to a request of a browser, or of an attacker.

    Parameters
    ----------
    app
        The application.
    method
        The method of the request.
    path
        Its address, perhaps with a query, as it is sent.
    headers
        Its headers; one that is `None` is left out.
    **more
        The fields and files of a form, as of `httpx.Request`.
    """
    request = httpx.Request(method, ORIGIN, **more)
    found = {name.decode().lower(): value for name, value in request.headers.raw}
    for name, value in (headers or {}).items():
        found[name] = None if value is None else value.encode()
    sent, asked = [], []
    scope = _describe(method, path, [one for one in found.items() if one[1] is not None])

    async def receive():
        """Return the whole request, and then, once there is an answer, that the client is gone."""
        if asked:
            while not sent:
                await asyncio.sleep(0)
            return {"type": "http.disconnect"}
        asked.append(request)
        return {"type": "http.request", "body": request.read(), "more_body": False}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    content = b"".join(message.get("body", b"") for message in sent[1:])
    return httpx.Response(sent[0]["status"], headers=sent[0]["headers"], content=content)


def _describe(method, path, headers):
    """Return what a server knows of a request before its body."""
    address, _, query = path.partition("?")
    return {
        "type": "http",
        "method": method,
        "path": httpx.URL(f"{ORIGIN}{address}").path,
        "raw_path": address.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value) for name, value in headers],
    }
