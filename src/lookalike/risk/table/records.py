"""Count the persons whom some of their records single out: visits, purchases, diagnoses.

Whoever knows several records of a person can combine them, if a table shows which records belong to
the same person. So a table in which every single record is shared by many persons may still single
out most of them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Literal, Unpack

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.html_table import HtmlCell, ShareBar, write_html_notes, write_html_table
from lookalike.json_result import JsonResult
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.linked_records import number_multisets, sort_records
from lookalike.kernels.types import Codes, Counts
from lookalike.model.coded_rows import CodedRows, ShownRows
from lookalike.model.combinations import NO_LIMIT, combine, list_parts
from lookalike.model.progress import Announce
from lookalike.risk.table.sequences import list_sequences
from lookalike.risk.table.uniqueness import check_at_least_one
from lookalike.tables.count import count
from lookalike.tables.name_options import name_options
from lookalike.tables.read import CLEANING_FIELDS, read_table
from lookalike.tables.source import ReadingOptions
from lookalike.tables.table import check_columns, column_names

LARGEST_SIZE = 3
MOST_COMBINATIONS = 30_000_000
"""More combinations of records, of about 60 bytes each, are not listed."""


@dataclass(frozen=True)
class RecordUniqueness:
    """How many persons are singled out by what is known of them.

    Parameters
    ----------
    records
        How many of their records are known: at most so many, or exactly all.
    unique_persons
        The persons of whom some choice of so many records, with their own attributes, fits nobody
        else.
    persons_below_k
        The persons of whom some such choice fits fewer than k persons.
    """

    records: int | Literal["all"]
    unique_persons: int
    persons_below_k: int


@dataclass(frozen=True)
class RecordRisk(JsonResult):
    """The re-identification risk of persons by their records.

    Parameters
    ----------
    attributes
        The attributes of persons that could be known.
    record_columns
        The columns of records that could be known.
    k
        What fits fewer persons is rare.
    persons
        The number of persons.
    rows
        The number of records of these persons.
    most_records
        The largest number of records of a person.
    unlinked
        The number of records without a person, or of persons that the person table does not have.
        They are not counted.
    known
        The persons who are singled out, by how many of their records are known.
    not_counted
        Numbers of known records for which there are too many combinations.
    """

    json_names = (
        "k attributes record_columns persons rows most_records unlinked known not_counted warnings"
    )

    attributes: tuple[str, ...]
    record_columns: tuple[str, ...]
    k: int
    persons: int
    rows: int
    most_records: int
    unlinked: int
    known: tuple[RecordUniqueness, ...]
    not_counted: tuple[int, ...]

    def __str__(self) -> str:
        caption = f"Risk of {self.persons:,} persons with {self.rows:,} records, k = {self.k:,}:"
        return "\n- ".join([caption, *(self.warnings or ["nobody is singled out."])])

    def _repr_html_(self) -> str:
        lines: list[list[HtmlCell]] = [
            [self.describe(one), one.unique_persons, ShareBar(self.share(one.unique_persons))]
            for one in self.known
        ]
        caption = f"Risk of {self.persons:,} persons by their records"
        headings = ["known of a person", "unique persons", "share"]
        return write_html_notes(*self.warnings) + write_html_table(caption, headings, lines)

    def _count(self, known: RecordUniqueness) -> str:
        """Write how many persons are unique, and what share that is."""
        share = 100 * self.share(known.unique_persons)
        return f"{known.unique_persons:,} ({share:.1f} %)" if known.unique_persons else "none"

    def share(self, persons: int) -> float:
        """Return what share of the persons so many are."""
        return persons / self.persons if self.persons else 0.0

    def describe(self, known: RecordUniqueness) -> str:
        """Describe what is known of a person.

        Examples
        --------
        >>> found = RecordRisk(("sex", "zip"), ("month",), 5, 9, 9, 1, 0, (), ())
        >>> found.describe(RecordUniqueness(2, 4, 9))
        'sex, zip and 2 records'
        """
        few: dict[int | str, str] = {0: "", 1: "1 record"}
        records = few.get(known.records, f"{known.records} records")
        parts = [part for part in (", ".join(self.attributes), records) if part]
        return " and ".join(parts) or "nothing"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about the risks that were found."""
        return tuple(self._warn())

    def _warn(self) -> Iterator[str]:
        *counted, every = self.known
        alone = [one for one in counted if self.attributes or one.records][:1]
        most = counted[-1] if counted[-1].unique_persons else every
        if most.unique_persons:
            fewer = "".join(
                f", {self._count(one)} by {self.describe(one)}" for one in alone if one != most
            )
            yield (
                f"{self._count(most)} of the {self.persons:,} persons are singled out by "
                f"{self.describe(most)} that an attacker may happen to know{fewer}."
            )
        if self.unlinked:
            yield (
                "Records without a person, or whose person the person table does not have: "
                f"{self.unlinked:,}. They were not counted."
            )
        if self.not_counted:
            sizes = " and ".join(map(str, self.not_counted))
            yield (
                f"Choices of {sizes} records were not counted, because there are more than "
                f"{MOST_COMBINATIONS:,} of them."
            )


