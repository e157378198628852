"""Options and arguments that several commands share, with their help and their parsing.

The options of fields come from the tables that declare the fields. In a command with the decorator
:func:`takes_fields`, a parameter ``FromRelease`` or ``FromSource`` stands for the options of all
fields that name the command, and receives those that are given.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import chain
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import typer

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate
from lookalike.publish.linked_certificate import read_any
from lookalike.search.methods import TAKES
from lookalike.spec.release_fields import ReleaseFields
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import Option, Shown, find_defaults, list_shown
from lookalike.tables.source import Source

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
SpecFile = Annotated[Path, typer.Argument(help="Specification, a TOML file.")]
TableFile = Annotated[str, typer.Argument(help="Table: a file, or a quoted glob for many files.")]
PrivateTable = Annotated[
    str | None,
    typer.Option(
        "--table", help="Private table, if not the specification's source (needs --spec)."
    ),
]
RemainingK = Annotated[
    int | None,
    typer.Option("--k", "-k", help="Rows that must remain; default: as promised.", min=1),
]
ShowExposed = Annotated[
    bool, typer.Option("--show", help="Show the exposed sequences, which are private.")
]
Show = Annotated[bool, typer.Option("--show", help="Also list rows, which are private.")]
Most = Annotated[int, typer.Option(help="Maximum number of rows that --show lists.", min=1)]

OptionValues = dict[str, Any]
"""The fields that are given on the command line."""
FromRelease = Annotated[OptionValues, ReleaseFields]
FromSource = Annotated[OptionValues, Source]


def takes_fields(command: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of the fields that its parameters stand for."""

    def spell_out(function: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(function, eval_str=True)
        groups: dict[str, dict[str, inspect.Parameter]] = {}
        for one in own.parameters.values():
            model = next(iter(getattr(one.annotation, "__metadata__", ())), None)
            if isinstance(model, type):
                groups[one.name] = {each.name: each for each in _list_options(model, command)}

        def run(ctx: typer.Context, **values: Any) -> None:
            for group, options in groups.items():
                found = {name: values.pop(name) for name in options}
                values[group] = {
                    name: _read(name, value)
                    for name, value in found.items()
                    if _is_given(ctx, name)
                }
            function(**values)

        spelled = [
            [*groups.get(name, {name: one}).values()] for name, one in own.parameters.items()
        ]
        run.__doc__ = function.__doc__
        own_context = [*inspect.signature(run, eval_str=True).parameters.values()][:1]
        parameters = [*own_context, *chain(*spelled)]
        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        return run

    return spell_out


def _is_given(ctx: typer.Context, option: str) -> bool:
    """Return whether the command line gives an option, also if it gives the default."""
    source = ctx.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def _read(field: str, value: Any) -> Any:
    """Return the value of a field that an option gives; a switch gives what is not the default."""
    if value is True:
        return not find_defaults(ReleaseFields).get(field, False)
    return read_limit(value) if field == "max_suppressed" else value


def _list_options(model: type, command: str) -> Iterator[inspect.Parameter]:
    """Yield the fields of a table that a command takes, each as a parameter for typer.

    An option of ``release`` stands in place of a field of the specification, so that it has no
    default of its own.
    """
    defaults = find_defaults(model)
    for name, kind, shown, asked in list_shown(model):
        taken, plain = asked.commands.split(), str if shown.choices else _find_type(kind)
        if command in taken:
            default = None if "release" in taken or plain == list[str] else defaults[name]
            option = typer.Option(
                False if plain is bool else default,
                *(asked.names or f"--{name.replace('_', '-')}").split(),
                help=_write_help(shown, asked, plain, off=defaults[name] is True),
                metavar=asked.metavar,
                min=asked.least,
                rich_help_panel=asked.phase,
            )
            spelled = bool if plain is bool else plain | None if default is None else plain
            place = inspect.Parameter.KEYWORD_ONLY
            yield inspect.Parameter(name, place, default=option, annotation=spelled)


def _find_type(kind: Any) -> Any:
    """Return the type of the option of a field: one value as typer reads it, or a list of texts."""
    if get_origin(kind) is Annotated:
        return _find_type(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        kinds = [_find_type(one) for one in get_args(kind) if one is not NoneType]
        return kinds[0] if len(kinds) == 1 else str
    return list[str] if get_origin(kind) is tuple else kind


def _write_help(shown: Shown, asked: Option, kind: Any, *, off: bool) -> str:
    """Write the help of an option, with the methods that take it and its values.

    Examples
    --------
    >>> asked = Option(methods="prefer", adds=True)
    >>> _write_help(Shown("Policy."), asked, list[str], off=False)
    "Policy; may be repeated, in addition to the specification's (samarati, mingen)."
    """
    text = shown.help.removesuffix(".")
    if off:
        text = f"Do not {text[0].lower()}{text[1:]}"
    if kind == list[str]:
        text += "; may be repeated" + ", in addition to the specification's" * asked.adds
    if asked.methods:
        taking = [name for name, takes in TAKES.items() if getattr(takes, asked.methods)]
        text += f" ({', '.join(taking)})"
    return f"{text}: {', '.join(shown.choices)}." if shown.choices else f"{text}."


def read_limit(text: str) -> int | Decimal:
    """Parse a number of rows, or a decimal fraction of the rows."""
    try:
        return int(text) if re.fullmatch(r"\s*[+-]?[0-9]+\s*", text) else Decimal(text)
    except (InvalidOperation, ValueError):
        raise InvalidInput(
            f"--max-suppressed {text!r} is not a number; 20 means rows, 0.01 a fraction of the rows"
        ) from None


def read_names(texts: Sequence[str] | None) -> list[str]:
    """Split names at commas, from an option that may be repeated.

    Examples
    --------
    >>> read_names(["zip, sex,", "birth"])
    ['zip', 'sex', 'birth']
    """
    names = [name.strip() for text in texts or () for name in text.split(",")]
    return [name for name in names if name]


def load_specification(
    spec: Path, release: OptionValues, source: OptionValues | None = None
) -> Specification:
    """Read a specification with the options of the command line; None leaves a field as it is."""
    adding = {name for name, _, _, asked in list_shown(ReleaseFields) if asked.adds}
    given = {name: value for name, value in release.items() if value is not None}
    beside = {name: given.pop(name) for name in adding & given.keys()}
    read = {name: value for name, value in (source or {}).items() if value is not None}
    return Specification.load(spec, given, beside, read)


def pick_beside_spec(
    source: OptionValues, taken: Sequence[str], others: Mapping[str, Any], why: str
) -> OptionValues:
    """Return the fields that may replace those of a specification; refuse other options by name."""
    ignored = [option for option, value in others.items() if value not in (None, [])]
    ignored += [f"--{name.replace('_', '-')}" for name in source if name not in taken]
    if ignored:
        raise InvalidInput(f"{why}; leave out {', '.join(ignored)}")
    return source


def load_for_folder(spec: Path, folder: Path, source: OptionValues) -> Specification:
    """Read the specification of a published release, for its recipient."""
    certificate = read_any(folder)
    recipient = certificate.recipient if isinstance(certificate, Certificate) else None
    return load_specification(spec, {"recipient": recipient}, source)
