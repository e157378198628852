"""ArgusState: where µ-Argus stands after the decisions of a specification, and what is left."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lookalike.errors import InvalidInput
from lookalike.model.clock import OutOfTime, deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import precision
from lookalike.model.progress import Announce
from lookalike.model.recoding import Recoding
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.search.argus.combinations import find_unsafe, preview_decisions
from lookalike.search.argus.options import ArgusOptions, Decide, Unsafe
from lookalike.search.methods import mu_argus
from lookalike.spec.specification import Specification
from lookalike.studio.counted_list import count_list
from lookalike.studio.editing.project import Project
from lookalike.studio.preload import load_compiled

MOST_SECONDS = 0.7
"""How long a page may take to follow the decisions and to preview the next one."""
_LONG = 3600.0


@dataclass(frozen=True)
class ArgusDecision:
    """A decision that was made."""

    attribute: str
    level: int
    rows_before: int
    rows_after: int


@dataclass(frozen=True)
class ArgusOutcome:
    """The release if the holder decides nothing more.

    Parameters
    ----------
    cells
        For each attribute, the number of cells that are suppressed one by one.
    rows
        The number of released rows: all of them.
    rows_concerned
        The rows with such a cell.
    rows_below_k
        The rows of classes with fewer than k rows.
    smallest, classes
        The rows of the smallest class, and the number of classes.
    precision
        The mean of what is kept.
    """

    cells: dict[str, int]
    rows: int
    rows_concerned: int
    rows_below_k: int
    smallest: int
    classes: int
    precision: float


@dataclass(frozen=True)
class ArgusState:
    """Where µ-Argus stands after some decisions.

    Parameters
    ----------
    start
        The rare values before the first decision.
    unsafe
        The rare values now.
    decisions
        The decisions, the first one first.
    previews
        For each attribute that can be generalized, the rows that would have rare values then;
        some are missing if the time was up.
    outcome
        The release if nothing more is decided.
    """

    start: Unsafe
    unsafe: Unsafe
    decisions: tuple[ArgusDecision, ...]
    previews: dict[str, int]
    outcome: ArgusOutcome


@dataclass(frozen=True)
class KeptArgusState:
    """The state of the latest decision, so that the page need not find it again.

    Parameters
    ----------
    key
        The key of the list that it was found on.
    text
        The specification with the decisions.
    state
        The state.
    """

    key: str
    text: str
    state: ArgusState


class TakesLong(InvalidInput):
    """To follow the decisions takes longer than a page may."""


def find_argus_state(
    frequency: FrequencyList, specification: Specification, seconds: float | None = None
) -> ArgusState:
    """Follow the decisions of a specification with µ-Argus on a counted table."""
    load_compiled()
    seconds = MOST_SECONDS if seconds is None else seconds
    deadline = deadline_after(seconds)
    asked = specification.naming(frequency.attributes)
    requirement, seen = asked.requirement(frequency.rows), list[Unsafe]()
    decided = asked.release.generalize or ()
    options = replace(asked.options(decide=_record(decided, seen)), time_limit=seconds)
    recoding = mu_argus(frequency, requirement, options)
    if not recoding.in_time:
        raise TakesLong(
            f"{len(frequency):,} distinct sequences are too many to follow µ-Argus at once; follow "
            "it as a task, or test smaller combinations"
        )
    return ArgusState(
        start=seen[0],
        unsafe=seen[-1],
        decisions=_list_decisions(decided, seen),
        previews=_preview(frequency, seen[-1], options.argus, deadline),
        outcome=_describe_outcome(
            frequency, recoding, seen[-1].k, precision(frequency, recoding, options.weights)
        ),
    )


def follow_argus(announce: Announce, project: Project) -> KeptArgusState:
    """Count the table of a project and follow its decisions, for as long as it takes.

    The list is counted again, because to hand a long one over to a task takes longer.
    """
    counted = count_list(announce, project)
    announce("testing combinations")
    state = find_argus_state(counted.frequency, project.specification(), _LONG)
    return KeptArgusState(counted.key, project.text, state)


def _record(decided: Iterable[str], seen: list[Unsafe]) -> Decide:
    """Return a callback that decides as listed and keeps what it is shown."""
    remaining = iter(decided)

    def decide(unsafe: Unsafe) -> str | None:
        seen.append(unsafe)
        return next(remaining, None)

    return decide


def _list_decisions(decided: Sequence[str], seen: Sequence[Unsafe]) -> tuple[ArgusDecision, ...]:
    """Return the decisions with what each has gained."""
    states = zip(decided, seen[:-1], seen[1:], strict=True)
    return tuple(
        ArgusDecision(name, after.levels[name], before.rows, after.rows)
        for name, before, after in states
    )


def _preview(
    frequency: FrequencyList, unsafe: Unsafe, argus: ArgusOptions, deadline: float
) -> dict[str, int]:
    """Return the rows that each next decision would leave, as far as there is time."""
    rolled = frequency.roll_up(tuple(unsafe.levels.values()))
    try:
        tested = find_unsafe(rolled, argus.combinations_of(frequency), unsafe.k, deadline)
    except OutOfTime:
        return {}
    return preview_decisions(tested, unsafe.k, deadline)


def _describe_outcome(
    frequency: FrequencyList, recoding: Recoding, k: int, kept: float
) -> ArgusOutcome:
    """Count what suppression leaves."""
    tuples = recoding.released(frequency)
    hidden = tuples.levels == SUPPRESSED_CELL
    class_of, sizes = tuples.classes(frequency, frequency.attributes)
    return ArgusOutcome(
        cells={
            name: int(tuples.counts[cells].sum())
            for name, cells in zip(frequency.attributes, hidden, strict=True)
        },
        rows=int(tuples.counts.sum()),
        rows_concerned=int(tuples.counts[hidden.any(axis=0)].sum()),
        rows_below_k=int(tuples.counts[sizes[class_of] < k].sum()),
        smallest=int(sizes.min()),
        classes=len(sizes),
        precision=kept,
    )
