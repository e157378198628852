"""Protect: the protections of a sensitive column, as a specification asks for them.

Its fields are made from what each protection declares (:mod:`lookalike.model.protections`).
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, Self, cast

import pydantic

from lookalike.model.protections import PROTECTIONS, Protection, list_parameters
from lookalike.spec.model import SpecificationModel

_STRICT = {int: pydantic.StrictInt, bool: pydantic.StrictBool}


class Protect(SpecificationModel):
    """``protect = { … }`` of a sensitive column: what every class must satisfy in its values.

    A value is of the model that :func:`model_protect` makes.
    """

    @pydantic.model_validator(mode="after")
    def _is_possible(self) -> Self:
        """Raise if a parameter is out of its range, or nothing is asked for."""
        if not [*self.protections()]:
            raise ValueError("protect names no protection, such as protect = { distinct = 3 }")
        return self

    def protections(self) -> Iterator[Protection]:
        """Yield the protections that are asked for."""
        for name, protection in PROTECTIONS.items():
            given, make = getattr(self, name, None), cast(Callable[..., Protection], protection)
            if given is not None:
                yield make(given) if protection.as_number else make(**dict(given))

    def list_parameters(self) -> dict[str, dict[str, Any]]:
        """Return the parameters of each protection that is asked for, by its name."""
        return {
            name: {list_parameters(PROTECTIONS[name])[0].name: given}
            if PROTECTIONS[name].as_number
            else given
            for name, given in self.model_dump(exclude_none=True).items()
        }

    def compares_by(self, distance: str) -> bool:
        """Return whether some protection compares values by a distance."""
        return any(one.distance == distance for one in self.protections())

    def __reduce__(self) -> tuple[Any, ...]:
        return read_protect, (self.model_dump(exclude_unset=True),)


def read_protect(given: Any) -> Protect:
    """Read the protections of a column."""
    return model_protect().model_validate(given)


def model_protect() -> type[Protect]:
    """Return the model of the table, with a field for each protection."""
    return _model_protections(tuple(PROTECTIONS.values()))


@cache
def _model_protections(protections: tuple[type[Protection], ...]) -> type[Protect]:
    fields: dict[str, Any] = {one.name: (model_parameters(one) | None, None) for one in protections}
    return pydantic.create_model("ProtectFields", __base__=Protect, **fields)


@cache
def model_parameters(protection: type[Protection]) -> Any:
    """Return the type of a number, or the model of a table with a field for each parameter."""
    fields: dict[str, Any] = {
        one.name: (_STRICT.get(one.kind, one.kind), ... if one.default is None else one.default)
        for one in list_parameters(protection)
    }
    if protection.as_number:
        [(kind, _)] = fields.values()
        return kind
    return pydantic.create_model(
        f"{protection.__name__}Fields", __base__=SpecificationModel, **fields
    )


ProtectTable = Annotated[
    Protect,
    pydantic.PlainValidator(read_protect),
    pydantic.SerializeAsAny(),
    pydantic.WithJsonSchema({"type": "object", "format": "protect"}),
]
"""The field of an attribute, which is read by the protections that are declared by then."""
