"""Faults in the studio: in who may see it, and in what it keeps."""

from .mutant import Mutant

_GUARD = ("tests/studio/test_guard.py",)
_SERVE = ("tests/studio/test_serve.py",)
_FOLDER = ("tests/studio/test_folder.py",)
_STORE = ("tests/studio/test_store.py",)
_SCREENS = ("tests/studio/test_screens.py",)

STUDIO_FAULTS = (
    Mutant(
        "studio: the token works twice",
        "studio/door.py",
        "self._is_open = self._is_open and not admitted",
        "self._is_open = self._is_open",
        _GUARD,
    ),
    Mutant(
        "studio: the cookie is not needed",
        "studio/door.py",
        'if not self._gate.is_session(cookies.get(self._gate.cookie, "")):',
        "if not cookies and self._gate.cookie is None:",
        _GUARD,
    ),
    Mutant(
        "studio: the host is not compared",
        "studio/door.py",
        'if headers.getlist("host") not in [[host] for host in self._hosts]:',
        'if not headers.getlist("host"):',
        _GUARD,
    ),
    Mutant(
        "studio: the port of the origin is not compared",
        "studio/door.py",
        'own = headers.getlist("origin") == [f"http://{headers[\'host\']}"]',
        'own = "127.0.0.1" in headers.get("origin", "")',
        _GUARD,
    ),
    Mutant(
        "studio: a form of another site is taken",
        "studio/door.py",
        'return own and site in (None, "same-origin")',
        "return own",
        _GUARD,
    ),
    Mutant(
        "studio: pages of other ports can load parts",
        "studio/door.py",
        'return site in (None, "none", "same-origin")',
        'return site != "cross-site"',
        _GUARD,
    ),
    Mutant(
        "studio: the form token is not compared",
        "studio/app.py",
        'if not self._gate.is_form(str(form.get("form_token", ""))):',
        'if "form_token" not in form:',
        _GUARD,
    ),
    Mutant(
        "studio: a body is read to its end",
        "studio/door.py",
        "if left < 0:",
        "if left < -(2**24):",
        _GUARD,
    ),
    Mutant(
        "studio: a fault shows its message",
        "studio/door.py",
        'return PlainTextResponse(f"{describe_fault(error)} Nothing was changed.", 500)',
        "return PlainTextResponse(str(error), 500)",
        _GUARD,
    ),
    Mutant(
        "studio: another user is let in with a cookie",
        "studio/door.py",
        "return any(owner != os.getuid() for owner in owners)",
        "return False",
        _SERVE,
    ),
    Mutant(
        "studio: a connection whose owner is not found is let in",
        "studio/door.py",
        "return any(here in owns for here, _, _ in listed)",
        "return False",
        _SERVE,
    ),
    Mutant(
        "studio: links lead out of the folder",
        "studio/folder.py",
        "stat.S_ISREG(path.lstat().st_mode)",
        "stat.S_ISREG(path.stat().st_mode)",
        _FOLDER,
    ),
    Mutant(
        "studio: paths lead out of the folder",
        "studio/folder.py",
        r'_PLAIN_NAME = re.compile(r"[^/\\\x00-\x1f]+")',
        r'_PLAIN_NAME = re.compile(r"[^\x00-\x1f]+")',
        _FOLDER,
    ),
    Mutant(
        "studio: a form of an older page overwrites",
        "studio/app.py",
        'self._session.store.require(given.get("mark", ""))',
        'given.get("mark", "")',
        _SCREENS,
    ),
    Mutant(
        "studio: saving overwrites what an editor has written",
        "studio/editing/project.py",
        "if _read(project.path) != project.saved:",
        "if _read(project.path) is None and project.saved:",
        _STORE,
    ),
    Mutant(
        "studio: a change is not kept",
        "studio/editing/project.py",
        "write_whole(self._draft(project.name), _dump(project))",
        "_dump(project)",
        _STORE,
    ),
    Mutant(
        "studio: what is wrong is kept",
        "studio/session.py::Session.change",
        "raise Refused(wrong)",
        "known |= wrong",
        _SCREENS,
    ),
    Mutant(
        "studio: pages do not escape",
        "report/page.py",
        "autoescape=True,",
        "autoescape=False,",
        _SCREENS,
    ),
    Mutant(
        "studio: a chart of a report has links",
        "report/chart.py",
        "        if active and not (links and _is_view(element)):",
        "        if active and not _is_view(element):",
        ("tests/report/test_chart.py",),
    ),
    Mutant(
        "studio: a link of a chart leads elsewhere",
        "report/chart.py",
        '        if not _VIEW.fullmatch(row["href"]):',
        "        if False:",
        ("tests/report/test_chart.py",),
    ),
    Mutant(
        "studio: a setting is used that the specification contradicts elsewhere",
        "studio/screens/explore.py",
        "    if asked.requirement(rows) != with_setting(asked, setting).requirement(rows):",
        "    if False:",
        ("tests/studio/test_explore.py",),
    ),
    Mutant(
        "studio: an exploration of another specification looks current",
        "studio/frontier.py",
        "if one not in _TRIED | _OUTSIDE]",
        "if False]",
        ("tests/studio/test_explore.py",),
    ),
    Mutant(
        "studio: levels that fail can be used",
        "studio/screens/levels.py",
        "if not describe_vector(rollups, changed.asked, vector).can_be_released:",
        "if not describe_vector(rollups, changed.asked, vector).attributes:",
        ("tests/studio/test_levels_actions.py",),
    ),
    Mutant(
        "studio: bounds that were tried replace all constraints",
        "studio/levels/open_levels.py",
        "kept = [text for text in before if Constraint.parse(text).quantity not in changed]",
        "kept = list[str]()",
        ("tests/studio/test_levels_actions.py",),
    ),
    Mutant(
        "studio: neighbours of a vector are evaluated at the vector itself",
        "studio/levels/vector_facts.py",
        "rows = None if is_over(deadline) else rollups.suppressed(other)",
        "rows = None if is_over(deadline) else rollups.suppressed(vector)",
        ("tests/studio/test_levels.py",),
    ),
    Mutant(
        "studio: a task that has begun is killed when it is cancelled",
        "studio/work.py",
        "has_begun = not self._start.acquire(block=False)",
        "has_begun = self.step != 'starting'",
        ("tests/studio/test_work.py",),
    ),
)
