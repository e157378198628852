"""Read what the data holder has: the specification and the private table of a release."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.flow.followup.widen import widen
from lookalike.flow.settle_columns import settle_columns
from lookalike.publish.certificate import Certificate
from lookalike.spec.choose_method import names_method, with_default_method
from lookalike.spec.policies import ALL_RELEASED
from lookalike.spec.specification import Specification
from lookalike.tables.read import read_frame
from lookalike.tables.source import Source


def load_holder_specification(
    specification: Specification | Mapping[str, Any] | str | PathLike[str],
    certificate: Certificate | None,
    table: Any = None,
) -> Specification:
    """Read the holder's specification as it was for a release.

    ``specification``: A file, its content, or a value. A file is read for the recipient of the
    release.
    ``certificate``: the certificate of the release; None for a frame of released rows. If the
    specification names no method, any of the default methods is what it asks for.
    ``table``: the private table, a path or a frame. Default: the source of the specification.
    """
    if isinstance(specification, Mapping):
        specification = Specification.build(specification)
    elif not isinstance(specification, Specification):
        recipient = None if certificate is None else certificate.recipient
        specification = Specification.load(Path(specification), {"recipient": recipient})
    specification = _settle_for(specification, table)
    if certificate is not None and not names_method(specification):
        specification = with_default_method(specification, certificate.method)
    earlier = "not checked" if certificate is None else certificate.earlier_releases
    if certificate is None or isinstance(earlier, str) or earlier.policy != ALL_RELEASED:
        return specification
    known = specification.hierarchies()
    return widen(specification, [name for name in certificate.generalized if name not in known])


def _settle_for(specification: Specification, table: Any) -> Specification:
    """Name the columns of the private table: a frame, another path, or the holder's source."""
    if table is None:
        return settle_columns(specification)
    if not isinstance(table, str | PathLike):
        return settle_columns(specification, read_frame(table))
    source = replace_path(specification.source, table)
    settled = settle_columns(specification.model_copy(update={"source": source}))
    return settled.model_copy(update={"source": specification.source})


def require_same_attributes(specification: Specification, certificate: Certificate) -> None:
    """Refuse the specification of another release: its quasi-identifier has other attributes."""
    attributes = list(specification.hierarchies())
    if attributes != list(certificate.generalized):
        raise InvalidInput(
            "the specification is not that of this release: its quasi-identifier is "
            f"{', '.join(attributes)}, not {', '.join(certificate.generalized)}"
        )


def replace_path(source: Source | None, path: str | PathLike[str]) -> Source:
    """Return a source that reads another path with the same options."""
    known = source or Source(path="")
    return replace(known, path=str(path), query=None, tables={}, database=None, table=None)
