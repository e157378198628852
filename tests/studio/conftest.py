"""Fixtures of the studio's tests: a folder with a table, a client that was let in, a browser."""

import multiprocessing
import signal
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from lookalike.studio import work
from lookalike.studio.app import make_app
from lookalike.studio.door import Gate
from lookalike.studio.session import Session

from ..browser import browsing
from .folk import profile_folk, write_folk
from .steps import LONG, start

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


USED_BY_TASKS = (
    "pytest",
    "pandas",
    "numba",
    "charset_normalizer",
    "narwhals._arrow.dataframe",
    "narwhals._duckdb.dataframe",
    "lookalike.studio.app",
)


@pytest.fixture(autouse=True, scope="session")
def _tasks_start_warm():
    """Forks the processes of tasks from one that has imported what they use.

    A studio of the slow tests is a process of its own, and starts those of its tasks anew.
    """
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(list(USED_BY_TASKS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "multiprocessing", SimpleNamespace(get_context=lambda _: server))
        yield


LIMITS = (
    "levels.level_work.SEARCH_SECONDS",
    "levels.vector_facts.MAP_SECONDS",
    "levels.vector_facts.NEIGHBOUR_SECONDS",
    "screens.levels.DECIDE_SECONDS",
    "screens.levels.MOVING_SECONDS",
)


@pytest.fixture(autouse=True, scope="session")
def _pages_have_time():
    """However slow the machine is, a page shows all that it evaluates."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in LIMITS:
            patch.setattr(f"lookalike.studio.{limit}", 3600)
        yield


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


def write_people(folder):
    """Write a table and its specification into a folder."""
    (folder / "people.csv").write_text(TABLE)
    (folder / "people.toml").write_text(SPECIFICATION)


@contextmanager
def opening(folder, gate):
    """Open a studio with the specification of a folder, for a client that was not let in."""
    session = Session(folder)
    session.store.open("people.toml")
    yield Opened(TestClient(make_app(session, gate), base_url=ORIGIN), session, gate)
    session.close()


@pytest.fixture
def people(tmp_path):
    """A folder with a table and its specification."""
    write_people(tmp_path)
    return tmp_path


@pytest.fixture
def gate():
    return Gate(PORT)


@pytest.fixture
def stranger(people, gate):
    """A client that was not let in, of a studio with the specification open."""
    with opening(people, gate) as opened:
        yield opened


@pytest.fixture
def studio(stranger):
    """A client that was let in."""
    assert stranger.get(f"/enter?token={stranger.gate.token}").status_code == 200
    return stranger


@pytest.fixture(scope="session")
def folk_facts(tmp_path_factory):
    """The profile of a table with a column for each kind of hierarchy."""
    return profile_folk(tmp_path_factory.mktemp("folk"))


@pytest.fixture
def folk(tmp_path, folk_facts, gate):
    """A studio with that table profiled and its specification open."""
    write_folk(tmp_path)
    session = Session(tmp_path)
    session.store.open("folk.toml")
    session.facts = folk_facts
    opened = Opened(TestClient(make_app(session, gate), base_url=ORIGIN), session, gate)
    assert opened.get(f"/enter?token={gate.token}").status_code == 200
    yield opened
    session.close()


@pytest.fixture(scope="module")
def chromium():
    with browsing() as browser:
        yield browser


@pytest.fixture
def served(people):
    """A studio in a folder with a table and its specification."""
    process, port, token = start(people)
    yield f"http://127.0.0.1:{port}", token
    process.send_signal(signal.SIGINT)
    process.wait(LONG / 1000)
    process.stdout.close()


@pytest.fixture
def context(chromium):
    """A window whose requests and complaints are noted."""
    opened = chromium.new_context(viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(LONG)
    opened.noted = noted = {"hosts": set(), "complaints": []}
    opened.on("request", lambda one: noted["hosts"].add(urlsplit(one.url).hostname))
    opened.on("console", lambda one: noted["complaints"].append(one.text))
    opened.on("weberror", lambda one: noted["complaints"].append(str(one.error)))
    yield opened
    opened.close()
