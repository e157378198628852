"""Forecast: what each policy would show, withhold and keep outdated over some months."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any, Unpack

import numpy as np
import pyarrow as pa
from markupsafe import Markup

from lookalike.errors import InvalidInput, Unavailable, not_one_of
from lookalike.flow.forecast.simulate import SIMULATED, MonthFigures, SimulatedPolicy, begin_policy
from lookalike.flow.forecast.simulated_people import (
    PEOPLE_AT_FIRST,
    Rates,
    describe_simulated,
    draw_population,
    simulate_months,
)
from lookalike.flow.source import describe_table
from lookalike.json_result import JsonResult
from lookalike.model.progress import Announce
from lookalike.report.chart import draw_chart
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import name_options
from lookalike.tables.private_folders import scratch_folder
from lookalike.tables.table import Frame

MONTHS, MOST_MONTHS = 12, 120
FORECAST_SECONDS = 600.0
RATES = Rates(leave=0.04, come=0.05, change=0.02)


@dataclass(frozen=True)
class PolicyForecast(JsonResult):
    """What one policy would show month by month.

    Parameters
    ----------
    policy
        The name of the policy.
    settings
        The fields of ``[release]`` that choose it.
    months
        The figures of each month.
    refused
        Why the policy cannot be used, in the month after the last one that has figures.
    """

    policy: str
    settings: Mapping[str, Any]
    months: tuple[MonthFigures, ...]
    refused: str | None = None

    @property
    def last(self) -> MonthFigures | None:
        """The figures of the last month."""
        return self.months[-1] if self.months else None


@dataclass(frozen=True)
class Forecast(JsonResult):
    """What each policy would show of a source over some months.

    Parameters
    ----------
    k
        The k of the specification.
    rows_in_source
        The number of rows of the source.
    people, rows
        The number of people at first, and of their rows.
    leave, come, change
        The shares of the people who leave, come, and get other values each month.
    seed
        What decides who leaves, comes and changes.
    months_asked, months
        The number of months that were asked for, and of those that were simulated in time.
    copies
        The number of people who came as copies of others, because the table has no more people.
    policies
        The figures of each policy.
    """

    json_names = (
        "k rows_in_source people rows leave come change seed months_asked months copies policies "
        "notes"
    )

    k: int
    rows_in_source: int
    people: int
    rows: int
    leave: float
    come: float
    change: float
    seed: int
    months_asked: int
    months: int
    copies: int
    policies: tuple[PolicyForecast, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What the figures leave out, one sentence each."""
        return tuple(self._list_notes())

    def _list_notes(self) -> Iterator[str]:
        """Yield what the figures leave out."""
        if self.months < self.months_asked:
            yield (
                f"The time was enough for {self.months} of {self.months_asked} months; the others "
                "are missing. Allow more time, or begin with fewer people."
            )
        if self.rows_in_source > self.rows:
            yield (
                f"Simulated with {self.rows:,} rows at first; the source has "
                f"{self.rows_in_source:,} rows. With more rows a release keeps more."
            )
        if self.copies:
            yield (
                f"{self.copies:,} of the people who came are copies of people of the table, "
                "because it has no others."
            )
        for one in self.policies:
            waited = sum(not month.released for month in one.months)
            if waited:
                yield f"{one.policy}: no release in {waited} months, because too few rows could be."

    def draw(self, background: str | None = None) -> Markup:
        """Draw what each policy withholds and keeps, as SVG that can stand inside a page.

        Without the extra `charts`, it is a paragraph of HTML with the figures of the last month.
        """
        rows = [
            {
                "policy": one.policy,
                "month": month.month,
                "withheld": month.rows_withheld / max(1, month.rows),
                "precision": month.precision,
            }
            for one in self.policies
            for month in one.months
        ]
        parts = [
            f"{one.policy} withholds {one.last.rows_withheld:,} of {one.last.rows:,} rows"
            for one in self.policies
            if one.last is not None
        ]
        summary = f"Rows withheld and precision by month; in the last one {', '.join(parts)}."
        return draw_chart("forecast", rows, summary, background=background)


