"""Register fields: the conditions of a release on a register of the population."""

from decimal import Decimal
from fractions import Fraction
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, StrictInt, StrictStr, WithJsonSchema, model_validator

from lookalike.errors import InvalidInput
from lookalike.model.population import KMap, PresenceBounds, RegisterCondition
from lookalike.model.requirement import check_k
from lookalike.spec.model import SpecificationModel
from lookalike.tables.source import resolve_path


class RegisterFields(SpecificationModel):
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
        try:
            check_k(self.k)
        except InvalidInput as problem:
            raise ValueError(str(problem)) from None
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
        try:
            self.condition  # noqa: B018  (raises if the bounds are impossible)
        except InvalidInput as problem:
            raise ValueError(str(problem)) from None
        return self

    @property
    def condition(self) -> RegisterCondition:
        """What every class must satisfy."""
        return PresenceBounds(Fraction(self.lowest), Fraction(self.highest))
