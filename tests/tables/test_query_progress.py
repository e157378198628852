"""The progress of long queries: reported while they run, and for nothing else."""

import threading

import pytest

import lookalike as la
from lookalike.flow.make_release import make_release
from lookalike.tables import connection
from lookalike.tables.connection import Connection, describe_progress, watching

from ..roles import MASKED, SENSITIVE

pytestmark = pytest.mark.usefixtures("own_duckdb")

LONG = "SELECT count(*) FROM range(200000000) AS r(i) WHERE hash(i) % 7 = 3"


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(connection, "REPORT_SECONDS", 0.01)
    monkeypatch.setattr(connection, "FIRST_REPORT_SECONDS", 0.0)


@pytest.mark.usefixtures("impatient")
def test_a_long_query_reports_how_far_it_is():
    connection, reports = Connection(), []

    with watching(connection, reports.append):
        connection.duckdb.sql(LONG).fetchall()

    assert reports
    percents = [int(words.split(" %")[0]) for words in reports]
    assert all(0 <= percent <= 100 for percent in percents)
    assert all("left" in words for words in reports)


@pytest.mark.usefixtures("impatient")
def test_nothing_is_reported_of_no_query():
    reports = []

    with watching(Connection(), reports.append):
        threading.Event().wait(0.1)

    assert reports == []


@pytest.mark.usefixtures("impatient")
def test_the_watcher_ends_with_an_error_of_the_query():
    before = threading.active_count()

    with pytest.raises(ZeroDivisionError), watching(Connection(), print):
        raise ZeroDivisionError

    assert threading.active_count() == before


def test_without_a_connection_nothing_is_watched():
    before = threading.active_count()
    with watching(None, print):
        assert threading.active_count() == before


@pytest.mark.parametrize(("percent", "seconds"), [(-1, 9), (0, 9), (100, 9), (50, 1.9)])
def test_what_is_not_known_yet_is_not_described(percent, seconds):
    assert describe_progress(percent, seconds) is None


@pytest.mark.parametrize("percent", [0.001, 0.05, 4.9])
def test_a_query_that_has_hardly_begun_has_no_estimate(percent):
    assert describe_progress(percent, 60) is None


@pytest.mark.usefixtures("impatient")
def test_the_time_of_a_query_does_not_include_what_was_done_before_it(monkeypatch):
    """Between queries DuckDB reports -1; then 50 % done after 1 s leave 1 s, not 100."""
    clock, percents = iter([0.0, 99.0, 100.0]), iter([-1.0, 50.0])
    reports, ended = [], threading.Event()

    class Queries:
        def query_progress(self):
            percent = next(percents)
            if percent > 0:
                ended.set()
            return percent

    monkeypatch.setattr(connection.time, "monotonic", lambda: next(clock, 100.0))
    connection._watch(Queries(), reports.append, ended)
    assert reports == ["50 %, about 1 s left"]


def test_the_time_left_is_estimated():
    assert describe_progress(50.0, 119.4) == "50 %, about 119 s left"
    assert describe_progress(50.0, 120.0) == "50 %, about 2 min left"


@pytest.mark.usefixtures("impatient")
def test_a_release_reports_the_progress_of_its_step(tmp_path):
    (tmp_path / "people.csv").write_text("zip,ill\n02138,flu\n02139,flu\n02138,cold\n02139,cold\n")
    slow = f"SELECT * FROM people WHERE ({LONG}) > 0"
    steps = []

    made = make_release(
        la.Specification.build(
            {
                "source": {"query": slow, "tables": {"people": str(tmp_path / "people.csv")}},
                "release": {"k": 2, "out": str(tmp_path / "released" / "people.csv")},
                "attributes": {"zip": MASKED, "ill": SENSITIVE},
            },
            "test",
        ),
        steps.append,
    )

    assert made.release.certificate.rows_in == 4
    assert any(step.startswith("read: ") and step.endswith("left") for step in steps)
