"""The actions of the tree on *Hierarchies*: one edit is one change of the specification."""

from collections.abc import Callable

from starlette.datastructures import FormData

from lookalike.errors import InvalidInput
from lookalike.studio.hierarchies.column_rule import build_rule
from lookalike.studio.hierarchies.column_tree import define_tree, find_tree
from lookalike.studio.hierarchies.edit_tree import (
    Spot,
    TreeNodes,
    group_nodes,
    list_leaves,
    move_nodes,
    remove_groups,
    rename_group,
    require_distinct,
)
from lookalike.studio.hierarchies.hierarchy_column import define_hierarchy, find_linkable
from lookalike.studio.hierarchies.tree_view import find_new_values
from lookalike.studio.screens.screen import read_text
from lookalike.studio.session import Session

Edit = Callable[[TreeNodes], TreeNodes]
_RELOAD = "this form is from another page; reload the page"


def rename_in_tree(session: Session, form: FormData) -> None:
    """Give the one group that is chosen another name."""
    spots = _read_spots(form)
    if len(spots) != 1:
        raise InvalidInput("choose exactly one group to rename")
    _change(session, form, "renamed group", lambda n: rename_group(n, spots[0], _name(form)))


def remove_in_tree(session: Session, form: FormData) -> None:
    """Remove the chosen groups."""
    spots = _read_spots(form)
    _change(session, form, "removed group", lambda nodes: remove_groups(nodes, spots))


def move_in_tree(session: Session, form: FormData) -> None:
    """Move what is chosen under another group."""
    spots, parent = _read_spots(form), _read_spot(read_text(form, "parent"))
    new = _read_new(session, form)
    _change(session, form, "moved values", lambda n: move_nodes(n, spots, parent, new))


def group_in_tree(session: Session, form: FormData) -> None:
    """Put what is chosen into a new group."""
    spots, parent = _read_spots(form), _read_spot(read_text(form, "parent"))
    new, name = _read_new(session, form), _name(form)
    _change(session, form, "new group", lambda n: group_nodes(n, spots, parent, name, new))


def _change(session: Session, form: FormData, what: str, edit: Edit) -> None:
    """Edit the tree of a column, unless the result is no hierarchy."""
    column = find_linkable(session, read_text(form, "column"))
    changed = edit(find_tree(session, column))
    require_distinct(changed)
    definition = define_tree(column, changed)
    built = build_rule(session.project, definition)
    built.rule.bind(column.name, [*list_leaves(changed), None], built.suppressed)
    define_hierarchy(session, column, definition, f"{what} in the hierarchy")


def _name(form: FormData) -> str:
    """Return the name of a group that a form gives."""
    return read_text(form, "name")


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


def _read_new(session: Session, form: FormData) -> list[str]:
    """Return the values that a form chooses and that the tree does not have yet."""
    column = find_linkable(session, read_text(form, "column"))
    known = {
        str(place): value
        for place, value in find_new_values(find_tree(session, column), column.profile)
    }
    chosen = [str(one) for one in form.getlist("new")]
    if "all" in chosen:
        return list(known.values())
    if not set(chosen) <= known.keys():
        raise InvalidInput(_RELOAD)
    return [known[one] for one in chosen]
