"""The bar that stays on every screen, the steps above it, and the specification as a drawer."""

import re

import pytest

from lookalike.studio.app import list_steps
from lookalike.studio.screens import SCREENS

from .conftest import SPECIFICATION

STEPS = [screen for screen in SCREENS if not screen.step]
DRAWER = '<details id="drawer" '


def find_dock(page):
    """Return the bar of a page."""
    return page[page.index('id="dock"') :]


def find_states(session):
    steps = list_steps(session, session.project.problems, session.blockers)
    return {one.screen.name: (one.state, one.undecided) for one in steps}


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_the_bar_leads_on_from_every_screen(studio, screen):
    dock = find_dock(studio.get(f"/{screen.name}").text)
    place = [one.name for one in STEPS].index(screen.own_step)
    following = [one.name for one in STEPS[place + 1 : place + 2]]
    expected = ["publish"] if screen.name == "forecast" else following
    assert re.findall(r'id="next" href="/(\w+)"', dock) == expected
    assert dock.count('class="primary"') + dock.count("button primary") == min(1, len(expected))
    assert all(f'id="{name}"' in dock for name in ("undo", "redo", "save", "drawer"))


def test_steps_show_what_is_done_and_how_much_is_to_decide(studio):
    assert find_states(studio.session) == dict.fromkeys(
        ("data", "roles", "hierarchies", "protection"), ("done", 0)
    ) | dict.fromkeys(("explore", "compare", "publish", "releases"), ("open", 0))
    undecided = SPECIFICATION.replace('"sensitive"', '"?"').replace('"identifier"', '"?"')
    studio.session.change(undecided, "roles")
    assert find_states(studio.session)["roles"] == ("attention", 2)
    page = studio.get("/data").text
    assert '2<span class="unseen"> to decide</span>' in page
    assert "2 to decide" in find_dock(page)
    assert "disabled" in re.search(r'<button id="publish"[^>]*>', studio.get("/publish").text)[0]


@pytest.mark.parametrize(
    ("old", "new", "screen"),
    [
        ("k = 2", 'k = "many"', "protection"),
        ('{ kind = "mask" }', '{ kind = "none" }', "hierarchies"),
        ('role = "sensitive"', 'role = "secret"', "roles"),
        ('path = "people.csv"', 'path = "people.csv"\nheader = 3', "data"),
    ],
)
def test_an_error_is_shown_at_the_step_that_mends_it(studio, people, old, new, screen):
    (people / "people.toml").write_text(SPECIFICATION.replace(old, new))
    studio.post("/data/load")
    states = find_states(studio.session)
    assert [name for name, one in states.items() if one[0] == "attention"] == [screen]
    assert 'href="#problems">1 error in the specification' in find_dock(studio.get("/data").text)


def test_the_specification_is_closed_unless_its_text_was_refused(studio):
    assert f"{DRAWER}>" in studio.get("/roles").text
    assert f"{DRAWER}open>" in studio.post("/roles/edit", {"text": "[release"}).text
