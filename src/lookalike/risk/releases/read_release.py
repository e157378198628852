"""Read a release as an attacker does, from its file and its certificate."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy, Mask, Suppress
from lookalike.kernels.grouping import group_equal
from lookalike.publish.certificate import Certificate
from lookalike.risk.releases.seen_release import AttackerKnowledge, SeenRelease
from lookalike.spec.policies import ALL_RELEASED
from lookalike.tables.connection import Connection
from lookalike.tables.count import count
from lookalike.tables.engines import collect
from lookalike.tables.read import read_frame, read_source
from lookalike.tables.released_file import read_released_file
from lookalike.tables.source import Source


def read_rows(path: Path) -> pa.Table:
    """Read the rows of a file, or of a folder of part files, in their order."""
    return collect(read_source(Source(path=str(path)), Connection())).to_arrow()


def read_published(
    name: str, file: Path, certificate: Certificate, every: Sequence[Certificate]
) -> SeenRelease:
    """Read a published release from its file."""
    rows = read_released_rows(file, certificate)
    return read_certified(name, rows, certificate, every)


def read_released_rows(file: Path, certificate: Certificate) -> pa.Table:
    """Read the rows of a published file, with its values and not the apostrophes."""
    rows = read_released_file(file, Connection(), neutralized=certificate.neutralized)
    return collect(rows).to_arrow()


def read_certified(
    name: str, table: pa.Table, certificate: Certificate, every: Sequence[Certificate]
) -> SeenRelease:
    """Read a release from its rows and its certificate."""
    if tuple(table.column_names) != certificate.columns:
        raise InvalidInput(
            f"the columns of {name} differ from those in its certificate; check with lookalike "
            "verify whether the release was changed after it was published"
        )
    return count_classes(
        name,
        table,
        levels={column: done.level for column, done in certificate.generalized.items()},
        known=_list_known(certificate, every),
        rows_in=certificate.rows_in,
        suppressed=certificate.suppressed_label,
        suppresses=_find_suppressed(certificate),
    )


def _find_suppressed(certificate: Certificate) -> Literal["cells", "rows", "nothing"]:
    """Return what a release may have suppressed besides values that a hierarchy suppresses."""
    if certificate.recoding == "cell level":
        return "cells"
    suppressed = certificate.rows_suppressed + certificate.rows_complementary
    return "rows" if certificate.suppressed_rows == "blank" and suppressed else "nothing"


def _list_known(certificate: Certificate, every: Sequence[Certificate]) -> list[AttackerKnowledge]:
    """Return what an attacker may know: the quasi-identifier without columns added by a policy.

    The policy :mod:`~lookalike.ledger.policies.all_released` adds columns that another release
    shows as they are, so that releases cannot be linked. An attacker does not know these columns
    from other sources.
    """
    earlier = certificate.earlier_releases
    widened = not isinstance(earlier, str) and earlier.policy == ALL_RELEASED
    joined = {name for one in every for name in one.released_as_they_are if widened}
    return [
        AttackerKnowledge(
            one.name, tuple(name for name in one.attributes if name not in joined), one.k
        )
        for one in certificate.quasi_identifiers
    ]


def count_classes(
    name: str,
    table: pa.Table,
    *,
    levels: Mapping[str, int | None],
    known: Sequence[AttackerKnowledge],
    rows_in: int,
    suppressed: str,
    suppresses: Literal["cells", "rows", "nothing"] = "cells",
) -> SeenRelease:
    """Count the classes of a release and keep the order of its rows.

    The keyword arguments are fields of
    :class:`~lookalike.risk.releases.seen_release.SeenRelease`.
    """
    columns = table.column_names
    counted = count(read_frame(table), columns)
    class_of, first, counts = group_equal(
        counted.positions, [len(values) for values in counted.values], counted.counts
    )
    return SeenRelease(
        name=name,
        columns=tuple(columns),
        labels=counted.values,
        codes=np.take(counted.positions, first, axis=1),
        counts=counts,
        levels=levels,
        known=tuple(known),
        rows_in=rows_in,
        suppressed=suppressed,
        order=class_of,
        suppresses=suppresses,
    )


def fit_hierarchies(
    rules: Mapping[str, Hierarchy], certificates: Iterable[Certificate]
) -> dict[str, Hierarchy]:
    """Return the hierarchies of generalized columns, with the heights that certificates state.

    A column that was either shown or suppressed needs no hierarchy in `rules`.
    """
    fitted = dict(rules)
    for certificate in certificates:
        for name, done in certificate.generalized.items():
            rule = fitted.get(name)
            if rule is None and done.hierarchy == Suppress().name:
                fitted[name] = rule = Suppress()
            if isinstance(rule, Mask) and rule.length is None and rule.hides_one_by_one:
                fitted[name] = rule = replace(rule, length=done.height)
            if rule is not None and rule.height != done.height:
                raise InvalidInput(
                    f"column {name!r} was generalized with a hierarchy of height {done.height}, "
                    "but the specification or another release has a hierarchy of height "
                    f"{rule.height}; releases can only be compared with one and the same hierarchy"
                )
    return fitted
