"""Recode: from a plan to the released rows, in the kind of frame that came in; tags of rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes
from lookalike.tables.count import fetch
from lookalike.tables.engines import engine_of
from lookalike.tables.engines.engine import FATE
from lookalike.tables.plan import Fates, Plan, list_fates
from lookalike.tables.row_tags import RECALLED, TAG, RowTags
from lookalike.tables.table import Frame, Role, Table

IDENTIFIER: Role = "identifier"


@dataclass(frozen=True, eq=False)
class Trail(Discreet):
    """Which fate every private row was given. It stays with the data holder.

    ``fates``: the fates.
    ``source``: the private rows: a frame, or a query that finds the fate of each.
    ``fate_of``: the fate of each row of a frame.
    ``left_out``: the number of values that are left out of each answer.
    """

    fates: Fates
    source: Frame
    fate_of: Codes | None = None
    left_out: dict[str, int] | None = None

    def follow(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield some columns of the private rows, and as :data:`FATE` the fate of each.

        A row that was not there when the table was counted has none.
        """
        if self.fate_of is None:
            yield from fetch(self.source, (*columns, FATE))
        else:
            [rows] = fetch(self.source, columns)
            yield rows.append_column(FATE, pa.array(self.fate_of))


def recode(plan: Plan) -> Frame:
    """Return the released rows."""
    return recode_with_trail(plan)[0]


def recode_with_trail(plan: Plan) -> tuple[Frame, Trail]:
    """Return the released rows, and separately which fate every private row was given.

    A frame in memory is recoded now, a query stays a query. The plan holds what is random, so
    both give the same rows each time.
    """
    fates = list_fates(plan.frequency, plan.recoding)
    rows, source, fate_of = engine_of(plan.table.frame).recode(plan, fates)
    left_out, answers = None, plan.requirement.answers
    if answers is not None:
        from lookalike.tables.known_answers import leave_out_answers  # what few releases need

        rows, left_out = leave_out_answers(rows, plan, answers)
    return rows, Trail(fates, source, fate_of, left_out)


def tag_rows(table: Table, tags: RowTags, appended: pa.Table | None = None) -> Table:
    """Return a table with the tag of each row as :data:`~lookalike.tables.row_tags.TAG`.

    ``appended``: further rows, with their tags.
    """
    tagged, roles = engine_of(table.frame).tag_rows(table.frame, tags), {TAG: IDENTIFIER}
    if tags.recalled is not None:
        roles[RECALLED] = IDENTIFIER
    if appended is not None and len(appended):
        tagged = engine_of(tagged).append_rows(tagged, appended)
    return replace(table, frame=tagged, roles={**table.roles, **roles})
