"""Options: how a field of a specification is shown to commands, functions and readers."""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, get_args, get_type_hints

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema

Verb = TypeVar("Verb", bound=Callable[..., Any])

_DEFAULTS: dict[type, Mapping[str, Any]] = {}


@dataclass(frozen=True)
class Option:
    """The option of the command line that gives a field.

    ``commands``: the commands that take the option; without one, the field has no option.
    ``phase``: the panel of the help that the option stands in.
    ``names``: names of the option; by default that of the field.
    ``metavar``: what stands for the value in the help.
    ``methods``: the field of :class:`~lookalike.search.takes.Takes` that tells which methods take
    it.
    ``least``: the least number.
    ``adds``: whether the option adds to the list of the specification instead of replacing it.
    """

    commands: str = ""
    phase: str = "Table"
    names: str = ""
    metavar: str | None = None
    methods: str = ""
    least: int | None = None
    adds: bool = False


@dataclass(frozen=True)
class Shown:
    """The help of a field.

    ``help``: one sentence, for commands, the reference and the JSON schema.
    ``choices``: the values, if the help lists them: those that are known when it is shown.
    """

    help: str
    choices: Collection[str] = field(default=(), hash=False, compare=False)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Describe the field in the JSON schema."""
        return {**handler(schema), "description": self.help}


def list_shown(model: type) -> Iterator[tuple[str, Any, Shown, Option]]:
    """Yield the fields of a table of a specification: name, type, help, and option."""
    for name, kind in get_type_hints(model, include_extras=True).items():
        given = getattr(kind, "__metadata__", ())
        option = next((one for one in given if isinstance(one, Option)), Option())
        for shown in given:
            if isinstance(shown, Shown):
                yield name, get_args(kind)[0], shown, option


def find_defaults(model: Callable[..., Any]) -> dict[str, Any]:
    """Return the default of each field of a table of a specification, or of each parameter."""
    return {name: one.default for name, one in inspect.signature(model).parameters.items()}


def declare_defaults(options: type, defaults: Mapping[str, Any]) -> None:
    """Set the defaults that :func:`name_options` shows for a ``TypedDict``, which can hold none."""
    _DEFAULTS[options] = defaults


def name_options(function: Verb) -> Verb:
    """Show the options of ``**options: Unpack[…]`` one by one in the signature of a function.

    Type checkers read the names from the ``TypedDict`` (PEP 692). ``help`` and the completion of
    a notebook read the signature, which is given here.

    Examples
    --------
    >>> from typing import TypedDict, Unpack
    >>> class Reading(TypedDict, total=False):
    ...     trim: bool
    >>> declare_defaults(Reading, {"trim": False})
    >>> @name_options
    ... def read(path: str, **options: Unpack[Reading]) -> None: ...
    >>> inspect.signature(read)
    <Signature (path: str, *, trim: bool = False) -> None>
    """
    signature = inspect.signature(function)
    *given, options = signature.parameters.values()
    [described] = get_args(options.annotation)
    defaults = _DEFAULTS[described]
    named = [
        inspect.Parameter(name, options.KEYWORD_ONLY, default=defaults[name], annotation=kind)
        for name, kind in get_type_hints(described).items()
    ]
    function.__signature__ = signature.replace(parameters=[*given, *named])  # type: ignore[attr-defined]
    return function
