"""SpecificationModel: what all tables of a specification have in common, and kinds of values.

A check belongs to one field, so that pydantic reports the problems of all fields together.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StrictInt,
    StrictStr,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from lookalike.errors import InvalidInput, not_one_of, suggest
from lookalike.model.requirement import LEAST_K, Requirement, check_k
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.objectives import OBJECTIVES
from lookalike.search.lattice.preferences import PREFERENCES
from lookalike.search.methods import ALGORITHMS
from lookalike.spec.policies import POLICIES
from lookalike.spec.preflight_names import PREFLIGHT_NAMES
from lookalike.spec.presets import PRESETS

MOST_DECOYS = 0.5
"""From here on, a generalized cell would make it more likely that the rows of its class agree."""

RECIPIENT = "{recipient}"
"""What stands for the name of the recipient."""
_DATE = "{date}"


class SpecificationModel(BaseModel):
    """Base class of the tables: frozen, and unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


def raise_problems(problems: Iterable[str]) -> None:
    """Raise several problems of one table, which pydantic reports beside those of others."""
    found = [
        InitErrorDetails(
            type=PydanticCustomError("problem", "{problem}", {"problem": problem}), input=None
        )
        for problem in problems
    ]
    if found:
        raise ValidationError.from_exception_data("specification", found)


