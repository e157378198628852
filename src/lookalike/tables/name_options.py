"""Name the options of a function in its signature, where notebooks complete and explain them."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_args, get_type_hints

Verb = TypeVar("Verb", bound=Callable[..., Any])


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
