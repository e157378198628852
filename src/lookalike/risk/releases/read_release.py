"""See: a release as an attacker sees it, read from its file and its certificate."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy, Mask, Suppress
from lookalike.kernels.grouping import group_equal
from lookalike.publish.certificate import Certificate
from lookalike.risk.releases.seen_release import AttackerKnowledge, SeenRelease
from lookalike.spec.policies import ALL_RELEASED
from lookalike.tables.count import count
from lookalike.tables.read import Engine, Source, read_frame, read_source
from lookalike.verify.recount import open_release


def read_rows(path: Path) -> pa.Table:
    """Read the rows of a file in their order."""
    if path.is_dir():
        raise InvalidInput(f"{path} is a release without a file; its certificate names none")
    delimiter = {".tsv": "\t"}.get(path.suffix.lower())
    source = Source(path=str(path), delimiter=delimiter)
    return read_source(source, Engine()).collect("pyarrow").to_native()


def read_published(
    name: str, file: Path, certificate: Certificate, every: Sequence[Certificate]
) -> SeenRelease:
    """See a release that we published."""
    release = nw.from_native(open_release(file, Engine()))
    return read_certified(name, release.collect("pyarrow").to_native(), certificate, every)


def read_certified(
    name: str, table: pa.Table, certificate: Certificate, every: Sequence[Certificate]
) -> SeenRelease:
    """See a release with what its certificate tells.

    Parameters
    ----------
    name
        What to call it.
    table
        Its rows.
    certificate
        Its certificate.
    every
        The certificates of all releases that are seen together.

    Raises
    ------
    InvalidInput
        If it has other columns.
    """
    if tuple(table.column_names) != certificate.columns:
        raise InvalidInput(
            f"{name} has other columns than its certificate tells: was it changed after it was "
            "published? See lookalike verify"
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


def _find_suppressed(told: Certificate) -> Literal["cells", "rows", "nothing"]:
    """Say what a release may have suppressed besides values that a hierarchy suppresses."""
    if told.recoding == "cell level":
        return "cells"
    blank = told.suppressed_rows == "blank" and told.rows_suppressed + told.rows_complementary
    return "rows" if blank else "nothing"


def _list_known(certificate: Certificate, every: Sequence[Certificate]) -> list[AttackerKnowledge]:
    """Say what an attacker may know: the quasi-identifier, without what has only joined it.

    What another release shows as it is joins it so that releases cannot be linked, and not
    because it were known from elsewhere (:mod:`lookalike.ledger.policies.all_released`).
    """
    told = certificate.earlier_releases
    widened = not isinstance(told, str) and told.policy == ALL_RELEASED
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
    """Count the classes of a release and remember in which order its rows came."""
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
    """Return the rules of generalized columns, each mask as long as certificates tell.

    A column that was shown or suppressed needs no rule of its own.

    Raises
    ------
    InvalidInput
        If a release was made with a hierarchy of another height.
    """
    fitted = dict(rules)
    for certificate in certificates:
        for name, done in certificate.generalized.items():
            rule = fitted.get(name)
            if rule is None and done.hierarchy == Suppress().name:
                fitted[name] = rule = Suppress()
            if isinstance(rule, Mask) and rule.steps is None and rule.length is None:
                fitted[name] = rule = replace(rule, length=done.height)
            if rule is not None and rule.height != done.height:
                raise InvalidInput(
                    f"column {name!r} was generalized by a hierarchy of height {done.height}, but "
                    f"has one of height {rule.height} in the specification or in another release; "
                    "releases can be compared by one hierarchy only"
                )
    return fitted
