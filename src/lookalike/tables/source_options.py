"""SourceOptions: the fields of ``[source]`` as keyword arguments of the library.

Editors and type checkers read the names and types here;
:class:`~lookalike.tables.source.Source` explains every field and validates it.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypedDict, TypeVar, get_args, get_type_hints

from lookalike.tables.files.header import DuplicateHeaders
from lookalike.tables.source import ReadBy

Verb = TypeVar("Verb", bound=Callable[..., Any])


class ReadingOptions(TypedDict, total=False):
    """How a table is read: every field for a path, ``missing`` and ``trim`` for a frame."""

    engine: ReadBy
    master: str | None
    partitions: bool | None
    where: str | None
    delimiter: str | None
    encoding: str
    duplicate_headers: DuplicateHeaders
    header_row: int | None
    skip_rows: int
    last_rows: int
    sheet: str | None
    value_labels: bool
    missing: Sequence[str]
    trim: bool
    memory: str | None
    spill: str | None


class SourceOptions(ReadingOptions, total=False):
    """How a table is read, and who its rows are."""

    name: str | None
    row_key: str | None
    person: str | Sequence[str] | None
    new_people: bool


def name_options(function: Verb) -> Verb:
    """Show the options of ``**options: Unpack[…]`` one by one in the signature of a function.

    Type checkers read the names from the ``TypedDict`` (PEP 692). ``help`` and the completion of
    a notebook read the signature, which is given here.

    Examples
    --------
    >>> from typing import TypedDict, Unpack
    >>> class Reading(TypedDict, total=False):
    ...     trim: bool
    >>> @name_options
    ... def read(path: str, **options: Unpack[Reading]) -> None: ...
    >>> inspect.signature(read)
    <Signature (path: str, *, trim: bool = Ellipsis) -> None>
    """
    signature = inspect.signature(function)
    *given, options = signature.parameters.values()
    [described] = get_args(options.annotation)
    named = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=..., annotation=kind)
        for name, kind in get_type_hints(described).items()
    ]
    function.__signature__ = signature.replace(parameters=[*given, *named])  # type: ignore[attr-defined]
    return function
