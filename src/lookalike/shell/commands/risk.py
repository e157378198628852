"""``lookalike risk``: measures the re-identification risk of a table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from lookalike.errors import InvalidInput
from lookalike.flow.exposure import exposure
from lookalike.risk.table.assess import SUBSET_SIZE, Risk, risk
from lookalike.risk.table.exposure import Exposure
from lookalike.risk.table.propose import LEAST_SHARE, Proposal, propose_quasi_identifiers
from lookalike.shell.commands import arguments
from lookalike.shell.views.risk import show_exposure, show_proposal, show_risk
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.spec.specification import Specification

RISK_OUTPUTS = {"risk": Risk, "risk-propose": Proposal, "risk-spec": Exposure}

SMALL_BELOW = 5
"""Classes with fewer rows are small, unless --k says otherwise."""
LISTED_WITHOUT_SHOW = 5
"""The number of announcing values that are listed without --show."""


@arguments.takes_fields("risk")
def risk_command(
    table: Annotated[
        str,
        typer.Argument(
            help="Table: a file, or a quoted glob for many files; with --spec the folder of a "
            "release."
        ),
    ],
    *,
    quasi_identifier: Annotated[
        list[str] | None,
        typer.Option(
            "--quasi-identifier",
            "-q",
            help="Columns that can be linked, separated by commas; may be repeated. Without it, "
            "propose quasi-identifiers.",
            metavar="COLUMNS",
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k", "-k", help=f"Count classes with fewer rows as small; default: {SMALL_BELOW}."
        ),
    ] = None,
    size: Annotated[
        int | None,
        typer.Option(
            help=f"Maximum number of columns in a counted subset; default: {SUBSET_SIZE}."
        ),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            help="Propose sets of columns that single out this share of the rows, by default "
            "0.05; 0 means one row.",
            metavar="SHARE",
        ),
    ] = None,
    sensitive: Annotated[
        list[str] | None,
        typer.Option(help="Sensitive columns; may be repeated.", metavar="COLUMNS"),
    ] = None,
    ordered: Annotated[
        list[str] | None,
        typer.Option(
            help="Sensitive columns of numbers or dates, compared in order; may be repeated.",
            metavar="COLUMNS",
        ),
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(help="File with the same columns and one row per person.", metavar="FILE"),
    ] = None,
    spec: Annotated[
        Path | None,
        typer.Option(
            help="Specification of the holder, if TABLE is the folder of a release: measure what "
            "it shows to a reader who knows the method.",
            metavar="SPEC",
        ),
    ] = None,
    private: arguments.PrivateTable = None,
    source: arguments.FromSource,
    show: arguments.Show = False,
    most: arguments.Most = 20,
    as_json: arguments.Json = False,
) -> None:
    """Measure the re-identification risk of a table, or propose quasi-identifiers.

    Without -q, propose quasi-identifiers: the minimal sets of columns that single out rows.
    With --spec, measure the exposure of a published release.

    Example: lookalike risk patients.csv -q zip,birth,sex --sensitive problem
    """
    person = source.get("person")
    if spec is not None:
        columns = {"-q": quasi_identifier, "--sensitive": sensitive, "--ordered": ordered}
        others = {**columns, "--share": share, "--size": size, "--k": k}
        why = "--spec measures the exposure of a release, whose certificate names its columns"
        read = arguments.pick_beside_spec(source, ("where", "memory", "spill"), others, why)
        holder = arguments.load_for_folder(spec, Path(table), {"path": private, **read})
        _expose(table, holder, population, most if show else LISTED_WITHOUT_SHOW, as_json=as_json)
        return
    if private is not None:
        raise InvalidInput("--table needs the specification of a release (--spec)")
    k, size = SMALL_BELOW if k is None else k, SUBSET_SIZE if size is None else size
    if not quasi_identifier:
        _refuse({"--sensitive": sensitive, "--ordered": ordered, "--population": population})
        _refuse({"--show": show, "--person": person})
        _propose(table, LEAST_SHARE if share is None else share, size, k, source, as_json=as_json)
        return
    if share is not None:
        raise InvalidInput("--share needs a proposal of quasi-identifiers; leave out -q")
    with show_progress("reading") as announce:
        found = risk(
            table,
            arguments.read_names(quasi_identifier),
            k=k,
            size=size,
            sensitive=arguments.read_names(sensitive),
            ordered=arguments.read_names(ordered),
            population=population,
            announce=announce,
            **source,
        )
    shown = most if show else 0
    print_result(as_json, found, lambda: show_risk(found, shown), most=shown)


def _refuse(options: Mapping[str, Any]) -> None:
    """Reject options that a proposal would ignore."""
    for option, value in options.items():
        if value:
            raise InvalidInput(
                f"{option} needs the columns that can be linked: name them with "
                "--quasi-identifier; see lookalike risk --help"
            )


def _expose(
    folder: str, holder: Specification, population: str | None, most: int, *, as_json: bool
) -> None:
    """Measure the exposure of a published release."""
    with show_progress("reading") as announce:
        found = exposure(folder, holder, population=population, announce=announce)
    print_result(as_json, found, lambda: show_exposure(found, most), highlight=False)


def _propose(
    table: str, share: float, size: int, k: int, source: arguments.OptionValues, *, as_json: bool
) -> None:
    """Propose quasi-identifiers."""
    with show_progress("reading") as announce:
        found = propose_quasi_identifiers(
            table, share=share, size=size, k=k, announce=announce, **source
        )
    print_result(as_json, found, lambda: show_proposal(found, table), highlight=False)
