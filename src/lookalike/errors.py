"""Everything that lookalike raises.

::

    LookalikeError
    ├── InvalidInput          the caller's mistake: a table, a file or a field   exit 2
    │   └── UnknownValue      a value that a hierarchy cannot generalize
    ├── RequirementNotMet     a table was counted and k does not hold            exit 1
    ├── Infeasible            no release can satisfy what was asked              exit 3
    └── InternalError         our mistake: please report it                      exit 4

A message says what is wrong, where, and how to mend it. It never shows a private row. An
error about a hierarchy may name values of its own column, at most five (see
:func:`name_some`), because its owner must see what is missing.
"""

from collections.abc import Sequence

MOST_VALUES_NAMED = 5


class LookalikeError(Exception):
    """The root of every error that lookalike raises on purpose."""

    exit_code = 4


class InvalidInput(LookalikeError, ValueError):
    """The caller gave something that cannot be used; nothing was written.

    It is a ValueError too, so that a model which is being validated can say in which field.
    """

    exit_code = 2


class UnknownValue(InvalidInput):
    """A hierarchy was asked about a value that is not in its ground domain."""


class RequirementNotMet(LookalikeError):
    """A table was counted, and it does not satisfy what it must."""

    exit_code = 1


class Infeasible(LookalikeError):
    """No release satisfies the requirement: the message tells why and the way out."""

    exit_code = 3


class InternalError(LookalikeError):
    """An invariant of ours broke; nothing was published."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{message}. This is a fault in lookalike, please report it.")


def name_some(values: Sequence[str]) -> str:
    """Name at most five values of one column and say how many more there are.

    Examples
    --------
    >>> name_some(["a", "b"])
    "'a', 'b'"
    >>> name_some(list("abcdefg"))
    "'a', 'b', 'c', 'd', 'e' and 2 more"
    """
    named = ", ".join(repr(value) for value in values[:MOST_VALUES_NAMED])
    more = len(values) - MOST_VALUES_NAMED
    return f"{named} and {more} more" if more > 0 else named
