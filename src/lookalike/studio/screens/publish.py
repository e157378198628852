"""The screen *Publish*: try the release, publish it, verify it, and open its files."""

import shlex
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData

from lookalike.flow.verify.folder import Verification
from lookalike.studio.changes import accept_finding
from lookalike.studio.comparison import compare_release
from lookalike.studio.release_summary import (
    ReleaseSummary,
    publish_release,
    verify_release,
)
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Session
from lookalike.tables.file_format import CERTIFICATE


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return the release of the latest run, and whether one is in its place already."""
    made = session.find_result(ReleaseSummary)
    return {
        "made": made,
        "is_current": made is not None and made.text == session.project.text,
        "verification": session.find_result(Verification),
        "out": str(session.project.table("release").get("out", "")),
        "exists": (locate_release(session) / CERTIFICATE).is_file(),
    }


def locate_release(session: Session) -> Path:
    """Return the folder of the release that the specification describes."""
    out = str(session.project.table("release").get("out", ""))
    return (session.project.folder / out).parent


def _try(session: Session, _form: FormData) -> None:
    """Make the release and write nothing."""
    session.begin("dry run", compare_release, session.project, None)


def _publish(session: Session, form: FormData) -> None:
    """Save the specification, make the release and publish it."""
    session.store.save()
    session.begin("publish", publish_release, session.project, "replace" in form)


def _verify(session: Session, _form: FormData) -> None:
    """Verify the published release."""
    session.begin("verify", verify_release, session.project)


def _accept(session: Session, form: FormData) -> None:
    """Accept a finding that stops publishing."""
    name = read_text(form, "finding")
    session.change(accept_finding(session.project.text, name), f"{name} accepted")


def _command(session: Session) -> str:
    """Return the commands that publish and verify."""
    name = shlex.quote(session.project.name)
    folder = shlex.quote(locate_release(session).name)
    return f"lookalike release {name} && lookalike verify {folder} --spec {name}"


PUBLISH_SCREEN = Screen(
    name="publish",
    title="Publish",
    show=_show,
    command=_command,
    actions={"try": _try, "publish": _publish, "verify": _verify, "accept": _accept},
)