@dataclass(frozen=True, eq=False)
class PersonRecords(Discreet):
    """What is known of persons for certain, and their records, equal ones with the same code.

    ``own``: what is known of each person. ``starts``: where the records of each begin, and where
    those of the last one end. ``codes``: the records, sorted within each person. ``unlinked``: how
    many further records are of nobody.
    """

    own: Codes
    starts: Counts
    codes: Codes
    unlinked: int = 0

    @property
    def sizes(self) -> Counts:
        """The number of records of each person."""
        return np.diff(self.starts)


@name_options
def record_risk(
    records: Any,
    columns: Sequence[str],
    *,
    person: str,
    persons: Any = None,
    attributes: Sequence[str] = (),
    record_person: str | None = None,
    k: int = 5,
    announce: Announce = lambda _: None,
    **source: Unpack[ReadingOptions],
) -> RecordRisk:
    """Count the persons whom some of their records single out.

    Parameters
    ----------
    records
        The records, one row each: a path, or a frame of pandas, polars, pyarrow or DuckDB.
    columns
        The columns of records that could be known.
    person
        The column that identifies persons.
    persons
        The person table, with one row per person; without it, the persons are those of the records.
    attributes
        The columns of the person table that could be known, too.
    record_person
        The column that identifies persons in the records, if it has another name there.
    k
        What fits fewer persons is rare.
    announce
        Callback that receives the name of each step.
    **source
        For a path, further fields of :class:`~lookalike.tables.source.Source`; for a frame
        ``missing`` and ``trim``. They apply to the person table, if there is one; the values of the
        records are then cleaned alike.

    Examples
    --------
    >>> import pyarrow as pa
    >>> visits = pa.table({"who": [1, 1, 2, 2, 3, 3], "month": [5, 6, 5, 7, 6, 7]})
    >>> [one.unique_persons for one in record_risk(visits, ["month"], person="who").known]
    [0, 0, 3, 3, 3]
    """
    check_at_least_one(k=k)
    announce("counting")
    people = _read_people(
        (records, record_person or person, tuple(columns)),
        (persons, person, tuple(attributes)),
        source,
    )
    known = judge_known(people, k, MOST_COMBINATIONS, announce)
    return RecordRisk(
        attributes=tuple(attributes),
        record_columns=tuple(columns),
        k=k,
        persons=len(people.own),
        rows=len(people.codes),
        most_records=int(people.sizes.max(initial=0)),
        unlinked=people.unlinked,
        known=known,
        not_counted=tuple(range(len(known) - 1, LARGEST_SIZE + 1)),
    )


def judge_known(
    people: PersonRecords, k: int, most: int, announce: Announce = lambda _: None
) -> tuple[RecordUniqueness, ...]:
    """Count the persons who are singled out by 0, 1, 2, … of their records, and last by all.

    It ends early at a number of records of which there are more than ``most`` combinations.
    """
    known, fits = [], np.zeros(len(people.own), dtype=np.int64)
    for size in takewhile(lambda size: _bound(people, size) <= most, range(LARGEST_SIZE + 1)):
        announce(f"combining {size} records")
        # Whoever has fewer records shows all of them to an attacker who may know more.
        fits = np.where(people.sizes >= size, _fit_fewest(people, size), fits)
        known.append(_judge(size, fits, k))
    return (*known, _judge("all", _fit_all(people), k))


def _judge(records: int | Literal["all"], fits: Counts, k: int) -> RecordUniqueness:
    """Count the persons whom few others are like; ``fits``: how many fit what is known of each."""
    return RecordUniqueness(records, int((fits == 1).sum()), int((fits < k).sum()))


