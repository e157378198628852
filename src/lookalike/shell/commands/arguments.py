"""Options and arguments that several commands share, with their help and their parsing."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any

import typer

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate
from lookalike.search.methods import TAKES
from lookalike.spec.presets import list_presets
from lookalike.spec.specification import Specification
from lookalike.tables.source import ReadBy


def name_methods(field: str, beside: str | None = None) -> str:
    """List the methods that take an option, without those that take another one beside it.

    Examples
    --------
    >>> name_methods("prefer")
    'samarati, mingen'
    """
    return ", ".join(
        name
        for name, takes in TAKES.items()
        if getattr(takes, field) and not (beside and getattr(takes, beside))
    )


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
SpecFile = Annotated[Path, typer.Argument(help="Specification, a TOML file.")]
K = Annotated[int | None, typer.Option("--k", "-k", help="Override k of the specification.")]
PresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset",
        help=f"Require what a rule asks for: {list_presets()}.",
        metavar="NAME",
    ),
]
MaxSuppressed = Annotated[
    str | None,
    typer.Option(help="Override max_suppressed: 20 means rows, 0.01 a fraction of the rows."),
]
Prefer = Annotated[
    list[str] | None,
    typer.Option(
        help="Add a preference policy to those of the specification; may be repeated "
        f"({name_methods('prefer')}).",
        metavar="POLICY",
    ),
]
Constraints = Annotated[
    list[str] | None,
    typer.Option(
        "--constraint",
        help='Add a constraint such as "zip <= 2" to those of the specification; may be '
        f"repeated ({name_methods('level_bounds')}).",
        metavar="TEXT",
    ),
]
Recipient = Annotated[
    str | None,
    typer.Option(help="Recipient of the release, named in the specification.", metavar="NAME"),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(help="Stop the search after this time and use the best found.", metavar="SECONDS"),
]
Accept = Annotated[
    list[str] | None,
    typer.Option(
        help="Publish although the check of this name found an error; may be repeated.",
        metavar="NAME",
    ),
]
Dossier = Annotated[
    Path | None,
    typer.Option(
        help="Private folder, outside the release, for the findings of the checks before "
        "publishing and the proof of the bound on precision.",
        metavar="FOLDER",
    ),
]
OptimalityDossier = Annotated[
    Path | None,
    typer.Option(
        help="Private dossier: also check the proof of the bound on precision (needs --spec).",
        metavar="FOLDER",
    ),
]
LedgerFiles = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the ledger's files; required for a ledger on a server.", metavar="FOLDER"
    ),
]
LedgerKey = Annotated[
    Path | None,
    typer.Option(help="Key file of the ledger, if not at its default place.", metavar="FILE"),
]
LedgerUrl = Annotated[
    str,
    typer.Option("--ledger", help="Ledger: an SQLite file or a PostgreSQL URL.", metavar="URL"),
]
TableFile = Annotated[str, typer.Argument(help="Table: a file, or a quoted glob for many files.")]
LinkableColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--quasi-identifier",
        "-q",
        help="Columns that can be linked, separated by commas; may be repeated.",
        metavar="COLUMNS",
    ),
]
PersonColumn = Annotated[
    str | None,
    typer.Option(
        "--person",
        help="Column that identifies persons, who may have several rows: count persons.",
        metavar="COLUMN",
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
Delimiter = Annotated[str | None, typer.Option(help="CSV field delimiter.")]
Encoding = Annotated[str, typer.Option(help="Text encoding of CSV and JSON Lines input.")]
HeaderRow = Annotated[
    int | None,
    typer.Option(help="Line of a text file, or row of a sheet, with the column names.", min=1),
]
SkipRows = Annotated[
    int,
    typer.Option(help="Rows between the names and the first row of data, such as units.", min=0),
]
LastRowsOption = Annotated[
    int, typer.Option(help="Rows at the end that are no data, such as totals.", min=0)
]
OtherTable = Annotated[
    str | None,
    typer.Option(
        "--table",
        help="Private table, instead of that of the specification: a file, or a quoted glob.",
        metavar="FILE",
    ),
]
MissingTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        help='Text that stands for a missing value, such as "NA"; may be repeated.',
        metavar="TEXT",
    ),
]
Trim = Annotated[bool, typer.Option("--trim", help="Remove blanks around text values.")]
Where = Annotated[str | None, typer.Option(help="SQL condition that selects the rows.")]
EngineOption = Annotated[
    ReadBy | None,
    typer.Option(help="Engine that reads, counts and recodes the rows."),
]
Master = Annotated[
    str | None,
    typer.Option(
        help='Cluster that Spark uses: "local[4]", "yarn", "spark://host:7077", "sc://host".',
        metavar="URL",
    ),
]
MemorySize = Annotated[
    str | None,
    typer.Option(
        help='Memory that DuckDB may use, such as "4GB"; by default half of what is free.',
        metavar="SIZE",
    ),
]
SpillFolder = Annotated[
    str | None,
    typer.Option(
        help="Folder for private temporary files beyond that memory; emptied at the end.",
        metavar="FOLDER",
    ),
]
MaxSequences = Annotated[
    int | None,
    typer.Option(
        help="Distinct sequences that may come to memory; DuckDB counts if there are more. "
        "Default: what fits in half of --memory.",
        metavar="N",
        min=1,
    ),
]
EffortOption = Annotated[
    str | None,
    typer.Option(
        "--effort",
        help=f"Search effort: quick, standard or exact ({name_methods('effort')}; with --bound "
        f"also {name_methods('bound', beside='effort')}).",
        metavar="EFFORT",
    ),
]
Bound = Annotated[
    bool,
    typer.Option(
        "--bound",
        help=f"Prove a bound on how much better a release can be ({name_methods('bound')}).",
    ),
]


def read_amount(text: str | None) -> int | Decimal | None:
    """Parse a number of rows, or a decimal fraction of the rows, if it is given."""
    return None if text is None else read_limit(text)


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
    spec: Path,
    fields: Mapping[str, Any],
    prefer: list[str] | None = None,
    constraints: list[str] | None = None,
    source: Mapping[str, Any] | None = None,
    accept: list[str] | None = None,
) -> Specification:
    """Read a specification with the options of the command line.

    ``fields``: values that override fields of the specification; ``None`` leaves a field as it is.
    """
    overrides = {name: value for name, value in fields.items() if value is not None}
    additions = {"prefer": prefer, "constraints": constraints, "accept": accept}
    added = {name: more for name, more in additions.items() if more}
    chosen = {name: value for name, value in (source or {}).items() if value is not None}
    return Specification.load(spec, overrides, added, chosen)


def load_for_folder(spec: Path, folder: Path, source: Mapping[str, Any]) -> Specification:
    """Read the specification of a published release, for its recipient."""
    return load_specification(
        spec, {"recipient": Certificate.read(folder).recipient}, source=source
    )


def read_resources(memory: str | None, spill: str | None) -> dict[str, Any]:
    """Return the fields of ``[source]`` that --memory and --spill give."""
    given = {"memory": memory, "spill": spill}
    return {name: value for name, value in given.items() if value is not None}


def read_surroundings(header_row: int | None, skip_rows: int, last_rows: int) -> dict[str, Any]:
    """Return the fields of ``[source]`` that say which rows of a file are no data."""
    given = {"header_row": header_row, "skip_rows": skip_rows, "last_rows": last_rows}
    return {name: value for name, value in given.items() if value}


def read_place(
    table: str | None, where: str | None, memory: str | None, spill: str | None
) -> dict[str, Any]:
    """Return the fields of ``[source]`` that --table, --where, --memory and --spill give."""
    return {"path": table, "where": where, **read_resources(memory, spill)}
