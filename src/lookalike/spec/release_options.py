"""SpecificationOptions: the fields of a specification as keyword arguments of the library.

Editors and type checkers read the names and types here, the validation is that of
:class:`~lookalike.spec.release_fields.ReleaseFields`. docs/specification.md explains every field.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, TypedDict

from lookalike.model.requirement import Secrecy
from lookalike.search.argus.options import SuppressBy
from lookalike.search.options import Effort
from lookalike.spec.fields import PersonUnit
from lookalike.spec.release_fields import ReleaseFields
from lookalike.tables.name_options import declare_defaults, find_defaults

Number = int | float | Decimal
"""A number as a call may give it; a fraction is read as the decimal that it is written as."""


class ReleaseOptions(TypedDict, total=False):
    """The fields of ``[release]``."""

    preset: str | None
    k: int | None
    highest_risk: Number | None
    average_risk: Number | None
    k_map: Mapping[str, Any] | None
    presence: Mapping[str, Any] | None
    knows_answers: int | None
    k_answers: int | None
    anonymity: Number | None
    anonymity_constant: Number
    max_suppressed: Number | None
    method: str
    suppressed_rows: Literal["drop", "blank"]
    suppressed_records: Literal["persons", "drop"]
    suppressed_label: str
    keep_order: bool
    neutralize_formulas: bool
    objective: str
    keep: Literal["balanced"] | None
    prefer: Sequence[str]
    constraints: Sequence[str]
    time_limit: float | None
    max_sequences: int | None
    effort: Effort
    bound: bool
    combinations: Literal["all", "program"]
    dimension: int | Literal["all"]
    generalize: Sequence[str] | None
    suppress_by: SuppressBy
    repair: bool
    link: bool
    unit: PersonUnit
    accept: Sequence[str]
    review: str | None
    purpose: str | None
    state_exposure: bool
    decoys: Number
    max_exposure: Number | None
    out: str | None
    dossier: str | None
    report: bool
    recipient: str | None
    ledger: str | None
    ledger_files: str | None
    ledger_key: str | None
    policy: str
    leavers: Literal["withdraw", "keep"]
    withdrawn: str | None
    withdrawn_where: str | None
    patience: int
    secrecy: Secrecy | None
    lottery_rate: float | None
    contract: str | None


class SpecificationOptions(ReleaseOptions, total=False):
    """The fields of ``[release]``, and the other tables of a specification."""

    attributes: Mapping[str, Any]
    defaults: Mapping[str, Any] | None
    quasi_identifiers: Sequence[Mapping[str, Any]]
    recipients: Mapping[str, Any]


declare_defaults(
    SpecificationOptions,
    find_defaults(ReleaseFields)
    | {"attributes": {}, "defaults": None, "quasi_identifiers": (), "recipients": {}},
)
