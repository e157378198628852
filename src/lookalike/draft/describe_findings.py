"""Describe what was found about a table as a whole, as fields of ``[source]`` with comments."""

from collections.abc import Mapping, Sequence
from typing import Any

from lookalike.draft.column import ColumnProfile
from lookalike.draft.find_person import ProposedPerson, find_row_key
from lookalike.draft.find_totals import describe_totals
from lookalike.draft.profile import TableProfile
from lookalike.draft.proposed_column import ProposedColumn
from lookalike.draft.write_toml import quote_toml
from lookalike.tables.connection import Connection

_READING = {
    "encoding": "text encoding of the file",
    "duplicate_headers": "some columns have the same name, or none",
}
"""Comments on fields that say how a file is read."""


def describe_findings(
    read: Mapping[str, Any],
    profile: TableProfile,
    columns: Sequence[ProposedColumn],
    person: ProposedPerson,
    connection: Connection,
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return fields of ``[source]``, and comments on them or in their place."""
    fields: dict[str, Any] = {}
    remarks = {name: text for name, text in _READING.items() if name in read}
    if profile.trim:
        fields["trim"], remarks["trim"] = True, "some values have blanks around them"
    if profile.markers:
        fields["missing"] = [*dict.fromkeys((*read.get("missing", ()), *profile.markers))]
        remarks["missing"] = "these texts stand for a missing value"
    if profile.questioned:
        known = f"{remarks['missing']}; " if "missing" in remarks else ""
        remarks["missing"] = f"{known}{_ask_about(profile.questioned)}"
    counted = {one.name: one for one in profile.columns if len(one.values) == one.distinct}
    for sentence, number in describe_totals(connection, lambda name: _count(counted.get(name))):
        remarks["last_rows"] = f"{sentence}: leave out what is no data with last_rows = {number}"
    fields["person"], remarks["person"] = person.person, person.reason
    if (key := find_row_key(columns)) is not None:
        line = f"row_key = {quote_toml(key.name)}"
        remarks["row_key"] = (
            f"{line} would do for a ledger of releases: every row has its own value"
        )
    return fields, remarks


def _count(column: ColumnProfile | None) -> Mapping[str, int] | None:
    """Return the values of a column with their numbers of rows, if all were counted."""
    return None if column is None else dict(zip(column.values, column.counts, strict=True))


def _ask_about(questioned: Mapping[str, Sequence[str]]) -> str:
    """Ask whether texts of some columns stand for a missing value."""
    asked = [
        f"{', '.join(map(quote_toml, texts))} in {quote_toml(name)}"
        for name, texts in questioned.items()
    ]
    return (
        f"does {'; '.join(asked)} stand for a missing value? It looks like the other values there, "
        "so it is read as a value; if it is missing, name it in missing under that column"
    )
