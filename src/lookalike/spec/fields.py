"""The tables of a specification, each as a pydantic model."""

import stat
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictBool, StrictInt, StrictStr, WrapValidator, model_validator

from lookalike.errors import InvalidInput
from lookalike.hierarchy import AnyHierarchy, Hierarchy
from lookalike.model.requirement import Secrecy
from lookalike.search.argus.combinations import IDENTIFYING, MOST_IDENTIFYING, NOT_IDENTIFYING
from lookalike.search.argus.options import SuppressBy
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.options import DEFAULTS, Effort
from lookalike.spec.choose_method import DEFAULT_METHODS
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.spec.model import SpecificationModel
from lookalike.spec.policies import BASED_ON
from lookalike.spec.presets import list_preset_fields
from lookalike.spec.problems import raise_problems
from lookalike.spec.protect import ProtectTable
from lookalike.spec.register_fields import KMapFields, PresenceFields
from lookalike.spec.values import (
    Accepted,
    Amount,
    Attributes,
    ConstraintTexts,
    Dimension,
    LeastRows,
    Level,
    MethodName,
    NonEmpty,
    ObjectiveName,
    OutputPath,
    PolicyName,
    PositiveLevel,
    Preferences,
    PresetName,
    Probability,
    Rate,
    Weight,
)
from lookalike.tables.cleaning import Markers, NumberCoarsening
from lookalike.tables.source import UNDECIDED
from lookalike.tables.table import Role

LONGEST_CODE = 64
"""The longest code that ``zero_pad`` can make."""
_MAKE_A_KEY = "create a key with `head -c 32 /dev/urandom > NAME && chmod 600 NAME`"


def _take_rule(value: Any, read: Callable[[Any], Hierarchy]) -> Hierarchy:
    """Return a hierarchy that is already an object, or read it from its table."""
    return value if isinstance(value, Hierarchy) else read(value)


class Pseudonym(SpecificationModel):
    """A keyed pseudonym that replaces an identifier: the HMAC-SHA256 of its text."""

    key_file: Path

    def key(self) -> bytes:
        """Read the secret key; the file must be readable by its owner only."""
        if not self.key_file.is_file():
            raise InvalidInput(f"key_file: {self.key_file} does not exist; {_MAKE_A_KEY}")
        if self.key_file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise InvalidInput(
                f"key_file: {self.key_file} is readable by other users; run chmod 600 on it"
            )
        key = self.key_file.read_bytes()
        if len(key) < 16:
            raise InvalidInput(f"key_file: {self.key_file} has fewer than 16 bytes; {_MAKE_A_KEY}")
        return key


_QUASI_IDENTIFIER_FIELDS = {
    "hierarchy",
    "weight",
    "anonymity",
    "linking",
    "tolerance",
    "identification",
}


_READING_FIELDS = ("missing", "zero_pad", "round", "top", "bottom")
"""The fields that say how the values of a column are read, whatever its role."""


class Attribute(SpecificationModel):
    """``[attributes.NAME]``: the role of a column, and the fields that the role needs."""

    role: Literal[Role, "?"]
    hierarchy: Annotated[AnyHierarchy, WrapValidator(_take_rule)] | None = None
    weight: Weight = Decimal(1)
    anonymity: Level | None = None
    linking: Level = Decimal(1)
    tolerance: Level = Decimal(1)
    identification: Annotated[StrictInt, Field(ge=NOT_IDENTIFYING, le=IDENTIFYING)] = (
        MOST_IDENTIFYING
    )
    missing: Markers | None = None
    zero_pad: Annotated[StrictInt, Field(ge=1, le=LONGEST_CODE)] | None = None
    round: Annotated[StrictInt, Field(ge=1)] | None = None
    top: StrictInt | None = None
    bottom: StrictInt | None = None
    unique: StrictBool = False
    pseudonym: Pseudonym | None = None
    protect: ProtectTable | None = None

    @model_validator(mode="after")
    def _fields_fit_role(self) -> Self:
        """Raise unless every field applies to the role; an undecided column may have any."""
        if self.role != UNDECIDED:
            raise_problems((*self._find_misplaced(), *self._find_lacking()))
        return self

    def in_role(self, role: Role, hierarchy: Hierarchy | None = None) -> "Attribute":
        """Return an attribute of another role, whose values are read in the same way."""
        rule = {} if hierarchy is None else {"hierarchy": hierarchy}
        read = {name: getattr(self, name) for name in _READING_FIELDS}
        return Attribute(role=role, **rule).model_copy(update=read)

    @property
    def coarsening(self) -> NumberCoarsening:
        """How the numbers of the column are rounded and cut."""
        return NumberCoarsening(self.round, self.top, self.bottom)

    def _find_misplaced(self) -> Iterator[str]:
        """Yield the fields that do not apply to the role."""
        by_hierarchy = self.protect is not None and self.protect.by_hierarchy
        if self.role != "quasi-identifier":
            for name in sorted(_QUASI_IDENTIFIER_FIELDS & self.model_fields_set):
                if name != "hierarchy" or not by_hierarchy:
                    yield f"{name} is for quasi-identifiers, not for {self.role}"
        if self.protect is not None and self.role != "sensitive":
            yield f"protect is for sensitive columns, not for {self.role}"
        if self.unique and self.role not in ("sensitive", "other"):
            yield "unique is for columns released as they are, sensitive or other"
        if self.coarsening.is_asked and self.role not in ("sensitive", "other"):
            yield (
                "round, top and bottom are for columns released as they are, sensitive or other; "
                "a quasi-identifier is generalized by its hierarchy"
            )
        if self.top is not None and self.bottom is not None and self.bottom >= self.top:
            yield "bottom must be below top"
        if self.pseudonym is not None and self.role != "identifier":
            yield "pseudonym is for identifiers"

    def _find_lacking(self) -> Iterator[str]:
        """Yield the fields that the role or another field needs."""
        if self.hierarchy is not None:
            return
        if self.role == "quasi-identifier":
            yield 'a quasi-identifier needs a hierarchy, such as hierarchy = { kind = "suppress" }'
        elif self.protect is not None:
            for one in self.protect.protections():
                if one.distance == "hierarchy":
                    yield (
                        f'{one.name} with distance = "hierarchy" needs a hierarchy of the column, '
                        'such as hierarchy = { kind = "file", path = "diagnosis.csv" }'
                    )


