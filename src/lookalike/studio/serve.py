"""Serve the studio on 127.0.0.1 until the user ends it, or until nobody uses it any more."""

import asyncio
import logging
import signal
import socket
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from lookalike.errors import InvalidInput
from lookalike.studio.app import fill_template, make_app
from lookalike.studio.door import Gate, OwnConnection
from lookalike.studio.editing.project import PRIVATE
from lookalike.studio.session import Session
from lookalike.tables.private_folders import write_whole

HOST = "127.0.0.1"
_DOOR = "open.html"


def open_studio(
    given: Path | None,
    announce: Callable[[str], None],
    *,
    port: int = 0,
    idle: float | None = None,
    browser: bool = True,
) -> None:
    """Open the studio for a table, a specification or a folder, and serve it.

    ``idle``: the seconds without a request and without a running task after which the studio ends.
    """
    with _listen(port) as listening, closing(open_session(given)) as session:
        gate = Gate(listening.getsockname()[1])
        begin = partial(announce, gate.first_address)
        with _opening(session.project.folder / PRIVATE, gate, browser=browser):
            asyncio.run(_serve(make_app(session, gate), listening, session, idle, begin))


@contextmanager
def _opening(private: Path, gate: Gate, *, browser: bool) -> Iterator[None]:
    """Open a browser, by a private file: other users can read the arguments of its process."""
    door = private / _DOOR
    try:
        if browser:
            write_whole(door, fill_template("door", address=gate.first_address).encode())
            webbrowser.open(door.as_uri())
        yield
    finally:
        door.unlink(missing_ok=True)


def open_session(given: Path | None) -> Session:
    """Open a session for a table, a specification or a folder.

    In a folder it goes on with the specification that was edited last.
    """
    path = Path.cwd() if given is None else given.resolve()
    if not path.exists():
        raise InvalidInput(f"{given} does not exist; name a table, a specification or a folder")
    session = Session(path if path.is_dir() else path.parent)
    latest = session.store.find_latest() if path.is_dir() else None
    if latest is not None:
        with suppress(InvalidInput):  # its file may be broken now; then the folder is shown
            session.open_specification(path / latest)
    elif path.suffix == ".toml":
        session.open_specification(path)
    elif path.is_file():
        session.open_table(path)
    return session


def _listen(port: int) -> socket.socket:
    """Bind a port of this machine that no other machine can reach."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise InvalidInput(f"port {port} cannot be used: {error.strerror}; give --port") from None
    return listening


async def _serve(
    app: ASGIApp,
    listening: socket.socket,
    session: Session,
    idle: float | None,
    begin: Callable[[], None],
) -> None:
    """Serve until the user interrupts, or until the studio was idle for long enough.

    It begins when an interrupt would end it in order.
    """
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL + 1)
    config = uvicorn.Config(
        app,
        http=OwnConnection,
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        proxy_headers=False,
        ws="none",
    )
    server = uvicorn.Server(config)
    # it would raise signals again before we have cleaned up
    server.capture_signals = nullcontext  # type: ignore[method-assign,assignment]
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, _end, server, session)
    begin()
    watcher = asyncio.create_task(_end_when_idle(server, session, idle))
    await server.serve([listening])
    watcher.cancel()


def _end(server: uvicorn.Server, session: Session) -> None:
    """End the server after the answers that have begun; those that tell events end now."""
    server.should_exit = True
    session.bell.remove()


async def _end_when_idle(server: uvicorn.Server, session: Session, idle: float | None) -> None:
    """End the server when no page was asked for and no task has run for some time."""
    while idle is not None:
        await asyncio.sleep(min(1.0, idle / 4))
        if session.is_busy:
            session.last_request = time.monotonic()
        elif time.monotonic() - session.last_request > idle:
            _end(server, session)
            return
