"""The tables of a specification, each as a pydantic model."""

import stat
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    Field,
    PlainValidator,
    StrictBool,
    StrictInt,
    StrictStr,
    WithJsonSchema,
    model_validator,
)

from lookalike.errors import InvalidInput
from lookalike.hierarchy import File, Hierarchy
from lookalike.kernels.linked_records import LARGEST_COMBINATION
from lookalike.model.population import KMap, PresenceBounds, RegisterCondition
from lookalike.model.requirement import KnownRecords, check_k
from lookalike.search.argus.combinations import IDENTIFYING, MOST_IDENTIFYING, NOT_IDENTIFYING
from lookalike.spec import model
from lookalike.spec.protect import ProtectTable
from lookalike.tables.cleaning import Markers, NumberCoarsening
from lookalike.tables.name_options import Shown
from lookalike.tables.source import UNDECIDED, resolve_path
from lookalike.tables.table import Role

LONGEST_CODE = 64
"""The longest code that ``zero_pad`` can make."""
PersonUnit = Literal["person", "household", "family", "company", "farm", "school"]
"""What a person of linked tables is called."""
PERSON_UNITS: dict[PersonUnit, str] = {
    "person": "people",
    "household": "households",
    "family": "families",
    "company": "companies",
    "farm": "farms",
    "school": "schools",
}
"""What several of them are called."""


def name_units(unit: PersonUnit) -> str:
    """Return what persons of linked tables are called where they are counted."""
    return "persons" if unit == "person" else PERSON_UNITS[unit]


def name_whose(unit: PersonUnit) -> str:
    """Return the word for what belongs to a person of linked tables."""
    return "their" if unit == "person" else "its"


_MAKE_A_KEY = "create a key with `head -c 32 /dev/urandom > NAME && chmod 600 NAME`"


class Pseudonym(model.SpecificationModel):
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


def _take_map(value: Any) -> dict[str, str] | Path:
    """Take a table of texts and their meanings, or the path of a file that has it."""
    if isinstance(value, str | Path):
        return Path(value)
    if isinstance(value, dict) and all(isinstance(one, str) for one in chain(*value.items())):
        return value
    raise ValueError('write texts, such as map = { male = "M" }, or a file, map = "sex.csv"')


_TEXT: dict[str, Any] = {"type": "string"}
ValueMap = Annotated[
    dict[str, str] | Path,
    PlainValidator(_take_map),
    WithJsonSchema({"anyOf": [{"type": "object", "additionalProperties": _TEXT}, _TEXT]}),
]
"""What texts of a column mean, as a field of a specification."""
_MAP_HEADER = ["value", "meaning"]


def read_map(path: Path) -> dict[str, str]:
    """Read a file with lines ``value,meaning``; further fields of a line are for people."""
    if not path.is_file():
        raise InvalidInput(f"map: {path} does not exist; write a file with lines value,meaning")
    found: dict[str, str] = {}
    for place, fields in File(path).lines():
        if len(fields) < len(_MAP_HEADER):
            raise InvalidInput(f"{place}: write the value and its meaning, such as male,M")
        value, meaning = fields[:2]
        if found.setdefault(value, meaning) != meaning:
            raise InvalidInput(f"{place}: the value has another meaning above; keep one of them")
    if found.get("value") == "meaning":
        del found["value"]  # the header
    return found


def _read_knows(value: Any) -> KnownRecords:
    """Read how many records of a person an attacker may know."""
    number = isinstance(value, int) and not isinstance(value, bool)
    if value == "all" or (number and 0 <= value <= LARGEST_COMBINATION):
        return value  # type: ignore[no-any-return]
    raise ValueError('write 0, 1, 2, 3 or "all": the records of a person that others may know')


