"""Minimality: whether a release is k-minimal, and whether it distorts as little as possible.

Both are properties of a release with respect to its private table (Achieving, Definitions 4
and 6; Samarati, Definition 4.3), so the holder can judge any release, whoever made it. There
are three answers: yes, proved; no, with what would be better; and undecided.
"""

from dataclasses import dataclass, field
from typing import Literal

from lookalike.errors import InvalidInput
from lookalike.search.lattice.preferences import Candidate

Answer = Literal["yes", "no", "undecided"]


@dataclass(frozen=True)
class FinerCells:
    """Rows of one released tuple that a finer table shows with more specific values.

    Parameters
    ----------
    rows
        Their number.
    of
        How many rows have the released tuple; of suppressed rows, how many are suppressed.
    levels
        For each attribute that changes, its level in the release and in the finer table. For
        rows that are suppressed in the release, the levels of all attributes.
    released
        The released tuple; empty for suppressed rows.
    finer
        The values of these attributes in the finer table: they are the holder's own.
    """

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
        ``"yes"``, proved; ``"no"``, with what would be finer; or ``"undecided"``: a search found
        nothing finer, but did not go through everything.
    reason
        Why, in one sentence.
    level
        The level at which it was judged, ``"attribute"`` or ``"cell"``.
    k
        The k that was asked for.
    max_suppressed
        MaxSup, as a number of rows.
    rows_suppressed
        The rows that the release leaves out or blank.
    levels
        The level of each attribute; nothing at the cell level.
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
        Why, in one sentence.
    level
        The level at which it was judged, ``"attribute"`` or ``"cell"``.
    precision
        Prec of the release.
    possible
        The greatest Prec of a release that was found.
    bound
        No release has a greater Prec.
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
        """How much greater than that of the release Prec may be at most."""
        return max(0.0, self.bound - self.precision)

    def __bool__(self) -> bool:
        return _decide(self.answer)


def _decide(answer: Answer) -> bool:
    """Return a yes or a no; what is undecided is neither."""
    if answer == "undecided":
        raise InvalidInput("this is undecided, so it is neither true nor false; look at .answer")
    return answer == "yes"
