"""Release_records: the whole flow of linked tables, from a specification to a verified release.

::

    read  →  count  →  search  →  recode  →  verify  →  publish

The steps are those of one table (:mod:`lookalike.flow.release`). All tables are in memory, one
search finds the levels of all, and whole persons are left out with all their records.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import replace as renew
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from lookalike.errors import InvalidInput
from lookalike.flow.count_linked import LinkedSources
from lookalike.flow.explain_records import find_refusal
from lookalike.flow.linked_release import LinkedRelease
from lookalike.flow.read_linked import read_linked
from lookalike.flow.require_review import require_review
from lookalike.flow.source import describe_table
from lookalike.json_result import JsonResult
from lookalike.kernels.types import Flags
from lookalike.model.linked import LinkedTables
from lookalike.model.progress import Announce, Stopwatch
from lookalike.model.requirement import Requirement
from lookalike.publish.linked_certificate import LinkedCertificate
from lookalike.publish.publish import check_places, read_dossier
from lookalike.search.leave_out_records import leave_out_records
from lookalike.search.linked import LinkedRecoding, search_linked
from lookalike.search.linked_counts import LinkedCost, LinkedCounts
from lookalike.search.options import SearchOptions
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.specification import Specification
from lookalike.tables.files.file_format import CERTIFICATE, REPORT
from lookalike.tables.name_options import name_options

TABLE = "table"
"""The field of ``records`` that holds a frame, beside those of ``[records.NAME]``."""
ReadRecords = tuple[LinkedSources, Requirement, SearchOptions]
"""Linked tables that were read, and what a search of their levels needs."""


@name_options
def release_records(
    table: Any = None,
    spec: Specification | str | PathLike[str] | None = None,
    *,
    records: Mapping[str, Any] | None = None,
    source: Mapping[str, Any] | None = None,
    announce: Announce = lambda _: None,
    **changes: Unpack[SpecificationOptions],
) -> LinkedRelease:
    """Make a release of a table of persons and of tables with their records.

    Parameters
    ----------
    table
        The person table, one row a person: a path, or a frame that fits in memory. Default: the
        source of the specification.
    spec
        A specification or its file, which the other parameters change.
    records
        The tables with records, by name: the fields of ``[records.NAME]``, where ``table`` may be
        a frame; or, if the specification describes them, the frame alone.
    source
        Further fields of ``[source]``; ``person`` names the column of persons.
    announce
        Callback that receives the name of each step as it begins.
    **changes
        The fields of ``[release]``, and ``attributes`` of the person table, as
        :func:`lookalike.release` takes them.

    Returns
    -------
    LinkedRelease
        Its ``tables`` are verified when they are first used.

    Examples
    --------
    >>> import pyarrow as pa
    >>> hide = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
    >>> key = {"role": "identifier"}
    >>> people = pa.table({"no": [1, 2, 3, 4], "sex": ["f", "f", "m", "m"]})
    >>> visits = pa.table({"no": [1, 2, 3, 4, 4], "month": ["May", "May", "May", "May", "June"]})
    >>> made = release_records(
    ...     people,
    ...     records={
    ...         "visits": {
    ...             "table": visits,
    ...             "person": "no",
    ...             "knows": 1,
    ...             "attributes": {"no": key, "month": hide},
    ...         }
    ...     },
    ...     source={"person": "no"},
    ...     k=2,
    ...     attributes={"no": key, "sex": hide},
    ... )
    >>> made.levels
    {'persons': {'sex': 0}, 'visits': {'month': 1}}
    >>> print(made.certificate.statement[:85])
    An attacker who knows somebody's sex and any one of their visits is left with at leas
    """
    specification, given, frames = describe_records(table, spec, records, source, changes)
    return prepare_records(specification, announce, given, frames)


def describe_records(
    table: Any,
    spec: Specification | str | PathLike[str] | None,
    records: Mapping[str, Any] | None,
    source: Mapping[str, Any] | None,
    changes: Mapping[str, Any],
) -> tuple[Specification, Any, dict[str, Any]]:
    """Build the specification of linked tables, or change one.

    Returns: it, the person table if that is a frame, and the frames of tables with records.
    """
    described, frames = _divide_records(records or {})
    tables = {**changes, **({"records": described} if described else {})}
    specification, frame = describe_table(table, spec, source, tables)
    unknown = [name for name in frames if name not in specification.records]
    if unknown:
        raise InvalidInput(
            f"records: the specification describes no table {unknown[0]!r}; give its fields: "
            'person, knows and attributes, and the frame as "table"'
        )
    return specification, None if frame is None else table, frames


def _divide_records(records: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Divide what is given of tables with records: what is said of them, and frames."""
    described, frames = {}, {}
    for name, given in records.items():
        if isinstance(given, Mapping):
            described[name] = {field: one for field, one in given.items() if field != TABLE}
            if isinstance(given.get(TABLE), str | PathLike):
                described[name]["path"] = str(given[TABLE])
            elif TABLE in given:
                frames[name] = given[TABLE]
        elif isinstance(given, str | PathLike):
            raise InvalidInput(f'records: of {name!r}, give a frame, or the fields with "path"')
        else:
            frames[name] = given
    return described, frames


def prepare_records(
    specification: Specification,
    announce: Announce = lambda _: None,
    table: Any = None,
    frames: Mapping[str, Any] | None = None,
) -> LinkedRelease:
    """Read, count and search: decide on a release of linked tables."""
    require_review(specification)
    stopwatch = Stopwatch(announce)
    read = read_to_search(specification, stopwatch, table, frames)
    return search_records(specification, read, stopwatch)


