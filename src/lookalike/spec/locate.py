"""Locate: resolve the paths of a specification against the folder of its file."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lookalike.hierarchy import File
from lookalike.spec.fields import Attribute, Pseudonym, ReleaseFields
from lookalike.spec.ledger_address import resolve_ledger
from lookalike.tables.database_address import resolve_database
from lookalike.tables.source import Source, resolve_path

if TYPE_CHECKING:
    from lookalike.spec.specification import Specification

_PATH_FIELDS = ("out", "dossier", "ledger_files", "ledger_key")
"""The fields of ``[release]`` that are paths."""


def locate_tables(specification: "Specification", base: Path) -> dict[str, Any]:
    """Return the tables of a specification that have paths, with relative ones resolved."""
    source, defaults = specification.source, specification.defaults
    return {
        "source": None if source is None else _locate_source(source, base),
        "release": _locate_release(specification.release, base),
        "attributes": {
            name: _locate_attribute(one, base) for name, one in specification.attributes.items()
        },
        "defaults": None if defaults is None else _locate_attribute(defaults, base),
    }


def _locate_source(source: Source, base: Path) -> Source:
    """Return a source with its paths resolved against a folder."""
    return replace(
        source,
        path=source.path and resolve_path(source.path, base),
        tables={name: str(base / path) for name, path in source.tables.items()},
        database=source.database and resolve_database(source.database, base),
        spill=source.spill and str(base / source.spill),
    )


def _locate_release(release: ReleaseFields, base: Path) -> ReleaseFields:
    """Return the fields of a release with their paths resolved against a folder."""
    asked = {name: getattr(release, name) for name in _PATH_FIELDS}
    moved: dict[str, Any] = release.locate_registers(base)
    moved |= {name: resolve_path(path, base) for name, path in asked.items() if path}
    if release.ledger is not None:
        moved["ledger"] = resolve_ledger(release.ledger, base)
    return release.model_copy(update=moved)


def _locate_attribute(attribute: Attribute, base: Path) -> Attribute:
    """Return an attribute with its file paths resolved against a folder."""
    changed: dict[str, Any] = {}
    if isinstance(attribute.hierarchy, File):
        changed["hierarchy"] = replace(attribute.hierarchy, path=base / attribute.hierarchy.path)
    if attribute.pseudonym is not None:
        changed["pseudonym"] = Pseudonym(key_file=base / attribute.pseudonym.key_file)
    return attribute.model_copy(update=changed)
