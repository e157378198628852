"""Scoring: how well the answers of a model agree with the truth."""

import numpy as np

from lookalike.kernels.types import Codes, Flags, Reals

Figures = tuple[float, float, float | None]
"""Accuracy, balanced accuracy, and the area under the ROC curve of two classes."""


def score_answers(answers: Reals, truth: Codes) -> Figures:
    """Score the probabilities that a model gives to the classes of some rows.

    Parameters
    ----------
    answers
        The probability of each class, one line per row.
    truth
        The class of each row.

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
