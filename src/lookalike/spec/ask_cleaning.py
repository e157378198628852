"""Ask_cleaning: from the fields of a specification to how the values of its table are read."""

from dataclasses import replace
from typing import TYPE_CHECKING

from lookalike.tables.cleaning import Cleaning, ColumnCleaning

if TYPE_CHECKING:
    from lookalike.spec.specification import Specification


def ask_cleaning(specification: "Specification") -> Cleaning:
    """Return how the values of the private table are read, wherever it is read."""
    source = specification.source
    rules = {
        name: ColumnCleaning(attribute.missing, attribute.zero_pad, attribute.coarsening)
        for name, attribute in specification.attributes.items()
    }
    own = {name: rule for name, rule in rules.items() if rule != ColumnCleaning()}
    return replace(Cleaning() if source is None else source.cleaning, columns=own)
