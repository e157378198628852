"""What a page is told of changes: events that arrive, and end with the studio or the page."""

import asyncio
import json

import pytest

from lookalike.studio.app import _Studio

from . import tasks
from .conftest import SPECIFICATION


async def hear(events, wanted):
    """Return the next event that is wanted."""
    async for event in events:
        assert event.startswith("data: ")
        assert event.endswith("\n\n")
        told = json.loads(event.removeprefix("data: "))
        if wanted(told):
            return told
    return None


def test_a_page_hears_of_changes_of_tasks_and_of_the_end(studio):
    session = studio.session

    async def listen():
        events = _Studio(session, studio.gate)._list_events()
        first = await hear(events, lambda _: True)
        assert first == {"mark": studio.project.mark, "work": ""}
        session.change(SPECIFICATION.replace("k = 2", "k = 3"), "k")
        session.bell.ring()
        assert (await hear(events, lambda _: True))["mark"] == studio.project.mark != first["mark"]
        session.begin("search", tasks.search)
        last = await hear(events, lambda told: " done " in told["work"])
        assert (last["share"], last["parts"]) == (0.5, "0 2")
        session.begin("die", tasks.die)
        assert await hear(events, lambda told: " failed " in told["work"])
        session.bell.remove()
        assert await hear(events, lambda _: True) is None
        assert not session.bell._waiting

    asyncio.run(asyncio.wait_for(listen(), 60))


def test_a_form_rings_for_the_other_pages(studio, monkeypatch):
    rung = []
    monkeypatch.setattr(studio.session.bell, "ring", lambda: rung.append(studio.project.mark))
    assert studio.post("/roles/undo").status_code == 303
    assert rung


@pytest.mark.parametrize("screen", ["explore", "publish"])
def test_how_far_a_task_is_can_be_seen(studio, tmp_path, screen):
    studio.session.begin("find", tasks.find_until_enough)
    work = studio.session.work
    work.course.append((1.0, 0.8, 0.95))
    work.course.append((3.0, 0.9, 0.93))
    work._hear("part", "a part")
    page = studio.get(f"/{screen}").text
    assert f'formaction="/{screen}/enough"' in page
    assert "<b>0.9000</b> is the best" in page
    assert page.count("<polyline") == 2
    assert studio.post(f"/{screen}/enough").status_code == 303
    work.wait(60)
    assert work.state == "done"
