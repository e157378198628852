"""Draft: a proposed specification of a table, which its holder reviews."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, get_args

from lookalike.draft.choose_linkable import choose_linkable, keep_columns
from lookalike.draft.linkable_columns import LinkableColumns
from lookalike.draft.propose_hierarchy import propose_hierarchy
from lookalike.draft.proposed_column import DraftedRole, ProposedColumn
from lookalike.draft.proposed_hierarchy import name_hierarchy_file
from lookalike.draft.toml_text import quote_toml
from lookalike.draft.write_draft import WrittenDraft
from lookalike.draft.write_toml import write_toml
from lookalike.errors import InvalidInput, not_one_of
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.html_table import HtmlCell, write_html_table
from lookalike.json_result import JsonResult
from lookalike.risk.table.budget import BitBudget
from lookalike.spec.presets import PRESETS
from lookalike.tables.source import EACH_ROW, UNDECIDED
from lookalike.tables.table import Role

STRICTER = "undecided, so it gets the role that releases less"
BY_HOLDER = "decided by the holder"


@dataclass(frozen=True)
class Draft(WrittenDraft, Discreet, JsonResult):
    """A proposed specification of a table.

    Parameters
    ----------
    rows
        The number of rows of the table.
    k
        The proposed k.
    columns
        The proposed role of each column, in the order of the table.
    source
        The fields of ``[source]``, such as ``missing``; without ``path`` for a frame.
    remarks
        For some fields of ``[source]`` the reason, in words.
    preset
        The preset of the specification, if there is one.
    answers
        What blocks of answers single out together, in words.
    before
        The proposed role of each column before the quasi-identifiers were chosen.
    linkable
        The columns as codes of rows, by which their bits are measured; without them, there is no
        budget.
    """

    json_names = "rows k source remarks answers columns undecided budget"

    rows: int
    k: int
    columns: tuple[ProposedColumn, ...]
    source: Mapping[str, Any]
    remarks: Mapping[str, str]
    preset: str | None = None
    answers: str = ""
    before: tuple[ProposedColumn, ...] = field(default=(), repr=False)
    linkable: LinkableColumns | None = field(default=None, repr=False)

    def _repr_html_(self) -> str:
        lines: list[list[HtmlCell]] = []
        for one in self.columns:
            kind = "" if one.hierarchy is None else one.hierarchy.kind
            lines.append([one.name, one.role, one.figures.distinct, kind, one.reason])
        caption = f"Draft of a specification for {self.rows:,} rows, k = {self.k:,}"
        return write_html_table(caption, ["column", "role", "values", "hierarchy", "why"], lines)

    @property
    def roles(self) -> dict[str, DraftedRole]:
        """The proposed role of each column."""
        return {column.name: column.role for column in self.columns}

    @property
    def requirement(self) -> dict[str, int | str]:
        """The fields of ``[release]`` that ask for k: a preset, and k unless the preset sets it."""
        if self.preset is None:
            return {"k": self.k}
        own = {} if self.k == PRESETS[self.preset].least_k else {"k": self.k}
        return {"preset": self.preset, **own}

    @property
    def undecided(self) -> tuple[str, ...]:
        """The columns on whose role the holder must decide."""
        return tuple(column.name for column in self.columns if column.undecided)

    @property
    def is_person_undecided(self) -> bool:
        """Whether the holder must decide who is a person."""
        return self.source.get("person") == UNDECIDED

    @property
    def quasi_identifier(self) -> tuple[str, ...]:
        """The columns that are quasi-identifiers, or will be if nobody decides on them."""
        return tuple(one.name for one in self.columns if one.stricter == "quasi-identifier")

    @cached_property
    def budget(self) -> BitBudget | None:
        """How many bits the labels of a release can carry, and what its columns would need."""
        if self.linkable is None:
            return None
        return self.linkable.measure(self.quasi_identifier, self.k, self.source.get("person"))

    def keep(self, columns: Sequence[str]) -> "Draft":
        """Return the draft whose quasi-identifiers are chosen anew, some columns before others.

        Parameters
        ----------
        columns
            The columns that matter most.
        """
        before = keep_columns(self.before, columns)
        return replace(self, before=before)._choose(columns)

    def assign(self, roles: Mapping[str, Role]) -> "Draft":
        """Return the draft with some roles that its holder decided on.

        Columns that were left out for what they cost come in where others make room.

        Parameters
        ----------
        roles
            The holder's decisions.
        """
        before = [
            _decide(one, roles[one.name]) if one.name in roles else one for one in self.before
        ]
        linkable = [name for name, role in roles.items() if role == "quasi-identifier"]
        return replace(self, before=tuple(before))._choose((*self.quasi_identifier, *linkable))

    def _choose(self, first: Sequence[str]) -> "Draft":
        """Choose the quasi-identifiers among the columns that may be linked."""
        if self.linkable is None:
            return self
        person = self.source.get("person")
        chosen = choose_linkable(self.before, self.linkable, self.k, person, first)
        found = [one if one.hierarchy else assign_hierarchy(one) for one in chosen]
        return replace(self, columns=distinguish_files(found))

    def decide(self, roles: Mapping[str, Role] | None = None, person: str | None = None) -> "Draft":
        """Return the draft with a role for every column.

        Parameters
        ----------
        roles
            The holder's decisions. An undecided column that is not named gets the stricter role,
            the one that releases less.
        person
            Who is a person: a column, which becomes an identifier, or ``"row"``. Default: as
            drafted; what is undecided stays so, since no choice is the stricter one.
        """
        chosen = dict(roles or {})
        source, remarks = self.source, self.remarks
        if person is not None:
            source, remarks = {**source, "person": person}, {**remarks, "person": BY_HOLDER}
            chosen |= {} if person == EACH_ROW else {person: "identifier"}
        for name, role in chosen.items():
            if name not in self.roles:
                raise InvalidInput(not_one_of("column", name, tuple(self.roles)))
            if role not in get_args(Role):
                raise InvalidInput(not_one_of(f"role of {name!r}", role, get_args(Role)))
        changed = replace(self, source=source, remarks=remarks)
        changed = changed.assign(chosen) if chosen else changed
        decided = [_decide(column, chosen.get(column.name)) for column in changed.columns]
        return replace(changed, columns=distinguish_files(decided))

    def write_lines(self, folder: Path | None) -> Iterator[str]:
        """Yield the lines of the specification."""
        return write_toml(self, folder)

    def hierarchy_files(self, folder: Path) -> dict[Path, str]:
        """Return the text of each file of a hierarchy or a map of spellings."""
        proposed = (part for one in self.columns for part in (one.map, one.hierarchy))
        return {folder / one.path: one.file_text for one in proposed if one and one.path}


def _decide(column: ProposedColumn, role: Role | None) -> ProposedColumn:
    """Return a column with the role that was chosen, or with the stricter one if undecided."""
    if role in (None, column.role) and not column.undecided:
        return column
    chosen, why = (column.stricter, STRICTER) if role is None else (role, BY_HOLDER)
    reason = f"{column.reason}; {why}"
    return assign_hierarchy(column.decide(chosen, reason))


def assign_hierarchy(column: ProposedColumn) -> ProposedColumn:
    """Return a column with a hierarchy if it is a quasi-identifier.

    Where no hierarchy can be proposed, as for dates whose day and month cannot be distinguished,
    the role is left to the holder.
    """
    if column.role != "quasi-identifier":
        return replace(column, hierarchy=None)
    try:
        return replace(column, hierarchy=propose_hierarchy(column.profile, column.kind))
    except InvalidInput as problem:
        return column.leave_undecided(f"{column.reason}; {problem}", "drop")


def distinguish_files(columns: Sequence[ProposedColumn]) -> tuple[ProposedColumn, ...]:
    """Return the columns with a file of its own for each hierarchy.

    Columns such as ``a b`` and ``a-b`` have the same file name, and some file systems ignore case.
    """
    taken, found = set[str](), []
    for column in columns:
        proposed, spellings = column.hierarchy, column.map
        if proposed is not None and proposed.path:
            name = _name_apart(proposed.path, taken)
            table = proposed.table.replace(quote_toml(proposed.path), quote_toml(name))
            column = replace(column, hierarchy=replace(proposed, path=name, table=table))
        if spellings is not None and column.role in ("identifier", "drop"):
            column = replace(column, map=None)
        elif spellings is not None and not spellings.is_known:
            path = _name_apart(name_hierarchy_file(column.name, "map"), taken)
            column = replace(column, map=replace(spellings, path=path))
        found.append(column)
    return tuple(found)


def _name_apart(path: str, taken: set[str]) -> str:
    """Return a file name that no other file has, and take it."""
    wanted, number = PurePosixPath(path), 1
    name = wanted.name
    while name.lower() in taken:
        number += 1
        name = f"{wanted.stem}-{number}{wanted.suffix}"
    taken.add(name.lower())
    return name
