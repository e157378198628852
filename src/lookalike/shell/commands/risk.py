"""``lookalike risk``: measures the re-identification risk of a table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from lookalike.errors import InvalidInput
from lookalike.flow.exposure import exposure
from lookalike.risk.table.assess import SUBSET_SIZE, Risk, risk
from lookalike.risk.table.exposure import Exposure
from lookalike.risk.table.propose import LEAST_SHARE, Proposal, propose_quasi_identifiers
from lookalike.risk.table.records import RecordRisk, record_risk
from lookalike.shell.commands import arguments
from lookalike.shell.views.risk import show_exposure, show_proposal, show_record_risk, show_risk
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.spec.specification import Specification

RISK_OUTPUTS = {
    "risk": Risk,
    "risk-propose": Proposal,
    "risk-records": RecordRisk,
    "risk-spec": Exposure,
}

SMALL_BELOW = 5
"""Classes with fewer rows are small, unless --k says otherwise."""
LISTED_WITHOUT_SHOW = 5
"""The number of announcing values that are listed without --show."""


@arguments.takes_fields("risk")
def risk_command(
    table: str = typer.Argument(
        help="Table: a file, or a quoted glob for many files; with --spec the folder of a release."
    ),
    *,
    quasi_identifier: list[str] | None = typer.Option(
        None,
        "--quasi-identifier",
        "-q",
        help="Columns that can be linked, separated by commas; may be repeated. Without it, "
        "propose quasi-identifiers.",
        metavar="COLUMNS",
    ),
    k: int | None = typer.Option(
        None, "--k", "-k", help=f"Count classes with fewer rows as small; default: {SMALL_BELOW}."
    ),
    size: int | None = typer.Option(
        None, help=f"Maximum number of columns in a counted subset; default: {SUBSET_SIZE}."
    ),
    share: float | None = typer.Option(
        None,
        help="Propose sets of columns that single out this share of the rows, by default "
        "0.05; 0 means one row.",
        metavar="SHARE",
    ),
    sensitive: list[str] | None = typer.Option(
        None, help="Sensitive columns; may be repeated.", metavar="COLUMNS"
    ),
    ordered: list[str] | None = typer.Option(
        None,
        help="Sensitive columns of numbers or dates, compared in order; may be repeated.",
        metavar="COLUMNS",
    ),
    population: str | None = typer.Option(
        None, help="File with the same columns and one row per person.", metavar="FILE"
    ),
    spec: Path | None = typer.Option(
        None,
        help="Specification of the holder, if TABLE is the folder of a release: measure what "
        "it shows to a reader who knows the method.",
        metavar="SPEC",
    ),
    records: str | None = typer.Option(
        None,
        help="Table with records of the persons of TABLE, such as visits: count the persons whom "
        "some of their records single out.",
        metavar="FILE",
    ),
    record_columns: list[str] | None = typer.Option(
        None,
        help="Columns of the records that can be linked; without --records, TABLE has the records.",
        metavar="COLUMNS",
    ),
    record_person: str | None = typer.Option(
        None,
        help="Column of the records that identifies persons, if it is not --person.",
        metavar="COLUMN",
    ),
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
    if spec is not None:
        columns = {"-q": quasi_identifier, "--sensitive": sensitive, "--ordered": ordered}
        others = {**columns, "--share": share, "--size": size, "--k": k}
        why = "--spec measures the exposure of a release, whose certificate names its columns"
        read = arguments.pick_beside_spec(source, ("where", "memory", "spill"), others, why)
        holder = arguments.load_for_folder(spec, Path(table), {"path": private, **read})
        _measure_exposure(table, holder, population, show and most, as_json=as_json)
        return
    if private is not None:
        raise InvalidInput("--table needs the specification of a release (--spec)")
    if records or record_columns or record_person:
        lists = {"--sensitive": sensitive, "--ordered": ordered}
        untaken = {**lists, "--population": population, "--size": size, "--share": share}
        untaken["--show"] = show or None
        tables = (table, records, record_person)
        linkable = arguments.read_names(quasi_identifier), arguments.read_names(record_columns)
        _measure_records(tables, linkable, k, source, untaken, as_json=as_json)
        return
    k, size = SMALL_BELOW if k is None else k, SUBSET_SIZE if size is None else size
    if not quasi_identifier:
        _refuse({"--sensitive": sensitive, "--ordered": ordered, "--population": population})
        _refuse({"--show": show, "--person": source.get("person")})
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


def _measure_exposure(
    release: str, holder: Specification, population: str | None, most: int, *, as_json: bool
) -> None:
    """Measure the exposure of a published release."""
    with show_progress("reading") as announce:
        exposed = exposure(release, holder, population=population, announce=announce)
    listed = most or LISTED_WITHOUT_SHOW
    print_result(as_json, exposed, lambda: show_exposure(exposed, listed), highlight=False)


def _measure_records(
    tables: tuple[str, str | None, str | None],
    columns: tuple[list[str], list[str]],
    k: int | None,
    source: arguments.OptionValues,
    untaken: Mapping[str, Any],
    *,
    as_json: bool,
) -> None:
    """Measure the risk of persons by their records.

    ``tables``: the person table and that of records, or the latter alone, and its column of
    persons.
    ``columns``: of persons, and of records.
    ``untaken``: options that are refused.
    """
    why = "risk by records counts persons by what is known of them, and lists none"
    arguments.pick_beside_spec({}, (), untaken, why)
    table, records, record_person = tables
    attributes, record_columns = columns
    if "person" not in source:
        raise InvalidInput("name the column that identifies persons (--person)")
    if records is None and attributes:
        raise InvalidInput(
            "-q names columns of persons, and without --records there is no person table; name "
            "columns of records with --record-columns"
        )
    if not attributes and not record_columns:
        raise InvalidInput(
            "name the columns that can be linked: of persons with -q, of records with "
            "--record-columns"
        )
    with show_progress("reading") as announce:
        found = record_risk(
            table if records is None else records,
            record_columns,
            persons=None if records is None else table,
            attributes=attributes,
            record_person=record_person,
            k=SMALL_BELOW if k is None else k,
            announce=announce,
            **source,
        )
    print_result(as_json, found, lambda: show_record_risk(found), highlight=False)


def _propose(
    table: str, share: float, size: int, k: int, source: arguments.OptionValues, *, as_json: bool
) -> None:
    """Propose quasi-identifiers."""
    with show_progress("reading") as announce:
        found = propose_quasi_identifiers(
            table, share=share, size=size, k=k, announce=announce, **source
        )
    print_result(as_json, found, lambda: show_proposal(found, table), highlight=False)