@name_options
def forecast(
    table: Any = None,
    spec: Specification | str | PathLike[str] | None = None,
    *,
    source: Mapping[str, Any] | None = None,
    months: int = MONTHS,
    leave: float = RATES.leave,
    come: float = RATES.come,
    change: float = RATES.change,
    policies: Sequence[str] = (),
    people: int | None = None,
    seed: int = 0,
    seconds: float = FORECAST_SECONDS,
    announce: Announce = lambda _: None,
    **changes: Unpack[SpecificationOptions],
) -> Forecast:
    """Simulate what each policy would release of a source month by month.

    Nothing of the source is shown, and the simulated releases are removed at the end. The
    parameters beyond eight say what the months are like.

    Parameters
    ----------
    table, spec, source, **changes
        As for :func:`lookalike.release`. Neither a ledger nor a row key is needed.
    months
        The number of months.
    leave, come, change
        The shares of the people who leave, come, and get other values of the columns that are
        released as they are, each month.
    policies
        The policies to simulate, of ``no-ledger``, ``based-on``, ``keep``, ``increments`` and
        ``patience``; default: all.
    people
        The number of people at first; default: all of the table, at most 30,000.
    seed
        Decides who leaves, comes and changes. A release draws by itself, so that figures may
        differ by a few rows.
    seconds
        After this time no further month begins.
    announce
        Callback that receives the name of each step as it begins.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139"] * 20, "ill": ["flu", "gout"] * 20})
    >>> mask = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
    >>> columns = {"zip": mask, "ill": {"role": "sensitive"}}
    >>> ahead = forecast(people, k=2, attributes=columns, months=2, policies=["increments"])
    >>> [month.rows_shown for month in ahead.policies[0].months]
    [40, 42]
    """
    specification, frame = describe_table(table, spec, source, changes)
    asked = AskedForecast(
        months, Rates(leave, come, change), tuple(policies), people, seed, seconds
    )
    return forecast_policies(specification, asked, announce, frame)


@dataclass(frozen=True)
class AskedForecast:
    """What is to be simulated, as :func:`forecast` explains it."""

    months: int = MONTHS
    rates: Rates = RATES
    policies: tuple[str, ...] = ()
    people: int | None = None
    seed: int = 0
    seconds: float = FORECAST_SECONDS

    def __post_init__(self) -> None:
        if not 1 <= self.months <= MOST_MONTHS:
            raise InvalidInput(f"months is from 1 to {MOST_MONTHS}, not {self.months}")
        if self.people is not None and self.people < 1:
            raise InvalidInput(f"people is at least 1, not {self.people}")
        if self.seed < 0:
            raise InvalidInput(f"seed is at least 0, not {self.seed}")
        if not self.seconds > 0:
            raise InvalidInput(f"seconds is more than 0, not {self.seconds}")
        for name in self.policies:
            if name not in SIMULATED:
                raise InvalidInput(not_one_of("policies", name, SIMULATED))

    @property
    def chosen(self) -> list[str]:
        """The policies that are simulated."""
        return [name for name in SIMULATED if name in (self.policies or SIMULATED)]


def forecast_policies(
    specification: Specification,
    asked: AskedForecast,
    announce: Announce = lambda _: None,
    frame: Frame | None = None,
) -> Forecast:
    """Simulate policies on the table of a specification."""
    until = time.monotonic() + asked.seconds
    announce("reading")
    specification = settle_columns(specification, frame)
    draw = np.random.default_rng(asked.seed)
    population = draw_population(specification, frame, asked.people, draw)
    people = min(population.people, asked.people or PEOPLE_AT_FIRST)
    if people < (asked.people or 0):
        raise InvalidInput(
            f"people: the source has {population.people:,} people, fewer than {asked.people:,}"
        )
    months = simulate_months(population, people, asked.rates, asked.months, draw)
    tables = ((month.to_table(population), month.copies) for month in months)
    private = scratch_folder(specification.resources.place())
    simulated = describe_simulated(specification)
    try:
        running = [begin_policy(name, simulated, private.path) for name in asked.chosen]
        done, copies = _run_months(running, tables, until, asked.months, announce)
    finally:
        private.remove()
    refused = [one.refused for one in running if one.refused and not one.months]
    if len(refused) == len(running):
        raise refused[0]
    return Forecast(
        k=specification.requirement(len(population.rows)).largest_k,
        rows_in_source=population.rows_in_source,
        people=people,
        rows=next(one.months[0].rows for one in running if one.months),
        **asdict(asked.rates),
        seed=asked.seed,
        months_asked=asked.months,
        months=done,
        copies=copies,
        policies=tuple(_conclude(one, done) for one in running),
    )


def _run_months(
    running: Sequence[SimulatedPolicy],
    tables: Iterator[tuple[pa.Table, int]],
    until: float,
    asked: int,
    announce: Announce,
) -> tuple[int, int]:
    """Release each month under every policy; return how many are whole, and the copies in them."""
    done = copies = 0
    for number, (table, come) in enumerate(tables, 1):
        for one in running:
            if time.monotonic() >= until:
                if not done:
                    raise Unavailable(
                        "the time was not enough for a single month; allow more, or begin with "
                        "fewer people"
                    )
                return done, copies
            announce(f"month {number} of {asked}: {one.name}")
            one.release(table)
        done, copies = number, come
    return done, copies


def _conclude(one: SimulatedPolicy, months: int) -> PolicyForecast:
    """Return the figures of a policy for the months that all policies have."""
    refused = None if one.refused is None else one.refused.discreet
    return PolicyForecast(one.name, one.settings, tuple(one.months[:months]), refused)
