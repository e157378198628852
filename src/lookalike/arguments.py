"""The arguments that commands share, each with its help."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else.")]
SpecFile = Annotated[Path, typer.Argument(help="The specification, a TOML file.")]
K = Annotated[int | None, typer.Option("--k", "-k", help="In place of the file's k.")]
MaxSuppressed = Annotated[
    str | None,
    typer.Option(help="In place of the file's: 20 is rows, 0.01 a fraction of them."),
]
Prefer = Annotated[
    list[str] | None,
    typer.Option(help="A policy, after those of the file; may be repeated.", metavar="POLICY"),
]
Constraints = Annotated[
    list[str] | None,
    typer.Option(
        "--constraint",
        help='Such as "zip <= 2", beside those of the file; may be repeated.',
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
MemoryLimit = Annotated[
    str | None,
    typer.Option(help='Memory before DuckDB works on disk, such as "1GB".', metavar="SIZE"),
]
EffortOption = Annotated[
    str | None,
    typer.Option(
        "--effort",
        help="How hard mingen-cells searches: quick, standard or exact.",
        metavar="EFFORT",
    ),
]
