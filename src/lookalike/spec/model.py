"""SpecificationModel: what all tables of a specification have in common."""

from pydantic import BaseModel, ConfigDict


class SpecificationModel(BaseModel):
    """Base class of the tables: frozen, and unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)
