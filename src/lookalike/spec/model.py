"""SpecificationModel: what all tables of a specification have in common, and kinds of values.

A check belongs to one field, so that pydantic reports the problems of all fields together.
"""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, cast

import pydantic
from pydantic_core import InitErrorDetails, PydanticCustomError

from lookalike.errors import InvalidInput, not_one_of, suggest
from lookalike.hierarchy import AnyHierarchy, Hierarchy
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
DATE = "{date}"


class SpecificationModel(pydantic.BaseModel):
    """Base class of the tables: frozen, and unknown fields are errors."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


def raise_problems(problems: Iterable[str]) -> None:
    """Raise several problems of one table, which pydantic reports beside those of others."""
    found = [
        InitErrorDetails(
            type=PydanticCustomError("problem", "{problem}", {"problem": problem}), input=None
        )
        for problem in problems
    ]
    if found:
        raise pydantic.ValidationError.from_exception_data("specification", found)


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


def _read_level(
    value: Any, most: float = 1, advice: str = "write a number from 0 to 1, such as 0.5"
) -> Decimal:
    """Read a level from 0 on as an exact decimal."""
    if not _is_number(value) or not 0 <= value <= most:
        raise ValueError(advice)
    return Decimal(str(value))


def _read_rate(value: Any) -> Decimal:
    """Read the probability of a decoy as an exact decimal, at most one half."""
    return _read_level(value, MOST_DECOYS, "write a number from 0 to 0.5, such as 0.02")


def _read_dimension(value: Any) -> int | Literal["all"]:
    """Read the size of the largest combinations to test."""
    number = isinstance(value, int) and not isinstance(value, bool) and value >= 2
    if not number and value != "all":
        raise ValueError('write a number of attributes from 2 on, such as 3, or "all"')
    return cast(int | Literal["all"], value)


def _must(check: Callable[[Any], object], advice: str = "") -> pydantic.AfterValidator:
    """Return the check of a value: it raises, or with an advice it returns whether it holds."""

    def keep(value: Any) -> Any:
        if not check(value) and advice:
            raise ValueError(advice)
        return value

    return pydantic.AfterValidator(keep)


@dataclass(frozen=True, eq=False)
class _Listed:
    """Describes a field that must be one of the names that are known by then."""

    known: Iterable[str]

    def __get_pydantic_json_schema__(self, _schema: Any, _describe: Any) -> dict[str, Any]:
        return {"type": "string", "enum": [*self.known]}


def _take_rule(value: Any, read: Callable[[Any], Hierarchy]) -> Hierarchy:
    """Return a hierarchy that is already an object, or read it from its table."""
    return value if isinstance(value, Hierarchy) else read(value)


def _number(**bounds: float) -> pydantic.WithJsonSchema:
    """Return the JSON schema of a number within bounds."""
    return pydantic.WithJsonSchema({"type": "number", **bounds})


def _one_of(field: str, known: Iterable[str]) -> pydantic.AfterValidator:
    """Return the check of a field that must be one of some names."""

    def check(name: str) -> str:
        if name not in known:
            raise ValueError(not_one_of(field, name, known))
        return name

    return pydantic.AfterValidator(check)


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
        if found not in (DATE, RECIPIENT):
            near = suggest(found, (DATE, RECIPIENT))
            raise InvalidInput(
                f"{found} stands for nothing; {f'{near} ' if near else ''}the placeholders are "
                f"{DATE}, today's date, and {RECIPIENT}, the name of the recipient"
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
    text = text.replace(DATE, date.today().isoformat())
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
    pydantic.StrictInt,
    _must(check_k),
    pydantic.WithJsonSchema({"type": "integer", "minimum": LEAST_K}),
]
Amount = Annotated[
    int | Decimal,
    pydantic.PlainValidator(_read_amount),
    _must(lambda amount: Requirement(LEAST_K, amount)),
    _number(minimum=0),
]
Dimension = Annotated[
    int | Literal["all"],
    pydantic.PlainValidator(_read_dimension),
    pydantic.WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 2}, {"enum": ["all"]}]}),
]
Level = Annotated[Decimal, pydantic.PlainValidator(_read_level), _number(minimum=0, maximum=1)]
PositiveLevel = Annotated[
    Decimal,
    pydantic.PlainValidator(_read_level),
    _must(bool, "must be above 0, such as 0.01"),
    _number(exclusiveMinimum=0, maximum=1),
]
Rate = Annotated[
    Decimal, pydantic.PlainValidator(_read_rate), _number(minimum=0, maximum=MOST_DECOYS)
]
Probability = Annotated[
    Decimal,
    pydantic.PlainValidator(_read_level),
    _must(lambda one: 0 < one < 1, "write a probability above 0 and below 1, such as 0.09"),
    _number(exclusiveMinimum=0, exclusiveMaximum=1),
]
AnyRule = Annotated[AnyHierarchy, pydantic.WrapValidator(_take_rule)]
Weight = Annotated[Decimal, pydantic.Field(ge=0)]
NonEmpty = Annotated[pydantic.StrictStr, pydantic.Field(min_length=1)]
Attributes = Annotated[tuple[pydantic.StrictStr, ...], pydantic.Field(min_length=1)]
MethodName = Annotated[pydantic.StrictStr, _one_of("method", ALGORITHMS), _Listed(ALGORITHMS)]
ObjectiveName = Annotated[pydantic.StrictStr, _one_of("objective", OBJECTIVES), _Listed(OBJECTIVES)]
PolicyName = Annotated[pydantic.StrictStr, _one_of("policy", POLICIES), _Listed(POLICIES)]
PresetName = Annotated[pydantic.StrictStr, _one_of("preset", PRESETS), _Listed(PRESETS)]
Preferences = tuple[
    Annotated[pydantic.StrictStr, _one_of("prefer", PREFERENCES), _Listed(PREFERENCES)], ...
]
ConstraintTexts = tuple[Annotated[pydantic.StrictStr, _must(Constraint.parse)], ...]
OutputPath = Annotated[str, pydantic.AfterValidator(check_placeholders)]
Accepted = tuple[
    Annotated[
        pydantic.StrictStr, pydantic.AfterValidator(_check_finding), _Listed(PREFLIGHT_NAMES)
    ],
    ...,
]
