"""Known_fields: the names of the fields of each table of a specification."""

from collections.abc import Iterable
from inspect import signature
from typing import get_args

from lookalike.hierarchy import HierarchyKind
from lookalike.model.protections import PROTECTIONS
from lookalike.spec.fields import (
    Attribute,
    Pseudonym,
    QuasiIdentifierFields,
    RecipientFields,
    ReleaseFields,
)
from lookalike.spec.model import SpecificationModel
from lookalike.spec.problems import KnownFields
from lookalike.spec.protect import model_parameters, model_protect
from lookalike.tables.source import Source


def list_known_fields(tables: Iterable[str]) -> KnownFields:
    """Return the names of the fields of each table of a specification."""
    column = "attributes.NAME"
    models: dict[str, type[SpecificationModel]] = {
        "release": ReleaseFields,
        column: Attribute,
        f"{column}.protect": model_protect(),
        **{
            f"{column}.protect.{name}": model_parameters(one)
            for name, one in PROTECTIONS.items()
            if not one.as_number
        },
        f"{column}.pseudonym": Pseudonym,
        "quasi_identifiers.NAME": QuasiIdentifierFields,
        "recipients.NAME": RecipientFields,
    }
    kinds = [name for kind in get_args(HierarchyKind) for name in signature(kind).parameters]
    return {
        "": list(tables),
        **{place: list(model.model_fields) for place, model in models.items()},
        "source": list(signature(Source).parameters),
        f"{column}.hierarchy": sorted({*kinds}),
        "defaults": list(Attribute.model_fields),
    }
