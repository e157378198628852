"""The tables of a specification, each as a pydantic model."""

import math
import stat
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    Field,
    PlainValidator,
    StrictBool,
    StrictInt,
    StrictStr,
    WrapValidator,
    model_validator,
)

from lookalike.errors import InvalidInput, not_one_of, suggest
from lookalike.hierarchy import AnyHierarchy, Hierarchy
from lookalike.model.requirement import LEAST_K, Requirement, Secrecy
from lookalike.search.argus.combinations import IDENTIFYING, MOST_IDENTIFYING, NOT_IDENTIFYING
from lookalike.search.argus.options import SuppressBy
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.objectives import OBJECTIVES
from lookalike.search.lattice.preferences import check_preferences
from lookalike.search.methods import ALGORITHMS
from lookalike.search.options import DEFAULTS, Effort
from lookalike.spec.choose_method import DEFAULT_METHODS
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.spec.model import SpecificationModel
from lookalike.spec.policies import BASED_ON, POLICIES
from lookalike.spec.preflight_names import PREFLIGHT_NAMES
from lookalike.spec.protect import ProtectFields
from lookalike.spec.register_fields import KMapFields, PresenceFields
from lookalike.tables.cleaning import Markers
from lookalike.tables.table import Role

MOST_DECOYS = 0.5
"""From here on, a generalized cell would make it more likely that the rows of its class agree."""
LONGEST_CODE = 64
"""The longest code that ``zero_pad`` can make."""
_MAKE_A_KEY = "create a key with `head -c 32 /dev/urandom > NAME && chmod 600 NAME`"


def _take_rule(value: Any, read: Callable[[Any], Hierarchy]) -> Hierarchy:
    """Return a hierarchy that is already an object, or read it from its table."""
    return value if isinstance(value, Hierarchy) else read(value)


def _read_amount(value: Any) -> int | Decimal:
    """Read a number of rows, or a fraction of the rows as an exact decimal.

    A fraction keeps a digit after the point, so that 1.0, all rows, is not written as 1 row.
    """
    number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    if not number or not math.isfinite(value):
        raise ValueError("write a number of rows such as 20, or a fraction such as 0.01")
    if isinstance(value, int):
        return value
    fraction = Decimal(str(value))
    return fraction.quantize(Decimal("0.0")) if fraction in (0, 1) else fraction


Amount = Annotated[int | Decimal, PlainValidator(_read_amount)]


def _read_level(value: Any) -> Decimal:
    """Read a level from 0 to 1 as an exact decimal."""
    number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise ValueError("write a number from 0 to 1, such as 0.5")
    return Decimal(str(value))


def _read_probability(value: Any) -> Decimal:
    """Read a probability of re-identification as an exact decimal."""
    level = _read_level(value)
    if not 0 < level < 1:
        raise ValueError("write a probability above 0 and below 1, such as 0.09")
    return level


def _read_dimension(value: Any) -> int | Literal["all"]:
    """Read the size of the largest combinations to test."""
    number = isinstance(value, int) and not isinstance(value, bool) and value >= 2
    if not number and value != "all":
        raise ValueError('write a number of attributes from 2 on, such as 3, or "all"')
    return cast(int | Literal["all"], value)


def _read_rate(value: Any) -> Decimal:
    """Read the probability of a decoy as an exact decimal, at most one half."""
    number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    if not number or not 0 <= value <= MOST_DECOYS:
        raise ValueError("write a number from 0 to 0.5, such as 0.02")
    return Decimal(str(value))


Dimension = Annotated[int | Literal["all"], PlainValidator(_read_dimension)]
Level = Annotated[Decimal, PlainValidator(_read_level)]
Rate = Annotated[Decimal, PlainValidator(_read_rate)]
Probability = Annotated[Decimal, PlainValidator(_read_probability)]
Weight = Annotated[Decimal, Field(ge=0)]
Attributes = Annotated[tuple[StrictStr, ...], Field(min_length=1)]


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


