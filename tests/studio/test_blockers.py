"""What must be decided first is said before a task begins; how a task ended can be dismissed."""

import pytest

from lookalike.studio import serve
from lookalike.studio.session import Session
from lookalike.studio.table_facts import profile

from . import tasks
from .conftest import SPECIFICATION

STARTS = {
    "/publish/try": {},
    "/publish/publish": {},
    "/compare/compare": {"target": ""},
    "/levels/count": {},
    "/explore/run": {"ks": "2", "limits": "0", "time_limit": "", "method-samarati": "on"},
}
UNDECIDED = {
    "role": (SPECIFICATION.replace('"sensitive"', '"?"'), "role of 'ill' is not decided", 2),
    "unique": (SPECIFICATION.replace('"identifier"', '"other"'), "column 'no' has 4 different", 1),
}


@pytest.fixture
def profiled(studio, monkeypatch):
    """A studio whose table was profiled, and in which no task may begin."""
    session = studio.session
    session.table = studio.project.folder / "people.csv"
    monkeypatch.setattr(Session, "begin", lambda *_given: None)
    session.profile({})
    session.facts = profile(lambda _: None, session.table, {})
    monkeypatch.setattr(Session, "begin", lambda *given: pytest.fail(f"{given[1]} has begun"))
    return studio


@pytest.mark.parametrize("case", UNDECIDED)
@pytest.mark.parametrize("path", STARTS)
def test_a_release_that_would_be_refused_does_not_begin(profiled, path, case):
    text, reason, place = UNDECIDED[case]
    profiled.session.change(text, "text")
    page = profiled.get(path.rpartition("/")[0]).text
    assert 'id="blockers"' in page
    assert reason.replace("'", "&#39;") in page
    name = ("zip", "no", "ill")[place]
    assert f'<a href="/roles#role-{place}">{name}</a>' in page
    assert f' id="role-{place}"' in profiled.get("/roles").text
    answer = profiled.post(path, STARTS[path])
    assert answer.status_code == 422
    assert reason.replace("'", "&#39;") in answer.text
    assert answer.text.count(reason.replace("'", "&#39;")) == 1


def test_who_is_a_person_is_decided_first(profiled):
    text = SPECIFICATION.replace("[release]", 'person = "?"\n[release]')
    profiled.session.store.change(lambda project: project.__class__(project.folder, text=text))
    page = profiled.get("/publish").text
    assert "who is a person is not decided" in page
    assert 'href="/protection#person"' in page
    assert ' id="person"' in profiled.get("/protection").text


def test_a_column_that_may_be_unique_or_is_read_otherwise_stops_nothing(profiled):
    begin = SPECIFICATION.replace('"identifier"', '"other"')
    for more in ("unique = true", 'missing = ["1", "2", "3", "4"]', "round = 5"):
        profiled.session.change(begin.replace('role = "other"', f'role = "other"\n{more}'), more)
        assert 'id="blockers"' not in profiled.get("/publish").text, more
    profiled.session.change(begin, "text")
    assert 'id="blockers"' in profiled.get("/publish").text
    (profiled.project.folder / "people.csv").write_text("no,zip,ill\n1,02138,flu\n1,02138,flu\n")
    assert 'id="blockers"' not in profiled.get("/publish").text
    assert "has changed since then" in profiled.get("/data").text


def test_how_a_task_ended_can_be_dismissed(studio):
    studio.session.begin("count", tasks.fail)
    studio.session.work.wait(600)
    assert "the column is wrong" in studio.get("/data").text
    assert studio.post("/roles/dismiss").status_code == 303
    for path in ("/roles", "/data"):
        assert "the column is wrong" not in studio.get(path).text
    studio.session.begin("count", tasks.fail)
    studio.session.work.wait(600)
    studio.session.begin("count", tasks.count, 1)
    assert "the column is wrong" not in studio.get("/data").text


def test_a_task_that_runs_cannot_be_dismissed(studio, tmp_path):
    studio.session.begin("wait", tasks.wait_long, tmp_path / "begun")
    running = studio.session.work
    studio.post("/roles/dismiss")
    assert studio.session.work is running
    studio.session.cancel()


def test_a_studio_in_a_folder_goes_on_where_it_was(people):
    (people / "other.csv").write_text("a\n1\n2\n")
    for table in ("other.csv", "people.csv", "none"):
        session = serve.open_session(people / table if table != "none" else people)
        if table == "people.csv":
            session.work.wait(600)
            session.collect()
            session.change(SPECIFICATION.replace("k = 2", "k = 3"), "k")
        text, work, chosen = session.project.text, session.work, session.table
        session.close()
    assert "k = 3" in text
    assert (work.name, chosen) == ("profile", people / "people.csv")


def test_a_draft_whose_file_is_broken_does_not_keep_the_folder_closed(people):
    session = serve.open_session(people / "people.toml")
    session.close()
    (people / "people.toml").write_text("[[[")
    session = serve.open_session(people)
    assert session.project.text == ""
    session.close()