class ReleaseFields(SpecificationModel):
    """``[release]``: the requirement, the method, its options, and the output."""

    preset: PresetName | None = None
    k: LeastRows | None = None
    highest_risk: Probability | None = None
    average_risk: Probability | None = None
    k_map: KMapFields | None = None
    presence: PresenceFields | None = None
    anonymity: Level | None = None
    anonymity_constant: PositiveLevel = Decimal("0.01")
    max_suppressed: Amount | None = None
    method: MethodName = DEFAULT_METHODS[0]
    suppressed_rows: Literal["drop", "blank"] = "drop"
    suppressed_label: NonEmpty = "*"
    keep_order: StrictBool = False
    neutralize_formulas: StrictBool = False
    objective: ObjectiveName = "precision"
    prefer: Preferences = ()
    constraints: ConstraintTexts = ()
    time_limit: Annotated[float | None, Field(gt=0)] = None
    max_sequences: Annotated[StrictInt, Field(ge=1)] | None = None
    effort: Effort = DEFAULTS.effort
    bound: StrictBool = False
    combinations: Literal["all", "program"] = "all"
    dimension: Dimension = 3
    generalize: tuple[StrictStr, ...] | None = None
    suppress_by: SuppressBy = "count"
    repair: StrictBool = False
    accept: Accepted = ()
    decoys: Rate = Decimal(0)
    max_exposure: Level | None = None
    out: OutputPath | None = None
    dossier: OutputPath | None = None
    report: StrictBool = True
    recipient: StrictStr | None = None
    ledger: Annotated[str | None, Field(repr=False)] = None
    ledger_files: str | None = None
    ledger_key: str | None = None
    policy: PolicyName = BASED_ON
    secrecy: Secrecy | None = None
    lottery_rate: Annotated[float, Field(gt=0, le=1)] | None = None
    contract: NonEmpty | None = None

    @model_validator(mode="wrap")
    @classmethod
    def _fill_preset(cls, value: Any, read: Callable[[Any], Self]) -> Self:
        """Set what the preset asks for, which counts as not set by the specification itself."""
        fields = read(value)
        more = list_preset_fields(fields.preset, fields)
        if not more:
            return fields
        filled = fields.model_copy(update=more)
        filled.model_fields_set.difference_update(more)
        return filled

    @property
    def registers(self) -> tuple[KMapFields | PresenceFields, ...]:
        """The conditions on registers that are asked for."""
        return tuple(one for one in (self.k_map, self.presence) if one is not None)

    @property
    def address(self) -> LedgerAddress | None:
        """The address of the ledger, if there is one."""
        if self.ledger is None:
            return None
        return LedgerAddress.parse(self.ledger, self.ledger_files, self.ledger_key)

    def read_constraints(self) -> tuple[Constraint, ...]:
        """Return the constraints as objects."""
        return tuple(Constraint.parse(text) for text in self.constraints)


class QuasiIdentifierFields(SpecificationModel):
    """``[[quasi_identifiers]]``: one of several, with its attributes, k and respondent."""

    name: NonEmpty
    attributes: Attributes
    k: LeastRows | None = None
    anonymity: Level | None = None
    linking: dict[str, Level] = Field(default_factory=dict)
    tolerance: dict[str, Level] = Field(default_factory=dict)
    respondent: StrictStr | None = None


class RecipientFields(SpecificationModel):
    """``[recipients.NAME]``: the requirement, profile and columns of one recipient."""

    k: LeastRows | None = None
    highest_risk: Probability | None = None
    anonymity: Level | None = None
    max_suppressed: Amount | None = None
    method: MethodName | None = None
    objective: ObjectiveName | None = None
    prefer: Preferences | None = None
    constraints: ConstraintTexts | None = None
    out: OutputPath | None = None
    dossier: OutputPath | None = None
    contract: NonEmpty | None = None
    linking: dict[str, Level] = Field(default_factory=dict)
    tolerance: dict[str, Level] = Field(default_factory=dict)
    weights: dict[str, Weight] = Field(default_factory=dict)
    columns: Attributes | None = None
