"""Release: the whole flow, written once: read → count → search → recode → verify → publish."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from lookalike.algorithms import ALGORITHMS
from lookalike.algorithms.samarati import MinimalCandidates, list_minimal
from lookalike.certificate import (
    Certificate,
    Generalized,
    QuasiIdentifier,
    ReleasedFile,
    state,
)
from lookalike.count import settle_mixed
from lookalike.errors import InvalidInput
from lookalike.intake import take_in
from lookalike.measures import Measures, measure
from lookalike.publish import publish
from lookalike.read import Engine, is_lazy, read_frame
from lookalike.recode import Plan, recode
from lookalike.recoding import Recoding
from lookalike.requirement import QuasiIdentifier as Protected
from lookalike.spec import Specification
from lookalike.stopwatch import Announce, Stopwatch
from lookalike.table import Frame
from lookalike.verify import Declared, Promise, Verdict, as_relation, judge


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

    @property
    def precision_bound(self) -> float | None:
        """The greatest Prec that is possible, if the search bounded it.

        It is the one bound that a recipient is told: of the private table it knows no more than
        a number of rows that would be suppressed. Bounds of other measures count its values.
        """
        known = self.recoding.optimality
        return known.bound if known is not None and known.objective == "precision" else None

    @cached_property
    def table(self) -> Any:
        """The released rows, verified, as the kind of frame that came in."""
        frame, _ = self._verified
        return frame.lazy().to_native() if self.plan.table.lazy else frame.to_native()

    @cached_property
    def certificate(self) -> Certificate:
        """What a recipient of :attr:`table` is told."""
        _, verdicts = self._verified
        return self._certify(verdicts, {})

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
    def _verified(self) -> tuple[Frame, tuple[Verdict, ...]]:
        """Recode, and count the released rows again."""
        self.stopwatch.begin("recode")
        frame = recode(self.plan)
        self.stopwatch.begin("verify")
        verdicts = judge(as_relation(frame, Engine()), self._declared)
        self.stopwatch.begin(None)
        return frame, verdicts

    @property
    def _protected(self) -> tuple[Protected, ...]:
        """The quasi-identifiers, each with its own k."""
        return self.plan.requirement.protected(self.plan.frequency.attributes)

    @property
    def _declared(self) -> Declared:
        """What the recount must find."""
        return Declared(
            columns=self.plan.table.released,
            rows=self.plan.rows_out,
            promises=tuple(Promise(one.attributes, one.k) for one in self._protected),
        )

    def _certify(self, verdicts: Sequence[Verdict], files: dict[str, ReleasedFile]) -> Certificate:
        """Put together what the recipient is told."""
        asked, plan, optimality = self.specification.release, self.plan, self.recoding.optimality
        reached = tuple(
            QuasiIdentifier(one.name, one.attributes, one.k, verdict.k, verdict.classes)
            for one, verdict in zip(self._protected, verdicts, strict=True)
        )
        return Certificate(
            statement=" ".join(state(one) for one in reached),
            quasi_identifiers=reached,
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
            rows_out=verdicts[0].rows,
            rows_suppressed=self.recoding.rows_suppressed,
            rows_complementary=self.recoding.rows_complementary,
            suppressed_rows=asked.suppressed_rows,
            suppressed_label=asked.suppressed_label,
            method=asked.method,
            max_suppressed=None if asked.max_suppressed is None else str(asked.max_suppressed),
            prefer=asked.prefer,
            constraints=asked.constraints,
            precision=self.measures.precision,
            accuracy=self.measures.accuracy,
            completeness=self.measures.completeness,
            objective=optimality.objective if optimality else None,
            optimality="proved" if optimality and optimality.proved else "not proved",
            precision_bound=self.precision_bound,
            order="kept" if asked.keep_order else "randomized",
            files=files,
        )


def release(
    table: Any,
    *,
    attributes: Mapping[str, Any],
    quasi_identifiers: Sequence[Mapping[str, Any]] = (),
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
    quasi_identifiers
        Where there are several: the fields of each, as under ``[[quasi_identifiers]]``.
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
    described: dict[str, Any] = {
        "release": fields,
        "attributes": dict(attributes),
        "quasi_identifiers": list(quasi_identifiers),
    }
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
    taken = take_in(specification, stopwatch, frame, lazy=lazy)
    stopwatch.begin("search")
    requirement = specification.requirement()
    options = specification.options(stopwatch.tell)
    recoding = ALGORITHMS[asked.method](taken.frequency, requirement, options)
    measures = measure(taken.frequency, recoding, requirement, options.weights)
    stopwatch.begin(None)
    plan = Plan(
        table=taken.table,
        counted=taken.counted,
        sequence_of=taken.sequence_of,
        frequency=taken.frequency,
        recoding=recoding,
        requirement=requirement,
        suppressed_label=asked.suppressed_label,
        keep_order=asked.keep_order,
    )
    return Release(specification, plan, measures, stopwatch)


def minimal(
    specification: Specification, announce: Announce = lambda _: None
) -> tuple[tuple[str, ...], MinimalCandidates]:
    """Find every k-minimal generalization of a source, and the preferred ones.

    Returns
    -------
    attributes
        The attributes that the levels of a vector belong to.
    found
        The k-minimal generalizations.
    """
    stopwatch = Stopwatch(announce)
    frequency = take_in(specification, stopwatch).frequency
    stopwatch.begin("search")
    options = specification.options(stopwatch.tell)
    return frequency.attributes, list_minimal(frequency, specification.requirement(), options)
