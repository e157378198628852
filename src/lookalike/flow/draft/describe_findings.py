"""Describe what was found about a table as a whole, as fields of ``[source]`` with comments."""

from collections.abc import Mapping, Sequence
from typing import Any

from lookalike.flow.draft.find_person import find_row_key
from lookalike.flow.draft.profile import TableProfile
from lookalike.flow.draft.proposed_column import ProposedColumn
from lookalike.flow.draft.write_toml import quote_toml

_READING = {
    "encoding": "text encoding of the file",
    "duplicate_headers": "some columns have the same name, or none",
}
"""Comments on fields that say how a file is read."""


def describe_findings(
    read: Mapping[str, Any],
    profile: TableProfile,
    columns: Sequence[ProposedColumn],
    person: ProposedColumn | None,
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return fields of ``[source]``, and comments on them or in their place.

    Parameters
    ----------
    read
        The fields that say how the table is read.
    profile
        The values of every column.
    columns
        The proposed columns.
    person
        The column that identifies persons, if there is one.
    """
    fields: dict[str, Any] = {}
    remarks = {name: text for name, text in _READING.items() if name in read}
    if profile.trim:
        fields["trim"], remarks["trim"] = True, "some values have blanks around them"
    if profile.markers:
        fields["missing"] = [*dict.fromkeys((*read.get("missing", ()), *profile.markers))]
        remarks["missing"] = "these texts stand for a missing value"
    if person is not None and "person" not in read:
        fields["person"], remarks["person"] = person.name, _describe_persons(person)
    elif (key := find_row_key(columns)) is not None:
        line = f"row_key = {quote_toml(key.name)}"
        remarks["row_key"] = (
            f"{line} would do for a ledger of releases: every row has its own value"
        )
    return fields, remarks


def _describe_persons(person: ProposedColumn) -> str:
    """Describe how many rows the persons have."""
    figures = person.figures
    return f"{figures.distinct:,} persons have {figures.present:,} rows: k counts persons"
