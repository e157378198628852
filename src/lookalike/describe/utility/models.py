"""Models: trained on released rows, tested on private rows that were held out.

Models are trained and tested on values of the private domain. A released cell that stands for
several values takes part as one of them, drawn uniformly: a training set is drawn from the
distribution that the release shows, by the same rule for every method. So a model meets values of
the same kind in training and in the test.

The same models are trained on the private rows of the same split ("original"). A third answer is
the most frequent class of these rows, whatever the other columns show ("majority"). scikit-learn is
imported only when models are asked for.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean, pstdev
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack

from lookalike.describe.utility.released_cells import (
    ColumnCells,
    ReleasedCells,
    bin_values,
    read_numbers,
)
from lookalike.describe.utility.trial import ModelTrial, check_classes, draw_test_rows, sample_rows
from lookalike.describe.utility.utility_figures import (
    BOOSTING,
    MAJORITY,
    MODELS,
    ORIGINAL,
    RELEASED,
    ModelScore,
    ModelTest,
)
from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Flags, Reals

GENERALIZED = -1
"""The class of a row that shows a generalized target."""


@dataclass(frozen=True, eq=False)
class Examples(Discreet):
    """The rows that train and test models.

    ``columns``: the columns by which models predict.
    ``goal``: the column that they predict; its values are the classes.
    ``kept``: which rows are in the release.
    ``person``: the person of each row.
    """

    columns: tuple[ColumnCells, ...]
    goal: ColumnCells
    kept: Flags
    person: Codes

    def __len__(self) -> int:
        return len(self.kept)

    @cached_property
    def private(self) -> Codes:
        """The private values, one line per column."""
        return np.array([column.private for column in self.columns], dtype=np.int32)

    def draw(self, seed: int) -> Codes:
        """Draw a value for every released cell, one line per column.

        A column whose released cells are all alike shows nothing, and is constant.
        """
        generator = np.random.default_rng(seed)
        lines = [_draw_values(column, self.kept, generator) for column in self.columns]
        return np.array(lines, dtype=np.int32)

    @cached_property
    def shown(self) -> Codes:
        """The class that each released row shows; :data:`GENERALIZED` if it is not one."""
        sets = self.goal.sets
        alone = np.diff(sets.indptr) == 1
        single = np.full(len(alone), GENERALIZED, dtype=np.int32)
        single[alone] = sets.indices[sets.indptr[:-1][alone]]
        return single[self.goal.cells]

    def one_hot(self, values: Codes) -> Any:
        """Return values as a sparse matrix for linear models.

        A value of a category is a column. A number or a date is a column, standardized over the
        distinct values, and its missing value another.
        """
        parts = [
            csr_array(_spread(column))[line]
            for column, line in zip(self.columns, values, strict=True)
        ]
        return hstack(parts, format="csr")

    def ordinal(self, values: Codes) -> Reals:
        """Return values as a matrix with one column each: numbers, or numbered categories."""
        lines = [_number(column)[line] for column, line in zip(self.columns, values, strict=True)]
        return np.array(lines, dtype=np.float64).T

    @property
    def categorical(self) -> list[bool]:
        """Which columns are categories."""
        return [read_numbers(column.values) is None for column in self.columns]


def choose_examples(rows: ReleasedCells, target: str, seed: int) -> Examples:
    """Return the rows for models that predict a target; of many rows, a sample."""
    chosen = sample_rows(len(rows), seed)
    [goal] = [column for column in rows.columns if column.name == target]
    others = [column.taken(chosen) for column in rows.columns if column.name != target]
    check_classes(target, len(goal.values))
    if not others:
        raise InvalidInput(
            f"target: {target!r} is the only released column, so nothing can predict it; "
            "measure without a target"
        )
    return Examples(tuple(others), goal.taken(chosen), rows.released[chosen], rows.person[chosen])


def _draw_values(column: ColumnCells, kept: Flags, generator: np.random.Generator) -> Codes:
    """Draw for every row one of the values that its cell stands for."""
    if len(np.unique(column.cells[kept])) == 1:
        return np.zeros(len(kept), dtype=np.int32)
    first = column.sets.indptr[column.cells]
    sizes = column.sets.indptr[column.cells + 1] - first
    drawn: Codes = column.sets.indices[first + generator.integers(sizes)]
    return drawn


def _number(column: ColumnCells) -> Reals | Codes:
    """Return each value of a column as a number, or as the number of its category."""
    numbers = read_numbers(column.values)
    return _bin(column) if numbers is None else numbers


def _spread(column: ColumnCells) -> Reals:
    """Return the columns of a linear model for each value of a column."""
    numbers = read_numbers(column.values)
    if numbers is None:
        bins = _bin(column)
        return np.eye(int(bins.max()) + 1)[bins]
    missing = np.isnan(numbers)
    spread = float(np.nanstd(numbers)) or 1.0
    standard = np.where(missing, 0.0, (numbers - np.nanmean(numbers)) / spread)
    return np.column_stack([standard, missing] if missing.any() else [standard])


def _bin(column: ColumnCells) -> Codes:
    """Number the categories of a column; rare values of many share one."""
    counts = np.bincount(column.private, minlength=len(column.values))
    return bin_values(column.values, counts)


Figures = tuple[float, float, float | None]
"""Accuracy, balanced accuracy, and the area under the ROC curve of two classes."""


def require_models() -> None:
    """Raise if scikit-learn is not installed."""
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise InvalidInput(
            "target: models need scikit-learn; install it with pip install 'lookalike[utility]'"
        ) from None


def try_models(
    rows: ReleasedCells, trial: ModelTrial, references: Sequence[ModelScore] = ()
) -> ModelTest:
    """Train and test all models.

    ``references``: the scores on the original rows and of the majority, if another release of the
    same table was tried already; by default they are measured.
    """
    require_models()
    examples = choose_examples(rows, trial.target, trial.seed)
    tests = _draw_tests(examples, trial)
    trained = (RELEASED,) if references else (RELEASED, ORIGINAL)
    scores = [_try(one, model, examples, tests) for one in trained for model in MODELS]
    if not references:
        scores.append(_try(MAJORITY, MAJORITY, examples, tests))
    training = ~tests[trial.seed]
    generalized = examples.kept & (examples.shown == GENERALIZED)
    return ModelTest(
        target=trial.target,
        repeats=trial.repeats,
        rows_test=int((~training).sum()),
        rows_training=int(training.sum()),
        rows_suppressed=int((training & ~examples.kept).sum()),
        rows_generalized=int((training & generalized).sum()),
        scores=(*scores, *references),
    )


def _draw_tests(examples: Examples, trial: ModelTrial) -> dict[int, Flags]:
    """Draw the test rows of every split, by its seed."""
    tests = {
        seed: draw_test_rows(examples.goal.private, examples.person, trial.test_share, seed)
        for seed in range(trial.seed, trial.seed + trial.repeats)
    }
    if not all(test.any() and not test.all() for test in tests.values()):
        raise InvalidInput(
            f"target: {len(examples):,} rows are too few to train and to test a model; change "
            "test_share, or measure without a target"
        )
    return tests


def _try(training: str, model: str, examples: Examples, tests: dict[int, Flags]) -> ModelScore:
    """Train a model for every split, and summarize how well it predicts the private test rows."""
    figures: list[Figures] = []
    for seed, test in tests.items():
        values, class_of, rows = _choose_lesson(training, examples, seed)
        rows &= ~test
        if not rows.any():
            return ModelScore(training, model, None, None, None, None)
        answers = np.zeros((int(test.sum()), len(examples.goal.values)))
        lesson = values[:, rows], class_of[rows]
        classes, shares = _predict(model, seed, examples, lesson, examples.private[:, test])
        answers[:, classes] = shares
        figures.append(score_answers(answers, examples.goal.private[test]))
    accuracy, balanced, areas = zip(*figures, strict=True)
    auc = None if None in areas else fmean(areas)
    return ModelScore(training, model, fmean(accuracy), pstdev(accuracy), fmean(balanced), auc)


def _choose_lesson(training: str, examples: Examples, seed: int) -> tuple[Codes, Codes, Flags]:
    """Return the values and classes that models are trained on, and the rows that have them."""
    if training == RELEASED:
        shown = examples.shown
        return examples.draw(seed), shown, examples.kept & (shown != GENERALIZED)
    return examples.private, examples.goal.private, np.ones(len(examples), dtype=np.bool_)


def _predict(
    model: str, seed: int, examples: Examples, lesson: tuple[Codes, Codes], tested: Codes
) -> tuple[Codes, Reals]:
    """Train a model, and return its classes and their probabilities for the test rows.

    A column that is the same in all training rows says nothing, and is left out.
    """
    values, class_of = lesson
    classes, counts = np.unique(class_of, return_counts=True)
    varying = np.flatnonzero((values != values[:, :1]).any(axis=1))
    if model == MAJORITY or len(classes) == 1 or not len(varying):
        return classes[[counts.argmax()]], np.ones((tested.shape[1], 1))
    seen = replace(examples, columns=tuple(examples.columns[place] for place in varying))
    encode = seen.ordinal if model == BOOSTING else seen.one_hot
    from threadpoolctl import threadpool_limits  # scikit-learn requires it

    # one thread: models are small, and threads wait for each other on a busy CPU
    with threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a regression that has not converged is good enough
        fitted = _build(model, seed, seen.categorical).fit(encode(values[varying]), class_of)
        return fitted.classes_, fitted.predict_proba(encode(tested[varying]))


def _build(model: str, seed: int, categorical: Sequence[bool]) -> Any:
    """Return an untrained model."""
    if model == BOOSTING:
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(categorical_features=categorical, random_state=seed)
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=500)


def score_answers(answers: Reals, truth: Codes) -> Figures:
    """Score the probabilities that a model gives to the classes of some rows.

    Examples
    --------
    >>> answers = np.array([[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> score_answers(answers, np.array([0, 0, 0, 1]))
    (1.0, 1.0, 1.0)
    >>> score_answers(answers, np.array([0, 1, 0, 1]))
    (0.75, 0.75, 1.0)
    """
    right = answers.argmax(axis=1) == truth
    rows = np.bincount(truth)
    there = rows > 0
    recalls = np.bincount(truth, right)[there] / rows[there]
    both = answers.shape[1] == 2 and there.all() and len(rows) == 2
    area = _area_under_curve(answers[:, 1], truth == 1) if both else None
    return float(right.mean()), float(recalls.mean()), area


def _area_under_curve(score: Reals, positive: Flags) -> float:
    """Return the share of pairs of a positive and a negative row that are in the right order.

    A pair with equal scores counts half.
    """
    _, place, ties = np.unique(score, return_inverse=True, return_counts=True)
    ranks = np.cumsum(ties) - (ties - 1) / 2
    positives = int(positive.sum())
    above = ranks[place][positive].sum() - positives * (positives + 1) / 2
    return float(above / (positives * (len(positive) - positives)))
