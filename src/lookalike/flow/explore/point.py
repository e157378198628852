"""Point: a setting of an exploration, and what a release with it would keep and lose."""

from dataclasses import dataclass

from lookalike.describe.attributes import AttributeFigures
from lookalike.describe.frontier import TrialSetting
from lookalike.model.measures import Measures


@dataclass(frozen=True)
class Outcome:
    """What a release with some setting would keep and lose.

    Parameters
    ----------
    rows_in, rows_lost
        The rows of the table, and those that are suppressed.
    levels
        The level of each attribute; None at the cell level.
    figures
        What happens to each attribute.
    measures
        All measures of the release.
    mean_class
        The mean number of rows in a class.
    precision_bound
        The greatest Prec that is possible for releases of this kind, if it is known.
    stated_bound
        What that bound is of, in words.
    optimal
        Whether the release is proved to be the best possible.
    k_minimal
        Whether no lower vector satisfies k; None if it is not known, and at the cell level.
    one_value
        For each sensitive column, the number of classes whose rows share one value; None if
        there are too many values to compare.
    exposure
        The greatest rise of the belief in a value, for a reader who knows the method; 0 at the
        attribute level, None if it is not defined.
    certain_share
        The share of the generalized cells in which a finer value is certain for some row.
    seconds
        The seconds of the search.
    """

    rows_in: int
    rows_lost: int
    levels: dict[str, int] | None
    figures: tuple[AttributeFigures, ...]
    measures: Measures
    mean_class: float
    precision_bound: float | None
    stated_bound: str | None
    optimal: bool
    k_minimal: bool | None
    one_value: dict[str, int | None]
    exposure: float | None
    certain_share: float | None
    seconds: float

    @property
    def precision(self) -> float:
        """Prec of the release."""
        return self.measures.precision

    @property
    def kept(self) -> dict[str, float]:
        """The share of the detail of each attribute that is kept, from 0 to 1."""
        return {one.attribute: one.kept for one in self.figures}


@dataclass(frozen=True)
class Point:
    """A setting and its outcome.

    Parameters
    ----------
    setting
        The setting.
    outcome
        What a release would keep and lose; None if there is none.
    error
        Why there is none. If there is neither an outcome nor an error, the time was over.
    """

    setting: TrialSetting
    outcome: Outcome | None = None
    error: str | None = None

    @property
    def is_reached(self) -> bool:
        """Whether the point was computed."""
        return self.outcome is not None or self.error is not None
