"""The server itself: where it listens, what others see of it, and when it ends."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import webbrowser
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from lookalike.errors import InvalidInput
from lookalike.studio import door, serve
from lookalike.studio.door import is_foreign
from lookalike.studio.editing.project import PRIVATE

from .conftest import write_people
from .steps import start

NOBODY = 65534
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")


@pytest.fixture
def served(tmp_path):
    process, port, token = start(tmp_path)
    yield process, port, token
    process.send_signal(signal.SIGINT)
    assert process.wait(600) == 0
    process.stdout.close()


def ask(port, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


@pytest.mark.slow
def test_it_listens_on_this_machine_only_and_lets_one_browser_in(served):
    process, port, token = served
    listening = [
        one.laddr.ip
        for one in psutil.Process(process.pid).net_connections("tcp")
        if one.status == psutil.CONN_LISTEN
    ]
    assert listening == ["127.0.0.1"]
    assert ask(port, "/data").status == 403
    cookie = ask(port, f"/enter?token={token}").headers["set-cookie"].split(";")[0]
    assert ask(port, "/data", cookie=cookie).status == 200
    assert ask(port, f"/enter?token={token}").status == 403
    assert ask(port, "/data", cookie=cookie).headers["server"] is None


@pytest.mark.slow
def test_the_token_is_in_no_command_line_and_in_no_file(served, tmp_path):
    _, _, token = served
    lines = [" ".join(one.info["cmdline"] or []) for one in psutil.process_iter(["cmdline"])]
    assert not any(token in line for line in lines)
    assert not any(token in path.read_text() for path in tmp_path.rglob("*") if path.is_file())


CLIENT = """
import socket, sys
host, port, cookie = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with socket.create_connection(("127.0.0.1", port), source_address=(host, 0)) as client:
    lines = ["GET /data HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Cookie: {cookie}"]
    lines += ["X-Forwarded-For: 127.0.0.1", "Connection: close", "", ""]
    client.sendall("\\r\\n".join(lines).encode())
    print(client.makefile().readline())
"""


def list_own_addresses():
    """An address of every kind that a connection to 127.0.0.1 can come from."""
    found = ["127.0.0.1", "127.0.0.2", "127.255.255.254"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent
        found.append(probe.getsockname()[0])
    return found


@pytest.mark.slow
@needs_root
def test_another_user_gets_nothing_even_with_the_cookie(served):
    """Cookies do not distinguish ports: a server of another user on this machine may see ours."""
    _, port, token = served
    cookie = ask(port, f"/enter?token={token}").headers["set-cookie"].split(";")[0]
    for host in list_own_addresses():
        words = ["python3", "-c", CLIENT, host, str(port), cookie]
        for user, status in ((None, "200"), (NOBODY, "403")):
            ran = subprocess.run(words, capture_output=True, text=True, user=user)
            assert ran.stdout.startswith(f"HTTP/1.1 {status}"), (host, user)


FAMILIES = {"127.0.0.1": "127.0.0.1", "127.0.0.2": "127.0.0.1", "::ffff:127.0.0.3": "127.0.0.1"}
if socket.has_dualstack_ipv6():
    FAMILIES |= {"::1": "::1"}


@needs_root
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("user", [0, NOBODY])
@pytest.mark.parametrize("host", FAMILIES)
def test_the_owner_of_a_connection_is_known_from_every_address(host, user):
    family = socket.AF_INET6 if FAMILIES[host] == "::1" else socket.AF_INET
    with socket.create_server((FAMILIES[host], 0), family=family) as server:
        port = server.getsockname()[1]
        child = os.fork()
        if not child:
            os.setuid(user)
            kind = socket.AF_INET6 if ":" in host else socket.AF_INET
            mapped = "::ffff:127.0.0.1" if host.startswith("::ffff") else FAMILIES[host]
            with socket.socket(kind) as client:
                client.bind((host, 0))
                client.connect((mapped, port))
                client.recv(1)
            os._exit(0)
        connection, peer = server.accept()
        assert is_foreign(peer[:2], connection.getsockname()[:2]) == (user == NOBODY)
        connection.close()
        os.waitpid(child, 0)


def test_a_connection_whose_owner_is_gone_is_foreign():
    """Linux lists a closed socket with the user 0, who may be ours."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        connection, peer = server.accept()
        with connection:
            own = connection.getsockname()
            assert not is_foreign(peer, own)
            client.close()
            assert is_foreign(peer, own)
            assert is_foreign((peer[0], peer[1] + 1), own)
            assert is_foreign(("127.0.0.2", peer[1]), own)


