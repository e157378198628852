"""The answers to whether a release is k-minimal, and whether it has minimal distortion.

An answer is yes, proved; no, with a better alternative; or undecided.
"""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from lookalike.errors import InvalidInput
from lookalike.json_result import JsonResult
from lookalike.search.lattice.preferences import Candidate

Answer = Literal["yes", "no", "undecided"]


@dataclass(frozen=True)
class FinerCells(JsonResult):
    """Rows of one released tuple that a finer table shows with more specific values.

    ``rows``: the number of rows.
    ``of``: the number of rows of the released tuple; for suppressed rows, the number of suppressed
    rows.
    ``levels``: for each attribute that changes, its level in the release and in the finer table.
    For rows that are suppressed in the release, the levels of all attributes.
    ``released``: the released tuple; empty for suppressed rows.
    ``finer``: the values of these attributes in the finer table, which are private.
    """

    json_names = "rows of levels released"
    json_requested: ClassVar = {"finer": dict[str, str | None]}

    rows: int
    of: int
    levels: dict[str, tuple[int, int]]
    released: dict[str, str | None] = field(repr=False)
    finer: dict[str, str | None] = field(repr=False)


@dataclass(frozen=True)
class KMinimality:
    """Whether a release is a k-minimal generalization.

    Parameters
    ----------
    answer
        ``"yes"``, proved; ``"no"``, with a finer alternative; or ``"undecided"``: the search found
        nothing finer, but was not exhaustive.
    reason
        The reason for the answer, in one sentence.
    level
        The level at which it was judged, ``"attribute"`` or ``"cell"``.
    k
        The k asked for.
    max_suppressed
        MaxSup, as a number of rows.
    rows_suppressed
        The rows that the release leaves out or blank.
    levels
        The level of each attribute; None at the cell level.
    below
        At the attribute level, if the answer is no: the k-minimal vectors below.
    finer
        At the cell level, if the answer is no: the changes that make a finer table.
    """

    answer: Answer
    reason: str
    level: str
    k: int
    max_suppressed: int
    rows_suppressed: int
    levels: dict[str, int] | None = None
    below: tuple[Candidate, ...] = ()
    finer: tuple[FinerCells, ...] = ()

    def __bool__(self) -> bool:
        return _decide(self.answer)


@dataclass(frozen=True)
class MinimalDistortion:
    """Whether no k-anonymous generalization has a greater Prec than a release.

    Parameters
    ----------
    answer
        ``"yes"``, proved; ``"no"``, a greater Prec is possible; or ``"undecided"``.
    reason
        The reason for the answer, in one sentence.
    level
        The level at which it was judged, ``"attribute"`` or ``"cell"``.
    precision
        Prec of the release.
    possible
        The greatest Prec that the search found.
    bound
        An upper bound: no release has a greater Prec.
    better
        At the attribute level, if the answer is no: the vectors of that Prec.
    """

    answer: Answer
    reason: str
    level: str
    precision: float
    possible: float
    bound: float
    better: tuple[Candidate, ...] = ()

    @property
    def gap(self) -> float:
        """The greatest possible increase of Prec."""
        return max(0.0, self.bound - self.precision)

    def __bool__(self) -> bool:
        return _decide(self.answer)


def _decide(answer: Answer) -> bool:
    """Return the answer as a boolean; an undecided one raises an error."""
    if answer == "undecided":
        raise InvalidInput("the answer is undecided, so it is neither true nor false; use .answer")
    return answer == "yes"
