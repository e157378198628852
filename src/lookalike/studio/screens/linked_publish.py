"""The screen *Publish* for linked tables: try the release, publish it, and verify it."""

from typing import Any

from starlette.datastructures import FormData

from lookalike.spec.record_fields import LINKED_FIELDS, describe_knows
from lookalike.studio.editing.form_fields import FormField, list_form, set_fields
from lookalike.studio.releases.linked_summary import publish_linked, try_records
from lookalike.studio.screens import publish
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Refused, Session


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return the release of the latest run, and the fields of its form."""
    return {
        **publish.show_made(session),
        "places": list_places(),
        "describe_knows": describe_knows,
    }


def list_places() -> list[FormField]:
    """List the fields of where the release goes and what it is for, which linked tables take."""
    return [one for one in list_form("places") if one.name in LINKED_FIELDS]


def _settle(session: Session, form: FormData) -> None:
    """Change where the release goes, and what it is for."""
    asked = {one.place: one.read(read_text(form, one.place)) for one in list_places()}
    wrong = dict(publish.find_wrong_places(asked, session.project))
    if wrong:
        raise Refused(wrong)
    session.change(set_fields(session.project.text, asked), "place and purpose of the release")


LINKED_PUBLISH_SCREEN = Screen(
    name="publish",
    title="Publish",
    show=_show,
    command=publish.write_publishing,
    actions={
        "settle": _settle,
        "try": lambda session, _: session.begin_release("dry run", try_records, session.project),
        "publish": publish.publish_by(publish_linked),
        "verify": publish.begin_verifying,
        "accept": publish.accept,
        "answer": publish.take_review,
        "set-aside": publish.set_review_aside,
    },
    downloads={"review": publish.give_review_page},
    state=publish.find_publishing_state,
    takes_linked=True,
    template="linked_publish",
)