class Attribute(SpecificationModel):
    """``[attributes.NAME]``: the role of a column, and the fields that the role needs."""

    role: Role
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
    unique: StrictBool = False
    pseudonym: Pseudonym | None = None
    protect: ProtectFields | None = None

    @model_validator(mode="after")
    def _fields_fit_role(self) -> Self:
        """Raise if a field does not apply to the role."""
        linkable = self.role == "quasi-identifier"
        if linkable and self.hierarchy is None:
            raise ValueError(
                'a quasi-identifier needs a hierarchy, such as hierarchy = { kind = "suppress" }'
            )
        self._check_protect()
        misplaced = sorted(_QUASI_IDENTIFIER_FIELDS & self.model_fields_set)
        if self.protect is not None and self.protect.by_hierarchy:
            misplaced = [name for name in misplaced if name != "hierarchy"]
        if not linkable and misplaced:
            raise ValueError(f"{misplaced[0]} is for quasi-identifiers, not for {self.role}")
        if self.unique and self.role not in ("sensitive", "other"):
            raise ValueError("unique is for columns released as they are, sensitive or other")
        if self.pseudonym is not None and self.role != "identifier":
            raise ValueError("pseudonym is for identifiers")
        return self

    def in_role(self, role: Role, hierarchy: Hierarchy | None = None) -> "Attribute":
        """Return an attribute of another role, whose values are read in the same way."""
        rule = {} if hierarchy is None else {"hierarchy": hierarchy}
        read = {"missing": self.missing, "zero_pad": self.zero_pad}
        return Attribute(role=role, **rule).model_copy(update=read)

    def _check_protect(self) -> None:
        """Raise if protections are asked for that the column cannot have."""
        if self.protect is None:
            return
        if self.role != "sensitive":
            raise ValueError(f"protect is for sensitive columns, not for {self.role}")
        if self.protect.by_hierarchy and self.hierarchy is None:
            raise ValueError(
                'closeness with distance = "hierarchy" needs a hierarchy of the column, such as '
                'hierarchy = { kind = "file", path = "diagnosis.csv" }'
            )


