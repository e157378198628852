"""Trial: which column models predict, and which rows train and which rows test them."""

from dataclasses import dataclass

import numpy as np

from lookalike.errors import InvalidInput, suggest
from lookalike.kernels.types import Codes, Flags
from lookalike.spec.specification import Specification
from lookalike.tables.count import count_distinct, number_of_rows
from lookalike.tables.table import Frame

MOST_MODEL_ROWS = 50_000
"""The most rows that train and test models; of a longer table a sample is drawn."""


MOST_TARGET_VALUES = 20
"""The most different values of a column that models predict."""


@dataclass(frozen=True)
class ModelTrial:
    """How models are trained and tested.

    ``target``: the column that they predict.
    ``repeats``: the number of splits into training and test rows.
    ``seed``: the seed of the first split; each further one adds 1.
    ``test_share``: the share of the rows, or persons, of each class that are held out.
    """

    target: str
    repeats: int = 1
    seed: int = 0
    test_share: float = 0.3

    def __post_init__(self) -> None:
        if self.repeats < 1:
            raise InvalidInput(f"repeats is a number of splits, at least 1, not {self.repeats}")
        if not 0 < self.test_share < 1:
            raise InvalidInput(f"test_share is between 0 and 1, not {self.test_share}")

    def check_table(self, frame: Frame) -> None:
        """Refuse a table whose target cannot be classes, before a long search."""
        [(distinct, known)] = count_distinct(frame, [self.target]).values()
        check_classes(self.target, distinct + (known < number_of_rows(frame)))


def check_target(specification: Specification, target: str) -> None:
    """Refuse a target that is not a released column."""
    attributes = specification.attributes
    released = [
        name
        for name, attribute in attributes.items()
        if attribute.role not in ("identifier", "drop")
    ]
    if target not in attributes:
        near = suggest(target, released)
        hint = near or f"name one of {', '.join(released)}"
        raise InvalidInput(f"target: the table has no column {target!r}; {hint}")
    if target not in released:
        raise InvalidInput(
            f"target: column {target!r} is not released; name one of {', '.join(released)}"
        )


def check_classes(target: str, values: int) -> None:
    """Refuse a target with one value, or with too many to be classes."""
    if not 2 <= values <= MOST_TARGET_VALUES:
        raise InvalidInput(
            f"target: models predict one of 2 to {MOST_TARGET_VALUES} different values, and column "
            f"{target!r} has {values:,}; name another column"
        )


def sample_rows(rows: int, seed: int) -> Codes:
    """Return the rows that take part: all of them, or a sample if they are many."""
    if rows <= MOST_MODEL_ROWS:
        return np.arange(rows, dtype=np.int32)
    drawn = np.random.default_rng(seed).choice(rows, MOST_MODEL_ROWS, replace=False)
    return np.sort(drawn).astype(np.int32)


def draw_test_rows(class_of: Codes, person: Codes, share: float, seed: int) -> Flags:
    """Draw the test rows: a share of the persons of each class, with all of their rows.

    ``class_of``: the class of each row; a person is drawn by the class of the first of their rows.

    Examples
    --------
    >>> class_of, person = np.array([0, 0, 0, 0, 1, 1]), np.array([1, 2, 3, 3, 4, 5])
    >>> tested = draw_test_rows(class_of, person, 0.5, seed=0)
    >>> int(tested[:4].any()), int(tested[4:].sum())
    (1, 1)
    """
    _, first, number = np.unique(person, return_index=True, return_inverse=True)
    kinds = class_of[first]
    drawn = np.random.default_rng(seed).permutation(len(kinds))
    order = drawn[np.argsort(kinds[drawn], kind="stable")]
    sizes = np.bincount(kinds)
    rank = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    chosen = np.zeros(len(kinds), dtype=np.bool_)
    chosen[order] = rank < np.floor(share * sizes)[kinds[order]]
    return chosen[number]
