"""Attack releases: read folders, files or frames, and find out what they reveal together."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.model.progress import Announce
from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.publish.linked_certificate import is_linked
from lookalike.risk.releases import seen_release
from lookalike.risk.releases.attack_classes import attack_classes
from lookalike.risk.releases.attacked import Attacked
from lookalike.risk.releases.seen_records import read_linked_releases
from lookalike.spec.specification import Specification
from lookalike.tables.engines import collect, settle_mixed
from lookalike.tables.labels import label
from lookalike.tables.read import read_frame
from lookalike.tables.table import describe_columns

TOTAL = "total"
"""The column of a table of totals that holds the number of people."""


@runtime_checkable
class MadeRelease(Protocol):
    """A release that was just made, such as :func:`lookalike.flow.release` returns."""

    @property
    def table(self) -> Any:
        """The released rows."""

    @property
    def certificate(self) -> Certificate:
        """The certificate for its recipients."""


def attack(
    *releases: Any,
    spec: Specification | str | PathLike[str] | None = None,
    k: int | None = None,
    people: int | None = None,
    totals: Sequence[Any] = (),
    announce: Announce = lambda _: None,
) -> Attacked:
    """Find out what a set of releases of one source reveals together (Model, section 4).

    Parameters
    ----------
    *releases
        Each one a published folder, the result of :func:`lookalike.flow.release`, a file, or a
        frame.
    spec
        Gives the hierarchies of the columns whose level differs from release to release, and
        the roles of the columns of files and frames, which have no certificate.
    k
        How many rows should remain possible; by default the least that was promised.
    people
        The number of people that the releases are about together, if some left the source between
        them; by default the rows of the largest source.
    totals
        Known totals, each a file or a frame with columns of ground values and a column ``total``,
        or a mapping such as ``{"sex": {"f": 5, "m": 7}}``.
    announce
        Callback that receives the name of each step.

    Returns
    -------
    Attacked
        ``left`` has a lower and an upper bound on the number of rows that remain possible,
        ``pairs`` the result of linking every two releases, ``summaries`` the result of the attack
        with known totals.

    Examples
    --------
    >>> from lookalike import Specification
    >>> described = Specification.build(
    ...     {
    ...         "release": {"k": 2},
    ...         "attributes": {
    ...             "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    ...             "ill": {"role": "sensitive"},
    ...         },
    ...     }
    ... )
    >>> one = pa.table({"zip": ["0213*", "0213*"], "ill": ["flu", "cold"]})
    >>> two = pa.table({"zip": ["02139", "02138"], "ill": ["flu", "cold"]})
    >>> attacked = attack(one, two, spec=described)
    >>> attacked.holds, attacked.left[0].at_most, attacked.rows_exposed
    (False, 1, 2)
    """
    if spec is not None and not isinstance(spec, Specification):
        spec = Specification.load(Path(spec))
    announce("reading")
    known_totals = [_read_totals(one, f"totals {place}") for place, one in enumerate(totals, 1)]
    linked = [
        Path(one) for one in releases if isinstance(one, str | PathLike) and is_linked(Path(one))
    ]
    if not linked:
        seen, hierarchies = _read_all(releases, spec)
    elif len(linked) < len(releases):
        raise InvalidInput(
            "releases of linked tables can be compared with each other only; leave out the others"
        )
    else:
        records = {} if spec is None else spec.records
        of_records = {name: one.hierarchies() for name, one in records.items()}
        seen, hierarchies = read_linked_releases(
            linked, spec.hierarchies() if spec else {}, of_records
        )
    announce("linking")
    return attack_classes(seen, hierarchies, k=k, people=people, totals=known_totals)


def _read_all(
    releases: Sequence[Any], spec: Specification | None
) -> tuple[list[seen_release.SeenRelease], seen_release.Rules]:
    """Read releases of one table each, and the hierarchies of their columns."""
    certificates = [found for found in map(_find_certificate, releases) if found]
    seen = [
        _read(release, f"release {number}", spec, certificates)
        for number, release in enumerate(releases, start=1)
    ]
    certified = [name for one in certificates for name in one.generalized]
    rules = {} if spec is None else spec.naming(certified).hierarchies()
    return seen, seen_release.fit_hierarchies(rules, [one.generalized for one in certificates])


def _find_certificate(release: Any) -> Certificate | None:
    """Return the certificate of a release that has one."""
    if isinstance(release, str | PathLike):
        return Certificate.read(Path(release)) if Path(release).is_dir() else None
    return release.certificate if isinstance(release, MadeRelease) else None


def _read(
    release: Any,
    name: str,
    specification: Specification | None,
    certificates: Sequence[Certificate],
) -> seen_release.SeenRelease:
    """Read a release as an attacker does."""
    certificate = _find_certificate(release)
    if isinstance(release, str | PathLike):
        name = str(release)
        path = Path(release)
        if certificate is None:
            table = seen_release.read_rows(path)
        else:
            file = find_released_file(path, certificate)
            table = seen_release.read_released_rows(file, certificate)
    else:
        table = _collect(release.table if certificate is not None else release)
    if certificate is not None:
        return seen_release.read_certified(name, table, certificate, certificates)
    if specification is None:
        raise InvalidInput(
            f"{name} has no certificate, so the roles of its columns are unknown; give the "
            "specification (--spec), or a published folder"
        )
    return _read_uncertified(name, table, specification)


def _collect(native: Any) -> pa.Table:
    """Return the rows of a frame as Arrow, in their order."""
    return collect(settle_mixed(read_frame(native))).to_arrow()


def _read_uncertified(
    name: str, table: pa.Table, specification: Specification
) -> seen_release.SeenRelease:
    """Read a table without a certificate: each generalized cell may be at any level."""
    specification = specification.naming(table.column_names)
    unknown = [column for column in table.column_names if column not in specification.attributes]
    if unknown:
        raise InvalidInput(
            f"{name}: the specification gives no role to {len(unknown)} of the columns; "
            f"{describe_columns(table.column_names, list(specification.attributes))}"
        )
    linkable = [column for column in specification.hierarchies() if column in table.column_names]
    requirement = specification.requirement(table.num_rows)
    promised = requirement.combined(tuple(specification.hierarchies()))
    return seen_release.count_classes(
        name,
        table,
        levels=dict.fromkeys(linkable),
        known=tuple(
            seen_release.AttackerKnowledge(one.name, one.attributes, one.k) for one in promised
        ),
        rows_in=table.num_rows,
        suppressed=specification.release.suppressed_label,
    )


def _read_totals(totals: Any, name: str) -> seen_release.SeenRelease:
    """Read totals: the number of people with each value, or each combination of values."""
    if isinstance(totals, Mapping):
        [(column, numbers)] = totals.items()
        table = pa.table({column: list(numbers), TOTAL: list(numbers.values())})
    elif isinstance(totals, str | PathLike):
        name, table = str(totals), seen_release.read_rows(Path(totals))
    else:
        table = _collect(totals)
    if TOTAL not in table.column_names or table.num_columns < 2:
        raise InvalidInput(
            f"{name}: totals need a column {TOTAL!r} with the number of people, and columns with "
            f"their values; {describe_columns(table.column_names, [TOTAL])}"
        )
    columns = [column for column in table.column_names if column != TOTAL]
    numbers = np.array([_read_number(value, name) for value in table[TOTAL].to_pylist()], np.int64)
    some = numbers > 0
    rows, people = table.select(columns).filter(pa.array(some)), int(numbers.sum())
    return seen_release.count_classes(
        name, rows, numbers[some], levels={}, known=(), rows_in=people
    )


def _read_number(value: Any, name: str) -> int:
    """Read a number of people."""
    text = label(value)
    if text is None or not text.isdecimal():
        raise InvalidInput(f"{name}: {TOTAL!r} must be a whole number in every line")
    return int(text)