class ReleaseFields(SpecificationModel):
    """``[release]``: the requirement, the method, its options, and the output."""

    k: StrictInt | None = None
    highest_risk: Probability | None = None
    average_risk: Probability | None = None
    k_map: KMapFields | None = None
    presence: PresenceFields | None = None
    anonymity: Level | None = None
    anonymity_constant: Level = Decimal("0.01")
    max_suppressed: Amount | None = None
    method: StrictStr = DEFAULT_METHODS[0]
    suppressed_rows: Literal["drop", "blank"] = "drop"
    suppressed_label: Annotated[StrictStr, Field(min_length=1)] = "*"
    keep_order: StrictBool = False
    objective: StrictStr = "precision"
    prefer: tuple[StrictStr, ...] = ()
    constraints: tuple[StrictStr, ...] = ()
    time_limit: Annotated[float | None, Field(gt=0)] = None
    max_sequences: Annotated[StrictInt, Field(ge=1)] | None = None
    effort: Effort = DEFAULTS.effort
    bound: StrictBool = False
    combinations: Literal["all", "program"] = "all"
    dimension: Dimension = 3
    generalize: tuple[StrictStr, ...] | None = None
    suppress_by: SuppressBy = "count"
    repair: StrictBool = False
    accept: tuple[StrictStr, ...] = ()
    decoys: Rate = Decimal(0)
    max_exposure: Level | None = None
    out: str | None = None
    dossier: str | None = None
    recipient: StrictStr | None = None
    ledger: Annotated[str | None, Field(repr=False)] = None
    ledger_files: str | None = None
    ledger_key: str | None = None
    policy: StrictStr = BASED_ON
    secrecy: Secrecy | None = None
    lottery_rate: Annotated[float, Field(gt=0, le=1)] | None = None
    contract: Annotated[StrictStr, Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        """Raise if a name does not exist, or a value is impossible."""
        for field, known in (
            ("method", ALGORITHMS),
            ("objective", OBJECTIVES),
            ("policy", POLICIES),
        ):
            if getattr(self, field) not in known:
                raise ValueError(not_one_of(field, getattr(self, field), known))
        self.address  # noqa: B018  (raises if it is no address)
        if self.contract is not None and self.recipient is None:
            raise ValueError("contract belongs to a recipient: write it under [recipients.NAME]")
        if self.k is not None and self.highest_risk is not None:
            raise ValueError("k and highest_risk say the same thing; give one of them")
        if self.registers and self.ledger is not None and self.policy == BASED_ON:
            raise ValueError(
                f"k_map and presence need classes of this release alone, but policy = "
                f'"{BASED_ON}" keeps those of earlier ones; use policy = "check-only"'
            )
        check_preferences(self.prefer)
        check_accepted(self.accept)
        self.read_constraints()
        if not self.anonymity_constant:
            raise ValueError("anonymity_constant must be above 0, such as 0.01")
        Requirement(LEAST_K if self.k is None else self.k, self.max_suppressed)
        return self

    @property
    def registers(self) -> tuple[KMapFields | PresenceFields, ...]:
        """The conditions on registers that are asked for."""
        return tuple(one for one in (self.k_map, self.presence) if one is not None)

    def locate_registers(self, base: Path) -> dict[str, Any]:
        """Return the conditions on registers with their paths resolved against a folder."""
        return {one.condition.register: one.located(base) for one in self.registers}

    @property
    def address(self) -> LedgerAddress | None:
        """The address of the ledger, if there is one."""
        if self.ledger is None:
            return None
        return LedgerAddress.parse(self.ledger, self.ledger_files, self.ledger_key)

    def read_constraints(self) -> tuple[Constraint, ...]:
        """Return the constraints as objects."""
        return tuple(Constraint.parse(text) for text in self.constraints)


def check_accepted(names: Sequence[str]) -> None:
    """Raise if a finding is accepted that no check before publishing can make."""
    for name in names:
        if name not in PREFLIGHT_NAMES:
            near = suggest(name, PREFLIGHT_NAMES)
            raise ValueError(
                f"accept: no check is named {name!r}; {f'{near} ' if near else ''}the checks are "
                f"{', '.join(PREFLIGHT_NAMES)}"
            )


class QuasiIdentifierFields(SpecificationModel):
    """``[[quasi_identifiers]]``: one of several, with its attributes, k and respondent."""

    name: Annotated[StrictStr, Field(min_length=1)]
    attributes: Attributes
    k: StrictInt | None = None
    anonymity: Level | None = None
    linking: dict[str, Level] = Field(default_factory=dict)
    tolerance: dict[str, Level] = Field(default_factory=dict)
    respondent: StrictStr | None = None

    @model_validator(mode="after")
    def _tables_name_attributes(self) -> Self:
        """Raise if a weight is for an attribute that the quasi-identifier does not have."""
        for table in ("linking", "tolerance"):
            for name in getattr(self, table):
                if name not in self.attributes:
                    known = ", ".join(self.attributes)
                    raise ValueError(f"{table}: {name!r} is not one of its attributes {known}")
        return self


class RecipientFields(SpecificationModel):
    """``[recipients.NAME]``: the requirement, profile and columns of one recipient."""

    k: StrictInt | None = None
    highest_risk: Probability | None = None
    anonymity: Level | None = None
    max_suppressed: Amount | None = None
    method: StrictStr | None = None
    objective: StrictStr | None = None
    prefer: tuple[StrictStr, ...] | None = None
    constraints: tuple[StrictStr, ...] | None = None
    out: str | None = None
    dossier: str | None = None
    contract: Annotated[StrictStr, Field(min_length=1)] | None = None
    linking: dict[str, Level] = Field(default_factory=dict)
    tolerance: dict[str, Level] = Field(default_factory=dict)
    weights: dict[str, Weight] = Field(default_factory=dict)
    columns: Attributes | None = None
