"""Release: the whole flow, written once: read → count → search → recode → verify → publish."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from lookalike.algorithms import ALGORITHMS
from lookalike.certificate import (
    Certificate,
    Generalized,
    QuasiIdentifier,
    ReleasedFile,
    state,
)
from lookalike.count import count, count_distinct, settle_mixed
from lookalike.errors import InvalidInput
from lookalike.frequency import list_frequencies
from lookalike.measures import Measures, measure
from lookalike.publish import Declared, publish
from lookalike.read import Engine, is_lazy, read_frame, read_source
from lookalike.recode import Plan, recode
from lookalike.recoding import Recoding
from lookalike.spec import Specification
from lookalike.table import Frame, Table, check_roles, column_names
from lookalike.verify import Verdict, as_relation, recount, require

STEPS = ("read", "count", "search", "recode", "verify", "publish")
NEARLY_UNIQUE = 0.9

Announce = Callable[[str], None]


class Stopwatch:
    """Times the steps of the flow, and tells a listener as each begins."""

    def __init__(self, announce: Announce = lambda _: None) -> None:
        self.seconds = dict.fromkeys(STEPS, 0.0)
        self._announce = announce
        self._step: str | None = None
        self._since = time.perf_counter()

    def begin(self, step: str | None) -> None:
        """End the step that is running, and begin another or none."""
        now = time.perf_counter()
        if self._step is not None:
            self.seconds[self._step] += now - self._since
        self._step, self._since = step, now
        if step is not None:
            self._announce(step)


@dataclass(frozen=True, eq=False)
class Release:
    """A release that was decided on: what it costs, its rows, and the way to publish it.

    Parameters
    ----------
    specification
        What was asked for.
    plan
        How rows become released rows.
    measures
        What the release costs.
    stopwatch
        The seconds that each step took.
    """

    specification: Specification
    plan: Plan
    measures: Measures
    stopwatch: Stopwatch = field(default_factory=Stopwatch)

    @property
    def recoding(self) -> Recoding:
        """The answer of the method."""
        return self.plan.recoding

    @property
    def levels(self) -> dict[str, int]:
        """The level of each attribute of the quasi-identifier."""
        return dict(zip(self.plan.frequency.attributes, self.recoding.vector, strict=True))

    @cached_property
    def table(self) -> Any:
        """The released rows, verified, as the kind of frame that came in."""
        frame, _ = self._verified
        return frame.lazy().to_native() if self.plan.table.lazy else frame.to_native()

    @cached_property
    def certificate(self) -> Certificate:
        """What a recipient of :attr:`table` is told."""
        _, verdict = self._verified
        return self._certify(verdict, {})

    def publish(
        self, out: str | PathLike[str] | None = None, *, replace: bool = False
    ) -> Certificate:
        """Write the release, count it again, and put it in its place whole.

        Parameters
        ----------
        out
            The file to write; its folder becomes the release, and its suffix chooses the
            format. Without it, ``out`` of the specification.
        replace
            Whether an earlier release in that folder may be replaced.
        """
        target = out if out is not None else self.specification.release.out
        if target is None:
            raise InvalidInput('say where the release goes: out = "released/table.csv"')
        source = self.specification.source
        certificate = publish(
            recode(self.plan),
            Path(target),
            self._declared,
            self._certify,
            replace=replace,
            memory_limit=source.memory_limit if source else None,
            announce=self.stopwatch.begin,
        )
        self.stopwatch.begin(None)
        return certificate

    @cached_property
    def _verified(self) -> tuple[Frame, Verdict]:
        """Recode, and count the released rows again."""
        self.stopwatch.begin("recode")
        frame = recode(self.plan)
        self.stopwatch.begin("verify")
        verdict = recount(as_relation(frame, Engine()), self._declared.quasi_identifier)
        require(verdict, self._declared.columns, self._declared.rows, self._declared.k)
        self.stopwatch.begin(None)
        return frame, verdict

    @property
    def _declared(self) -> Declared:
        """What the recount must find."""
        return Declared(
            columns=self.plan.table.released,
            rows=self.plan.rows_out,
            quasi_identifier=self.plan.frequency.attributes,
            k=self.specification.release.k,
        )

    def _certify(self, verdict: Verdict, files: dict[str, ReleasedFile]) -> Certificate:
        """Put together what the recipient is told."""
        asked, plan = self.specification.release, self.plan
        attributes = plan.frequency.attributes
        return Certificate(
            statement=state(asked.k, verdict.k, attributes),
            quasi_identifiers=(QuasiIdentifier(attributes, asked.k, verdict.k, verdict.classes),),
            generalized={
                name: Generalized(
                    hierarchy=hierarchy.name,
                    height=bound.height,
                    level=level,
                    weight=str(self.specification.attributes[name].weight),
                )
                for (name, hierarchy), bound, level in zip(
                    self.specification.hierarchies().items(),
                    plan.frequency.hierarchies,
                    self.recoding.vector,
                    strict=True,
                )
            },
            released_as_they_are=plan.table.unchanged,
            pseudonyms=tuple(plan.table.pseudonym_keys),
            columns=plan.table.released,
            rows_in=plan.frequency.rows,
            rows_out=verdict.rows,
            rows_suppressed=self.recoding.rows_suppressed,
            rows_complementary=self.recoding.rows_complementary,
            suppressed_rows=asked.suppressed_rows,
            suppressed_label=asked.suppressed_label,
            method=asked.method,
            max_suppressed=None if asked.max_suppressed is None else str(asked.max_suppressed),
            precision=self.measures.precision,
            accuracy=self.measures.accuracy,
            completeness=self.measures.completeness,
            order="kept" if asked.keep_order else "randomized",
            files=files,
        )


def release(
    table: Any,
    *,
    attributes: Mapping[str, Any],
    source: Mapping[str, Any] | None = None,
    announce: Announce = lambda _: None,
    **fields: Any,
) -> Release:
    """Make a release of a private table.

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow or DuckDB.
    attributes
        For each column its role and what goes with it, as under ``[attributes]`` of a
        specification. A hierarchy may also be given as an object.
    source
        For a path, further fields of ``[source]``, such as ``where``.
    announce
        Told the name of each step as it begins.
    **fields
        The fields of ``[release]``: ``k``, ``max_suppressed``, ``method``, …

    Returns
    -------
    Release
        Its ``table`` has been counted again and satisfies k.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139", "02141"], "ill": ["flu", "flu", "cold"]})
    >>> made = release(
    ...     people,
    ...     k=2,
    ...     attributes={
    ...         "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    ...         "ill": {"role": "sensitive"},
    ...     },
    ...     max_suppressed=1,
    ... )
    >>> made.levels, made.table.num_rows, made.measures.precision
    ({'zip': 1}, 2, 0.5333333333333333)
    """
    described: dict[str, Any] = {"release": fields, "attributes": dict(attributes)}
    if isinstance(table, str | PathLike):
        described["source"] = {"path": str(table), **(source or {})}
        return prepare(Specification.build(described, "release"), announce)
    if source:
        raise InvalidInput("source is for a path; a frame holds the eligible rows already")
    frame = settle_mixed(read_frame(table))
    specification = Specification.build(described, "release")
    made = prepare(specification, announce, frame, lazy=is_lazy(table, frame))
    made.certificate  # noqa: B018  (recodes and counts again, so that nothing unverified returns)
    return made


def prepare(
    specification: Specification,
    announce: Announce = lambda _: None,
    frame: Frame | None = None,
    *,
    lazy: bool = False,
) -> Release:
    """Read, count and search: decide on a release without touching a row.

    Parameters
    ----------
    specification
        What is asked for.
    announce
        Told the name of each step as it begins.
    frame
        The eligible rows; without it they are read from the source of the specification.
    lazy
        Whether the frame was lazy and collected, so that a lazy one is given back.
    """
    stopwatch = Stopwatch(announce)
    asked = specification.release
    stopwatch.begin("read")
    table = _open_table(specification, frame, lazy=lazy)
    stopwatch.begin("count")
    requirement = asked.requirement()
    counted = count(table.frame, table.quasi_identifier)
    requirement.check_feasible(int(counted.counts.sum()))
    _check_unique(table, specification)
    bound = [
        hierarchy.bind(name, values, asked.suppressed_label)
        for (name, hierarchy), values in zip(
            specification.hierarchies().items(), counted.values, strict=True
        )
    ]
    sequence_of, frequency = list_frequencies(bound, counted.positions, counted.counts)
    stopwatch.begin("search")
    recoding = ALGORITHMS[asked.method](frequency, requirement)
    weights = [specification.attributes[name].weight for name in frequency.attributes]
    measures = measure(frequency, recoding, requirement, weights)
    stopwatch.begin(None)
    plan = Plan(
        table=table,
        counted=counted,
        sequence_of=sequence_of,
        frequency=frequency,
        recoding=recoding,
        requirement=requirement,
        suppressed_label=asked.suppressed_label,
        keep_order=asked.keep_order,
    )
    return Release(specification, plan, measures, stopwatch)


def _open_table(specification: Specification, frame: Frame | None, *, lazy: bool) -> Table:
    """Read the source if no frame is given, and give each column its role."""
    if frame is None:
        source = specification.source
        if source is None:
            raise InvalidInput('[source] is missing: name the table, such as path = "table.csv"')
        out = specification.release.out
        beside = Path(out).parent.parent if out else None
        existing = beside if beside is not None and beside.is_dir() else None
        frame = read_source(source, Engine(source.memory_limit, existing))
    roles = {name: attribute.role for name, attribute in specification.attributes.items()}
    check_roles(column_names(frame), roles)
    keys = {
        name: attribute.pseudonym.key()
        for name, attribute in specification.attributes.items()
        if attribute.pseudonym is not None
    }
    return Table(frame, roles, keys, lazy)


def _check_unique(table: Table, specification: Specification) -> None:
    """Refuse columns that are released as they are and tell almost every row apart.

    Such a column links one release to the next, and to the private table.
    """
    watched = [name for name in table.unchanged if not specification.attributes[name].unique]
    for name, (distinct, rows) in count_distinct(table.frame, watched).items():
        if distinct > 1 and distinct > NEARLY_UNIQUE * rows:
            raise InvalidInput(
                f"column {name!r} has {distinct:,} different values in {rows:,} rows, so it tells "
                "nearly every row apart and links this release to any other with it; make it an "
                "identifier or a quasi-identifier, or set unique = true if that is meant"
            )