Knows = Annotated[
    KnownRecords,
    PlainValidator(_read_knows),
    WithJsonSchema({"enum": [*range(LARGEST_COMBINATION + 1), "all"]}),
]
"""How many records of a person an attacker may know, as a field of a specification."""
_QUASI_IDENTIFIER_FIELDS = {
    "separator",
    "knows",
    "hierarchy",
    "weight",
    "keep",
    "anonymity",
    "linking",
    "tolerance",
    "identification",
}


_READING_FIELDS = ("map", "missing", "zero_pad", "round", "top", "bottom")
"""The fields that say how the values of a column are read, whatever its role."""


class Attribute(model.SpecificationModel):
    """``[attributes.NAME]``: the role of a column, and the fields that the role needs."""

    role: Annotated[Literal[Role, "?"], Shown("Role of the column; ? is still to be decided.")]
    hierarchy: Annotated[
        model.AnyRule | None, Shown("How the values of the column become more general.")
    ] = None
    weight: Annotated[model.Weight, Shown("Weight of the attribute in Prec.")] = Decimal(1)
    keep: Annotated[
        model.Level, Shown("Least share of the attribute that must be kept, from 0 to 1.")
    ] = Decimal(0)
    anonymity: Annotated[
        model.Level | None, Shown("Level of anonymity from 0 to 1 of the attribute by itself.")
    ] = None
    linking: Annotated[model.Level, Shown("Likelihood that the attribute is used for linking.")] = (
        Decimal(1)
    )
    tolerance: Annotated[model.Level, Shown("Tolerated distortion, for datafly.")] = Decimal(1)
    identification: Annotated[
        Annotated[StrictInt, Field(ge=NOT_IDENTIFYING, le=IDENTIFYING)],
        Shown(
            "How identifying the attribute is to mu-argus: 0 not, 1 most, 2 more, 3 identifying."
        ),
    ] = MOST_IDENTIFYING
    separator: Annotated[
        model.NonEmpty | None,
        Shown("Text between the items of a value that is a set, such as a list of codes."),
    ] = None
    knows: Annotated[
        Knows | None, Shown('How many items of a set an attacker may know: 0, 1, 2, 3 or "all".')
    ] = None
    map: Annotated[
        ValueMap | None,
        Shown('What texts mean, such as { male = "M" }, or a file with lines value,meaning.'),
    ] = None
    missing: Annotated[
        Markers | None, Shown("Texts that stand for missing values, in place of those of [source].")
    ] = None
    zero_pad: Annotated[
        Annotated[StrictInt, Field(ge=1, le=LONGEST_CODE)] | None,
        Shown("Number of digits that leading zeros make up."),
    ] = None
    round: Annotated[
        Annotated[StrictInt, Field(ge=1)] | None,
        Shown("Release numbers as the nearest multiple of this one."),
    ] = None
    top: Annotated[StrictInt | None, Shown("Release greater numbers as this one.")] = None
    bottom: Annotated[StrictInt | None, Shown("Release smaller numbers as this one.")] = None
    unique: Annotated[
        StrictBool, Shown("Release a column whose values are nearly all different.")
    ] = False
    pseudonym: Annotated[
        Pseudonym | None, Shown("Release a keyed pseudonym of the identifier.")
    ] = None
    protect: ProtectTable | None = None

    @model_validator(mode="after")
    def _fields_fit_role(self) -> Self:
        """Raise unless every field applies to the role; an undecided column may have any."""
        if self.role != UNDECIDED:
            model.raise_problems((*self._find_misplaced(), *self._find_lacking()))
        return self

    def in_role(self, role: Role, hierarchy: Hierarchy | None = None) -> "Attribute":
        """Return an attribute of another role, whose values are read in the same way."""
        rule = {} if hierarchy is None else {"hierarchy": hierarchy}
        read = {name: getattr(self, name) for name in _READING_FIELDS}
        return Attribute(role=role, **rule).model_copy(update=read)

    def read_map(self) -> dict[str, str]:
        """Return what each text of the column means."""
        return read_map(self.map) if isinstance(self.map, Path) else dict(self.map or {})

    @property
    def coarsening(self) -> NumberCoarsening:
        """How the numbers of the column are rounded and cut."""
        return NumberCoarsening(self.round, self.top, self.bottom)

    def _find_misplaced(self) -> Iterator[str]:
        """Yield the fields that do not apply to the role."""
        by_hierarchy = self.protect is not None and self.protect.compares_by("hierarchy")
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
        if (self.separator is None) != (self.knows is None):
            yield (
                'separator and knows go together: separator = ";" divides a value into the items '
                "of a set, of which an attacker may know so many, such as knows = 2"
            )
        if self.separator is not None and (self.map is not None or self.zero_pad is not None):
            yield "map and zero_pad are for whole values, not for the items of a set"

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