def _bound(people: PersonRecords, size: int) -> int:
    """Bound the number of combinations of so many records of each person."""
    several, persons = np.unique(people.sizes, return_counts=True)
    pairs = zip(several.tolist(), persons.tolist(), strict=True)
    return sum(math.comb(records, size) * many for records, many in pairs)


def _fit_fewest(people: PersonRecords, size: int) -> Counts:
    """Count the persons who fit the rarest combination of so many records of each person."""
    every = np.ones(len(people.own), dtype=np.bool_)
    shown, none = ShownRows.of(people.starts, people.codes), np.empty(0, dtype=np.int64)
    rows = CodedRows(people.own, [shown], [size], none, np.zeros(1, dtype=np.bool_))
    fewest = np.full(len(people.own), np.iinfo(np.int64).max)
    for listed in list_parts(combine(rows, (size,), every), every, NO_LIMIT):
        np.minimum.at(fewest, listed.person_of, listed.support[listed.known])
    return fewest


def _fit_all(people: PersonRecords) -> Counts:
    """Count the persons who have the attributes and exactly the records of each person."""
    different = int(people.codes.max(initial=0)) + 1
    return _count_equal([people.own, number_multisets(people.starts, people.codes, different)])


def _count_equal(lines: Sequence[Codes]) -> Counts:
    """Count for each entry the entries that equal it."""
    sizes = [int(line.max(initial=0)) + 1 for line in lines]
    ones = np.ones(len(lines[0]), dtype=np.int64)
    class_of, _, counts = group_equal(np.stack(lines), sizes, ones)
    return counts[class_of]


_Asked = tuple[Any, str, tuple[str, ...]]
"""A table, its column of persons, and the columns that could be known."""


def _read_people(records: _Asked, persons: _Asked, source: Mapping[str, Any]) -> PersonRecords:
    """Read the records of persons, and the person table if there is one."""
    if persons[0] is None:
        if persons[2]:
            raise InvalidInput(
                "attributes of persons need the person table; of records, name them in the columns"
            )
        labels, codes, counts, person_of = _read_rows(*records, source, "the table of records")
        number = _number_persons(labels)
        own = np.zeros(len(number), dtype=np.int32)
    else:
        labels, own_codes, rows, own_person = _read_rows(*persons, source, "the person table")
        if len(own_person) > len(labels) or (rows > 1).any():
            raise InvalidInput(
                f"column {persons[1]!r}: a person has several rows in the person table; give each "
                "one row, and what a person has several of as records"
            )
        if None in labels:
            raise InvalidInput(f"column {persons[1]!r}: a row of the person table has no person")
        number = _number_persons(labels)
        own = np.empty(len(labels), dtype=np.int32)
        own[own_person] = own_codes
        cleaned = {name: source[name] for name in CLEANING_FIELDS if name in source}
        labels, codes, counts, person_of = _read_rows(*records, cleaned, "the table of records")
    owner = np.array([number.get(label, -1) for label in labels], dtype=np.int64)[person_of]
    linked = np.flatnonzero(owner >= 0)
    if len(owner) and not len(linked):
        raise InvalidInput(
            f"no value of {records[1]!r} in the records is a person of {persons[1]!r} in the "
            "person table; name the columns by which records find their person"
        )
    linked = linked[np.argsort(owner[linked], kind="stable")]
    sizes = np.zeros(len(own), dtype=np.int64)
    np.add.at(sizes, owner[linked], counts[linked])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    every = np.repeat(codes[linked], counts[linked])
    _, ordered = sort_records(starts, every, len(every) + 1)
    return PersonRecords(own, starts, ordered, int(counts[owner < 0].sum()))


def _number_persons(labels: Sequence[str | None]) -> dict[str | None, int]:
    """Number the persons; a missing one is nobody."""
    return {label: place for place, label in enumerate(labels) if label is not None}


def _read_rows(
    table: Any, person: str, columns: Sequence[str], source: Mapping[str, Any], place: str
) -> tuple[Sequence[str | None], Codes, Counts, Codes]:
    """Count the distinct rows of a table.

    Returns: the persons; and for each distinct row a number, equal for equal values, how often it
    occurs, and the position of its person.
    """
    frame = read_table(table, source)
    check_columns(column_names(frame), [*columns, person], place)
    rows = list_sequences(count(frame, [*columns, person]))
    number = rows.project(range(len(columns)))[0] if columns else np.zeros(len(rows), np.int32)
    return rows.values[-1], number, rows.counts, rows.codes[-1]
