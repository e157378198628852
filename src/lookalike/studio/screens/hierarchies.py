"""The screen *Hierarchies*: how the values of each quasi-identifier become more general."""

import shlex
from typing import Any

from starlette.datastructures import FormData, UploadFile

from lookalike.draft.proposed_hierarchy import name_hierarchy_file
from lookalike.errors import InvalidInput
from lookalike.studio.hierarchies.column_rule import build_rule
from lookalike.studio.hierarchies.definition_fields import DEFINITION_FIELDS
from lookalike.studio.hierarchies.hierarchy_column import (
    define_hierarchy,
    find_column,
    find_linkable,
)
from lookalike.studio.hierarchies.hierarchy_files import (
    decode_hierarchy,
    export_hierarchy,
    store_hierarchy,
)
from lookalike.studio.hierarchies.hierarchy_page import (
    define_as_asked,
    find_present,
    show_column,
    show_overview,
)
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.screens.tree_actions import (
    group_in_tree,
    move_in_tree,
    remove_in_tree,
    rename_in_tree,
)
from lookalike.studio.session import Refused, Session


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return all quasi-identifiers, or the one that the query names by its place."""
    if "column" not in query:
        return show_overview(session)
    column = find_column(session, query["column"])
    if column.role != "quasi-identifier":
        return {**show_overview(session), "other": column}
    return show_column(session, column, query)


def _apply(session: Session, form: FormData) -> None:
    """Define the hierarchy of a column as the form says."""
    column, kind = find_linkable(session, read_text(form, "column")), read_text(form, "kind")
    if kind not in DEFINITION_FIELDS:
        raise InvalidInput("there is no such kind of hierarchy; choose one in the list")
    given = {name: value for name, value in form.items() if isinstance(value, str)}
    definition = define_as_asked(session, column, kind, given)
    build_rule(session.project, definition)
    define_hierarchy(session, column, definition, "hierarchy")


def _take_proposal(session: Session, form: FormData) -> None:
    """Define the hierarchy of a column as it was proposed."""
    column = find_linkable(session, read_text(form, "column"))
    if column.proposal is None:
        raise InvalidInput("nothing was proposed for this column; choose a kind")
    define_hierarchy(session, column, column.proposal, "proposed hierarchy")


def _import(session: Session, form: FormData) -> None:
    """Store an uploaded hierarchy in the folder, and use it."""
    column, sent = find_linkable(session, read_text(form, "column")), form.get("file")
    if not isinstance(sent, UploadFile) or not sent.filename:
        raise Refused({"import-file": "choose a file to import"})
    text = decode_hierarchy(sent.file.read(), read_text(form, "encoding").strip())
    suppresses = "unknown" in form
    try:
        name = store_hierarchy(
            session.project.folder, column.name, text, column.profile, suppresses=suppresses
        )
    except InvalidInput as error:
        raise Refused({"import-file": str(error)}) from None
    unknown = {"unknown": "suppress"} if suppresses else {}
    definition = {"kind": "file", "path": name, **unknown}
    define_hierarchy(session, column, definition, "imported hierarchy")


def _export(session: Session, query: Query) -> tuple[str, bytes]:
    """Return the hierarchy of a column as a file."""
    column = find_linkable(session, query.get("column", ""))
    content = export_hierarchy(find_present(session, column), column.profile)
    return name_hierarchy_file(column.name), content


def _command(session: Session) -> str:
    """Return the command that checks all hierarchies."""
    return f"lookalike hierarchy check {shlex.quote(session.project.name)}"


HIERARCHIES_SCREEN = Screen(
    name="hierarchies",
    title="Hierarchies",
    show=_show,
    command=_command,
    actions={
        "apply": _apply,
        "propose": _take_proposal,
        "import": _import,
        "rename": rename_in_tree,
        "remove": remove_in_tree,
        "move": move_in_tree,
        "group": group_in_tree,
    },
    downloads={"export": _export},
    has_style=True,
)
