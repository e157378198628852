"""The screen *Hierarchies*: how the values of each quasi-identifier become more general."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData

from lookalike.draft.column import ColumnProfile
from lookalike.draft.proposed_hierarchy import name_hierarchy_file
from lookalike.draft.write_draft import write_private
from lookalike.errors import InvalidInput
from lookalike.hierarchy import File, write_hierarchy
from lookalike.studio.folder import find_free_name
from lookalike.studio.hierarchies import edit_tree, hierarchy_page
from lookalike.studio.hierarchies import hierarchy_column as columns
from lookalike.studio.hierarchies.definition_fields import DEFINITION_FIELDS
from lookalike.studio.hierarchies.edit_tree import Spot, TreeNodes
from lookalike.studio.screens import screen
from lookalike.studio.screens.screen import Query, Screen, read_text, read_texts
from lookalike.studio.session import Refused, Session, beside


def decode_hierarchy(content: bytes, encoding: str) -> str:
    """Return the text of an imported file."""
    try:
        return content.decode(encoding or "utf-8").removeprefix("\ufeff")
    except LookupError:
        problem = "no such encoding is known; try utf-8"
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"line {line} is not in this encoding; try latin-1 or cp1252"
    except ValueError:
        problem = "the file is not in this encoding; try utf-8"
    raise Refused({"import-encoding": problem})


def store_hierarchy(
    folder: Path, column: str, text: str, profile: ColumnProfile | None, *, suppresses: bool
) -> str:
    """Check a hierarchy, write it to a private file of its own, and return the name of the file."""
    name = name_hierarchy_file(column)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, name)
        write_private(path, text)
        rule = File(path, unknown="suppress" if suppresses else "error")
        try:
            rule.released_paths(column, () if profile is None else profile.values)
        except InvalidInput as error:
            raise InvalidInput(str(error).replace(f"{place}/{name}", "the file")) from None
    free = find_free_name(folder, name, text)
    if not (folder / free).exists():
        write_private(folder / free, text)
    return free


_RELOAD = "this form is from another page; reload the page"


def _rename(nodes: TreeNodes, form: FormData, _new: list[str]) -> TreeNodes:
    """Give the one group that is chosen another name."""
    spots = _read_spots(form)
    if len(spots) != 1:
        raise InvalidInput("choose exactly one group to rename")
    return edit_tree.rename_group(nodes, spots[0], read_text(form, "name"))


def _remove(nodes: TreeNodes, form: FormData, _new: list[str]) -> TreeNodes:
    """Remove the chosen groups."""
    return edit_tree.remove_groups(nodes, _read_spots(form))


def _move(nodes: TreeNodes, form: FormData, new: list[str]) -> TreeNodes:
    """Move what is chosen under another group."""
    parent = _read_spot(read_text(form, "parent"))
    return edit_tree.move_nodes(nodes, _read_spots(form), parent, new)


def _group(nodes: TreeNodes, form: FormData, new: list[str]) -> TreeNodes:
    """Put what is chosen into a new group."""
    parent, name = _read_spot(read_text(form, "parent")), read_text(form, "name")
    return edit_tree.move_nodes(nodes, _read_spots(form), parent, new, name)


def _edit(what: str, edit: Callable[[TreeNodes, FormData, list[str]], TreeNodes]) -> screen.Action:
    """Return the action that edits the tree of a column, unless the result is no hierarchy."""

    def act(session: Session, form: FormData) -> None:
        column = columns.find_linkable(session, read_text(form, "column"))
        nodes = columns.find_tree(session, column)
        known = dict(edit_tree.find_new_values(nodes, column.profile))
        chosen = [str(one) for one in form.getlist("new")]
        if not {*chosen} <= {"all", *map(str, known)}:
            raise InvalidInput(_RELOAD)
        is_all = "all" in chosen
        new = [one for place, one in known.items() if is_all or str(place) in chosen]
        changed = edit(nodes, form, new)
        edit_tree.require_distinct(changed)
        definition = columns.define_tree(column, changed)
        built = columns.build_rule(session.project, definition)
        built.rule.bind(column.name, [*edit_tree.list_leaves(changed), None], built.suppressed)
        columns.define_hierarchy(session, column, definition, f"{what} in the hierarchy")

    return act


def _read_spots(form: FormData) -> list[Spot]:
    """Return the spots of the values and groups that a form chooses."""
    return [_read_spot(str(one)) for one in form.getlist("node")]


def _read_spot(text: str) -> Spot:
    """Read a spot.

    Examples
    --------
    >>> _read_spot("0.2"), _read_spot("")
    ((0, 2), ())
    """
    places = text.split(".") if text else []
    if not all(one.isdecimal() and one.isascii() and len(one) < 7 for one in places):
        raise InvalidInput(_RELOAD)
    return tuple(map(int, places))


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return all quasi-identifiers, or the one that the query names by its place."""
    if "column" not in query:
        return hierarchy_page.show_overview(session)
    column = columns.find_column(session, query["column"])
    if column.role != "quasi-identifier":
        return {**hierarchy_page.show_overview(session), "other": column}
    return hierarchy_page.show_column(session, column, query)


def _apply(session: Session, form: FormData) -> None:
    """Define the hierarchy of a column as the form says."""
    column = columns.find_linkable(session, read_text(form, "column"))
    kind = read_text(form, "kind")
    if kind not in DEFINITION_FIELDS:
        raise InvalidInput("there is no such kind of hierarchy; choose one in the list")
    definition = hierarchy_page.define_as_asked(session, column, kind, read_texts(form))
    columns.build_rule(session.project, definition)
    columns.define_hierarchy(session, column, definition, "hierarchy")


def _take_proposal(session: Session, form: FormData) -> None:
    """Define the hierarchy of a column as it was proposed."""
    column = columns.find_linkable(session, read_text(form, "column"))
    if not column.proposal:
        raise InvalidInput("nothing was proposed for this column; choose a kind")
    columns.define_hierarchy(session, column, column.proposal, "proposed hierarchy")


def _import(session: Session, form: FormData) -> None:
    """Store an uploaded hierarchy in the folder, and use it."""
    column = columns.find_linkable(session, read_text(form, "column"))
    suppresses = "unknown" in form
    with beside("import-file"):
        _, sent = screen.read_upload(form)
        text = decode_hierarchy(sent.read(), read_text(form, "encoding").strip())
        name = store_hierarchy(
            session.project.folder, column.name, text, column.profile, suppresses=suppresses
        )
    unknown = {"unknown": "suppress"} if suppresses else {}
    definition = {"kind": "file", "path": name, **unknown}
    columns.define_hierarchy(session, column, definition, "imported hierarchy")


def _export(session: Session, query: Query) -> tuple[str, bytes]:
    """Return the hierarchy of a column as a file."""
    column = columns.find_linkable(session, query.get("column", ""))
    rule = columns.build_rule(session.project, column.definition).rule
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "hierarchy.csv")
        write_hierarchy(rule, () if column.profile is None else column.profile.values, path)
        return name_hierarchy_file(column.name), path.read_bytes()


HIERARCHIES_SCREEN = Screen(
    name="hierarchies",
    title="Hierarchies",
    show=_show,
    command=screen.write_command("hierarchy check"),
    actions={
        "apply": _apply,
        "propose": _take_proposal,
        "import": _import,
        "rename": _edit("renamed group", _rename),
        "remove": _edit("removed group", _remove),
        "move": _edit("moved values", _move),
        "group": _edit("new group", _group),
    },
    downloads={"export": _export},
    takes_linked=True,
)