def _is_number(value: Any) -> bool:
    """Return whether a value is a number, and not true or false."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _read_amount(value: Any) -> int | Decimal:
    """Read a number of rows, or a fraction of the rows as an exact decimal.

    A fraction keeps a digit after the point, so that 1.0, all rows, is not written as 1 row.
    """
    if not _is_number(value) or not math.isfinite(value):
        raise ValueError("write a number of rows such as 20, or a fraction such as 0.01")
    if isinstance(value, int):
        return value
    fraction = Decimal(str(value))
    return fraction.quantize(Decimal("0.0")) if fraction in (0, 1) else fraction


def _check_amount(value: int | Decimal) -> int | Decimal:
    """Raise if an amount is negative, or a fraction above 1."""
    return cast(int | Decimal, Requirement(LEAST_K, value).max_suppressed)


def _check_rows(k: int) -> int:
    """Raise if k is too small."""
    check_k(k)
    return k


def _read_level(value: Any) -> Decimal:
    """Read a level from 0 to 1 as an exact decimal."""
    if not _is_number(value) or not 0 <= value <= 1:
        raise ValueError("write a number from 0 to 1, such as 0.5")
    return Decimal(str(value))


def _read_positive_level(value: Any) -> Decimal:
    """Read a level above 0."""
    level = _read_level(value)
    if not level:
        raise ValueError("must be above 0, such as 0.01")
    return level


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
    if not _is_number(value) or not 0 <= value <= MOST_DECOYS:
        raise ValueError("write a number from 0 to 0.5, such as 0.02")
    return Decimal(str(value))


@dataclass(frozen=True, eq=False)
class _Listed:
    """Describes a field that must be one of the names that are known by then."""

    known: Iterable[str]

    def __get_pydantic_json_schema__(self, _schema: Any, _describe: Any) -> dict[str, Any]:
        return {"type": "string", "enum": [*self.known]}


def _number(**bounds: float) -> WithJsonSchema:
    """Return the JSON schema of a number within bounds."""
    return WithJsonSchema({"type": "number", **bounds})


def _one_of(field: str, known: Iterable[str]) -> AfterValidator:
    """Return the check of a field that must be one of some names."""

    def check(name: str) -> str:
        if name not in known:
            raise ValueError(not_one_of(field, name, known))
        return name

    return AfterValidator(check)


def _check_constraint(text: str) -> str:
    """Raise if a text is not a constraint."""
    Constraint.parse(text)
    return text


def _check_finding(name: str) -> str:
    """Raise if a finding is accepted that no check before publishing can make."""
    if name not in PREFLIGHT_NAMES:
        near = suggest(name, PREFLIGHT_NAMES)
        raise ValueError(
            f"no check is named {name!r}; {f'{near} ' if near else ''}the checks are "
            f"{', '.join(PREFLIGHT_NAMES)}"
        )
    return name


def check_placeholders(text: str) -> str:
    """Raise if a path has a brace that is not part of a placeholder.

    Examples
    --------
    >>> check_placeholders("released/{date}/{recipient}.csv")
    'released/{date}/{recipient}.csv'
    """
    for found in re.findall(r"\{[^{}]*\}|[{}]", text):
        if found not in (_DATE, RECIPIENT):
            near = suggest(found, (_DATE, RECIPIENT))
            raise InvalidInput(
                f"{found} stands for nothing; {f'{near} ' if near else ''}the placeholders are "
                f"{_DATE}, today's date, and {RECIPIENT}, the name of the recipient"
            )
    return text


def fill_place(text: str, recipient: str | None) -> str:
    """Replace the placeholders of a path.

    Without a recipient its placeholder stays; :func:`require_filled` refuses it where the path is
    used.

    Examples
    --------
    >>> fill_place("released/{recipient}/table.csv", "press")
    'released/press/table.csv'
    """
    text = text.replace(_DATE, date.today().isoformat())
    if recipient is None or RECIPIENT not in text:
        return text
    if recipient in (".", "..") or re.search(r"[/\\\x00]", recipient):
        raise InvalidInput(
            f"{RECIPIENT}: {recipient!r} cannot be part of a path; rename the recipient"
        )
    return text.replace(RECIPIENT, recipient)


def require_filled(text: str) -> None:
    """Raise if a path still has the placeholder of the recipient."""
    if RECIPIENT in text:
        raise InvalidInput(
            f"{text} is different for each recipient; name one with recipient = "
            '"NAME" under [release], or --recipient NAME'
        )


LeastRows = Annotated[
    StrictInt, AfterValidator(_check_rows), WithJsonSchema({"type": "integer", "minimum": LEAST_K})
]
Amount = Annotated[
    int | Decimal,
    PlainValidator(_read_amount),
    AfterValidator(_check_amount),
    _number(minimum=0),
]
Dimension = Annotated[
    int | Literal["all"],
    PlainValidator(_read_dimension),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 2}, {"enum": ["all"]}]}),
]
Level = Annotated[Decimal, PlainValidator(_read_level), _number(minimum=0, maximum=1)]
PositiveLevel = Annotated[
    Decimal, PlainValidator(_read_positive_level), _number(exclusiveMinimum=0, maximum=1)
]
Rate = Annotated[Decimal, PlainValidator(_read_rate), _number(minimum=0, maximum=MOST_DECOYS)]
Probability = Annotated[
    Decimal, PlainValidator(_read_probability), _number(exclusiveMinimum=0, exclusiveMaximum=1)
]
Weight = Annotated[Decimal, Field(ge=0)]
NonEmpty = Annotated[StrictStr, Field(min_length=1)]
Attributes = Annotated[tuple[StrictStr, ...], Field(min_length=1)]
MethodName = Annotated[StrictStr, _one_of("method", ALGORITHMS), _Listed(ALGORITHMS)]
ObjectiveName = Annotated[StrictStr, _one_of("objective", OBJECTIVES), _Listed(OBJECTIVES)]
PolicyName = Annotated[StrictStr, _one_of("policy", POLICIES), _Listed(POLICIES)]
PresetName = Annotated[StrictStr, _one_of("preset", PRESETS), _Listed(PRESETS)]
Preferences = tuple[Annotated[StrictStr, _one_of("prefer", PREFERENCES), _Listed(PREFERENCES)], ...]
ConstraintTexts = tuple[Annotated[StrictStr, AfterValidator(_check_constraint)], ...]
OutputPath = Annotated[str, AfterValidator(check_placeholders)]
Accepted = tuple[
    Annotated[StrictStr, AfterValidator(_check_finding), _Listed(PREFLIGHT_NAMES)], ...
]
