"""Protect: the protections of a sensitive column, as a specification asks for them."""

from collections.abc import Iterator

from pydantic import StrictBool, StrictInt, model_validator

from lookalike.errors import InvalidInput
from lookalike.model.protections import (
    Closeness,
    Disclosure,
    Distinct,
    Entropy,
    Likeness,
    Protection,
    Recursive,
    Share,
)
from lookalike.model.protections.closeness import GroundDistance
from lookalike.spec.model import SpecificationModel


class RecursiveFields(SpecificationModel):
    """``recursive = { c = 3, l = 2 }``: recursive (c, l)-diversity."""

    c: float
    l: StrictInt  # noqa: E741


class ClosenessFields(SpecificationModel):
    """``closeness = { t = 0.2, distance = "ordered" }``: t-closeness."""

    t: float
    distance: GroundDistance = "equal"


class LikenessFields(SpecificationModel):
    """``likeness = { beta = 2, enhanced = true }``: β-likeness."""

    beta: float
    enhanced: StrictBool = True


class DisclosureFields(SpecificationModel):
    """``disclosure = { delta = 1.5 }``: δ-disclosure privacy."""

    delta: float


class ProtectFields(SpecificationModel):
    """``protect = { … }`` of a sensitive column: what every class must satisfy in its values."""

    distinct: StrictInt | None = None
    entropy: float | None = None
    recursive: RecursiveFields | None = None
    closeness: ClosenessFields | None = None
    likeness: LikenessFields | None = None
    disclosure: DisclosureFields | None = None
    share: float | None = None

    @model_validator(mode="after")
    def _is_possible(self) -> "ProtectFields":
        """Raise if a parameter is out of its range, or nothing is asked for."""
        try:
            asked = [*self.protections()]
        except InvalidInput as problem:
            raise ValueError(str(problem)) from None
        if not asked:
            raise ValueError("protect names no protection, such as protect = { distinct = 3 }")
        return self

    def protections(self) -> Iterator[Protection]:
        """Yield the protections that are asked for."""
        if self.distinct is not None:
            yield Distinct(self.distinct)
        if self.entropy is not None:
            yield Entropy(self.entropy)
        if self.recursive is not None:
            yield Recursive(self.recursive.c, self.recursive.l)
        if self.closeness is not None:
            yield Closeness(self.closeness.t, self.closeness.distance)
        if self.likeness is not None:
            yield Likeness(self.likeness.beta, self.likeness.enhanced)
        if self.disclosure is not None:
            yield Disclosure(self.disclosure.delta)
        if self.share is not None:
            yield Share(self.share)

    @property
    def by_hierarchy(self) -> bool:
        """Whether values are compared by the hierarchy of the column."""
        return self.closeness is not None and self.closeness.distance == "hierarchy"

    @property
    def by_order(self) -> bool:
        """Whether values are compared by their order."""
        return self.closeness is not None and self.closeness.distance == "ordered"
