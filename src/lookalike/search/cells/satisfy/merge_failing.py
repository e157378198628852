"""Merge classes that fail with near ones where that costs least, until none fails."""

from dataclasses import replace

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.nearest_units import RowSets
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.requirement import Requirement
from lookalike.search.cells.classes import Classes, merge_entries
from lookalike.search.cells.clustering import find_near_of
from lookalike.search.cells.satisfy.rows_beside import RowsBeside, row_costs, unite

CHOICES = 16
"""The number of cheapest partners of a failing class that are judged."""


def satisfy_classes(
    rows: RowsBeside, classes: Classes, requirement: Requirement, allowance: int
) -> Classes:
    """Return classes that all satisfy the requirement.

    The classes that fail are merged with others, or all of them are suppressed if that may be
    and loses less. If neither is enough, the rows that are in no class may be what is missing:
    then they take part in the merging, too.

    ``classes``: classes of at least k rows.
    ``allowance``: the number of rows that may be suppressed beside those that are in no class.
    """
    fails = rows.failing(classes, requirement)
    if not fails.any():
        return classes
    least = int(classes.counts.sum()) - max(allowance, 0)
    ways = [_merge(rows, classes, requirement), classes.only(~fails)]
    found = [way for way in ways if _is_enough(way, least)]
    if not found and requirement.suppressed_rows == "drop":
        everything = _merge(rows, take_back(rows, classes), requirement)
        found = [everything] if _is_enough(everything, least) else []
    if not found:
        raise Infeasible(
            "even merged with every class that the constraints allow, some classes have too few "
            "persons or fail a protection of sensitive values, and they have more rows than may "
            "be suppressed; ask for a weaker protection, loosen the constraints, raise "
            "max_suppressed, or lower k"
        )
    return min(found, key=rows.cost)


def _is_enough(classes: Classes, least: int) -> bool:
    """Return whether classes release at least so many rows, and at least one."""
    return int(classes.counts.sum()) >= max(least, 1)


def _merge(rows: RowsBeside, classes: Classes, requirement: Requirement) -> Classes:
    """Merge the classes that fail, and leave out those that fail even so."""
    merged = merge_failing(rows, classes, requirement)
    return merged.only(~rows.failing(merged, requirement))


def take_back(rows: RowsBeside, classes: Classes) -> Classes:
    """Add the rows that are in no class, those of each sequence as a class of their own."""
    gone = rows.not_shown(classes)
    sequence = np.flatnonzero(gone).astype(np.int32)
    number = np.arange(len(classes), len(classes) + len(sequence), dtype=np.int32)
    return classes.extended(number, sequence, gone[sequence])


def merge_failing(rows: RowsBeside, classes: Classes, requirement: Requirement) -> Classes:
    """Merge each class that fails with another of its zone, until none fails or none is left.

    In each round a failing class chooses among its near classes: the cheapest union that
    satisfies the requirement, or the cheapest if none does. Unions are made the cheapest first,
    each class at most once a round.
    """
    while True:
        failing = np.flatnonzero(rows.failing(classes, requirement)).astype(np.int32)
        if not len(failing):
            return classes
        rows.announce(f"merging {len(failing):,} of {len(classes):,} classes")
        partner, cost = _choose_partners(rows, classes, failing, requirement)
        if (partner < 0).all():
            return classes
        number = _pair_off(len(classes), failing, partner, cost)
        classes = merge_entries(replace(classes, class_of=number[classes.class_of]))


def _choose_partners(
    rows: RowsBeside, classes: Classes, failing: Codes, requirement: Requirement
) -> tuple[Codes, Counts]:
    """Return the best partner of each failing class, -1 if it has none, and the added loss."""
    units = rows.units(classes)
    near, cost = rank_partners(units, failing, *find_near_of(units, failing))
    one, choice = np.nonzero(near >= 0)
    pairs = unite(classes, failing[one], near[one, choice])
    satisfies = np.zeros(near.shape, dtype=np.bool_)
    satisfies[one, choice] = ~rows.failing(pairs, requirement)
    best = np.argmax(satisfies, axis=1)
    places = np.arange(len(failing))
    return near[places, best], cost[places, best]


def rank_partners(
    units: RowSets, chosen: Codes, near: Codes, distances: Counts
) -> tuple[Codes, Counts]:
    """Return the near classes of chosen ones, and the loss that the union with each adds.

    ``near, distances``: for each chosen class, its near classes, and the cost of a row at the join
    with each.
    """
    costs, known = row_costs(units), near >= 0
    own, size = (costs * units.rows)[chosen], units.rows[chosen]
    united = (size[:, None] + units.rows[near]) * np.where(known, distances, 0)
    added = united - own[:, None] - (costs * units.rows)[near]
    added[~known] = np.iinfo(np.int64).max
    ranked = np.argsort(added, axis=1, kind="stable")[:, :CHOICES]
    return np.take_along_axis(near, ranked, axis=1), np.take_along_axis(added, ranked, axis=1)


def _pair_off(classes: int, failing: Codes, partner: Codes, cost: Counts) -> Codes:
    """Number the classes after the cheapest unions, in which each class takes part once."""
    number = np.arange(classes, dtype=np.int32)
    taken: Flags = np.zeros(classes, dtype=np.bool_)
    for place in np.argsort(cost, kind="stable").tolist():
        one, other = int(failing[place]), int(partner[place])
        if other >= 0 and not taken[one] and not taken[other]:
            number[one] = other
            taken[[one, other]] = True
    return number
