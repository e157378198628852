"""Attacks on the studio: without its cookie, from elsewhere, with too much."""

import asyncio
import re
from pathlib import Path

import httpx
import pytest

from lookalike.studio import door
from lookalike.studio.session import Session

from .conftest import ORIGIN, PORT

TEMPLATES = Path(door.__file__).parent / "templates"
PATHS = ["/", "/data", "/roles", "/events", "/static/studio.js", "/released/0", "/nothing", "/../x"]


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_shown_without_the_cookie(stranger, path):
    answer = stranger.get(path)
    assert answer.status_code == 403
    assert "people" not in answer.text


def test_a_form_without_the_cookie_changes_nothing(stranger):
    before = stranger.project
    assert stranger.post("/roles/undo").status_code == 403
    assert stranger.project is before


def test_the_token_works_once(stranger):
    address = f"/enter?token={stranger.gate.token}"
    assert stranger.get(address).status_code == 200
    stranger.client.cookies.clear()  # another browser
    assert stranger.get(address).status_code == 403
    assert stranger.get("/data").status_code == 403


@pytest.mark.parametrize("token", ["", "x", "é", "A" * 43, "%00"])
def test_a_wrong_token_lets_nobody_in(stranger, token):
    answer = stranger.get(f"/enter?token={token}")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert stranger.get(f"/enter?token={stranger.gate.token}").status_code == 200


def test_the_cookie_cannot_be_used_before_the_token(stranger):
    stranger.client.cookies.set(stranger.gate.cookie, stranger.gate.session)
    assert stranger.get("/data").status_code == 403


def test_the_cookie_is_hidden_from_scripts_and_other_sites(stranger):
    cookie = stranger.get(f"/enter?token={stranger.gate.token}").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert f"lookalike-studio-{PORT}=" in cookie


@pytest.mark.parametrize("cookie", ["x", '"', "a=b; c", "lookalike-studio-8123=x", ";;;=="])
def test_a_wrong_cookie_is_refused(stranger, cookie):
    assert stranger.get(f"/enter?token={stranger.gate.token}").status_code == 200
    stranger.client.cookies.clear()
    assert stranger.get("/data", cookie=cookie).status_code == 403


def test_cookies_of_other_programs_on_this_machine_do_no_harm(studio):
    own = f"{studio.gate.cookie}={studio.gate.session}"
    for others in ('a={"b": [1]}', "@;=;x", 'c="'):
        assert studio.get("/data", cookie=f"{others}; {own}; {others}").status_code == 200