class RegisterFields(model.SpecificationModel):
    """A register: a file or a frame, and the columns that stand for attributes."""

    population: Annotated[Any, Field(repr=False), WithJsonSchema({"type": "string"})]
    columns: dict[StrictStr, StrictStr] = Field(default_factory=dict)

    @property
    def path(self) -> str | None:
        """The path of the register, if it is not a frame."""
        return fspath(self.population) if isinstance(self.population, str | PathLike) else None

    def located(self, base: Path) -> Self:
        """Return the fields with a relative path resolved against a folder."""
        if self.path is None:
            return self
        return self.model_copy(update={"population": resolve_path(self.path, base)})

    def column_of(self, attribute: str) -> str:
        """Return the column of the register that stands for an attribute."""
        return self.columns.get(attribute, attribute)


class KMapFields(RegisterFields):
    """``k_map = { k = 5, population = "register.parquet" }``: the least number of people."""

    k: StrictInt

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        """Raise if k is too small."""
        check_k(self.k)
        return self

    @property
    def condition(self) -> RegisterCondition:
        """What every class must satisfy."""
        return KMap(self.k)


class PresenceFields(RegisterFields):
    """``presence = { highest = 0.5, population = … }``: bounds on being in the table."""

    lowest: Decimal = Decimal(0)
    highest: Decimal = Decimal(1)

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        """Raise if the bounds are impossible, or bound nothing."""
        if not {"lowest", "highest"} & self.model_fields_set:
            raise ValueError("presence names no bound, such as highest = 0.5")
        self.condition  # noqa: B018  (raises if the bounds are impossible)
        return self

    @property
    def condition(self) -> RegisterCondition:
        """What every class must satisfy."""
        return PresenceBounds(Fraction(self.lowest), Fraction(self.highest))


class QuasiIdentifierFields(model.SpecificationModel):
    """``[[quasi_identifiers]]``: one of several, with its attributes, k and respondent."""

    name: model.NonEmpty
    attributes: model.Attributes
    k: model.LeastRows | None = None
    anonymity: model.Level | None = None
    linking: dict[str, model.Level] = Field(default_factory=dict)
    tolerance: dict[str, model.Level] = Field(default_factory=dict)
    respondent: StrictStr | None = None


class RecipientFields(model.SpecificationModel):
    """``[recipients.NAME]``: the requirement, profile and columns of one recipient."""

    k: model.LeastRows | None = None
    highest_risk: model.Probability | None = None
    anonymity: model.Level | None = None
    max_suppressed: model.Amount | None = None
    method: model.MethodName | None = None
    objective: model.ObjectiveName | None = None
    prefer: model.Preferences | None = None
    constraints: model.ConstraintTexts | None = None
    out: model.OutputPath | None = None
    dossier: model.OutputPath | None = None
    contract: model.NonEmpty | None = None
    linking: dict[str, model.Level] = Field(default_factory=dict)
    tolerance: dict[str, model.Level] = Field(default_factory=dict)
    weights: dict[str, model.Weight] = Field(default_factory=dict)
    columns: model.Attributes | None = None
