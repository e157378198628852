"""A studio that a program uses: it presses every button, and sends forms that are wrong."""

import pickle
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import ImmutableMultiDict

from lookalike.errors import LookalikeError
from lookalike.studio.screens import SCREENS
from lookalike.studio.screens.screen import COMMON_ACTIONS
from lookalike.studio.work import TaskLine

from .conftest import ORIGIN
from .direct import ask_directly
from .forms import read_forms

OF_HISTORY = tuple(
    f"/{name}" for name in ("undo", "redo", "load", "save", "edit", "cancel", "enough")
)
_GET = ImmutableMultiDict.get


@dataclass
class FinishedWork:
    """A task that ran in this process."""

    name: str
    result: Any
    state: str = "done"
    step: str = ""
    problem: str = ""
    seconds: int = 0
    is_running: bool = False
    keeps: bool = False
    mark: str = "done"

    def cancel(self):
        pass

    def end_early(self):
        pass

    def let_go(self, seconds=0.0):
        pass

    def wait(self):
        pass


def _do(name, task, given):
    try:
        return FinishedWork(name, task(TaskLine(), *given))
    except (LookalikeError, OSError) as error:
        return FinishedWork(name, None, "failed", problem=str(error))


class Pressed:
    """A studio whose tasks run at once, in this process, so that a fault in one is seen."""

    def __init__(self, opened):
        self.opened = opened
        self.asked = set()
        self._done = {}

    @property
    def session(self):
        return self.opened.session

    def begin(self, name, task, *given):
        """Do a task, or take what it returned before for the same."""
        key = pickle.dumps((task, given))
        if key not in self._done:
            self._done[key] = _do(name, task, given)
        self.session.work = replace(self._done[key])
        self.session.collect()

    def note(self, fields, name, default=None):
        """Note which field of a form or of an address is asked for."""
        self.asked.add(name)
        return _GET(fields, name, default)

    def send(self, method, path, **more):
        gate = self.opened.gate
        headers = {"cookie": f"{gate.cookie}={gate.session}", "origin": ORIGIN}
        return ask_directly(self.opened.client.app, method, path, headers, **more)

    def submit(self, path, fields, **more):
        """Send a form, and return the page that follows."""
        answer = self.send("POST", path, data={**fields, **self.opened.fields()}, **more)
        assert answer.status_code in (303, 409, 422), f"{path}: {answer.text}"
        if answer.status_code != 303:
            return answer
        page = self.send("GET", answer.headers["location"])
        assert page.status_code == 200, f"{path}: {page.text}"
        return page

    def press_everything(self):
        """Press every button: choose the table, count it, and then the other screens, twice.

        Each screen begins with the same specification, and with what the others have found.
        """
        self.press(SCREENS[0])
        self.submit(f"/{SCREENS[0].name}/count", {})
        begun = self.session.project
        for screen in (*SCREENS[1:], *SCREENS[1:]):
            self.press(screen)
            self.session.store.project = begun

    def press(self, screen):
        """Press every button of a screen."""
        for form in self.list_forms(screen):
            for address, added in form.buttons:
                if not is_of_history(address):
                    self.submit(address, {**form.fields, **added})

    def list_forms(self, screen):
        """Return the forms of a screen."""
        return read_forms(self.send("GET", f"/{screen.name}").text)

    def submit_wrong(self, path, fields, **more):
        """Send a form that is wrong: a page follows, and nothing changes unless it was taken."""
        session = self.session
        before = session.project, session.facts, session.work, dict(session._results)
        page = self.submit(path, fields, **more)
        assert page.status_code == 200 or session.project.text == before[0].text, path
        assert page.text.count("<h1>") == 1, path
        assert "<script>alert(" not in page.text, path
        session.store.project, session.facts, session.work, session._results = before

    def submit_growing(self, path, value, as_file=False):
        """Send a form without fields, then with each field that its action asks for, all wrong."""
        names = set()
        while True:
            self.asked.clear()
            files = dict.fromkeys(sorted(names)[:1], ("x.csv", b"x")) if as_file else {}
            given = {name: value for name in names if name not in files}
            self.submit_wrong(path, given, files=files or None)
            if not self.asked - names - {"form_token", "mark"}:
                return
            names |= self.asked - {"form_token", "mark"}

    def look_oddly(self, path, query):
        """Look at an address with a query that nobody would write."""
        answer = self.send("GET", f"{path}?{urlencode(query)}")
        assert answer.status_code in (200, 422), f"{path} {query}: {answer.text}"
        assert "<script>alert(" not in answer.text, path
        return answer

    def find_asked(self, path):
        """Return the names that a screen or a download asks for in the query of its address."""
        self.asked.clear()
        self.send("GET", path)
        return sorted(self.asked)


def is_of_history(address):
    """Return whether an address is that of an action that all screens share."""
    return address.partition("?")[0].endswith(OF_HISTORY)


def list_actions():
    """Return the address of every action; those that all screens share once."""
    shared = [f"/{SCREENS[0].name}/{name}" for name in COMMON_ACTIONS]
    return [*shared, *(f"/{screen.name}/{name}" for screen in SCREENS for name in screen.actions)]


def list_pages():
    """Return the address of every screen and of every download."""
    downloads = [f"/{screen.name}/{name}" for screen in SCREENS for name in screen.downloads]
    return [*(f"/{screen.name}" for screen in SCREENS), *downloads]
