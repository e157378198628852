"""Fill the templates of the studio. Everything is escaped; an unknown name is an error."""

from functools import cache
from typing import Any

from jinja2 import Environment

from lookalike.report.page import load_templates
from lookalike.studio.gate import Gate
from lookalike.studio.glossary import GLOSSARY
from lookalike.studio.screens import SCREENS
from lookalike.studio.screens.screen import Screen
from lookalike.studio.session import Session


def fill_template(template: str, **values: Any) -> str:
    """Fill a template of ``templates/``, which is named without its suffix."""
    return _environment().get_template(f"{template}.html").render(**values)


def fill_screen(
    session: Session, gate: Gate, screen: Screen, errors: dict[str, str], given: dict[str, str]
) -> str:
    """Fill the page of a screen.

    Parameters
    ----------
    session
        What is open.
    gate
        Gives the hidden field of every form.
    screen
        The screen.
    errors
        What is wrong in the form that was sent: for each field or place why.
    given
        The fields of that form, to be shown again.
    """
    project = session.project
    has_table = bool(project.text)
    shown = screen.show(session) if has_table or not screen.needs_table else {}
    return fill_template(
        screen.name if has_table or not screen.needs_table else "empty",
        project=project,
        screen=screen,
        screens=SCREENS,
        work=session.work,
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
