"""The exceptions that lookalike raises, and the wording that their messages share.

::

    Exception
    └── LookalikeError            every error that lookalike raises on purpose
        ├── InvalidInput          a table, a file, a field or an option is wrong    exit 2
        │   └── UnknownValue      a value that a hierarchy cannot generalize        exit 2
        ├── RequirementNotMet     the requirement does not hold for a table         exit 1
        ├── Infeasible            no release can satisfy the requirement            exit 3
        ├── InternalError         a defect in lookalike; please report it           exit 4
        ├── Unavailable           in use by another process, or failed; try again   exit 5
        └── AlreadyExists         a release or a file is there; nothing is replaced exit 6

The exit code is the one that the command line returns. InvalidInput is a ValueError as well.
After Unavailable the same command may succeed; after AlreadyExists somebody must decide.

A message says what is wrong, where, and what to do. It never shows a private row. An error
about a hierarchy may name values of its own column, at most five (:func:`name_some`), because
the owner of the hierarchy must see which values are missing. Output that is kept, such as JSON and
logs, has ``error.discreet`` instead, the message without these values.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

MOST_VALUES_NAMED = 5


class LookalikeError(Exception):
    """Base class of every error that lookalike raises on purpose.

    Parameters
    ----------
    message
        What is wrong, where, and what to do.
    named
        The part of the message that names values of a column.
    """

    exit_code = 4

    def __init__(self, message: str = "", *, named: str = "") -> None:
        super().__init__(message)
        self.named = named

    @property
    def discreet(self) -> str:
        """The message without the values that it names, for JSON, logs and files.

        Examples
        --------
        >>> InvalidInput("not in the hierarchy: 'b'; add it", named="'b'").discreet
        'not in the hierarchy: (not shown); add it'
        """
        return leave_out(str(self), self.named)


class InvalidInput(LookalikeError, ValueError):
    """An argument, a file or a field is wrong; nothing was written.

    It is a ValueError as well, so that pydantic reports the field in which it was raised.
    """

    exit_code = 2


class UnknownValue(InvalidInput):
    """A value is not in the ground domain of a hierarchy."""


class RequirementNotMet(LookalikeError):
    """A table was counted, and it does not satisfy the requirement."""

    exit_code = 1


class Infeasible(LookalikeError):
    """No release satisfies the requirement; the message says why and what to change."""

    exit_code = 3


class InternalError(LookalikeError):
    """An internal check failed, which is a defect in lookalike; nothing was published."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{message}. This is a fault in lookalike, please report it.")


class Unavailable(LookalikeError):
    """Another process uses what is needed, or a cluster lost it; nothing was published: try again.

    Nothing is wrong with what was asked for, and the same call may succeed later.
    """

    exit_code = 5


class AlreadyExists(LookalikeError):
    """A release, a document or a file exists already; nothing was overwritten.

    Whether it may be replaced is for a person to decide.
    """

    exit_code = 6


def describe_fault(error: BaseException) -> InternalError:
    """Return an unexpected error as one that names its place, without the values in its text."""
    return InternalError(f"{type(error).__name__} at {_find_origin(error)}")


def _find_origin(error: BaseException) -> str:
    """Return the last line of lookalike's own code that an unexpected error passed through."""
    trace, place = error.__traceback__, "an unknown place"
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if "lookalike" in file.parts:
            place = f"{file.name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def not_one_of(field: str, value: str, known: Iterable[str]) -> str:
    """Return the problem of a field that must be one of some names.

    Examples
    --------
    >>> not_one_of("method", "argus", ["datafly", "samarati"])
    "method is one of datafly, samarati, not 'argus'"
    >>> not_one_of("method", "samarti", ["datafly", "samarati"])
    "method is one of datafly, samarati, not 'samarti'; did you mean 'samarati'?"
    """
    names = list(known)
    near = suggest(value, names)
    return f"{field} is one of {', '.join(names)}, not {value!r}" + (f"; {near}" if near else "")


def suggest(name: str, known: Iterable[str]) -> str:
    """Return the nearest known name as a question, or an empty text if none is near.

    Examples
    --------
    >>> suggest("weihgt", ["weight", "linking"]), suggest("x", ["weight"])
    ("did you mean 'weight'?", '')
    """
    near = get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else ""


def leave_out(message: str, named: str) -> str:
    """Return a message without the values that a part of it names."""
    return message.replace(named, "(not shown)") if named else message


def name_some(values: Sequence[str]) -> str:
    """Return the first five values of a column as text, and how many more there are.

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


def list_problems(place: str, problems: Sequence[str]) -> str:
    """Return problems as one message, one on each line if there are several.

    Examples
    --------
    >>> print(list_problems("spec.toml", ["release.k: is required"]))
    spec.toml: release.k: is required
    >>> print(list_problems("spec.toml", ["release.k: is required", "source.pth: not a field"]))
    spec.toml: 2 problems:
    - release.k: is required
    - source.pth: not a field
    """
    if len(problems) == 1:
        return f"{place}: {problems[0]}"
    lines = "\n".join(f"- {problem}" for problem in problems)
    return f"{place}: {len(problems)} problems:\n{lines}"
