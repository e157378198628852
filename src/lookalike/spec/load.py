"""Load: the tables of a TOML file, the fields given in place of its own, and their paths.

What a file says is relative to the file; what the command line or a call says in its place is
relative to the working folder.
"""

import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lookalike.errors import InvalidInput
from lookalike.hierarchy import File
from lookalike.spec.fields import Attribute, Pseudonym
from lookalike.spec.ledger_address import resolve_ledger
from lookalike.spec.recipients import K_FIELDS
from lookalike.spec.record_fields import RecordFields
from lookalike.spec.release_fields import ReleaseFields
from lookalike.tables.databases.database import resolve_database
from lookalike.tables.files.file_format import format_of
from lookalike.tables.source import Source, resolve_path

if TYPE_CHECKING:
    from lookalike.spec.specification import Specification

PLACE_FIELDS = ("path", "query", "tables", "database", "table")
"""The fields of ``[source]`` that say where the rows are."""
_PATH_FIELDS = ("out", "dossier", "ledger_files", "ledger_key", "withdrawn", "review")
"""The fields of ``[release]`` that are paths."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file; its fractions are exact decimals."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = f"is not TOML: {error}"
        if isinstance(error, UnicodeDecodeError):
            reason = "is not UTF-8, as TOML must be; save it as UTF-8"
        if format_of(path) is not None:
            draft = f"lookalike init {shlex.quote(str(path))}"
            reason = f"is a table, not a specification; draft one for it: {draft}"
        raise InvalidInput(f"{path} {reason}") from None


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


AnySource = TypeVar("AnySource", bound=Source)
FolderOf = Callable[[str], Path]
"""Returns the folder that the paths in a field, such as ``release.out``, are relative to."""


def locate_tables(specification: "Specification", folder_of: FolderOf) -> dict[str, Any]:
    """Return the tables of a specification that have paths, with relative ones resolved."""
    source, defaults = specification.source, specification.defaults
    return {
        "source": None if source is None else _locate_source(source, folder_of),
        "release": _locate_release(specification.release, folder_of),
        "attributes": {
            name: _locate_attribute(one, folder_of(f"attributes.{name}"))
            for name, one in specification.attributes.items()
        },
        "defaults": None
        if defaults is None
        else _locate_attribute(defaults, folder_of("defaults")),
        "records": {
            name: _locate_records(one, folder_of(f"records.{name}"))
            for name, one in specification.records.items()
        },
    }


def _locate_records(table: RecordFields, base: Path) -> RecordFields:
    """Return a table of records with its paths resolved against a folder."""
    located = _locate_source(table, lambda _: base)
    attributes = {name: _locate_attribute(one, base) for name, one in table.attributes.items()}
    return replace(located, attributes=attributes)


def _locate_source(source: AnySource, folder_of: FolderOf) -> AnySource:
    """Return a source with its paths resolved."""
    tables, database = folder_of("source.tables"), folder_of("source.database")
    return replace(
        source,
        path=source.path and resolve_path(source.path, folder_of("source.path")),
        tables={name: str(tables / path) for name, path in source.tables.items()},
        database=source.database and resolve_database(source.database, database),
        spill=source.spill and resolve_path(source.spill, folder_of("source.spill")),
    )


def _locate_release(release: ReleaseFields, folder_of: FolderOf) -> ReleaseFields:
    """Return the fields of a release with their paths resolved."""
    moved: dict[str, Any] = {
        name: resolve_path(path, folder_of(f"release.{name}"))
        for name, path in list_fields(release, _PATH_FIELDS).items()
        if path
    }
    for one in release.registers:
        name = one.condition.register
        moved[name] = one.located(folder_of(f"release.{name}"))
    if release.ledger is not None:
        moved["ledger"] = resolve_ledger(release.ledger, folder_of("release.ledger"))
    return release.model_copy(update=moved)


def _locate_attribute(attribute: Attribute, base: Path) -> Attribute:
    """Return an attribute with its file paths resolved against a folder."""
    changed: dict[str, Any] = {}
    if isinstance(attribute.hierarchy, File):
        changed["hierarchy"] = replace(attribute.hierarchy, path=base / attribute.hierarchy.path)
    if isinstance(attribute.map, Path):
        changed["map"] = base / attribute.map
    if attribute.pseudonym is not None:
        changed["pseudonym"] = Pseudonym(key_file=base / attribute.pseudonym.key_file)
    return attribute.model_copy(update=changed)
