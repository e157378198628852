"""Override: apply the fields of the command line, or of a call, to those of a file."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lookalike.spec.recipients import K_FIELDS

PLACE_FIELDS = ("path", "query", "tables", "database", "table")
"""The fields of ``[source]`` that say where the rows are."""


def list_fields(table: object, names: Iterable[str]) -> dict[str, Any]:
    """Return some fields of a table that was read."""
    return {name: getattr(table, name) for name in names}


def override_fields(
    fields: dict[str, Any],
    release: Mapping[str, Any],
    beside: Mapping[str, Sequence[str]],
    source: Mapping[str, Any],
    tables: Mapping[str, Any],
) -> list[str]:
    """Apply the fields of the command line or of a call to the fields of a file.

    They take precedence over the fields of the recipient as well.

    ``source``: fields of ``[source]`` that replace those of the file. A path replaces every other
    place.
    """
    columns, known = tables.get("attributes"), fields.get("attributes")
    fields |= tables
    if isinstance(columns, Mapping) and isinstance(known, dict):
        fields["attributes"] = {**known, **columns}
    _override_source(fields, source)
    _override_release(fields, release, beside)
    given = {"release": release, "source": source, "attributes": columns or ()}
    return [*tables, *(f"{table}.{name}" for table, names in given.items() for name in names)]


def _override_release(
    fields: dict[str, Any], release: Mapping[str, Any], beside: Mapping[str, Sequence[str]]
) -> None:
    """Apply fields of ``[release]``, before those of the recipient."""
    asked = fields.setdefault("release", {}) if release else fields.get("release")
    if not isinstance(asked, dict):
        return
    if "k" in release:
        asked.pop("highest_risk", None)
    asked |= release
    recipients = fields.get("recipients")
    granted = recipients.get(asked.get("recipient")) if isinstance(recipients, dict) else None
    own = granted if isinstance(granted, dict) else {}
    for name in (*release, *(K_FIELDS if "k" in release else ())):
        own.pop(name, None)
    for name, more in beside.items():
        table = own if name in own else asked
        table[name] = [*table.get(name, ()), *more]


def _override_source(fields: dict[str, Any], source: Mapping[str, Any]) -> None:
    """Apply fields of ``[source]``."""
    if not source or not isinstance(fields.setdefault("source", {}), dict):
        return
    if "path" in source:
        for name in PLACE_FIELDS:
            fields["source"].pop(name, None)
    fields["source"] |= source
