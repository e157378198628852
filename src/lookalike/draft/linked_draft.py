"""LinkedDraft: a proposed specification of several tables whose rows belong to the same persons."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

from lookalike.draft.draft import Draft, distinguish_files
from lookalike.draft.toml_text import write_value_as_toml
from lookalike.draft.write_draft import WrittenDraft
from lookalike.draft.write_toml import (
    ALIKE,
    HEAD_OF_DRAFT,
    NOT_LINKABLE,
    bound_days,
    is_linkable,
    name_release,
    write_comment,
    write_places,
    write_roles,
    write_source,
)
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.html_table import write_html_notes
from lookalike.json_result import JsonResult
from lookalike.spec.presets import describe_k

_KNOWS = (
    "how many of these records of a person somebody else may know: 0, 1, 2, 3 or all. lookalike "
    "explore shows what each number costs, lookalike risk whom it singles out"
)
_NOBODY_KNOWS = "no column is a quasi-identifier, so nothing of these records can be known"
_PERSONS_LEFT_OUT = "the share of the persons who may be left out, with all their records"
_MAX_SUPPRESSED = "0.05"
_METHOD = "mingen"


@dataclass(frozen=True)
class LinkedDraft(WrittenDraft, Discreet, JsonResult):
    """A proposed specification of several tables whose rows belong to the same persons.

    Parameters
    ----------
    tables
        The draft of each table by its name, the person table first.
    known
        How many records of a person somebody else may know, of each table with a quasi-identifier.
    left_out
        For tables that are no records of these persons the reason, in words.
    """

    json_names = "k persons tables knows left_out undecided undecided_persons"

    tables: Mapping[str, Draft]
    known: int
    left_out: Mapping[str, str] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        shown = (f"<h4>{name}</h4>{one._repr_html_()}" for name, one in self.tables.items())
        return write_html_notes(*self.list_left_out()) + "".join(shown)

    @property
    def persons(self) -> str:
        """The name of the person table."""
        return next(iter(self.tables))

    @property
    def k(self) -> int:
        """The proposed k."""
        return self.tables[self.persons].k

    @property
    def knows(self) -> dict[str, int]:
        """How many records of a person somebody else may know, by table."""
        records = [*self.tables.items()][1:]
        return {name: self.known if one.quasi_identifier else 0 for name, one in records}

    @property
    def undecided(self) -> tuple[str, ...]:
        """The columns on whose role the holder must decide, with their tables."""
        return tuple(f"{name}.{one}" for name, own in self.tables.items() for one in own.undecided)

    @property
    def undecided_persons(self) -> tuple[str, ...]:
        """The tables for which the holder must say which column names the persons."""
        return tuple(name for name, one in self.tables.items() if one.is_person_undecided)

    def list_left_out(self) -> list[str]:
        """List the tables that are left out, and why."""
        return [f"{name} is left out: {why}" for name, why in self.left_out.items()]

    def change(self, one: Callable[[str, Draft], Draft]) -> "LinkedDraft":
        """Return the draft with the draft of each table changed."""
        return replace(self, tables={name: one(name, own) for name, own in self.tables.items()})

    def decide(self) -> "LinkedDraft":
        """Return the draft in which every undecided column has the role that releases less."""
        return self.change(lambda _, own: own.decide())

    @cached_property
    def _settled(self) -> Mapping[str, Draft]:
        """The drafts as they are written: each hierarchy has a file of its own."""
        every = [column for one in self.tables.values() for column in one.columns]
        columns = iter(replace(one, protect=False) for one in distinguish_files(every))
        return {
            name: replace(one, columns=tuple(next(columns) for _ in one.columns))
            for name, one in self.tables.items()
        }

    def hierarchy_files(self, folder: Path) -> dict[Path, str]:
        """Return the text of each file of a hierarchy or a map of spellings."""
        files = (one.hierarchy_files(folder).items() for one in self._settled.values())
        return dict(chain.from_iterable(files))

    def write_lines(self, folder: Path | None) -> Iterator[str]:
        """Yield the lines of the specification."""
        persons, *records = self._settled.items()
        rows = ", ".join(f"{name} {one.rows:,}" for name, one in self.tables.items())
        every = [column for one in self._settled.values() for column in one.columns]
        yield from write_comment(f"{HEAD_OF_DRAFT} Rows: {rows}.")
        for line in (*self.list_left_out(), *([] if is_linkable(every) else [NOT_LINKABLE])):
            yield from write_comment(line)
        yield from ("", *write_source(persons[1], folder, "source"), *self._write_release())
        yield from write_roles(persons[1], "attributes")
        for name, one in records:
            knows = self.knows[name]
            source = {**one.source, "knows": knows}
            remarks = {**one.remarks, "knows": _KNOWS if knows else _NOBODY_KNOWS}
            described = replace(one, source=source, remarks=remarks)
            yield ""
            yield from [*write_source(described, folder, f"records.{name}")][:-1]  # a blank line
            yield from write_roles(one, f"records.{name}.attributes")

    def _write_release(self) -> Iterator[str]:
        """Yield the lines of ``[release]``."""
        yield from ("[release]", *write_comment(describe_k(self.k)), f"k = {self.k}")
        yield from (*write_comment(_PERSONS_LEFT_OUT), f"max_suppressed = {_MAX_SUPPRESSED}")
        yield from (f'method = "{_METHOD}"', 'objective = "loss"')
        bounds = [
            text if name == self.persons else f"{name}.{text}"
            for name, one in self._settled.items()
            for text in bound_days(one.columns)
        ]
        if bounds:
            yield from (*write_comment(ALIKE), f"constraints = {write_value_as_toml(bounds)}")
        yield from write_places(name_release(self.persons))


def name_records(name: str, taken: Collection[str]) -> str:
    """Return the name of a table in the specification, which no other table has.

    Examples
    --------
    >>> name_records("lab results", ()), name_records("lab", {"lab"})
    ('lab-results', 'lab-2')
    """
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-_") or "table"
    found, number = plain, 1
    while found.lower() in {one.lower() for one in taken}:
        number += 1
        found = f"{plain}-{number}"
    return found
