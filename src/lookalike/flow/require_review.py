"""Check that a review is about the specification and the source of a release."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass, replace
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.file import File
from lookalike.publish.digest import describe_file, unite_digests
from lookalike.publish.review import Review, Subject
from lookalike.spec.fields import Attribute
from lookalike.spec.record_fields import RecordFields, has_person_table
from lookalike.spec.specification import Specification
from lookalike.tables.files.read_files import find_files
from lookalike.tables.source import Source, is_address

DECIDES_NOTHING = {"accept", "review", "out", "dossier", "report", "purpose"}
"""The fields of ``[release]`` that change neither a released row nor a finding."""
_NAMED_APART = {"recipient"}
"""The fields that the subject of a review names itself."""


def require_review(specification: Specification) -> None:
    """Raise if a specification names a review that is about something else, or refuses.

    Raises
    ------
    RequirementNotMet
        With what differs, or with what the reviewer refused.
    """
    if specification.release.review is not None:
        review = Review.read(Path(specification.release.review))
        review.require(describe_subject(specification))


def describe_subject(specification: Specification) -> Subject:
    """Return what a review of a release is about.

    Raises
    ------
    InvalidInput
        If the source is not files of this machine, whose contents have a digest.
    """
    source = digest_sources(specification)
    asked = specification.release
    if source is None or any(one.path is None for one in asked.registers):
        raise InvalidInput(
            "review: the source must be a file of this machine, and a register, too, so that a "
            "digest shows whether it changed since the review; write a frame, an address or a "
            "database to a file first"
        )
    return Subject(digest_specification(specification), source, asked.recipient, asked.purpose)


def digest_source(source: Source | None) -> str | None:
    """Return the SHA-256 digest of the files of a source; None if it has other parts.

    The digest of one file is that of its content, so that other programs give the same; that of
    several is the digest of theirs, one a line, in the order in which they are read. Of several
    named tables, it is the digest of those of the tables.
    """
    if source is None or source.is_frame or source.database is not None:
        return None
    places = list(source.tables.values()) if source.path is None else [source.path]
    if not places or any(map(is_address, places)):
        return None
    return unite_digests(
        unite_digests(describe_file(file).sha256 for file in find_files(place)) for place in places
    )


def digest_sources(specification: Specification) -> str | None:
    """Return the digest of the files of all tables; None if one of them has other parts."""
    sources = [specification.source, *(one.reading for one in specification.records.values())]
    if not has_person_table(specification):
        del sources[0]
    found = [digest_source(one) for one in sources]
    known = [one for one in found if one is not None]
    return unite_digests(known) if len(known) == len(found) else None


def digest_specification(specification: Specification) -> str:
    """Return the SHA-256 digest of everything that decides what is released and found.

    Files of hierarchies, maps, registers and withdrawn people count by their content. The places of
    the source are left out, because its digest is compared, too.
    """
    source = specification.source
    fields = specification.model_dump(
        exclude={"source": True, "release": DECIDES_NOTHING | _NAMED_APART, "attributes": True},
        warnings=False,
    )
    fields["source"] = source and _describe_source(source)
    fields["attributes"] = _describe_attributes(specification.attributes)
    fields["records"] = {
        name: _describe_source(one) | {"attributes": _describe_attributes(one.attributes)}
        for name, one in specification.records.items()
    }
    fields["beside"] = [digest_source(Source(path=path)) for path in _list_beside(specification)]
    return hashlib.sha256(json.dumps(fields, default=str).encode()).hexdigest()


def _describe_source(source: Source | RecordFields) -> dict[str, object]:
    """Return how a table is read, without where it is; of named tables, their names stay."""
    return asdict(source) | {"path": None, "tables": [*source.tables], "spill": None}


def _describe_attributes(attributes: Mapping[str, Attribute]) -> list[dict[str, object]]:
    """Return what is said of the columns of a table; of files, their content."""
    return [
        {
            "name": name,
            **one.model_dump(exclude={"hierarchy", "map", "pseudonym"}, warnings=False),
            "hierarchy": _describe_hierarchy(one.hierarchy),
            "map": describe_file(one.map) if isinstance(one.map, Path) else one.map,
            "pseudonym": one.pseudonym is not None,
        }
        for name, one in attributes.items()
    ]


def _list_beside(specification: Specification) -> list[str]:
    """Return the files that decide with the source who is released."""
    asked = specification.release
    paths = asked.withdrawn, *(one.path for one in asked.registers)
    return [path for path in paths if path is not None]


def _describe_hierarchy(hierarchy: Hierarchy | None) -> object:
    """Return what a hierarchy consists of; of a file, its content instead of its place."""
    if isinstance(hierarchy, File):
        content = describe_file(hierarchy.path).sha256
        return asdict(replace(hierarchy, path=Path())), content
    if hierarchy is None or not is_dataclass(hierarchy):
        return hierarchy
    return type(hierarchy).__name__, asdict(hierarchy)
