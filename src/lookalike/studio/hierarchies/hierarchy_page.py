"""What the screen *Hierarchies* shows: all quasi-identifiers, or one column with its form."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from lookalike.draft import preview_hierarchy as preview
from lookalike.draft.check_hierarchies import HierarchyFinding, judge_bound
from lookalike.draft.column import ColumnProfile
from lookalike.draft.numbers import read_column_numbers
from lookalike.errors import InvalidInput
from lookalike.hierarchy import Intervals
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.decimal_text import write_number
from lookalike.studio.editing.form_fields import Given
from lookalike.studio.folder import list_hierarchy_files
from lookalike.studio.hierarchies import definition_fields, hierarchy_column, interval_bounds
from lookalike.studio.hierarchies.edit_tree import view_tree, write_tree
from lookalike.studio.hierarchies.hierarchy_column import ColumnRule, HierarchyColumn, build_rule
from lookalike.studio.hierarchies.order_values import group_neighbours, start_order
from lookalike.studio.session import Refused, Session

LABELS_COUNTED = 80_000
"""How many labels a page counts: those of all levels of all previewed values of a column."""
MOST_LEVELS = 1_000
"""A hierarchy with more levels is not previewed."""
LABELS_SHOWN = 12
"""How many labels of a level a page shows, the most frequent ones."""
LADDERS_SHOWN = 4
"""Of how many values a page shows what each level makes of them, the most frequent ones."""


def view_hierarchy(
    profile: ColumnProfile, column: ColumnRule, labels: int = LABELS_COUNTED
) -> dict[str, Any]:
    """Bind a hierarchy to the values of a column and count the rows of its labels.

    ``labels``: how many labels may be counted; of a column that has more, the most frequent values
    are looked at. There are no levels if there is an error.
    """
    seen, levels, ladders = profile, list[dict[str, Any]](), list[list[str | None]]()
    try:
        seen = _take_most_frequent(profile, column, labels)
        bound = preview.bind_column(seen, column.rule, column.suppressed)
        findings = [*judge_bound(column.specification, seen, column.rule, bound)]
        found = preview.preview_bound(seen, bound, column.rule.name, column.k)
        levels = [_view_level(seen, bound, figures) for figures in found.levels]
        ladders = [
            [labels[codes[code]] for labels, codes in zip(bound.labels, bound.levels, strict=True)]
            for code in bound.ground[:LADDERS_SHOWN].tolist()
        ]
    except InvalidInput as problem:
        findings = [HierarchyFinding("error", str(problem), problem.named)]
    return {
        "levels": levels,
        "ladders": ladders,
        "findings": findings,
        "rows": sum(seen.counts) + seen.missing,
        "previewed": len(seen.values),
        "distinct": profile.distinct,
        "is_partial": len(seen.values) < profile.distinct,
    }


def _take_most_frequent(profile: ColumnProfile, column: ColumnRule, labels: int) -> ColumnProfile:
    """Return a column with as many of its values as can be looked at."""
    try:
        height = column.rule.fit(profile.values).height
    except InvalidInput as problem:
        raise InvalidInput(f"column {profile.name!r}: {problem}") from None
    if height > MOST_LEVELS:
        raise InvalidInput(
            f"column {profile.name!r}: the hierarchy has {height:,} levels, too many to preview; "
            "give fewer steps"
        )
    most = labels // (height + 1)
    return replace(profile, values=profile.values[:most], counts=profile.counts[:most])


def _view_level(
    profile: ColumnProfile, bound: BoundHierarchy, figures: preview.LevelFigures
) -> dict[str, Any]:
    """Return a level with its most frequent labels; a label `None` is missing."""
    rows = preview.count_label_rows(profile, bound, figures.level)
    order = (-rows).argsort(kind="stable")[: min(LABELS_SHOWN, figures.values)]
    labels = bound.labels[figures.level]
    shown = tuple((labels[place], int(rows[place])) for place in order.tolist())
    return {
        "figures": figures,
        "labels": shown,
        "labels_left": figures.values - len(shown),
        "rows_left": int(rows.sum()) - sum(count for _, count in shown),
    }


def show_overview(session: Session) -> dict[str, Any]:
    """Return every quasi-identifier with what its hierarchy makes of it."""
    columns = hierarchy_column.list_columns(session)
    linkable = [one for one in columns if one.role == "quasi-identifier"]
    labels, overview = 2 * LABELS_COUNTED // max(2, len(linkable)), []
    for one in linkable:
        view, why = None, ""
        try:
            rule = build_rule(session.project, one.definition)
            view = None if one.profile is None else view_hierarchy(one.profile, rule, labels)
        except InvalidInput as error:
            why = str(error)
        overview.append((one, view, why))
    return {"column": None, "overview": overview}


def show_column(session: Session, column: HierarchyColumn, query: Given) -> dict[str, Any]:
    """Return a column with the form of a kind, and a preview of what the form defines.

    ``query``: ``kind`` and the fields of the form; without them, the present hierarchy is shown.
    """
    kind = query.get("kind", column.kind)
    if kind not in definition_fields.DEFINITION_FIELDS:
        raise InvalidInput("there is no such kind of hierarchy; choose one in the list")
    asked, wrong = _read_asked(kind, query)
    if kind == "ordering" and asked is None:
        asked = start_order(column.profile)
    definition, rule = dict[str, Any](), None
    try:
        definition = define_as_asked(session, column, kind, asked)
        rule = build_rule(session.project, definition)
    except Refused as refused:
        wrong |= refused.reasons
    except InvalidInput as error:
        wrong |= {"hierarchy": str(error)}
    texts = dict(asked) if asked is not None else definition_fields.write_definition(definition)
    profile = column.profile
    return {
        "column": column,
        "kind": kind,
        "fields": definition_fields.list_definition_fields(kind),
        "texts": texts,
        "wrong": wrong,
        "is_changed": definition != column.definition,
        "proposal": column.proposal,
        "view": None if rule is None or profile is None else view_hierarchy(profile, rule),
        "k": None if rule is None else rule.k,
        "files": list_hierarchy_files(session.project.folder),
        **_show_tree(session, column, kind),
        **_draw(column, kind, rule, texts, query),
    }


def _read_asked(kind: str, query: Given) -> tuple[Given | None, dict[str, str]]:
    """Return the fields that a query gives, with bounds moved, and why some cannot be."""
    if "defined" not in query:
        return None, {}
    fields = interval_bounds.drop_moves(query)
    if kind != "ranges":
        return fields, {}
    try:
        return interval_bounds.move_bounds(query), {}
    except Refused as refused:
        return fields, dict(refused.reasons)


def define_as_asked(
    session: Session, column: HierarchyColumn, kind: str, given: Given | None
) -> dict[str, Any]:
    """Return the definition that a form gives.

    ``given``: its fields; without them, the present definition, or that with which the form begins.
    """
    if given is None:
        if kind == column.kind and column.definition:
            return column.definition
        return hierarchy_column.start_definition(session, column, kind)
    definition = definition_fields.read_definition(kind, given)
    if kind == "taxonomy":
        nodes = hierarchy_column.find_tree(session, column)
        return {**hierarchy_column.define_tree(column, nodes), **definition}
    if kind == "ordering":
        return _define_order(column, definition)
    if kind == "file":  # of the folder, or the one that the specification names
        known = list_hierarchy_files(session.project.folder)
        if definition.get("path") not in (*known, column.definition.get("path") or known):
            raise Refused({"path": "choose a file of this folder"})
    return definition


def _define_order(column: HierarchyColumn, asked: dict[str, Any]) -> dict[str, Any]:
    """Return the taxonomy of neighbours that a form asks for."""
    profile = column.profile
    if profile is None or not 0 < profile.distinct <= hierarchy_column.MOST_LEAVES:
        raise InvalidInput(
            f"values are put in order for 1 to {hierarchy_column.MOST_LEAVES:,} known values; "
            "choose another kind"
        )
    tree = write_tree(group_neighbours(profile.values, asked))
    kept = {name: one for name, one in asked.items() if name not in ("kind", "order", "sizes")}
    return {"kind": "taxonomy", "tree": tree, **kept}


def _show_tree(session: Session, column: HierarchyColumn, kind: str) -> dict[str, Any]:
    """Return the tree of a taxonomy or of a file, or why it is not shown."""
    if kind not in ("taxonomy", "file") or kind != column.kind:
        return {"tree": None, "tree_problem": ""}
    try:
        nodes = hierarchy_column.find_tree(session, column)
    except InvalidInput as error:
        return {"tree": None, "tree_problem": str(error)}
    return {"tree": view_tree(nodes, column.profile), "tree_problem": ""}


def _draw(
    column: HierarchyColumn, kind: str, rule: ColumnRule | None, texts: Given, query: Given
) -> dict[str, Any]:
    """Return the histogram of a column of numbers, with the bounds of one level.

    ``toggles``: for each bar of listed ranges the address that adds or removes a bound where it
    begins.
    """
    if kind not in ("intervals", "ranges", "rounding") or column.profile is None:
        return {"histogram": None}
    numbers = read_column_numbers(column.profile)
    if not numbers.units:
        return {"histogram": None}
    if rule is None or not isinstance(rule.rule, Intervals):
        histogram = interval_bounds.draw_histogram(numbers, numbers.decimals)
        return {"histogram": histogram, "bounded": 0, "toggles": {}}
    places = max(rule.rule.decimals, numbers.decimals)
    starts = interval_bounds.find_starts(rule.rule, numbers, places)
    level = min(interval_bounds.read_drawn_level(query), len(starts))
    histogram = interval_bounds.draw_histogram(numbers, places, starts[level - 1])
    kept = {"column": str(column.place), "kind": kind, "level": str(level), "defined": "1"}
    base = {**{name: texts.get(name, "") for name in ("last", "decimals", "unknown")}, **kept}
    toggles = {}
    for bar in histogram["bars"] if kind == "ranges" else ():
        begins = bar["begins"]
        if begins > starts[0][0]:
            changed = interval_bounds.toggle_bound(starts, level, begins)
            given = {**base, "starts": interval_bounds.write_starts(changed, places)}
            toggles[begins] = (f"?{urlencode(given)}", begins in starts[level - 1])
    return {
        "histogram": histogram,
        "bounded": len(starts),
        "level": level,
        "many": not starts[level - 1],
        "bounds": [write_number(one, places) for one in starts[level - 1][1:]],
        "toggles": toggles,
    }