def test_where_no_connection_is_listed_none_is_foreign(tmp_path, monkeypatch):
    empty = tmp_path / "tcp"
    empty.write_text("  sl  local_address rem_address   st\n")
    monkeypatch.setattr(door, "_CONNECTIONS", (empty, tmp_path / "none"))
    assert not is_foreign(("127.0.0.1", 1), ("127.0.0.1", 2))


@pytest.mark.slow
def test_it_ends_when_nobody_uses_it(tmp_path):
    process, _, _ = start(tmp_path, "--idle", "0.01")
    assert process.wait(600) == 0
    process.stdout.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_its_task(people, number):
    process, port, _ = start(people / "people.csv")
    assert ask(port, "/").status == 403
    workers = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    assert process.wait(600) == 0
    process.stdout.close()
    assert psutil.wait_procs(workers, timeout=600)[1] == []


def test_the_browser_opens_a_private_file_and_not_the_address(tmp_path, monkeypatch):
    opened = []

    def look(address):
        path = Path(address.removeprefix("file://"))
        opened.append((address, path.read_text(), path.stat().st_mode & 0o777))

    async def end_at_once(*given):
        given[-1]()

    monkeypatch.setattr(webbrowser, "open", look)
    monkeypatch.setattr(serve, "_serve", end_at_once)
    printed = []
    serve.open_studio(tmp_path, printed.append)
    [(address, text, mode)] = opened
    assert mode == 0o600
    assert printed[0] in text
    assert "token" not in address
    assert not list((tmp_path / PRIVATE).glob("*.html"))


@needs_root
def test_another_user_reads_neither_drafts_nor_the_way_in(monkeypatch):
    """In a folder that everybody may enter, where the other user can read the table."""
    found = {}

    def look(address):
        door = Path(address.removeprefix("file://"))
        draft = door.with_name("people.toml.json")
        for path in (door, draft, folder / "people.csv"):
            ran = subprocess.run(["cat", path], capture_output=True, text=True, user=NOBODY)
            found[path.name] = ran.returncode, ran.stdout == path.read_text()
        found["folder"] = subprocess.run(
            ["ls", door.parent], user=NOBODY, stderr=subprocess.DEVNULL
        ).returncode

    async def end_at_once(*_given):
        pass

    monkeypatch.setattr(webbrowser, "open", look)
    monkeypatch.setattr(serve, "_serve", end_at_once)
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        folder = Path(place)
        folder.chmod(0o755)
        write_people(folder)
        serve.open_studio(folder / "people.toml", lambda _address: None)
    assert found.pop("people.csv") == (0, True)
    assert found == {"open.html": (1, False), "people.toml.json": (1, False), "folder": 2}


def test_a_port_that_is_taken_is_refused(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(InvalidInput, match=f"port {port} cannot be used"):
            serve.open_studio(tmp_path, print, port=port, browser=False)


def test_the_command_names_the_extra_that_is_missing(type_in, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "lookalike.studio.serve")
    code, _, complaint = type_in(f"studio {tmp_path}")
    assert code == 2
    assert "pip install 'lookalike[studio]'" in complaint


def test_what_does_not_exist_is_not_opened(type_in, tmp_path):
    code, _, complaint = type_in(f"studio {tmp_path}/none.csv")
    assert (code, "does not exist" in complaint) == (2, True)
