"""Read the release to be linked, and what is known about its levels and hierarchies."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_table
from lookalike.tables.released_file import read_released_file
from lookalike.tables.table import Frame, check_columns, column_names


@dataclass(frozen=True)
class ReleaseFacts:
    """What is known about how a release was made.

    Parameters
    ----------
    hierarchies
        The hierarchy of each attribute that has one; other attributes are compared as they are.
    suppressed_label
        The label of a suppressed value.
    levels
        The level of each attribute with one level; for other attributes, the level of each value
        follows from its label.
    heights
        The height of each hierarchy, if there is a certificate.
    """

    hierarchies: Mapping[str, Hierarchy]
    suppressed_label: str = SUPPRESSED
    levels: Mapping[str, int | None] = field(default_factory=dict)
    heights: Mapping[str, int] | None = None

    def level_of(self, name: str) -> int | None:
        """Return the level of an attribute, None if unknown; 0 without a hierarchy."""
        return self.levels.get(name) if name in self.hierarchies else 0


def read_with_facts(
    release: Any,
    columns: Collection[str],
    specification: Specification | str | PathLike[str] | None,
    hierarchies: Mapping[str, Hierarchy] | None,
    suppressed_label: str,
) -> tuple[Frame, ReleaseFacts]:
    """Read a published folder or any table, and collect what is known about it."""
    folder = Path(release) if isinstance(release, str | PathLike) else None
    certificate = Certificate.read(folder) if folder is not None and folder.is_dir() else None
    if specification is not None:
        holder = _load(specification, certificate).naming([*columns])
        hierarchies, suppressed_label = holder.hierarchies(), holder.release.suppressed_label
    rules = {name: rule for name, rule in (hierarchies or {}).items() if name in columns}
    frame: Frame
    if folder is None or certificate is None:
        frame, facts = read_table(release, {}), ReleaseFacts(rules, suppressed_label)
    else:
        frame = read_released_file(
            find_released_file(folder, certificate),
            Connection(),
            neutralized=certificate.neutralized,
        )
        facts = _read_certificate(certificate, rules, columns)
    check_columns(column_names(frame), list(columns), "the release")
    return frame, facts


def _load(
    specification: Specification | str | PathLike[str], certificate: Certificate | None
) -> Specification:
    """Read a specification for the recipient of the release."""
    if isinstance(specification, Specification):
        return specification
    recipient = None if certificate is None else certificate.recipient
    return Specification.load(Path(specification), {"recipient": recipient} if recipient else {})


def _read_certificate(
    certificate: Certificate, rules: Mapping[str, Hierarchy], columns: Collection[str]
) -> ReleaseFacts:
    """Return what a certificate states about the attributes to link by."""
    generalized = certificate.generalized
    for name in columns:
        if name in generalized and name not in rules:
            raise InvalidInput(
                f"column {name!r} was generalized, so linking by it requires its hierarchy; give "
                "the specification of the release (--spec)"
            )
    return ReleaseFacts(
        hierarchies={name: rule for name, rule in rules.items() if name in generalized},
        suppressed_label=certificate.suppressed_label,
        levels={name: one.level for name, one in generalized.items()},
        heights={name: one.height for name, one in generalized.items()},
    )
