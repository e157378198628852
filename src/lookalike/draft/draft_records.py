"""Draft records: draft a specification of several tables whose rows belong to the same persons."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import comb
from os import PathLike
from typing import Any, Unpack

from lookalike.draft.draft import Draft
from lookalike.draft.find_links import KeyReference, TableLinks, find_links
from lookalike.draft.linked_draft import LinkedDraft, name_records
from lookalike.draft.make_draft import DEFAULT_K, describe_reading, draft, read_numbered
from lookalike.draft.proposed_column import ProposedColumn
from lookalike.draft.toml_text import quote_toml
from lookalike.draft.write_toml import name_release
from lookalike.errors import InvalidInput
from lookalike.model.progress import Announce
from lookalike.spec.presets import choose_k
from lookalike.spec.record_fields import PERSONS
from lookalike.tables.connection import Connection
from lookalike.tables.name_options import name_options
from lookalike.tables.resources import Resources
from lookalike.tables.source import EACH_ROW, UNDECIDED, SourceOptions
from lookalike.tables.table import Frame

KNOWN_RECORDS = 2
"""How many records of a person others may know, unless the holder decides otherwise: with one,
nothing is promised about what records show together."""
COUNTED_COMBINATIONS = 10_000_000
"""More combinations of known records are not proposed: they take seconds and gigabytes a vector."""
FEW_RECORDS = 20
"""To how many records of a person a table is limited then."""
_AT_MOST = (
    "so many records of each person are kept, drawn at random: there are too many combinations of "
    "them to count. Without this line all are kept"
)


@name_options
def draft_records(
    tables: Mapping[str, Any] | Iterable[str | PathLike[str]],
    *,
    k: int | None = None,
    preset: str | None = None,
    announce: Announce = lambda _: None,
    **source: Unpack[SourceOptions],
) -> LinkedDraft:
    """Draft a specification of a person table and of tables with records of these persons.

    The person table has a key, in which every row has a value of its own, and the others a column
    whose values occur there. A table without such a column is left out.

    Parameters
    ----------
    tables
        Paths, or paths and frames by the names of the tables.
    k
        The k of the specification; default: that of the preset, or 5.
    preset
        The figure of a rule by name, such as ``"cms"``, whose k is proposed.
    announce
        Callback that receives the name of each step.
    **source
        For paths, further fields of :class:`~lookalike.tables.source.Source`.

    Returns
    -------
    LinkedDraft
        ``toml()`` is the specification, ``write(path)`` writes it.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"patient_no": [11, 12, 13, 14], "sex": ["f", "f", "m", "m"]})
    >>> visits = pa.table({"patient_no": [11, 12, 13, 13, 14], "ward": [*"aabba"]})
    >>> found = draft_records({"visits": visits, "people": people})
    >>> found.persons, found.tables["visits"].source, found.knows
    ('people', {'person': 'patient_no'}, {'visits': 2})
    """
    given = _name_tables(tables)
    chosen = choose_k(k, preset, DEFAULT_K)
    announce("keys")
    frames = _read_all(given, source)
    links = find_links(frames)
    if PERSONS in given and links.persons != PERSONS:  # the name of the person table in results
        other = {PERSONS: name_records(PERSONS, given)}
        given = {other.get(name, name): one for name, one in given.items()}
        frames = {other.get(name, name): one for name, one in frames.items()}
        links = find_links(frames)
    drafts, left_out = dict[str, Draft](), dict[str, str]()
    for name in (links.persons, *(one for one in given if one != links.persons)):
        reference, possible = links.choose(name)
        if name != links.persons and not possible:
            left_out[name] = _explain_left_out(name, links)
            continue
        announce(name)
        asked: Any = {} if reference is None else {"person": reference.column}
        found = draft(given[name], k=chosen, **source, **asked)
        if name == links.persons:
            drafts[name] = _name_person(found, *_settle_persons(found, links))
        elif reference is None:
            drafts[name] = _name_person(found, None, _ask_person(possible))
        else:
            why = _describe_records(reference, links)
            drafts[name] = _name_person(found, reference.column, why)
    return _limit_combinations(LinkedDraft(drafts, KNOWN_RECORDS, left_out), links)


def _name_tables(tables: Mapping[str, Any] | Iterable[str | PathLike[str]]) -> dict[str, Any]:
    """Return the tables by their names, those of files from the names of the files."""
    if isinstance(tables, Mapping):
        given = [(str(name), one) for name, one in tables.items()]
    else:
        given = [(name_release(str(one)), one) for one in tables]
    paths = [str(one) for _, one in given if isinstance(one, str | PathLike)]
    if len({*paths}) < len(paths):
        raise InvalidInput(f"a table is given twice; of {', '.join(paths)}, give each once")
    named = dict[str, Any]()
    for name, one in given:
        named[name_records(name, named)] = one
    if len(named) < 2:
        raise InvalidInput("give several tables, or draft the only one with lookalike.draft")
    return named


def _read_all(given: Mapping[str, Any], source: SourceOptions) -> dict[str, Frame]:
    """Read the tables as their drafts will."""
    connection = Connection(Resources(source.get("memory"), source.get("spill")))
    described = {name: describe_reading(one, source) for name, one in given.items()}
    return {name: read_numbered(one, described[name], connection)[0] for name, one in given.items()}


def _settle_persons(found: Draft, links: TableLinks) -> tuple[str | None, str]:
    """Return the key of the person table, unless its rows look like several of one person."""
    if found.source["person"] in (EACH_ROW, links.key):
        others = len({one.table for one in links.list_to_persons() if one.is_certain})
        refer = "another table refers" if others == 1 else f"{others:,} other tables refer"
        return links.key, f"every row has a value of its own, and {refer} to it"
    doubt = found.remarks["person"].removeprefix("decide who is a person: ")
    return None, (
        f"decide who is a person: other tables refer to {quote_toml(links.key)}, but {doubt}. "
        f"Write person = {quote_toml(links.key)} if each row is one person; otherwise a table with "
        "one row for each is missing"
    )


def _name_person(found: Draft, column: str | None, why: str) -> Draft:
    """Return a draft with the column that names the person of each row; without, it is asked."""
    hidden = tuple(_hide(one) if one.name == column else one for one in found.columns)
    source = {**found.source, "person": UNDECIDED if column is None else column}
    remarks = {name: one for name, one in found.remarks.items() if name != "row_key"}
    return replace(found, columns=hidden, source=source, remarks={**remarks, "person": why})


def _hide(column: ProposedColumn) -> ProposedColumn:
    """Return the column of persons as an identifier, in whose place a pseudonym is released."""
    if column.role == "identifier":
        return column
    return column.decide("identifier", f"{column.reason}; it names the person of each row")


def _ask_person(possible: Sequence[KeyReference]) -> str:
    """Ask which column of a table with records names their persons."""
    names = ", ".join(quote_toml(one.column) for one in possible)
    doubt = (
        "which of them names the person of a record" if len(possible) > 1 else "by chance or not"
    )
    return (
        f"decide who is a person: all values of {names} occur in {quote_toml(possible[0].key)} of "
        f"{possible[0].to}, {doubt}"
    )


def _describe_records(reference: KeyReference, links: TableLinks) -> str:
    """Describe how many records persons have, and which belong to nobody."""
    most = max(reference.rows.values())
    lines = [f"refers to {links.key} of {links.persons}; the most records of a person are {most:,}"]
    if reference.nobody:
        lines.append(
            f"records that belong to no row of {links.persons}: {reference.nobody:,}; release "
            "stops until these persons are added, or the records left out (where)"
        )
    return "; ".join(lines)


def _limit_combinations(found: LinkedDraft, links: TableLinks) -> LinkedDraft:
    """Return the draft with fewer known records, or fewer records, if they are too many to count.

    Whatever may be known of a person is counted: combinations of records, also over tables.
    """
    for known in (KNOWN_RECORDS, 1):
        found = replace(found, known=known)
        if _count_combinations(found, links) <= COUNTED_COMBINATIONS:
            return found

    def keep_fewer(name: str, own: Draft) -> Draft:
        if not found.knows.get(name):
            return own
        source = {**own.source, "at_most": FEW_RECORDS}
        return replace(own, source=source, remarks={**own.remarks, "at_most": _AT_MOST})

    return found.change(keep_fewer)


def _count_combinations(found: LinkedDraft, links: TableLinks) -> int:
    """Count the combinations of as many records of each person as may be known."""
    ways = Counter[str]()
    for name, known in found.knows.items():
        reference, _ = links.choose(name)
        if reference is not None and known:
            for person, rows in reference.rows.items():
                ways[person] = max(ways[person], 1) * max(comb(rows, known), 1)
    return ways.total()


def _explain_left_out(name: str, links: TableLinks) -> str:
    """Explain why a table is left out."""
    through = [one for one in links.found if one.table == name and one.is_certain]
    if through:
        return (
            f"it belongs to {through[0].to} by {quote_toml(through[0].column)}, and has no column "
            f"with the persons of {links.persons}; add that column, from {through[0].to}"
        )
    return f"no column names persons of {links.persons}, by {quote_toml(links.key)}"
