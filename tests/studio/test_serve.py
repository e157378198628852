"""The server itself: where it listens, what others see of it, and when it ends."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import webbrowser
from pathlib import Path

import psutil
import pytest

from lookalike.errors import InvalidInput
from lookalike.studio import serve
from lookalike.studio.door.peer import is_foreign
from lookalike.studio.editing.draft_store import PRIVATE

from .conftest import write_people
from .steps import start

NOBODY = 65534
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")


@pytest.fixture
def served(tmp_path):
    process, port, token = start(tmp_path)
    yield process, port, token
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    process.stdout.close()


def ask(port, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
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


@pytest.mark.slow
@needs_root
def test_another_user_gets_nothing_even_with_the_cookie(served):
    """Cookies do not distinguish ports: a server of another user on this machine may see ours."""
    _, port, token = served
    cookie = ask(port, f"/enter?token={token}").headers["set-cookie"].split(";")[0]
    lines = [
        "GET /data HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Cookie: {cookie}",
        "Connection: close",
    ]
    request = "".join(f"{line}\\r\\n" for line in [*lines, ""])
    script = f"exec 3<>/dev/tcp/127.0.0.1/{port}; printf '{request}' >&3; cat <&3"
    own = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    other = subprocess.run(["bash", "-c", script], capture_output=True, text=True, user=NOBODY)
    assert own.stdout.startswith("HTTP/1.1 200")
    assert other.stdout.startswith("HTTP/1.1 403")


@needs_root
def test_the_owner_of_a_connection_is_known():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"exec 3<>/dev/tcp/127.0.0.1/{port}; read"
        for user, foreign in ((None, False), (NOBODY, True)):
            client = subprocess.Popen(["bash", "-c", script], stdin=subprocess.PIPE, user=user)
            connection, (_, peer) = server.accept()
            assert is_foreign(peer, port) == foreign
            connection.close()
            client.communicate()


@needs_root
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("user", [0, NOBODY])
def test_the_owner_of_a_connection_is_known_if_its_address_is_written_as_ipv6(user):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        child = os.fork()
        if not child:
            os.setuid(user)
            with socket.socket(socket.AF_INET6) as client:
                client.connect(("::ffff:127.0.0.1", port))
                client.recv(1)
            os._exit(0)
        connection, (_, peer) = server.accept()
        assert is_foreign(peer, port) == (user == NOBODY)
        connection.close()
        os.waitpid(child, 0)


@pytest.mark.slow
def test_it_ends_when_nobody_uses_it(tmp_path):
    process, _, _ = start(tmp_path, "--idle", "0.01")
    assert process.wait(60) == 0
    process.stdout.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_its_task(people, number):
    process, port, _ = start(people / "people.csv")
    assert ask(port, "/").status == 403
    workers = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    assert process.wait(30) == 0
    process.stdout.close()
    assert psutil.wait_procs(workers, timeout=30)[1] == []


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
