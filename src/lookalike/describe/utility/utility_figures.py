"""Utility figures: what was measured, for the data holder; never published.

They hold names of columns and numbers, no value of the table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import pyarrow as pa

from lookalike.hierarchy.html_table import HtmlCell, ShareBar, write_html_table
from lookalike.json_result import JsonResult

ORIGINAL, RELEASED, MAJORITY = "original", "released", "majority"
"""What a model was trained on: private rows, released rows, or the most frequent class only."""


BOOSTING = "gradient_boosting"


MODELS = ("logistic_regression", BOOSTING)
"""The models, by the names of their scores."""


@dataclass(frozen=True)
class ColumnDistance:
    """The total variation distance between a column before and after."""

    column: str
    distance: float


@dataclass(frozen=True)
class PairDistance:
    """The distance between the joint distributions of two columns, and their association.

    ``column``, ``other``: the names of the columns.
    ``distance``: the total variation distance, from 0 to 1.
    ``association_before``, ``association_after``: Cramér's V in the private table and in the
    release.
    """

    column: str
    other: str
    distance: float
    association_before: float
    association_after: float


@dataclass(frozen=True)
class ModelScore:
    """How well a model predicts the target of held-out private rows.

    ``training``: what it was trained on: ``"released"``, ``"original"``, or ``"majority"`` for the
    most frequent class of the private training rows, whatever the other columns show.
    ``model``: the name of the model.
    ``accuracy``: the share of test rows that it predicts right, as the mean over the repeats; None
    if no released row could train it.
    ``deviation``: the standard deviation of the accuracy over the repeats; 0 with one.
    ``balanced_accuracy``: the mean over the classes of the share of their test rows that it
    predicts right.
    ``auc``: the area under the ROC curve if the target has two classes; else None.
    """

    training: str
    model: str
    accuracy: float | None
    deviation: float | None
    balanced_accuracy: float | None
    auc: float | None


@dataclass(frozen=True)
class ModelTest:
    """The scores of all models for one target.

    ``target``: the column that the models predict.
    ``repeats``: the number of splits into training and test rows.
    ``rows_test``, ``rows_training``: the number of private rows of the first split.
    ``rows_suppressed``: how many of the training rows are suppressed in the release, and train
    nothing.
    ``rows_generalized``: how many further training rows show a generalized target, and train
    nothing.
    ``scores``: the scores.
    """

    target: str
    repeats: int
    rows_test: int
    rows_training: int
    rows_suppressed: int
    rows_generalized: int
    scores: tuple[ModelScore, ...]

    def trained_on(self, training: str) -> dict[str, ModelScore]:
        """Return the scores of the models that were trained on some rows, by their names."""
        return {score.model: score for score in self.scores if score.training == training}

    @property
    def references(self) -> tuple[ModelScore, ...]:
        """The scores that do not depend on the release."""
        return tuple(score for score in self.scores if score.training != RELEASED)


@dataclass(frozen=True)
class Utility(JsonResult):
    """What a release is still good for.

    Parameters
    ----------
    columns
        The distance of every released column.
    pairs
        The distance and the association of every pair of columns.
    models
        The scores of models that predict the target, if one was named.
    """

    json_names = "column_distance pair_distance columns pairs models"

    columns: tuple[ColumnDistance, ...]
    pairs: tuple[PairDistance, ...]
    models: ModelTest | None = None

    def __repr__(self) -> str:
        return (
            f"<Utility of {len(self.columns)} columns: mean distance "
            f"{self.column_distance:.4f}, of pairs {self.pair_distance:.4f}>"
        )

    def _repr_html_(self) -> str:
        lines = [(one.column, ShareBar(one.distance)) for one in self.columns]
        caption = f"Utility: distance of pairs of columns {self.pair_distance:.4f} on average"
        drawn = write_html_table(caption, ["column", "distance"], lines)
        return drawn if self.models is None else drawn + _draw_models(self.models)

    @property
    def column_distance(self) -> float:
        """The mean distance of a column."""
        return fmean(one.distance for one in self.columns)

    @property
    def pair_distance(self) -> float:
        """The mean distance of a pair of columns; 0 if there is one column only."""
        return fmean(one.distance for one in self.pairs) if self.pairs else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        return self.as_json()

    def to_table(self) -> pa.Table:
        """Return all figures as an Arrow table, one figure per row.

        Its columns are ``subject`` (``column``, ``pair`` or ``model``), ``name`` and ``other``
        (two columns, or a model and what it was trained on), ``measure`` and ``value``.
        """
        return pa.Table.from_pylist(list(self._list_figures()), schema=_FIGURES)

    def _list_figures(self) -> Iterator[dict[str, Any]]:
        """Yield every figure."""
        for one in self.columns:
            yield from _name_figures(one, "column", one.column, None, ["distance"])
        for pair in self.pairs:
            measures = ["distance", "association_before", "association_after"]
            yield from _name_figures(pair, "pair", pair.column, pair.other, measures)
        for score in () if self.models is None else self.models.scores:
            measures = ["accuracy", "deviation", "balanced_accuracy", "auc"]
            yield from _name_figures(score, "model", score.model, score.training, measures)


def _draw_models(tested: ModelTest) -> str:
    """Draw the scores of the models."""
    lines: list[list[HtmlCell]] = [
        [one.training, one.model, one.accuracy, one.balanced_accuracy, one.auc]
        for one in tested.scores
    ]
    headings = ["trained on", "model", "accuracy", "balanced accuracy", "AUC"]
    return write_html_table(f"Models that predict {tested.target}", headings, lines)


_FIGURES = pa.schema(
    {
        "subject": pa.string(),
        "name": pa.string(),
        "other": pa.string(),
        "measure": pa.string(),
        "value": pa.float64(),
    }
)


def _name_figures(
    holder: Any, subject: str, name: str, other: str | None, measures: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield some figures of an object as rows of the tidy table."""
    for measure in measures:
        value = getattr(holder, measure)
        yield {"subject": subject, "name": name, "other": other, "measure": measure, "value": value}


UTILITY_COLUMNS = ("column_distance", "pair_distance", *MODELS)
"""The columns that a comparison with a target has in addition; models show their accuracy."""


def utility_columns(found: Utility) -> dict[str, float | None]:
    """Return the utility of one release as columns of the comparison."""
    scores = {} if found.models is None else found.models.trained_on(RELEASED)
    return {
        "column_distance": found.column_distance,
        "pair_distance": found.pair_distance,
        **{model: score.accuracy for model, score in scores.items()},
    }


def reference_rows(found: Utility) -> list[dict[str, Any]]:
    """Return what the accuracy of models is compared with, as rows of the comparison.

    The first row is that of models trained on the private rows, the second that of the most
    frequent class.
    """
    if found.models is None:
        return []
    original = found.models.trained_on(ORIGINAL)
    [majority] = found.models.trained_on(MAJORITY).values()
    return [
        {"method": ORIGINAL, **{model: original[model].accuracy for model in MODELS}},
        {"method": MAJORITY, **dict.fromkeys(MODELS, majority.accuracy)},
    ]
