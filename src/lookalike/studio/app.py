"""The web application: an address for every screen and for every action of its forms."""

import asyncio
import json
import time
import tomllib
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route, Router
from starlette.types import ASGIApp

from lookalike.errors import InvalidInput, LookalikeError
from lookalike.hierarchy.discreet import Discreet
from lookalike.report.page import load_templates
from lookalike.studio.blockers import Blocker
from lookalike.studio.door import ENTER, Gate, Guard
from lookalike.studio.editing.form_fields import find_form_field, list_form
from lookalike.studio.editing.project import OutOfDate, name_column
from lookalike.studio.folder import is_plain_file
from lookalike.studio.releases.past_releases import list_past_releases
from lookalike.studio.screens import SCREENS
from lookalike.studio.screens.screen import (
    COMMON_ACTIONS,
    TAKES_ONE_TABLE,
    Action,
    Download,
    Query,
    Screen,
    StepState,
    command_of_dry_run,
    read_texts,
)
from lookalike.studio.session import Refused, Session


def fill_template(template: str, **values: Any) -> str:
    """Fill a template of ``templates/``, which is named without its suffix."""
    return _environment().get_template(f"{template}.html").render(**values)


def show_screen(session: Session, screen: Screen, query: Query) -> dict[str, Any]:
    """Return what the page of a screen shows, and the end of its address (``asked``).

    A screen that needs a table shows nothing if there is none.
    """
    asked = f"?{urlencode(query)}" if query else ""
    shown = screen.show(session, query) if screen.can_show(session) else {}
    return dict(asked=asked, **shown)  # and a screen that shows another thing of that name fails


def fill_screen(
    session: Session, gate: Gate, screen: Screen, shown: dict[str, Any], **sent: dict[str, str]
) -> str:
    """Fill the page of a screen, and of a form that was refused.

    ``**sent``: ``given``, what was sent, and ``errors``: for each field or place why it is wrong.
    """
    problems = session.project.problems if session.project.text else {}
    blockers = session.blockers if session.project.text else []
    steps = list_steps(session, problems, blockers)
    can_show = screen.can_show(session)
    missing = "one_table" if session.project.is_linked else "empty"
    return fill_template(
        screen.template or screen.name if can_show else missing,
        project=session.project,
        screen=screen,
        screens=[one.suit(session) for one in SCREENS],
        steps=steps,
        following=_find_following(session, screen),
        problems=problems,
        is_touring=session.is_touring,
        decisions=sum(one.undecided for one in steps),
        busy="disabled" if session.is_busy else "",
        held="disabled" if session.is_busy or problems or blockers else "",
        work=session.work,
        counted=session.counted,
        blockers=blockers,
        form_token=gate.form_token,
        command=(screen.command if can_show else command_of_dry_run)(session),
        **{"errors": {}, "given": {}, **sent},
        **shown,
    )


@dataclass(frozen=True)
class NavigationStep(Discreet):
    """A step of the navigation: its screen, how it stands, and how many decisions are open."""

    screen: Screen
    state: StepState
    undecided: int


def list_steps(
    session: Session, problems: Iterable[str], blockers: Iterable[Blocker]
) -> list[NavigationStep]:
    """Return the steps of the navigation; one with an error or an open decision needs attention."""
    undecided = Counter({one.name: 0 for one in SCREENS})
    for one in blockers:
        undecided[one.screen] += len(one.rows)
    wrong = {_find_place_screen(place) for place in problems}
    return [
        NavigationStep(
            one,
            "attention" if undecided[one.name] or one.name in wrong else _find_state(session, one),
            undecided[one.name],
        )
        for one in SCREENS
        if not one.step
    ]


def _find_state(session: Session, screen: Screen) -> StepState:
    """Return how the step of a screen stands."""
    shown = screen.suit(session)
    return shown.state(session) if shown.takes(session) else "open"


def _find_place_screen(place: str) -> str:
    """Return the name of the screen on which most fields of a place are edited."""
    table, _, field = place.partition(".")
    if table == "records":
        _, _, rest = field.partition(".")
        return _find_place_screen(rest) if rest.startswith("attributes.") else "protection"
    if table == "attributes":
        return "roles" if field.endswith(".role") else "hierarchies"
    return "data" if table == "source" else "protection"


def _find_following(session: Session, screen: Screen) -> Screen | None:
    """Return the screen of the step that follows the one of a screen, and takes what is open."""
    steps = [one for one in SCREENS if not one.step]
    place = [one.name for one in steps].index(screen.own_step)
    later = (one.suit(session) for one in steps[place + 1 :])
    return next((one for one in later if one.takes(session)), None)


