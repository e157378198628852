"""ProposedColumn: the role that is proposed for a column, and why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from lookalike.draft.column import ColumnFigures, ColumnProfile
from lookalike.draft.find_answers import AnswerBlock
from lookalike.draft.meaning import Meaning
from lookalike.draft.proposed_hierarchy import ProposedHierarchy
from lookalike.draft.unify_spellings import ProposedMap
from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.tables.source import UNDECIDED
from lookalike.tables.table import Role

DraftedRole = Role | Literal["?"]
"""A role, or the mark of a column on which the holder must decide."""


@dataclass(frozen=True)
class ProposedColumn(Discreet, JsonResult):
    """The role that is proposed for a column, and why.

    ``figures``: how far they single out rows.
    ``meaning``: what the column is about, if that was recognized.
    ``role``: the proposed role; ``"?"`` if the holder must decide.
    ``stricter``: the role if nobody decides: the one that releases less.
    ``reason``: why, in words; it shows no value.
    ``hierarchy``: the proposed hierarchy of a quasi-identifier.
    ``protect``: whether classes need two values of the column, because it is sensitive and has few.
    ``missing``: the texts that stand for a missing value, where they are not those of the whole
    table.
    ``block``: the answers that it is one of, if it is released as one.
    ``map``: what other spellings of its values mean, if it has some.
    ``weight``: what it counts in the search; more if it is one that matters most.
    ``zero_pad``: the length to which leading zeros are restored, if some values lost them.
    """

    json_names = (
        "name role stricter reason distinct=figures.distinct "
        "distinct_share=figures.distinct_share missing_share=figures.missing_share "
        "hierarchy=written_hierarchy map=written_map"
    )

    profile: ColumnProfile
    figures: ColumnFigures
    meaning: Meaning | None
    kind: str
    role: DraftedRole
    stricter: Role
    reason: str
    hierarchy: ProposedHierarchy | None = None
    protect: bool = False
    missing: tuple[str, ...] | None = None
    zero_pad: int | None = None
    map: ProposedMap | None = None
    block: AnswerBlock | None = None
    weight: int = 1

    @property
    def written_hierarchy(self) -> str | None:
        """The hierarchy as a specification has it."""
        return None if self.hierarchy is None else self.hierarchy.table

    @property
    def written_map(self) -> str | None:
        """The map of its spellings, in words; it shows no value."""
        return None if self.map is None else self.map.summary

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.profile.name

    @property
    def undecided(self) -> bool:
        """Whether the holder must decide on the role."""
        return self.role == UNDECIDED

    def decide(self, role: Role, reason: str) -> "ProposedColumn":
        """Return the column with a role, and why."""
        return replace(self, role=role, stricter=role, reason=reason, block=None)

    def leave_undecided(self, reason: str, stricter: Role) -> "ProposedColumn":
        """Return the column as one on which the holder must decide."""
        undecided = replace(self, role=UNDECIDED, stricter=stricter, reason=reason)
        return replace(undecided, hierarchy=None, block=None)


Proposed = Sequence[ProposedColumn]
"""The proposed columns of a table, in its order."""
