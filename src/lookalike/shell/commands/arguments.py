"""The arguments that commands share, each with its help, and how they are read."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any

import typer

from lookalike.errors import InvalidInput
from lookalike.search.methods import TAKES
from lookalike.spec.specification import Specification


def name_methods(field: str) -> str:
    """Name the methods that take something, for the help of its option.

    Examples
    --------
    >>> name_methods("prefer")
    'samarati, mingen'
    """
    return ", ".join(name for name, takes in TAKES.items() if getattr(takes, field))


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else.")]
SpecFile = Annotated[Path, typer.Argument(help="The specification, a TOML file.")]
K = Annotated[int | None, typer.Option("--k", "-k", help="In place of the file's k.")]
MaxSuppressed = Annotated[
    str | None,
    typer.Option(help="In place of the file's: 20 is rows, 0.01 a fraction of them."),
]
Prefer = Annotated[
    list[str] | None,
    typer.Option(
        help=f"A policy, after those of the file; may be repeated ({name_methods('prefer')}).",
        metavar="POLICY",
    ),
]
Constraints = Annotated[
    list[str] | None,
    typer.Option(
        "--constraint",
        help='Such as "zip <= 2", beside those of the file; may be repeated '
        f"({name_methods('level_bounds')}).",
        metavar="TEXT",
    ),
]
Recipient = Annotated[
    str | None,
    typer.Option(help="Whom the release is for, one of the file's recipients.", metavar="NAME"),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(help="Seconds after which a search answers with what it has.", metavar="SECONDS"),
]
Dossier = Annotated[
    Path | None,
    typer.Option(
        help="A folder apart from the release, for what proves the bound on its precision.",
        metavar="FOLDER",
    ),
]
Optimality = Annotated[
    Path | None,
    typer.Option(
        help="The holder's dossier: prove the bound on precision again, too (needs --spec).",
        metavar="FOLDER",
    ),
]
LedgerFiles = Annotated[
    Path | None,
    typer.Option(
        help="The folder of the ledger's files, needed if it is on a server.", metavar="FOLDER"
    ),
]
LedgerKey = Annotated[
    Path | None,
    typer.Option(help="The file of the ledger's key, if it is not as usual.", metavar="FILE"),
]
Linkable = Annotated[
    list[str],
    typer.Option(
        "--quasi-identifier",
        "-q",
        help="The linkable columns, with commas between them; may be repeated.",
        metavar="COLUMNS",
    ),
]
Show = Annotated[
    bool, typer.Option("--show", help="List rows, too: they are private, for your own eyes.")
]
Most = Annotated[int, typer.Option(help="How many rows --show lists.", min=1)]
Delimiter = Annotated[str | None, typer.Option(help="Between the fields of CSV.")]
Encoding = Annotated[str, typer.Option(help="Of CSV and JSON lines.")]
Where = Annotated[str | None, typer.Option(help="An SQL condition for the rows.")]
MemoryLimit = Annotated[
    str | None,
    typer.Option(help='Memory before DuckDB works on disk, such as "1GB".', metavar="SIZE"),
]
EffortOption = Annotated[
    str | None,
    typer.Option(
        "--effort",
        help=f"How hard to search: quick, standard or exact ({name_methods('effort')}; with "
        "--bound also k-similar).",
        metavar="EFFORT",
    ),
]
Bound = Annotated[
    bool,
    typer.Option(
        "--bound",
        help=f"Prove how far from the best the release is at most ({name_methods('bound')}).",
    ),
]


def read_amount(text: str | None) -> int | Decimal | None:
    """Read a number of rows, or a decimal fraction of them."""
    if text is None:
        return None
    try:
        return int(text) if re.fullmatch(r"\s*[+-]?[0-9]+\s*", text) else Decimal(text)
    except (InvalidOperation, ValueError):
        raise InvalidInput(
            f"--max-suppressed {text!r} is not a number; 20 is rows, 0.01 a fraction of them"
        ) from None


def read_names(texts: Sequence[str] | None) -> list[str]:
    """Read names with commas between them, from an option that may be repeated.

    Examples
    --------
    >>> read_names(["zip, sex,", "birth"])
    ['zip', 'sex', 'birth']
    """
    names = [name.strip() for text in texts or () for name in text.split(",")]
    return [name for name in names if name]


def load_specification(
    spec: Path,
    fields: Mapping[str, Any],
    prefer: list[str] | None,
    constraints: list[str] | None,
) -> Specification:
    """Read a specification, with what the command line says in place of or beside its fields."""
    given = {name: value for name, value in fields.items() if value is not None}
    beside = {"prefer": prefer, "constraints": constraints}
    return Specification.load(spec, given, {n: more for n, more in beside.items() if more})
