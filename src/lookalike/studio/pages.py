"""Fill the templates of the studio. Everything is escaped; an unknown name is an error."""

from functools import cache
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment

from lookalike.report.page import load_templates
from lookalike.studio.door.gate import Gate
from lookalike.studio.glossary import GLOSSARY
from lookalike.studio.screens import SCREENS
from lookalike.studio.screens.screen import Query, Screen
from lookalike.studio.session import Session


def fill_template(template: str, **values: Any) -> str:
    """Fill a template of ``templates/``, which is named without its suffix."""
    return _environment().get_template(f"{template}.html").render(**values)


def show_screen(session: Session, screen: Screen, query: Query) -> dict[str, Any]:
    """Return what the page of a screen shows, and the end of its address (``asked``).

    A screen that needs a table shows nothing if there is none.
    """
    asked = f"?{urlencode(query)}" if query else ""
    shown = screen.show(session, query) if _can_show(session, screen) else {}
    return dict(asked=asked, **shown)  # and a screen that shows another thing of that name fails


def _can_show(session: Session, screen: Screen) -> bool:
    """Return whether there is what a screen needs."""
    return bool(session.project.text) or not screen.needs_table


def fill_screen(
    session: Session,
    gate: Gate,
    screen: Screen,
    shown: dict[str, Any],
    errors: dict[str, str],
    given: dict[str, str],
) -> str:
    """Fill the page of a screen.

    ``errors``: what is wrong in the form that was sent: for each field or place why.
    """
    return fill_template(
        screen.name if _can_show(session, screen) else "empty",
        project=session.project,
        screen=screen,
        screens=SCREENS,
        work=session.work,
        counted=session.counted,
        blockers=session.blockers if session.project.text else (),
        form_token=gate.form_token,
        command=screen.command(session),
        errors=errors,
        given=given,
        **shown,
    )


@cache
def _environment() -> Environment:
    """Return the templates."""
    environment = load_templates("lookalike.studio")
    environment.globals |= {"glossary": GLOSSARY}
    environment.filters |= {"under": _find_under}
    return environment


def _find_under(errors: dict[str, str], place: str) -> str:
    """Return what is wrong with a place of the specification, or with a field in it."""
    inside = (why for at, why in errors.items() if at == place or at.startswith(f"{place}."))
    return "; ".join(inside)
