"""The screen *Attacker*: whose row somebody finds who knows some values of a person."""

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lookalike.describe.classes import ClassFacts
from lookalike.errors import InvalidInput
from lookalike.studio.editing.form_fields import read_whole
from lookalike.studio.releases.candidates import Attacker
from lookalike.studio.releases.paired_table import PairedColumn, PairedTable
from lookalike.studio.releases.release_summary import ReleaseComparison, asks_for_same
from lookalike.studio.screens.compare import COMPARE_SCREEN
from lookalike.studio.screens.screen import Query, Screen
from lookalike.studio.session import Session

VALUES_OFFERED = 300
"""How many values of a column an invented person can have: the most frequent ones."""
DOTS = 100
"""Up to so many possible rows are drawn one by one."""


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return what an attacker finds in the latest dry run."""
    compared = session.find_result(ReleaseComparison)
    shown: dict[str, Any] = {
        "compared": compared,
        "table": None,
        "is_current": compared is not None
        and asks_for_same(compared.summary.text, session.project),
    }
    if compared is None or compared.table is None or compared.table.rows_left_out:
        return shown
    table = compared.table
    row = _read_row(table, query)
    own = [int(one.private[table.entry_of[row]]) for one in table.columns]
    person, knows = [*_read_person(table, own, query)], [*_read_known(table, query)]
    attacker = Attacker(table, {place: person[place] for place, on in enumerate(knows) if on})
    facts = [
        (one, on, code, _offer(one, code, own_code))
        for one, on, code, own_code in zip(table.columns, knows, person, own, strict=True)
    ]
    return {
        **shown,
        **_show_candidates(attacker, min(compared.classes, key=lambda one: one.k)),
        "table": table,
        "row": row,
        "another": _choose_another(table),
        "facts": facts,
        "exposing": [one.name for one, on, *_ in facts if on and one.levels is None],
        "is_invented": person != own,
        "is_left_out": bool(table.is_left_out[table.entry_of[row]]),
        "earlier": [*attacker.compare_earlier(compared.earlier)],
    }


def _show_candidates(attacker: Attacker, promised: ClassFacts) -> dict[str, Any]:
    """Return which rows are possible, and what they show."""
    table, narrowings = attacker.table, [*attacker.list_narrowings()]
    left = narrowings[-1]
    return {
        "k": promised.k,
        "counts": promised.counts,
        "mark_k": _scale(promised.k, table),
        "narrowings": [
            (one, _scale(one.private, table), _scale(one.released, table)) for one in narrowings
        ],
        "left": left,
        "persons": attacker.count_persons(),
        "dots": left.released if left.released <= DOTS else 0,
        "guesses": [*attacker.list_guesses()] if left.released else [],
    }


def _read_row(table: PairedTable, query: Query) -> int:
    """Return the place of the chosen row; without one, of the first that is unique."""
    text = query.get("row", "")
    if not text:
        wanted = (table.is_unique & ~table.is_left_out)[table.entry_of]
        return int(np.argmax(wanted))
    row = read_whole(text, "the row", 10**9)
    if not 1 <= row <= table.rows:
        raise InvalidInput(f"rows are 1 to {table.rows}")
    return row - 1


def _read_person(table: PairedTable, own: Sequence[int], query: Query) -> Iterator[int]:
    """Yield the value of each column: that of the row, or an invented one."""
    for place, column in enumerate(table.columns):
        text = query.get(f"value{place}", "")
        code = read_whole(text, "the value", 10**9) if text else own[place]
        if code >= len(column.labels):
            raise InvalidInput(f"column {place + 1} has no value {code}")
        yield code


def _read_known(table: PairedTable, query: Query) -> Iterator[bool]:
    """Yield whether each column is known: the quasi-identifier, if no person was chosen yet."""
    for place, column in enumerate(table.columns):
        known = query.get(f"know{place}", "")
        yield bool(known) if query.get("row", "") else column.levels is not None


def _choose_another(table: PairedTable) -> int:
    """Return the number of some row, one that is unique if there are any."""
    unique = np.flatnonzero(table.is_unique[table.entry_of])
    place = random.randrange(len(unique) or table.rows)
    return 1 + (int(unique[place]) if len(unique) else place)


def _offer(column: PairedColumn, *chosen: int) -> list[tuple[int, str | None]]:
    """Return the values that a person can be given, in their order."""
    rows = np.bincount(column.private, minlength=len(column.labels))
    frequent = np.argsort(-rows, kind="stable")[:VALUES_OFFERED].tolist()
    return [(code, column.labels[code]) for code in sorted({*frequent, *chosen})]


def _scale(rows: int, table: PairedTable) -> float:
    """Return the length of a bar, from 0 to 100: logarithmic, so that one row can be seen."""
    return 100 * math.log1p(rows) / math.log1p(table.rows)


ATTACKER_SCREEN = Screen(
    name="attacker",
    title="What would an attacker see?",
    show=_show,
    actions=COMPARE_SCREEN.actions,
    step=COMPARE_SCREEN.name,
)