@cache
def _environment() -> Environment:
    """Return the templates."""
    environment = load_templates("lookalike.studio")
    glossary = files("lookalike.studio").joinpath("templates/glossary.toml")
    environment.globals |= {
        "glossary": tomllib.loads(glossary.read_text("utf-8")),
        "list_form": list_form,
        "find_form_field": find_form_field,
    }
    environment.filters |= {"under": _find_under, "column_name": name_column}
    return environment


def _find_under(errors: dict[str, str], place: str) -> str:
    """Return what is wrong with a place of the specification, or with a field in it."""
    inside = (why for at, why in errors.items() if at == place or at.startswith(f"{place}."))
    return "; ".join(inside)


LATEST = "latest"
"""What addresses call the release that the latest task has published."""


MOST_FIELDS = 100_000
"""The most fields of a form: a table has one role for each column."""
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""The policy of reports, which have a style of their own and may do nothing."""
_STATIC = {one.name: one for one in files("lookalike.studio").joinpath("static").iterdir()}
_STATIC["style.css"] = files("lookalike.report").joinpath("templates/style.css")
"""The files that pages load."""


def make_app(session: Session, gate: Gate) -> ASGIApp:
    """Return the application behind its guard."""
    studio = _Studio(session, gate)
    routes = [
        Route(ENTER, studio.enter),
        Route("/", studio.begin),
        Route("/events", studio.tell_events),
        Route("/static/{name}", studio.give_static),
        Route("/released/{release}/{place:int}", studio.give_released),
    ]
    for screen in SCREENS:
        home = f"/{screen.name}"
        routes.append(Route(home, partial(studio.show, screen)))
        for name in (*COMMON_ACTIONS, *screen.actions):
            act = partial(studio.act, screen, name)
            routes.append(Route(f"{home}/{name}", act, methods=["POST"]))
            routes.append(Route(f"{home}/{name}", partial(studio.go_to, screen)))
        for name, download in screen.downloads.items():
            routes.append(Route(f"{home}/{name}", partial(studio.download, screen, download)))
    return Guard(Router(routes), gate)


class _Studio:
    """The handlers of requests; each answers in this thread, so that no two change at once."""

    def __init__(self, session: Session, gate: Gate) -> None:
        self._session = session
        self._gate = gate

    async def enter(self, request: Request) -> Response:
        """Exchange the token of the first address for a cookie."""
        if self._gate.is_session(request.cookies.get(self._gate.cookie, "")):
            return RedirectResponse("/", 303)
        if not self._gate.enter(request.query_params.get("token", "")):
            return PlainTextResponse("This address was used already, or is wrong.", 403)
        answer = HTMLResponse(fill_template("enter"))
        answer.set_cookie(
            self._gate.cookie, self._gate.session, httponly=True, samesite="strict", path="/"
        )
        return answer

    async def begin(self, _request: Request) -> Response:
        """Go to the first screen."""
        return RedirectResponse(f"/{SCREENS[0].name}", 303)

    async def tell_events(self, _request: Request) -> Response:
        """Tell a page whatever changes, as server-sent events, until it leaves."""
        return StreamingResponse(self._list_events(), media_type="text/event-stream")

    async def _list_events(self) -> AsyncIterator[str]:
        """Yield what a page compares with what it shows, at first and whenever it changes."""
        bell, told = self._session.bell, None
        with bell.listening() as rung:
            while not bell.is_removed:
                rung.clear()
                now = describe_state(self._session)
                if now != told:
                    yield f"data: {json.dumps(now)}\n\n"
                told = now
                await rung.wait()
                await asyncio.sleep(EVENTS_EVERY)

    async def give_static(self, request: Request) -> Response:
        """Return a style sheet or the script."""
        name = request.path_params["name"]
        if name not in _STATIC:
            return PlainTextResponse("There is no such file.", 404)
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        return Response(_STATIC[name].read_bytes(), media_type=kind)

    async def give_released(self, request: Request) -> Response:
        """Return a file of a published release: a report to read, another to save."""
        place = request.path_params["place"]
        offered = list_offered_files(self._session, request.path_params["release"])
        if place >= len(offered) or not is_plain_file(offered[place]):
            return PlainTextResponse("There is no such file.", 404)
        path = offered[place]
        if path.suffix == ".html":
            return FileResponse(path, headers={"Content-Security-Policy": REPORT_POLICY})
        return FileResponse(path, media_type="application/octet-stream", filename=path.name)

    async def show(self, screen: Screen, request: Request) -> Response:
        """Show a screen."""
        self._session.last_request = time.monotonic()
        self._session.collect()
        return _suit_script(request, self._fill(screen, 200, request.query_params))

    async def go_to(self, screen: Screen, request: Request) -> Response:
        """Follow a link on the page of a refused form, whose address is the form's.

        Only browsers without scripts have that address.
        """
        return RedirectResponse(f"/{screen.name}?{request.url.query}".rstrip("?"), 303)

    async def download(self, screen: Screen, download: Download, request: Request) -> Response:
        """Give the user a file to save."""
        self._session.last_request = time.monotonic()
        try:
            shown = screen.suit(self._session)
            if download not in shown.downloads.values() or not shown.takes(self._session):
                raise InvalidInput(TAKES_ONE_TABLE)
            name, content = download(self._session, request.query_params)
        except LookalikeError as error:
            return self._fill(screen, 422, {}, errors={"form": str(error)})
        named = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
        return Response(content, media_type="application/octet-stream", headers=named)

    async def act(self, screen: Screen, action: str, request: Request) -> Response:
        """Act as a form asks, then show the screen; or show what is wrong."""
        self._session.last_request = time.monotonic()
        self._session.collect()
        async with request.form(max_files=1, max_fields=MOST_FIELDS) as form:
            answer = self._act(screen, action, form, request.query_params)
            return _suit_script(request, answer)

    def _act(self, screen: Screen, action: str, form: FormData, query: Query) -> Response:
        """Do what a form asks for, if it was sent from a page that is up to date.

        The page that is shown next has the query of the form's address.
        """
        if not self._gate.is_form(str(form.get("form_token", ""))):
            return PlainTextResponse("This form is not from this studio.", 403)
        given = read_texts(form)
        self._session.bell.ring()
        try:
            self._session.store.require(given.get("mark", ""))
            find_action(self._session, screen, action)(self._session, form)
        except OutOfDate:
            conflict = {"conflict": _describe_conflict(self._session)}
            return self._fill(screen, 409, query, errors=conflict)
        except Refused as refused:
            return self._fill(screen, 422, query, errors=refused.reasons, given=given)
        except LookalikeError as error:
            return self._fill(screen, 422, query, errors={"form": str(error)}, given=given)
        except OSError as error:
            reason = f"{error.filename or 'a file'} cannot be used: {error.strerror}"
            return self._fill(screen, 422, query, errors={"form": reason}, given=given)
        return RedirectResponse(f"/{screen.name}?{urlencode(query)}".rstrip("?"), 303)

    def _fill(self, screen: Screen, status: int, query: Query, **sent: dict[str, str]) -> Response:
        """Return the page of a screen; without its query, if that asks for what does not exist."""
        screen = screen.suit(self._session)
        try:
            shown = show_screen(self._session, screen, query)
        except LookalikeError as error:
            shown = show_screen(self._session, screen, {})
            status, sent["errors"] = 422, {"form": str(error)}
        return HTMLResponse(fill_screen(self._session, self._gate, screen, shown, **sent), status)


def find_action(session: Session, screen: Screen, name: str) -> Action:
    """Return an action of a screen, if it is for what is open."""
    if name in COMMON_ACTIONS:
        return COMMON_ACTIONS[name]
    shown = screen.suit(session)
    if name not in shown.actions or not shown.takes(session):
        raise InvalidInput(TAKES_ONE_TABLE)
    return shown.actions[name]


EVENTS_EVERY = 0.1
"""The seconds between two events at least; steps may follow each other much faster."""


def describe_state(session: Session) -> dict[str, Any]:
    """Return what a page compares with what it shows: the revision, and how far the task is."""
    session.collect()
    work, told = session.work, {"mark": session.project.mark, "work": ""}
    if work is None:
        return told
    parts = f"{work.parts} {len(work.course)}"
    return {**told, "work": work.mark, "step": work.step, "share": work.share, "parts": parts}


def _suit_script(request: Request, answer: Response) -> Response:
    """Give the script a page that refuses like any other page: browsers log it as an error else."""
    if "x-partial" in request.headers and answer.status_code in (409, 422):
        answer.status_code = 200
    return answer


def _describe_conflict(session: Session) -> str:
    """Say what happened since a page was made."""
    last = f" (latest change: {session.project.past[-1].what})" if session.project.past else ""
    return (
        f"The specification was changed in another tab{last}. None of your changes were saved; "
        "this page now shows the specification as it is. Make your change again."
    )


def list_offered_files(session: Session, release: str) -> tuple[Path, ...]:
    """List the files of a release, which an address names by their places in this list.

    ``release``: :data:`LATEST`, which also has the holder's own files, or the key of a past
    release.
    """
    if release == LATEST:
        made = session.find_made()
        return () if made is None else (*made.files, *made.own_files)
    try:
        return list_past_releases(session.project.folder, None).find(release).files
    except InvalidInput:
        return ()
