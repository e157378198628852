"""The screen *Compare*: released rows beside private rows, utility, risk, exposure."""

import shlex
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData

from lookalike.describe.attributes import AttributeFacts, Distribution
from lookalike.errors import InvalidInput
from lookalike.report.chart import draw_chart
from lookalike.report.holder.draw import draw_risk_change
from lookalike.studio.releases.comparison import (
    AskedUtility,
    ComparedRow,
    ReleaseComparison,
    RowSample,
    compare_release,
)
from lookalike.studio.screens.screen import Query, Screen, command_of_dry_run, read_text
from lookalike.studio.session import Refused, Session

PAGE_ROWS = 20
ROW_KINDS = ("all", "changed", "suppressed")
"""The rows that can be chosen from the sample."""


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return the comparison of the latest dry run, as far as the query asks for it."""
    compared = session.find_result(ReleaseComparison)
    columns = session.project.attributes.items()
    shown = {
        "compared": compared,
        "targets": [name for name, one in columns if one["role"] not in ("identifier", "drop")],
    }
    if compared is None:
        return shown
    return {
        **shown,
        "is_current": compared.text == session.project.text,
        "risks": [draw_risk_change(one, ", ".join(one.attributes)) for one in compared.classes],
        **_show_attribute(compared.attributes, query),
        **({} if compared.sample is None else _show_rows(compared.sample, query)),
    }


def _show_rows(sample: RowSample, query: Query) -> dict[str, Any]:
    """Return the rows of the sample that the query asks for, one page of them."""
    kind, group = query.get("rows", "all"), _read_place(query, "class")
    if kind not in ROW_KINDS:
        raise InvalidInput(f"rows are {', '.join(ROW_KINDS)}")
    if group is not None and not any(row.group == group for row in sample.rows):
        raise InvalidInput(f"the sample has no class {group}")
    found = [row for row in sample.rows if _is_asked(row, kind, group)]
    pages = max(1, -(-len(found) // PAGE_ROWS))
    page = _read_place(query, "page") or 1
    if page > pages:
        raise InvalidInput(f"there is no page {page}")
    return {
        "rows": found[(page - 1) * PAGE_ROWS : page * PAGE_ROWS],
        "found": len(found),
        "kinds": ROW_KINDS,
        "kind": kind,
        "group": group,
        "page": page,
        "pages": pages,
    }


def _is_asked(row: ComparedRow, kind: str, group: int | None) -> bool:
    """Return whether a row is of a kind, and of a class."""
    is_of_kind = {"all": True, "changed": row.is_changed, "suppressed": row.is_suppressed}[kind]
    return is_of_kind and group in (None, row.group)


def _read_place(query: Query, name: str) -> int | None:
    """Return a whole number of a query; None if it has none."""
    text = query.get(name, "")
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise InvalidInput(f"{name} must be a whole number")
    return int(text)


def _show_attribute(attributes: Sequence[AttributeFacts], query: Query) -> dict[str, Any]:
    """Return the attribute that the query asks for, with its chart."""
    place = _read_place(query, "attribute") or 0
    if place >= len(attributes):
        raise InvalidInput(f"there is no attribute {place}")
    return {"place": place, "attribute": attributes[place], "chart": _draw(attributes[place])}


def _draw(one: AttributeFacts) -> Markup:
    """Draw the distribution of an attribute before and after."""
    rows = [
        {"when": when, "value": f"{label} ", "rows": rows, "order": order}
        for when, found in (("private", one.before), ("released", one.after))
        for order, (label, rows) in enumerate(_list_values(found))
    ]
    summary = (
        f"Rows by value of {one.figures.attribute}: {one.figures.values_before:,} different values "
        f"in the private table, {one.after.values:,} in the release."
    )
    return draw_chart("distribution", rows, summary)


def _list_values(found: Distribution) -> list[tuple[str, int]]:
    """List the values of a distribution with their rows, the values that are not listed last."""
    listed = [(_name_value(one.label), one.rows) for one in found.listed]
    if found.other_values:
        listed.append((f"{found.other_values:,} other values", found.other_rows))
    return listed


def _name_value(label: str | None) -> str:
    """Name a value in a chart."""
    return "(missing)" if label is None else label[:28] or "(empty)"


def _compare(session: Session, form: FormData) -> None:
    """Make the release without writing it, and compare it with the private table."""
    target = read_text(form, "target")
    if target and target not in session.project.attributes:
        raise Refused({"target": f"the table has no column {target!r}; choose one of the list"})
    asked = AskedUtility(target or None) if target or "utility" in form else None
    session.begin_release("dry run", compare_release, session.project, asked)


def _command(session: Session) -> str:
    """Return the commands that make a dry run and measure utility."""
    name = shlex.quote(session.project.name)
    return f"{command_of_dry_run(session)} && lookalike compare {name} --target COLUMN"


COMPARE_SCREEN = Screen(
    name="compare",
    title="Compare",
    show=_show,
    command=_command,
    actions={"compare": _compare},
    makes_release=True,
    has_style=True,
)
