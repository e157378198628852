"""The screen *Compare*: released rows beside private rows, utility, risk, exposure."""

import shlex
from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData

from lookalike.describe.attributes import AttributeFacts
from lookalike.errors import InvalidInput
from lookalike.report.chart import draw_chart
from lookalike.report.holder.draw import draw_risk_change
from lookalike.studio.editing.form_fields import read_whole
from lookalike.studio.releases import release_summary
from lookalike.studio.screens.screen import (
    Query,
    Screen,
    StepState,
    command_of_dry_run,
    read_text,
    settle_state,
)
from lookalike.studio.session import Refused, Session

PAGE_ROWS = 20
ROW_KINDS: Mapping[str, Callable[[release_summary.ComparedRow], bool]] = {
    "all": lambda _: True,
    "changed": lambda row: row.private != row.released,
    "suppressed": lambda row: not row.group,
}
"""The rows that can be chosen from the sample."""


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
        "is_current": compared.summary.text == session.project.text,
        "risks": [draw_risk_change(one, ", ".join(one.attributes)) for one in compared.classes],
        "place": place,
        "attribute": compared.attributes[place],
        "chart": _draw(compared.attributes[place]),
        **({} if compared.sample is None else _show_rows(compared.sample, query)),
    }


def _show_rows(sample: release_summary.RowSample, query: Query) -> dict[str, Any]:
    """Return the rows of the sample that the query asks for, one page of them."""
    kind, group = query.get("rows", "all"), _read_place(query, "class")
    if kind not in ROW_KINDS:
        raise InvalidInput(f"rows are {', '.join(ROW_KINDS)}")
    if group is not None and not any(row.group == group for row in sample.rows):
        raise InvalidInput(f"the sample has no class {group}")
    found = [row for row in sample.rows if ROW_KINDS[kind](row) and group in (None, row.group)]
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
    is_current = made is not None and made.summary.text == session.project.text
    return settle_state(made is not None, is_current)


COMPARE_SCREEN = Screen(
    name="compare",
    title="Compare",
    show=_show,
    command=_command,
    actions={"compare": _compare},
    state=_find_state,
)
