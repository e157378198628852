"""Simulate: make the release of a month under one policy, and measure what it shows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from lookalike.errors import Infeasible, LookalikeError
from lookalike.flow.forecast.simulated_people import ROW_KEY
from lookalike.flow.release import prepare
from lookalike.flow.result import Release
from lookalike.ledger.policies.increments import find_shown
from lookalike.ledger.policies.policy import recall_history
from lookalike.ledger.store.ledger import open_ledger
from lookalike.ledger.store.row_map import KEY, hash_rows, to_digests
from lookalike.spec.policies import BASED_ON, INCREMENTS
from lookalike.spec.preflight_names import PREFLIGHT_NAMES
from lookalike.spec.specification import Specification
from lookalike.tables.read import read_frame

ALONE = "no-ledger"
"""A release that ignores the past, for comparison."""
INCREMENTS_WAITED = 3
"""How many increments a row waits, if the specification does not say it."""
SIMULATED: Mapping[str, Mapping[str, Any]] = {
    ALONE: {},
    BASED_ON: {"policy": BASED_ON},
    "keep": {"policy": BASED_ON, "leavers": "keep"},
    INCREMENTS: {"policy": INCREMENTS, "patience": 0},
    "patience": {"policy": INCREMENTS, "patience": INCREMENTS_WAITED},
}
"""The policies that are simulated, and the fields of each."""


@dataclass(frozen=True)
class MonthFigures:
    """What a policy shows after the release of a month.

    Parameters
    ----------
    month
        The month, counted from 1.
    rows
        The number of rows of the table.
    rows_shown
        The number of rows that the last release shows; of increments, all of them together.
    rows_withheld
        The number of rows of the table that are not shown.
    rows_outdated
        The number of rows that are shown with values of before.
    precision, loss
        Precision and loss of the rows that are shown.
    released
        Whether a release was made. If not, too few rows could be shown; what is shown is what the
        releases before it show.
    """

    month: int
    rows: int
    rows_shown: int
    rows_withheld: int
    rows_outdated: int
    precision: float
    loss: float
    released: bool = True


@dataclass(eq=False)
class SimulatedPolicy:
    """A policy, the releases that it made so far, and what they show together.

    ``settings``: the fields that choose it. ``folder`` is private. ``refused``: why the policy
    cannot be used. ``kept`` and ``lost``: the sums over the rows that are shown of their precision
    and their loss.
    """

    name: str
    settings: Mapping[str, Any]
    folder: Path
    specification: Specification
    months: list[MonthFigures] = field(default_factory=list)
    refused: LookalikeError | None = None
    shown: int = 0
    kept: float = 0
    lost: float = 0

    def release(self, table: pa.Table) -> None:
        """Make and publish the release of a month, and note its figures."""
        if self.refused is not None:
            return
        month = len(self.months) + 1
        try:
            made = prepare(self.specification, frame=read_frame(table), given=table)
            made.publish(self.folder / str(month) / "table.csv")
        except LookalikeError as problem:
            if isinstance(problem, Infeasible) and self.months:
                self.months.append(self._wait(month, table))
            else:
                self.refused = problem
        else:
            self.months.append(self._measure(month, table, made))

    def _measure(self, month: int, table: pa.Table, made: Release) -> MonthFigures:
        """Return the figures of a release, with all increments before it."""
        basis, increment, measures = made.basis, made.increment, made.measures
        if increment is None:
            self.shown, self.kept, self.lost = 0, 0.0, 0.0
        # Suppressed rows lose everything in the measures of a release. Here they are withheld.
        suppressed = made.recoding.rows_suppressed + made.recoding.rows_complementary
        eligible = made.plan.rows_out + suppressed
        self.shown += made.plan.rows_out
        self.kept += measures.precision * eligible
        self.lost += measures.loss * eligible - suppressed
        outdated = 0 if basis is None else basis.rows_outdated + basis.rows_partly_renewed
        return MonthFigures(
            month=month,
            rows=len(table),
            rows_shown=self.shown,
            rows_withheld=suppressed if basis is None else basis.rows_waiting,
            rows_outdated=outdated if increment is None else increment.rows_outdated,
            precision=self.kept / self.shown,
            loss=self.lost / self.shown,
        )

    def _wait(self, month: int, table: pa.Table) -> MonthFigures:
        """Return the figures of a month without a release: rows that were never shown wait."""
        return replace(
            self.months[-1],
            month=month,
            rows=len(table),
            rows_withheld=len(table) - self._count_shown(table),
            released=False,
        )

    def _count_shown(self, table: pa.Table) -> int:
        """Return how many rows of a table the releases have shown."""
        asked = self.specification.release
        if asked.ledger is None:
            return 0
        opened = open_ledger(asked.ledger, key=asked.ledger_key)
        history = recall_history(opened.releases())
        keys = hash_rows(table, [ROW_KEY], secret=opened.secret(), kind=KEY)
        return int(np.count_nonzero(find_shown(history, to_digests(keys))))


def begin_policy(name: str, specification: Specification, folder: Path) -> SimulatedPolicy:
    """Return a policy without releases, whose ledger and releases will be in a private folder.

    Findings of the checks before publishing stop nothing here: nobody receives the releases.
    """
    own = folder / name
    own.mkdir(mode=0o700)
    settings = dict(SIMULATED[name])
    if settings.get("patience") and specification.release.patience:
        settings["patience"] = specification.release.patience
    place = {"ledger": str(own / "ledger.db"), "ledger_key": str(own / "ledger.key")}
    plain: dict[str, Any] = {
        "ledger": None,
        "ledger_files": None,
        "ledger_key": None,
        "policy": BASED_ON,
        "leavers": "withdraw",
        "patience": 0,
        "withdrawn": None,
        "withdrawn_where": None,
        "out": None,
        "dossier": None,
        "report": False,
        "bound": False,
        "effort": "quick",
        "suppressed_rows": "drop",
        "accept": PREFLIGHT_NAMES,
    }
    fields = plain | (place | settings if settings else {})
    release = specification.release.model_copy(update=fields)
    simulated = specification.model_copy(update={"release": release})
    return SimulatedPolicy(name, settings, own, simulated)
