"""Run a PostgreSQL server for the tests, on the loopback interface and never as root."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

REQUIRED = "LOOKALIKE_REQUIRE_POSTGRES"
USER = "steward"
QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=40")


def find_binaries() -> Path | None:
    """Return the folder of the server programs: on the path, or where Debian installs them."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "postgres").exists()), None)


@contextmanager
def serve() -> Iterator[str]:
    """Run a server and yield its URL with a password; skip the test if none is installed.

    The server ends with this process. If the tests run as root, it runs as nobody, because
    PostgreSQL refuses to run as root.
    """
    binaries = find_binaries()
    if binaries is None:
        if os.environ.get(REQUIRED):
            pytest.fail("no PostgreSQL server is found: install Debian's package postgresql")
        pytest.skip("no PostgreSQL server is found")
    folder = Path(tempfile.mkdtemp(prefix="lookalike-postgres-"))
    password, port = secrets.token_hex(8), free_port()
    (folder / "password").write_text(password)
    options = ["--username", USER, "--auth", "scram-sha-256", "--encoding", "UTF8", "--no-sync"]
    make = [str(binaries / "initdb"), "-D", str(folder / "data"), *options, "--locale", "C"]
    run = [str(binaries / "postgres"), "-D", str(folder / "data"), "-k", str(folder)]
    for setting in (*QUICK, "listen_addresses=127.0.0.1", f"port={port}"):
        run += ["-c", setting]
    become = []
    if os.getuid() == 0:
        nobody = pwd.getpwnam("nobody")
        become = [f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
        for path in (folder, folder / "password"):
            os.chown(path, nobody.pw_uid, nobody.pw_gid)
    prefix = ["setpriv", "--pdeathsig=QUIT", *become]
    with (folder / "log").open("w") as log:
        subprocess.run(
            [*prefix, *make, "--pwfile", str(folder / "password")],
            stdout=log,
            stderr=log,
            check=True,
            cwd=folder,
        )
        server = subprocess.Popen([*prefix, *run], stdout=log, stderr=log, cwd=folder)
    try:
        url = f"postgresql://{USER}:{password}@127.0.0.1:{port}/postgres"
        wait_for(url, server, folder / "log")
        yield url
    finally:
        server.send_signal(signal.SIGQUIT)
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """Return an unused port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server answers."""
    while server.poll() is None:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            time.sleep(0.02)
        else:
            return
    pytest.fail(f"the PostgreSQL server did not start: {log.read_text()}")


def make_schema(url: str) -> str:
    """Create a schema on a server, and return a URL whose search path is only that schema."""
    name = f"ledger_{secrets.token_hex(8)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")  # type: ignore[arg-type]
    return f"{url}?options=-csearch_path%3D{name}"
