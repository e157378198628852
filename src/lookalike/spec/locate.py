"""Locate: resolve the paths of a specification, against the folder of its file or of the user.

What a file says is relative to the file; what the command line or a call says in its place is
relative to the working folder.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lookalike.hierarchy import File
from lookalike.spec.fields import Attribute, Pseudonym, ReleaseFields
from lookalike.spec.ledger_address import resolve_ledger
from lookalike.tables.databases.database import resolve_database
from lookalike.tables.source import Source, resolve_path

if TYPE_CHECKING:
    from lookalike.spec.specification import Specification

_PATH_FIELDS = ("out", "dossier", "ledger_files", "ledger_key")
"""The fields of ``[release]`` that are paths."""


@dataclass(frozen=True)
class Folders:
    """The folder that a path of a specification is relative to.

    Parameters
    ----------
    base
        The folder of the file.
    given
        The fields that were given beside the file, such as ``release.out``.
    """

    base: Path
    given: Collection[str] = ()

    def of(self, field: str) -> Path:
        """Return the folder of the paths in a field."""
        return Path.cwd() if field in self.given else self.base


def locate_tables(specification: "Specification", folders: Folders) -> dict[str, Any]:
    """Return the tables of a specification that have paths, with relative ones resolved."""
    source, defaults = specification.source, specification.defaults
    return {
        "source": None if source is None else _locate_source(source, folders),
        "release": _locate_release(specification.release, folders),
        "attributes": {
            name: _locate_attribute(one, folders.of(f"attributes.{name}"))
            for name, one in specification.attributes.items()
        },
        "defaults": None
        if defaults is None
        else _locate_attribute(defaults, folders.of("defaults")),
    }


def _locate_source(source: Source, folders: Folders) -> Source:
    """Return a source with its paths resolved."""
    tables, database = folders.of("source.tables"), folders.of("source.database")
    return replace(
        source,
        path=source.path and resolve_path(source.path, folders.of("source.path")),
        tables={name: str(tables / path) for name, path in source.tables.items()},
        database=source.database and resolve_database(source.database, database),
        spill=source.spill and resolve_path(source.spill, folders.of("source.spill")),
    )


def _locate_release(release: ReleaseFields, folders: Folders) -> ReleaseFields:
    """Return the fields of a release with their paths resolved."""
    asked = {name: getattr(release, name) for name in _PATH_FIELDS}
    moved: dict[str, Any] = {
        name: resolve_path(path, folders.of(f"release.{name}"))
        for name, path in asked.items()
        if path
    }
    for one in release.registers:
        name = one.condition.register
        moved[name] = one.located(folders.of(f"release.{name}"))
    if release.ledger is not None:
        moved["ledger"] = resolve_ledger(release.ledger, folders.of("release.ledger"))
    return release.model_copy(update=moved)


def _locate_attribute(attribute: Attribute, base: Path) -> Attribute:
    """Return an attribute with its file paths resolved against a folder."""
    changed: dict[str, Any] = {}
    if isinstance(attribute.hierarchy, File):
        changed["hierarchy"] = replace(attribute.hierarchy, path=base / attribute.hierarchy.path)
    if attribute.pseudonym is not None:
        changed["pseudonym"] = Pseudonym(key_file=base / attribute.pseudonym.key_file)
    return attribute.model_copy(update=changed)
