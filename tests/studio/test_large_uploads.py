"""A table of 2 GB, sent over the socket to a studio that runs; and clients that send slowly."""

import http.client
import select
import signal
import socket
from contextlib import ExitStack, suppress

import psutil
import pytest

from lookalike.studio.door import UPLOAD_BYTES

from .conftest import write_people
from .steps import start

pytestmark = pytest.mark.slow

PIECE = b"0213\n" * 2**18
PIECES = 2**31 // len(PIECE) + 1
GROWTH = 64 * 2**20
"""How many bytes of memory an upload may take in the studio, whatever its size."""
FORM = (
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="large.csv"\r\n'
    b"Content-Type: text/csv\r\n\r\n"
)


class Running:
    """A studio that runs, and the cookie of its user."""

    def __init__(self, folder):
        self.process, self.port, token = start(folder)
        answer = self.ask(f"/enter?token={token}")
        self.cookie = answer.headers["set-cookie"].split(";")[0]

    def ask(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer

    def connect(self, *headers):
        """Begin to send an upload: everything before its body."""
        lines = [
            "POST /data/upload HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Origin: http://127.0.0.1:{self.port}",
            f"Cookie: {self.cookie}",
            "Content-Type: multipart/form-data; boundary=x",
            *headers,
        ]
        connected = socket.create_connection(("127.0.0.1", self.port), timeout=600)
        connected.sendall("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
        return connected

    @property
    def memory(self):
        return psutil.Process(self.process.pid).memory_info().rss

    def is_well(self):
        return self.ask("/data", cookie=self.cookie).status == 200


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    folder, temporary = tmp_path_factory.mktemp("people"), tmp_path_factory.mktemp("temporary")
    write_people(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(temporary))
        studio = Running(folder)
    yield studio
    studio.process.send_signal(signal.SIGINT)
    assert studio.process.wait(600) == 0
    studio.process.stdout.close()
    assert list(temporary.iterdir()) == []
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == [
        "people.csv",
        "people.toml",
    ]


def send(connected, encode, watch, stubborn):
    """Send 2 GB, unless there is an answer before; return it, and how much was sent.

    A stubborn client goes on without looking.
    """
    sent = 0
    with connected, suppress(ConnectionError):
        connected.sendall(encode(FORM))
        for number in range(PIECES):
            if not stubborn and select.select([connected], [], [], 0)[0]:
                break
            connected.sendall(encode(PIECE))
            sent += len(PIECE)
            if number % 64 == 0:
                watch()
        return connected.recv(12), sent
    return b"", sent


def as_chunk(piece):
    return b"%x\r\n%s\r\n" % (len(piece), piece)


WAYS = {
    "announced": (f"Content-Length: {2**31}", bytes, 2**25),
    "in chunks": ("Transfer-Encoding: chunked", as_chunk, UPLOAD_BYTES + 2**25),
}


@pytest.mark.parametrize(
    ("way", "stubborn"), [("announced", False), ("announced", True), ("in chunks", False)]
)
def test_two_gigabytes_are_refused_early(running, way, stubborn):
    header, encode, most = WAYS[way]
    before, seen = running.memory, []
    answer, sent = send(
        running.connect(header), encode, lambda: seen.append(running.memory), stubborn
    )
    assert answer == b"HTTP/1.1 413"
    assert stubborn or sent < most
    assert max(seen) - before < GROWTH
    assert running.is_well()


def test_clients_that_send_slowly_do_not_block_others(running):
    with ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(running.connect("Content-Length: 1000")).sendall(b"--x")
            half = stack.enter_context(socket.create_connection(("127.0.0.1", running.port)))
            half.sendall(b"GET /data HTTP/1.1\r\nHost: 127")
        assert running.is_well()
    assert running.is_well()