def test_the_first_address_leads_the_same_browser_back(studio):
    answer = studio.get(f"/enter?token={studio.gate.token}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


HOSTS = ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", f"[::1]:{PORT}", ""]


@pytest.mark.parametrize("host", HOSTS)
def test_another_host_is_refused_as_after_dns_rebinding(studio, host):
    assert studio.get("/data", host=host).status_code == 403
    assert studio.get(f"/enter?token={studio.gate.token}", host=host).status_code == 403


def test_both_names_of_this_machine_are_served(studio):
    cookie = f"{studio.gate.cookie}={studio.gate.session}"
    assert studio.get("/data", host=f"localhost:{PORT}", cookie=cookie).status_code == 200


FOREIGN = [
    {},
    {"origin": "null"},
    {"origin": "http://evil.example"},
    {"origin": "http://127.0.0.1:9999"},
    {"origin": f"https://127.0.0.1:{PORT}"},
    {"origin": ORIGIN, "sec-fetch-site": "cross-site"},
    {"origin": ORIGIN, "sec-fetch-site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_form_of_another_site_is_refused(studio, headers):
    studio.post("/protection/ask", ask(k="3"))
    before = studio.project
    assert studio.post("/protection/undo", headers=headers).status_code == 403
    assert studio.project is before


def test_a_form_without_our_token_is_refused(studio):
    before = studio.project
    for token in ("", "x", studio.gate.session):
        given = ask(k="3") | {"form_token": token}
        assert studio.post("/protection/ask", given).status_code == 403
    assert studio.project is before


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pages_of_other_sites_and_ports_can_load_nothing(studio, site):
    assert studio.get("/static/studio.js", **{"sec-fetch-site": site}).status_code == 403
    assert studio.get("/data", **{"sec-fetch-site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("path", ["/data", "/nothing", "/static/studio.js"])
def test_every_answer_has_the_safe_headers(studio, stranger, path):
    for answer in (studio.get(path), stranger.get(path, host="evil.example")):
        for name, value in door.SAFE_HEADERS.items():
            assert answer.headers[name] == value
    policy = door.SAFE_HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")


def test_a_body_that_is_announced_as_too_large_is_not_read(studio):
    for path, limit in (("/data/upload", door.UPLOAD_BYTES), ("/data/choose", door.FORM_BYTES)):
        headers = {"origin": ORIGIN, "content-length": str(limit + 1)}
        assert studio.client.post(path, content=never_read(), headers=headers).status_code == 413


def test_every_form_with_a_file_takes_more_than_others(studio):
    pages = [path.read_text() for path in TEMPLATES.glob("*.html")]
    forms = [form for page in pages for form in re.findall("<form[^>]*multipart/form-data", page)]
    paths = [re.search(r'action="([\w/-]+)', form)[1] for form in forms]
    assert {"/data/upload", "/hierarchies/import", "/releases/upload"} <= set(paths)
    for path in paths:
        headers = {"origin": ORIGIN, "content-length": str(door.FORM_BYTES + 1)}
        assert studio.client.post(path, content=b"", headers=headers).status_code != 413, path


def never_read():
    raise AssertionError("the body was read")
    yield b""


@pytest.mark.parametrize(("over", "status"), [(0, 303), (1, 413)])
@pytest.mark.parametrize("announced", [True, False])
def test_an_upload_may_have_as_many_bytes_as_allowed(
    studio, people, monkeypatch, announced, over, status
):
    monkeypatch.setattr(Session, "begin", lambda *_given: None)
    files = {"file": ("new.csv", b"a,b\n1,2\n")}
    form = httpx.Request("POST", ORIGIN, data=studio.fields(), files=files)
    body = form.read()
    monkeypatch.setattr(door, "UPLOAD_BYTES", len(body) - over)
    headers = {"origin": ORIGIN, "content-type": form.headers["content-type"]}
    sent = body if announced else iter([body[:-1], body[-1:]])
    answer = studio.client.post(
        "/data/upload", content=sent, headers=headers, follow_redirects=False
    )
    assert answer.status_code == status
    assert (people / "new.csv").exists() == (status == 303)


@pytest.mark.parametrize("length", ["-1", "x", "1e9"])
def test_a_length_that_is_no_number_is_refused(studio, length):
    headers = {"origin": ORIGIN, "content-length": length}
    assert studio.client.post("/data/choose", content=b"", headers=headers).status_code == 413


HEAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="large.csv"\r\n\r\n'


def test_a_body_without_an_end_is_not_read_to_its_end(studio, people, monkeypatch):
    monkeypatch.setattr(door, "UPLOAD_BYTES", 2**20)
    pieces, sent = [HEAD], []

    async def receive():
        pieces.append(b"x" * 2**16)
        return {"type": "http.request", "body": pieces[-2], "more_body": True}

    async def send(message):
        sent.append(message)

    headers = {
        "host": f"127.0.0.1:{PORT}",
        "origin": ORIGIN,
        "cookie": f"{studio.gate.cookie}={studio.gate.session}",
        "content-type": "multipart/form-data; boundary=x",
        "transfer-encoding": "chunked",
    }
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/data/upload",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    asyncio.run(studio.client.app(scope, receive, send))
    assert sent[0]["status"] == 413
    assert len(pieces) == 2**20 // 2**16 + 2
    assert sorted(path.name for path in people.iterdir() if path.is_file()) == [
        "people.csv",
        "people.toml",
    ]


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=y"])
def test_a_broken_form_is_an_answer_and_not_a_fault(studio, kind):
    headers = {"origin": ORIGIN, "content-type": kind}
    answer = studio.client.post("/roles/assign", content=b"--x\r\nrubbish", headers=headers)
    assert answer.status_code in (400, 403)


def test_a_fault_shows_no_traceback_and_no_value(studio, monkeypatch):
    def fail(_session):
        raise ValueError("Ann Smith, 02138")

    monkeypatch.setattr(studio.session.__class__, "collect", fail)
    answer = studio.get("/data")
    assert answer.status_code == 500
    assert "ValueError" in answer.text
    assert "Ann" not in answer.text
    assert "Traceback" not in answer.text


def ask(**given):
    """The fields of the form of protection."""
    empty = ("release.max_suppressed", "source.person", "distinct-2", "share-2", "closeness-2")
    return {"release.k": given.get("k", "2"), **dict.fromkeys(empty, "")}
