"""Attacks on every address of the studio, whatever screens it has."""

import re

import pytest

from lookalike.studio.app import make_app
from lookalike.studio.door import ENTER, Gate

from .conftest import ORIGIN, PORT
from .direct import ask_directly


def list_routes(app):
    """Yield the method and the address of everything that an application answers.

    What varies in an address is the name of a static file, or a number.
    """
    for route in app._app.routes:
        path = re.sub(r"\{[^}]*\}", "0", route.path.replace("{name}", "studio.js"))
        yield from ((method, path) for method in sorted(route.methods))


ROUTES = list(list_routes(make_app(None, Gate(PORT))))
INSIDE = [(method, path) for method, path in ROUTES if path != ENTER]


def send(studio, method, path, headers, **more):
    """Send a request of the browser that was let in, unless its headers say otherwise."""
    own = {"cookie": f"{studio.gate.cookie}={studio.gate.session}", "origin": ORIGIN}
    return ask_directly(studio.client.app, method, path, own | headers, **more)


@pytest.fixture
def unchanged(studio):
    """A client that was let in; at the end, nothing was changed and no task was begun."""
    before = studio.project
    yield studio
    assert studio.project is before
    assert studio.session.work is None


def find_answered(studio, routes, headers, **more):
    """Return the routes that do not refuse a request."""
    answers = {
        (method, path): send(studio, method, path, headers, **more).status_code
        for method, path in routes
    }
    return {route: status for route, status in answers.items() if status != 403}


def test_every_screen_and_action_is_among_the_routes():
    assert {("GET", "/data"), ("POST", "/data/upload"), ("POST", "/publish/undo")} <= set(INSIDE)
    assert {("GET", "/static/studio.js"), ("HEAD", "/events")} <= set(INSIDE)
    assert {method for method, _ in ROUTES} == {"GET", "HEAD", "POST"}


def test_the_users_own_page_is_answered(studio):
    """Otherwise the tests below would show nothing."""
    looking = [one for one in INSIDE if one[0] != "POST"]
    assert find_answered(studio, looking, {}).keys() == set(looking)
    forms = [one for one in INSIDE if one[0] == "POST"]
    old = studio.fields(mark="an older page")
    assert set(find_answered(studio, forms, {}, data=old).values()) == {409}


FOREIGN_PAGES = [
    {"host": "evil.example"},
    {"host": f"evil.example:{PORT}"},
    {"host": f"127.0.0.1:{PORT + 1}"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN_PAGES, ids=str)
def test_every_route_refuses_pages_of_other_sites(unchanged, headers):
    assert find_answered(unchanged, INSIDE, headers, data=unchanged.fields()) == {}


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:9999"])
def test_every_form_refuses_another_origin(unchanged, origin):
    forms = [one for one in ROUTES if one[0] == "POST"]
    assert find_answered(unchanged, forms, {"origin": origin}, data=unchanged.fields()) == {}


@pytest.mark.parametrize("token", [None, "", "x", "session"])
def test_every_form_refuses_another_form_token(unchanged, token):
    forms = [one for one in ROUTES if one[0] == "POST"]
    fields = unchanged.fields()
    del fields["form_token"]
    if token is not None:
        fields["form_token"] = unchanged.gate.session if token == "session" else token
    assert find_answered(unchanged, forms, {}, data=fields) == {}


@pytest.mark.parametrize("cookie", [None, "x", "token", "form token"])
def test_every_route_refuses_another_cookie(unchanged, cookie):
    secrets = {"token": unchanged.gate.token, "form token": unchanged.gate.form_token}
    given = cookie and f"{unchanged.gate.cookie}={secrets.get(cookie, cookie)}"
    assert find_answered(unchanged, INSIDE, {"cookie": given}, data=unchanged.fields()) == {}


def test_every_route_refuses_other_methods(unchanged):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        for _, path in INSIDE:
            answer = send(unchanged, method, path, {})
            assert answer.status_code == 405, (method, path)
            assert "people" not in answer.text


PATHS_OUT = ["..", "%2e%2e", "..%2f", "....//", "%00", "/etc/passwd", "..\\"]


def test_no_route_leads_out_of_the_folder(unchanged, people):
    (people.parent / "secret.txt").write_text("a secret")
    for path in {path for _, path in INSIDE}:
        for out in PATHS_OUT:
            for address in (f"{path}/{out}/secret.txt", f"{path}/{out}"):
                answer = send(unchanged, "GET", address, {})
                assert answer.status_code in (200, 303, 404, 405, 422), address
                assert "a secret" not in answer.text
                assert "root:" not in answer.text
