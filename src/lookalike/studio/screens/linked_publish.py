"""The screen *Publish* for linked tables: try the release, publish it, and verify it."""

from typing import Any

from starlette.datastructures import FormData

from lookalike.examine.verify import Verification
from lookalike.spec.record_fields import describe_knows
from lookalike.studio.editing.form_fields import find_form_field, set_fields
from lookalike.studio.releases.linked_summary import LinkedSummary, publish_linked, try_records
from lookalike.studio.screens import publish
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Refused, Session
from lookalike.tables.files.file_format import CERTIFICATE

_OUT, _EXAMPLE = "release.out", "released/persons.csv"


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return the release of the latest run, and whether one is in its place already."""
    made = session.find_result(LinkedSummary)
    return {
        "made": made,
        "is_current": made is not None and publish.is_still_asked(made, session),
        "findings": () if made is None else publish.settle_findings(made, session),
        "changed_files": publish.list_changed_files(session),
        "verification": session.find_result(Verification),
        "remedies": publish.REMEDY_SCREENS,
        "exists": (publish.locate_release(session) / CERTIFICATE).is_file(),
        "describe_knows": describe_knows,
    }


def _settle(session: Session, form: FormData) -> None:
    """Change where the release goes."""
    asked = find_form_field(_OUT).read(read_text(form, _OUT))
    if not asked:
        raise Refused({_OUT: f"name the file of the person table, such as {_EXAMPLE}"})
    if asked != session.project.table("release").get("out") and not publish.is_inside(asked):
        raise Refused({_OUT: f"name a place in this folder, such as {_EXAMPLE}"})
    session.change(set_fields(session.project.text, {_OUT: asked}), "place of the release")


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
    },
    state=publish.find_publishing_state,
    takes_linked=True,
    template="linked_publish",
)