def search_records(
    specification: Specification, read: ReadRecords, stopwatch: Stopwatch
) -> LinkedRelease:
    """Decide on a release of linked tables that were read."""
    private, requirement, options = read
    method = specification.release.method
    recoding = search_linked(private.linked, requirement, method, options)
    sources, shown, dropping = private, private.linked, dict[str, Flags]()
    if specification.release.suppressed_records == "drop":
        released, rows = leave_out_records(
            shown, recoding.vector, requirement.k, alone=not private.has_persons
        )
        recoding = renew(recoding, released=released)
        sources, shown = sources.show(rows), shown.show(rows)
        records = private.tables[private.has_persons :]
        dropping = {one.name: own for one, own in zip(records, rows, strict=True)}
    precision, loss = _measure(private, shown, recoding, requirement, options)
    stopwatch.begin(None)
    released_rows = {one.name: recoding.released[one.person_of] for one in private.tables}
    return LinkedRelease(
        specification=specification,
        sources=sources,
        private=private,
        rows=released_rows | dropping,
        recoding=recoding,
        requirement=requirement,
        precision=precision,
        loss=loss,
        stopwatch=stopwatch,
    )


def _measure(
    private: LinkedSources,
    shown: LinkedTables,
    recoding: LinkedRecoding,
    requirement: Requirement,
    options: SearchOptions,
) -> tuple[tuple[float | None, ...], float]:
    """Return precision, of all tables and of each, and the loss of all.

    ``shown``: the tables without the records that are left out of those of released persons.
    """
    counts = LinkedCounts(private.linked, requirement)
    (precision, *by_table), (loss, *_) = (
        LinkedCost(counts, name, options.weights).measure_tables(
            recoding.vector, recoding.released, shown
        )
        for name in ("precision", "loss")
    )
    return (precision, *by_table[not private.has_persons :]), loss or 0.0


def read_to_search(
    specification: Specification,
    stopwatch: Stopwatch,
    table: Any = None,
    frames: Mapping[str, Any] | None = None,
) -> ReadRecords:
    """Read linked tables, and return what a search of their levels needs."""
    if not specification.is_linked:
        raise InvalidInput(
            "the specification describes no tables with records; add [records.NAME], or release "
            "the table alone (la.release)"
        )
    sources = read_linked(specification, stopwatch, table, frames)
    refused = find_refusal(sources, specification.release.unit)
    if refused is not None:
        raise InvalidInput(refused)
    stopwatch.begin("search")
    most = specification.release.max_suppressed
    requirement = Requirement(specification.requirement(0).k, most)
    return sources, requirement, _list_options(specification, sources, stopwatch.report)


def _list_options(
    specification: Specification, sources: LinkedSources, announce: Announce
) -> SearchOptions:
    """Return the options of the search over the attributes of all tables."""
    asked = specification.release
    weights = [
        source.specification.attributes[name].weight
        for source in sources.tables
        for name in source.linked.frequency.attributes
    ]
    return SearchOptions(
        weights=tuple(weights),
        objective=asked.objective,
        prefer=asked.prefer,
        constraints=asked.read_constraints(),
        time_limit=asked.time_limit,
        announce=announce,
    )


@dataclass(frozen=True, eq=False)
class PublishedRecords(JsonResult):
    """A release of linked tables, where it was published, and the report in the dossier."""

    json_names = "**release files"

    release: LinkedRelease
    certificate: LinkedCertificate | None = None
    files: tuple[Path, ...] = ()
    report: Path | None = None


def make_records(
    specification: Specification,
    announce: Announce = lambda _: None,
    *,
    replace: bool = False,
    dry_run: bool = False,
    confirm: Callable[[LinkedRelease], None] = lambda _: None,
) -> PublishedRecords:
    """Make the release of linked tables that a specification asks for, and publish it.

    ``confirm``: callback that receives the release before it is published, and raises to stop it.
    """
    asked = specification.release.out
    if asked is None and not dry_run:
        raise InvalidInput(
            'no output file: set out = "released/patients.csv" under [release], or give --out'
        )
    dossier = read_dossier(specification.release.dossier)
    if asked is not None and not dry_run:
        spill = specification.resources.spill
        check_places(Path(asked), dossier, None, spill, replace=replace)
    release = prepare_records(specification, announce)
    if dry_run or asked is None:
        release.certificate  # noqa: B018  (verified, as what is published)
        return PublishedRecords(release)
    confirm(release)
    return _publish(release, replace=replace)


def publish_records(
    release: LinkedRelease, specification: Specification, *, replace: bool = False
) -> PublishedRecords:
    """Publish a release of linked tables that was made before.

    ``specification``: what is asked for now, which may only differ in the place of the release and
    in the findings that are accepted.
    """
    require_review(specification)
    return _publish(renew(release, specification=specification), replace=replace)


def _publish(release: LinkedRelease, *, replace: bool) -> PublishedRecords:
    """Publish a release, and say where its files are."""
    asked, certificate = release.specification.release, release.publish(replace=replace)
    out, dossier = Path(asked.out or ""), read_dossier(asked.dossier)
    names = [*release.name_files(out).values(), CERTIFICATE]
    names += [] if certificate.report is None else [REPORT]
    files = tuple(out.with_name(name) for name in names)
    has_report = dossier is not None and asked.report
    return PublishedRecords(
        release, certificate, files, dossier / REPORT if dossier and has_report else None
    )
