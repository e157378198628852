"""Fixtures of the studio's tests: a folder with a table, and a browser that was let in."""

from dataclasses import dataclass

import pytest
from starlette.testclient import TestClient

from lookalike.studio.app import make_app
from lookalike.studio.gate import Gate
from lookalike.studio.session import Session

PORT = 8123
ORIGIN = f"http://127.0.0.1:{PORT}"
SPECIFICATION = """\
[source]
path = "people.csv"

[release]
k = 2
out = "released/people.csv"

# known to neighbours
[attributes.zip]
role = "quasi-identifier"
# fewer first characters
hierarchy = { kind = "mask" }

[attributes.no]
role = "identifier"

[attributes.ill]
role = "sensitive"
"""
TABLE = "no,zip,ill\n1,02138,flu\n2,02139,flu\n3,02141,cold\n4,02142,cold\n"


@dataclass
class Opened:
    """A studio without a network: its client was let in."""

    client: TestClient
    session: Session
    gate: Gate

    @property
    def project(self):
        return self.session.project

    def get(self, path, **headers):
        return self.client.get(path, headers=headers, follow_redirects=False)

    def fields(self, **given):
        return {"form_token": self.gate.form_token, "mark": self.project.mark, **given}

    def post(self, path, given=None, headers=None, **more):
        return self.client.post(
            path,
            data=self.fields(**(given or {})),
            headers={"origin": ORIGIN} if headers is None else headers,
            follow_redirects=False,
            **more,
        )


@pytest.fixture
def people(tmp_path):
    """A folder with a table and its specification."""
    (tmp_path / "people.csv").write_text(TABLE)
    (tmp_path / "people.toml").write_text(SPECIFICATION)
    return tmp_path


@pytest.fixture
def gate():
    return Gate(PORT)


@pytest.fixture
def stranger(people, gate):
    """A client that was not let in, of a studio with the specification open."""
    session = Session(people)
    session.store.open("people.toml")
    yield Opened(TestClient(make_app(session, gate), base_url=ORIGIN), session, gate)
    session.close()


@pytest.fixture
def studio(stranger):
    """A client that was let in."""
    assert stranger.get(f"/enter?token={stranger.gate.token}").status_code == 200
    return stranger
