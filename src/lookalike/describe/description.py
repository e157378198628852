"""Description: what is known of a release that was decided on, computed once from its plan."""

from dataclasses import dataclass

from lookalike.describe.attributes import AttributeFacts, compare_attributes
from lookalike.describe.classes import (
    ClassFacts,
    ReleasedRows,
    SensitiveFacts,
    measure_classes,
    measure_sensitive,
)
from lookalike.describe.frontier import Frontier, find_frontier
from lookalike.describe.lattice import LatticeFacts, walk_lattice
from lookalike.hierarchy.discreet import Discreet
from lookalike.risk.table.as_is import AsIs
from lookalike.risk.table.exposure import Exposure
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan


@dataclass(frozen=True)
class Description(Discreet):
    """What a release does to the private table, and what risk remains; for its holder.

    ``singled_out``: the rows that columns released as they are single out; None if that was not
    counted.
    ``unmeasured``: the sensitive columns whose values are too many to compare.
    ``exposure``: what classes show beyond their values; None if they are no joins.
    ``frontier``: what is kept with other k; None if it was not computed.
    """

    attributes: tuple[AttributeFacts, ...]
    classes: tuple[ClassFacts, ...]
    singled_out: AsIs | None
    sensitive: tuple[SensitiveFacts, ...]
    unmeasured: tuple[str, ...]
    exposure: Exposure | None
    frontier: Frontier | None
    lattice: LatticeFacts


def describe_plan(
    specification: Specification,
    plan: Plan,
    rows: ReleasedRows,
    exposure: Exposure | None,
    precision: float,
) -> Description:
    """Describe a release that was decided on; searches have a limit of work."""
    classes = measure_classes(plan)
    sensitive, unmeasured = measure_sensitive(rows, classes)
    return Description(
        attributes=compare_attributes(specification, plan),
        classes=classes,
        singled_out=rows.singled_out if rows.as_is else None,
        sensitive=sensitive,
        unmeasured=unmeasured,
        exposure=exposure,
        frontier=find_frontier(specification, plan, precision),
        lattice=walk_lattice(plan, specification.options()),
    )
