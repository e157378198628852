"""The screen *Compare*: released rows beside private rows, utility, risk, exposure."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData

from lookalike.describe.attributes import AttributeFacts
from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.report.chart import draw_chart
from lookalike.report.holder.draw import draw_risk_change
from lookalike.studio.editing.form_fields import read_whole
from lookalike.studio.releases import release_summary
from lookalike.studio.releases.paired_columns import PairedColumns, pair_columns
from lookalike.studio.releases.paired_table import SORTS, PairedColumn, PairedTable
from lookalike.studio.screens.screen import (
    Query,
    Screen,
    StepState,
    command_of_dry_run,
    read_text,
    settle_state,
)
from lookalike.studio.session import Refused, Session

PAGE_ROWS = 100
ROW_KINDS = {"all": "all rows", "changed": "changed rows", "suppressed": "suppressed rows"}
"""The rows that can be chosen."""
SHADES = 4
"""How many colours the levels above the ground have."""


@dataclass(frozen=True)
class ShownCell(Discreet):
    """A released cell; ``shade``: 0 if it is as it was, up to :data:`SHADES` at the top."""

    label: str | None
    level: int
    shade: int


@dataclass(frozen=True)
class ShownRow(Discreet):
    """A private row, and what is released of it; nothing if it was left out."""

    number: int
    group: int
    alike: int
    lost: float
    private: tuple[str | None, ...]
    released: tuple[ShownCell, ...]


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return the comparison of the latest dry run, as far as the query asks for it."""
    compared = session.find_result(release_summary.ReleaseComparison)
    columns = session.project.attributes.items()
    shown = {
        "compared": compared,
        "targets": [name for name, one in columns if one["role"] not in ("identifier", "drop")],
    }
    if compared is None:
        return shown
    place = _read_place(query, "attribute") or 0
    if place >= len(compared.attributes):
        raise InvalidInput(f"there is no attribute {place}")
    return {
        **shown,
        "is_current": release_summary.asks_for_same(compared.summary.text, session.project),
        "risks": [draw_risk_change(one, ", ".join(one.attributes)) for one in compared.classes],
        "place": place,
        "attribute": compared.attributes[place],
        "chart": _draw(compared.attributes[place]),
        **({} if compared.table is None else _show_rows(compared.table, query)),
        **_show_pairs(compared, query),
    }


def _show_pairs(
    compared: release_summary.ReleaseComparison, query: Query
) -> dict[str, PairedColumns | tuple[int, int] | None]:
    """Return the two columns that the query asks for; without any, the first and the last."""
    if compared.table is None or len(compared.table.columns) < 2:
        return {"pair": None}
    last = len(compared.table.columns) - 1
    first, second = _read_place(query, "first") or 0, _read_place(query, "second")
    places = first, last if second is None else second
    if max(places) > last:
        raise InvalidInput(f"there is no column {max(places)}")
    levels = [one.before_level for one in compared.attributes]
    return {"pair": places, "paired": pair_columns(compared.table, places, levels)}


def _show_rows(table: PairedTable, query: Query) -> dict[str, Any]:
    """Return the rows that the query asks for, one page of them."""
    kind, sort, group = query.get("rows", "all"), query.get("sort", "class"), None
    if kind not in ROW_KINDS or sort not in SORTS:
        raise InvalidInput(f"rows are {', '.join(ROW_KINDS)}, sorted by {', '.join(SORTS)}")
    chosen = {"changed": table.is_changed, "suppressed": table.group == 0}.get(
        kind, table.counts > 0
    )
    if (group := _read_place(query, "class")) is not None:
        if not 1 <= group <= int(table.group.max()):
            raise InvalidInput(f"there is no class {group}")
        chosen = chosen & (table.group == group)
    found = table.find_rows(sort, chosen)
    pages = max(1, -(-len(found) // PAGE_ROWS))
    page = _read_place(query, "page") or 1
    if page > pages:
        raise InvalidInput(f"there is no page {page}")
    return {
        "rows": [*_list_rows(table, found[(page - 1) * PAGE_ROWS : page * PAGE_ROWS].tolist())],
        "found": len(found),
        "kinds": ROW_KINDS,
        "kind": kind,
        "sorts": SORTS,
        "sort": sort,
        "group": group,
        "page": page,
        "pages": pages,
    }


def _list_rows(table: PairedTable, places: Sequence[int]) -> Iterator[ShownRow]:
    """Yield some rows before and after."""
    for place in places:
        entry = int(table.entry_of[place])
        gone = table.is_left_out[entry]
        yield ShownRow(
            number=place + 1,
            group=int(table.group[entry]),
            alike=int(table.alike[entry]),
            lost=float(table.lost[entry]),
            private=tuple(one.labels[one.private[entry]] for one in table.columns),
            released=() if gone else tuple(_show_cell(one, entry) for one in table.columns),
        )


def _show_cell(column: PairedColumn, entry: int) -> ShownCell:
    """Return a released cell, and how much more general it is than the private value."""
    label = column.shown[column.released[entry]]
    if column.levels is None:
        return ShownCell(label, 0, 0)
    level = int(column.levels[entry])
    level = column.height if level == SUPPRESSED_CELL else level
    return ShownCell(label, level, -(-SHADES * level // max(column.height, 1)))


def _read_place(query: Query, name: str) -> int | None:
    """Return a whole number of a query; None if it has none."""
    text = query.get(name, "")
    return read_whole(text, name, 10**9) if text else None


def _draw(one: AttributeFacts) -> Markup:
    """Draw the distribution of an attribute before and after, other values last."""
    rows: list[dict[str, Any]] = []
    for when, found in (("private", one.before), ("released", one.after)):
        listed = [
            ("(missing)" if each.label is None else each.label[:28] or "(empty)", each.rows)
            for each in found.listed
        ]
        if found.other_values:
            listed.append((f"{found.other_values:,} other values", found.other_rows))
        rows += [
            {"when": when, "value": f"{label} ", "rows": count, "order": order}
            for order, (label, count) in enumerate(listed)
        ]
    summary = (
        f"Rows by value of {one.figures.attribute}: {one.figures.values_before:,} different values "
        f"in the private table, {one.after.values:,} in the release."
    )
    return draw_chart("distribution", rows, summary)


def _compare(session: Session, form: FormData) -> None:
    """Make the release without writing it, and compare it with the private table."""
    target = read_text(form, "target")
    if target and target not in session.project.attributes:
        raise Refused({"target": f"the table has no column {target!r}; choose one of the list"})
    asked = target if target or "utility" in form else None
    session.begin_release(
        "dry run", release_summary.compare_release, session.project, asked, takes_kept=True
    )


def _command(session: Session) -> str:
    """Return the commands that make a dry run and measure utility."""
    name = shlex.quote(session.project.name)
    return f"{command_of_dry_run(session)} && lookalike compare {name} --target COLUMN"


def _find_state(session: Session) -> StepState:
    """Return whether rows were compared, of the specification as it is."""
    made = session.find_result(release_summary.ReleaseComparison)
    is_current = made is not None and release_summary.asks_for_same(
        made.summary.text, session.project
    )
    return settle_state(made is not None, is_current)


COMPARE_SCREEN = Screen(
    name="compare",
    title="Compare",
    show=_show,
    command=_command,
    actions={"compare": _compare},
    state=_find_state,
)
