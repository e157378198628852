"""Comparison columns: the utility of a release as columns of the comparison of methods."""

from typing import Any

from lookalike.flow.utility.utility_figures import MAJORITY, MODELS, ORIGINAL, RELEASED, Utility

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
