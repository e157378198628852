"""RecordFields: ``[records.NAME]``, a table with records of the persons of ``[source]``.

Linked tables take a part of what one table takes; the rest is refused here by name.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, StrictInt

from lookalike.hierarchy import Hierarchy
from lookalike.model.protections import Distinct
from lookalike.model.requirement import KnownRecords
from lookalike.search.takes import LINKED_METHODS, LINKED_OBJECTIVES
from lookalike.spec.fields import Attribute, Knows
from lookalike.tables.name_options import Shown
from lookalike.tables.source import UNDECIDED, Source

if TYPE_CHECKING:
    from lookalike.spec.specification import Specification

_SOURCE_FIELDS = ("row_key", "name", "new_people", "master")
"""Fields of ``[source]`` that linked tables do not take."""
LINKED_FIELDS = {
    "k",
    "highest_risk",
    "max_suppressed",
    "method",
    "objective",
    "prefer",
    "constraints",
    "time_limit",
    "suppressed_label",
    "suppressed_records",
    "accept",
    "link",
    "unit",
    "out",
    "dossier",
    "review",
    "purpose",
    "report",
}
"""Fields of ``[release]`` that linked tables take."""
_COLUMN_FIELDS = {
    "role",
    "hierarchy",
    "weight",
    "map",
    "missing",
    "zero_pad",
    "round",
    "top",
    "bottom",
    "unique",
}
"""Fields of ``[attributes.NAME]`` that linked tables take."""
_PERSON_FIELDS = {"separator", "knows", "protect"}
"""Those that only the person table takes."""
_OF_ONE_TABLE: dict[str, Any] = {
    "constraints": (),
    "link": True,
    "unit": "person",
    "suppressed_records": "persons",
}
"""Fields of ``[release]`` that are for all linked tables together, as one table has them."""
PERSONS = "persons"
"""How messages and results call the person table."""


@dataclass(frozen=True, kw_only=True)
class RecordFields(Source):
    """A table whose rows are records of persons: how it is read, as ``[source]``, and more."""

    knows: Annotated[
        Knows, Shown('How many records of a person an attacker may know: 0, 1, 2, 3 or "all".')
    ]
    key: Annotated[
        str | None,
        Shown("Column by which other tables of records refer to the records of this one."),
    ] = None
    refers: Annotated[
        Mapping[str, str],
        Shown('Column that refers to another table of records: { admission_no = "admissions" }.'),
    ] = field(default_factory=dict)
    at_most: Annotated[
        Annotated[StrictInt, Field(ge=1)] | None,
        Shown("Keep at most so many records of each person, drawn at random."),
    ] = None
    attributes: Annotated[
        dict[str, Attribute], Shown("Role of each column, as in [attributes].")
    ] = field(default_factory=dict)

    @property
    def reading(self) -> Source:
        """How the table is read."""
        return Source(**{one.name: getattr(self, one.name) for one in fields(Source)})

    def hierarchies(self) -> dict[str, Hierarchy]:
        """Return the hierarchy of each quasi-identifier attribute."""
        return {
            name: one.hierarchy
            for name, one in self.attributes.items()
            if one.role == "quasi-identifier" and one.hierarchy is not None
        }


def describe_knows(knows: KnownRecords) -> str:
    """Describe which records of a person an attacker may know.

    Examples
    --------
    >>> [describe_knows(knows) for knows in (1, 2, "all")]
    ['any one', 'any two', 'all']
    """
    return "all" if knows == "all" else ("none", "any one", "any two", "any three")[knows]


def find_record_problems(specification: "Specification") -> Iterator[str]:
    """Yield what is wrong with the tables of a specification that has records, or sets."""
    if specification.defaults is not None and specification.defaults.separator is not None:
        yield "defaults.separator: name each column of sets under [attributes]"
    if not specification.is_linked:
        if not specification.release.link:
            yield "release.link is for linked tables; describe their records under [records.NAME]"
        if specification.release.suppressed_records == "drop":
            yield "release.suppressed_records is for linked tables; of one table, whole rows leave"
        if specification.release.unit != "person":
            yield "release.unit is for linked tables; of one table, k counts rows or persons"
        return
    yield from _find_untaken_tables(specification)
    yield from _find_untaken_fields(specification)
    columns = {"attributes": (specification.attributes, _COLUMN_FIELDS | _PERSON_FIELDS)}
    for name, one in specification.records.items():
        columns[f"records.{name}.attributes"] = (one.attributes, _COLUMN_FIELDS)
        yield from _find_table_problems(specification, name, one)
        yield from _find_reference_problems(specification, name, one)
    yield from _find_known_references(specification)
    for place, (attributes, taken) in columns.items():
        for column, attribute in attributes.items():
            yield from _find_untaken(f"{place}.{column}", attribute, taken)
    yield from _find_untaken_protections(specification)
    if specification.release.suppressed_records == "drop":
        yield from _find_untaken_beside_drop(specification)
    known, records = list_linkable(specification), specification.records.values()
    if not specification.hierarchies() and all(one.knows == 0 for one in records):
        yield (
            "records: no column of any table is a quasi-identifier that may be known, so nothing "
            "is protected; give that role to each column that others may know, and set knows"
        )
    for constraint in specification.release.read_constraints():
        if constraint.quantity not in known:
            yield (
                f"release.constraints: of linked tables, {constraint.quantity!r} must be one of "
                f"the attributes {', '.join(known)}"
            )


def has_person_table(specification: "Specification") -> bool:
    """Return whether there is a table with one row a person, or there are records alone."""
    return specification.source is not None or bool(specification.attributes)


def specify_tables(specification: "Specification") -> dict[str, "Specification"]:
    """Return what is said of each table alone, that of the persons first, if there is one."""
    release = specification.release.model_copy(update=_OF_ONE_TABLE)
    persons = specification.model_copy(update={"records": {}, "release": release})
    tables = {PERSONS: persons} if has_person_table(specification) else {}
    for name, one in specification.records.items():
        own = {"source": one.reading, "attributes": one.attributes}
        tables[name] = persons.model_copy(update=own)
    return tables


def list_sets(own: "Specification") -> dict[str, Attribute]:
    """List the columns of a person table whose values are sets."""
    return {name: one for name, one in own.attributes.items() if one.separator is not None}


def without_sets(own: "Specification") -> "Specification":
    """Return the specification of the columns of the person table that are no sets."""
    dropped = {name: one.in_role("drop") for name, one in list_sets(own).items()}
    return own.model_copy(update={"attributes": {**own.attributes, **dropped}})


def specify_set(own: "Specification", name: str) -> "Specification":
    """Return what is said of the items of a set, each of which is a row."""
    plain = own.attributes[name].model_copy(update={"separator": None, "knows": None})
    return own.model_copy(update={"attributes": {name: plain}})


def list_linkable(specification: "Specification") -> list[str]:
    """List the attributes of all tables; those of records after the name of their table."""
    own = [*specification.hierarchies()]
    tables = specification.records.items()
    return own + [f"{table}.{name}" for table, one in tables for name in one.hierarchies()]


def _find_untaken_tables(specification: "Specification") -> Iterator[str]:
    """Yield the tables of a specification that linked tables do not take."""
    source = specification.source
    named = 0 if source is None else len(source.person_columns)
    if not named and specification.records and has_person_table(specification):
        yield (
            "records: name the column of the person table by which records find their person: "
            'person = "patient_no" under [source]; without a person table, leave out [source] and '
            "[attributes]"
        )
    elif named > 1:
        yield "source.person: of linked tables, one column identifies persons, not several"
    if specification.quasi_identifiers:
        yield "records: several quasi-identifiers are not taken beside linked tables yet"
    if specification.recipients:
        yield "records: recipients are not taken beside linked tables yet; write a file for each"
    if specification.defaults is not None:
        yield "records: [defaults] is not taken beside linked tables yet; name every column"


def _find_untaken_fields(specification: "Specification") -> Iterator[str]:
    """Yield the fields of ``[release]`` and ``[source]`` that linked tables do not take."""
    asked, source = specification.release, specification.source
    if "method" in asked.model_fields_set and asked.method not in LINKED_METHODS:
        yield f"release.method: linked tables take {', '.join(LINKED_METHODS)}"
    if asked.objective not in LINKED_OBJECTIVES:
        yield f"release.objective: linked tables take {' and '.join(LINKED_OBJECTIVES)}"
    ignored = ("constraints", "prefer") if asked.method == "datafly" else ()
    for name in ignored:
        if getattr(asked, name):
            yield f"release.{name}: datafly does not take it; use mingen or samarati"
    yield from _find_untaken("release", asked, LINKED_FIELDS)
    if source is not None:
        yield from _find_untaken_reading("source", source)


def list_distinct(attributes: Mapping[str, Attribute]) -> dict[str, int]:
    """List the columns that are protected, and how many different values each must have."""
    return {
        name: protection.l
        for name, one in attributes.items()
        for protection in (one.protect.protections() if one.protect else ())
        if isinstance(protection, Distinct)
    }


def _find_untaken_protections(specification: "Specification") -> Iterator[str]:
    """Yield the protections of the person table that linked tables do not take."""
    for name, one in specification.attributes.items():
        asked = one.protect.protections() if one.protect else ()
        others = [protection.name for protection in asked if not isinstance(protection, Distinct)]
        if others:
            yield (
                f"attributes.{name}.protect: linked tables take distinct, which stays true when "
                f"more persons share what may be known; leave out {' and '.join(others)}"
            )


def _find_untaken_beside_drop(specification: "Specification") -> Iterator[str]:
    """Yield what is not taken where single records of a person are left out."""
    asked = 'not taken beside suppressed_records = "drop" yet; leave out one of them'
    if not specification.release.link:
        yield f"release.link = false is {asked}"
    for name, one in specification.records.items():
        if one.refers:
            yield f"records.{name}.refers is {asked}"
    for name in list_distinct(specification.attributes):
        yield f"attributes.{name}.protect is {asked}"


def _find_untaken(place: str, table: Any, taken: set[str]) -> Iterator[str]:
    """Yield the fields that are set, not to their default, and not taken."""
    for name in sorted(table.model_fields_set - taken):
        known = type(table).model_fields[name]
        if getattr(table, name) != known.get_default(call_default_factory=True):
            yield f"{place}.{name} is not taken for linked tables yet; leave it out"


def _find_untaken_reading(place: str, source: Source) -> Iterator[str]:
    """Yield the fields of a source that linked tables do not take."""
    for name in _SOURCE_FIELDS:
        if getattr(source, name):
            yield f"{place}.{name} is not taken for linked tables yet; leave it out"
    if source.engine != "duckdb":
        yield f'{place}.engine: linked tables are read by DuckDB; leave out "{source.engine}"'


def _find_table_problems(
    specification: "Specification", name: str, one: RecordFields
) -> Iterator[str]:
    """Yield what is wrong with one table of records."""
    place = f"records.{name}"
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        yield f"{place}: the name becomes that of a file; use letters, digits, - and _"
    named = specification.attributes.get(name)
    if name == PERSONS or (named is not None and named.separator is not None):
        yield (
            f"{place}: results call the person table {PERSONS!r}, and a set by its column; give "
            "this table another name"
        )
    alike = [f"{name}.{own}" for own in one.hierarchies()]
    for own in filter(specification.hierarchies().__contains__, alike):
        yield (
            f"{place}: constraints could not tell its columns from {own!r} of the person table; "
            "give this table another name"
        )
    if not specification.release.link and one.knows not in (0, 1):
        yield (
            f"{place}.knows: without a link, single rows are what an attacker can find; set "
            "knows = 1, or 0 for nothing"
        )
    yield from _find_untaken_reading(place, one)
    if len(one.person_columns) != 1:
        yield f'{place} needs person = "…", the column that names the person of each record'
        return
    for column in (*one.person_columns, *([one.key] if one.key else []), *one.refers):
        known = one.attributes.get(column)
        if known is None or known.role not in ("identifier", UNDECIDED):
            yield (
                f"{place}: give {column!r} the role identifier under [{place}.attributes]; the "
                "release has a pseudonym in its place"
            )
    if one.knows not in (0, "all") and not one.hierarchies():
        yield (
            f"{place}.knows: no column of the table is a quasi-identifier, so nothing of a record "
            'can be known; set knows = 0, or "all" for how many records a person has'
        )


def _find_reference_problems(
    specification: "Specification", name: str, one: RecordFields
) -> Iterator[str]:
    """Yield what is wrong with the columns of a table that refer to others."""
    place, records = f"records.{name}", specification.records
    names = [*one.person_columns, *([one.key] if one.key else []), *one.refers]
    if len({*names}) < len(names):
        yield f"{place}: person, key and refers need different columns"
    if len(one.refers) > 1:
        yield f"{place}.refers: a table refers to one other table, not to {len(one.refers)}"
    if one.refers and not specification.release.link:
        yield f"{place}.refers links records with each other; leave it out where link = false"
    for column, target in one.refers.items():
        table = records.get(target)
        if target == name or table is None or table.key is None:
            yield (
                f"{place}.refers: {column!r} must refer to another table of records that has a "
                f'key, such as key = "{column}" under [records.{target}]'
            )
        elif table.refers or table.at_most is not None:
            yield (
                f"{place}.refers: {target!r} must not refer to a table itself, and keep all of its "
                "records (no at_most)"
            )


def _find_known_references(specification: "Specification") -> Iterator[str]:
    """Yield the tables of which more may be known than the promise counts."""
    for name, table in specification.records.items():
        if table.refers and table.knows == "all":
            target = next(iter(table.refers.values()))
            yield (
                f"records.{name}.knows: whoever knows all of {name} knows which of them belong to "
                f"the same of {target!r}, which the promise counts for 1, 2 or 3 of them; set one "
                "of these, or leave out refers and drop the column"
            )
