"""Decide how ``link`` matches missing and suppressed values.

By default a missing or suppressed value, in either table, matches any value. It is then compared at
the *wildcard level*, the last level of
:class:`~lookalike.hierarchy.released_values.ReleasedAttribute`, at which all values are equal.

With `as_written`, a missing value matches missing values only, and a suppressed value matches the
values that the hierarchy suppresses at that level.

:func:`find_released_levels` and :func:`find_external_levels` choose the level at which each value
is compared. :func:`choose_level` combines the two levels when a person is compared with a row.
"""

from collections.abc import Sequence

import numpy as np

from lookalike.hierarchy.released_values import ReleasedAttribute
from lookalike.kernels.types import Codes, Flags


def wildcard_level(attribute: ReleasedAttribute) -> int:
    """Return the position of the level at which any two values match."""
    return len(attribute.lifts) - 1


def is_uninformative(released: Sequence[str | None], suppressed: str) -> bool:
    """Return whether a released column has only missing and suppressed values."""
    return {None, suppressed}.issuperset(released)


def find_released_levels(
    attribute: ReleasedAttribute,
    released: Sequence[str | None],
    suppressed: str,
    *,
    as_written: bool,
    one_level: bool,
) -> Codes:
    """Return for each released value the position of the level at which it is compared.

    ``as_written``: whether missing and suppressed values match only what they are, instead of any
    value.
    ``one_level``: whether all values of the attribute have one known level; a suppressed value is
    then a value of that level.

    Examples
    --------
    >>> from lookalike.hierarchy.released_values import read_attribute
    >>> shown = ["f", None, "*"]
    >>> sex = read_attribute("sex", [("f", "*"), ("m", "*"), (None, "*")], shown, "*")
    >>> find_released_levels(sex, shown, "*", as_written=False, one_level=False).tolist()
    [0, 2, 2]
    >>> find_released_levels(sex, shown, "*", as_written=True, one_level=False).tolist()
    [0, 0, 2]
    """
    levels = np.maximum(attribute.levels[attribute.released], 0)
    if as_written and one_level:
        levels[_is_any(released, {suppressed})] = 0
    if not as_written:
        levels[_is_any(released, {None, suppressed})] = wildcard_level(attribute)
    return levels.astype(np.int32)


def find_external_levels(
    attribute: ReleasedAttribute,
    external: Sequence[str | None],
    suppressed: str,
    *,
    as_written: bool,
) -> Codes:
    """Return for each external value the wildcard level if it matches any value, else 0."""
    matches_any = _is_any(external, set() if as_written else {None, suppressed})
    return np.where(matches_any, wildcard_level(attribute), 0).astype(np.int32)


def _is_any(values: Sequence[str | None], some: set[str | None]) -> Flags:
    """Return which values are among some values."""
    return np.array([value in some for value in values], dtype=np.bool_)


def choose_level(attribute: ReleasedAttribute, released: int, external: int) -> int:
    """Return the level at which a released and an external value are compared.

    This is the level of the released value, or the wildcard level if the external value matches
    any value.
    """
    return external if external == wildcard_level(attribute) else released
