"""Wrap a method of the cell level, so that its classes satisfy persons and protections, too."""

import functools
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from lookalike.errors import Infeasible
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures.precision import add_up_loss
from lookalike.model.recoding import Optimality, Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import Tuples
from lookalike.search.cells.classes import Classes, release_classes
from lookalike.search.cells.construction.ground_sequences import lay_out_ground
from lookalike.search.cells.costs import Costs, cost_cells
from lookalike.search.cells.satisfy.deal_rows import deal_rows, draw_generator
from lookalike.search.cells.satisfy.lottery import default_rate, hold_lottery
from lookalike.search.cells.satisfy.merge_failing import satisfy_classes
from lookalike.search.cells.satisfy.merge_tree import grow_tree
from lookalike.search.cells.satisfy.rows_beside import RowsBeside
from lookalike.search.options import DEFAULTS, SearchOptions

CellSearch = Callable[[FrequencyList, Requirement, SearchOptions], Recoding]


def satisfying(search: CellSearch) -> CellSearch:
    """Let a method that makes classes of k rows satisfy the whole requirement.

    The method sees the list of quasi-identifier values alone, so its classes depend on nothing
    else. Then the rows are dealt to the classes by lot, and classes that fail are merged. The
    bound of the method holds for classes of k rows, so for every stronger requirement; the result
    is proved optimal only if satisfying the rest has cost nothing.
    """

    @functools.wraps(search)
    def run(
        frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
    ) -> Recoding:
        if not (frequency.beside or requirement.protections):
            return search(frequency, requirement, options)
        found = search(frequency.without_beside()[1], requirement.rows_alone, options)
        return satisfy(frequency, found, requirement, options, draw_generator())

    return run


def satisfy(
    frequency: FrequencyList,
    found: Recoding,
    requirement: Requirement,
    options: SearchOptions,
    generator: np.random.Generator,
) -> Recoding:
    """Return a recoding of the whole list, from one of the quasi-identifier values alone.

    Parameters
    ----------
    frequency
        The list with columns beside the quasi-identifier.
    found
        The recoding of the list without these columns.
    requirement
        The requirement; :attr:`~Requirement.secrecy` says how to satisfy its protections.
    options
        The options of the search.
    generator
        Draws the deal of rows first, and then the coins of a lottery, level by level.
    """
    position, plain = frequency.without_beside()
    lattice, _ = options.lattice_of(plain)
    costs = cost_cells(plain, options.weights_of(plain))
    lower, ground = lay_out_ground(plain, costs, lattice)
    rows = RowsBeside(frequency, ground, lower[position])
    tuples = found.released(plain)
    order = generator.permutation(frequency.rows)
    class_of = tuples.classes(plain, plain.attributes)[0]
    dealt = deal_rows(tuples, class_of, position, frequency.counts, order)
    _check_blank(rows, dealt, requirement)
    left = requirement.allowance(frequency.rows) - found.rows_suppressed
    classes = _satisfy_classes(
        rows,
        dealt,
        requirement,
        left if requirement.suppressed_rows == "drop" else 0,
        generator,
    )
    released = release_classes(costs.ancestors[:, :, position], classes, lattice.bottom)
    return _describe(frequency, costs, found, released, options)


def _satisfy_classes(
    rows: RowsBeside,
    classes: Classes,
    requirement: Requirement,
    allowance: int,
    generator: np.random.Generator,
) -> Classes:
    """Merge classes until all satisfy the requirement, by a lottery if that is asked for.

    Before a lottery, classes are merged for persons alone: that looks at no sensitive value.
    """
    if requirement.secrecy != "lottery" or not requirement.protections:
        return satisfy_classes(rows, classes, requirement, allowance)
    enough = satisfy_classes(rows, classes, replace(requirement, protections=()), allowance)
    rate = requirement.lottery_rate or default_rate(requirement, rows.frequency)
    tree = list(grow_tree(rows, enough))
    coins = [generator.random(int(parent.max()) + 1) < rate for parent in tree]
    return hold_lottery(rows, enough, tree, coins, requirement, rate)


def _describe(
    frequency: FrequencyList,
    costs: Costs,
    found: Recoding,
    tuples: Tuples,
    options: SearchOptions,
) -> Recoding:
    """Describe the release, with the loss and the suppressed rows that it has in the end."""
    suppressed = frequency.counts - tuples.rows_by_sequence(frequency)
    recoding = replace(
        found,
        suppressed=suppressed,
        rows_suppressed=int(suppressed.sum()) - found.rows_complementary,
        tuples=tuples,
    )
    if found.optimality is None:
        return recoding
    loss = add_up_loss(frequency, recoding, options.weights_of(frequency))
    reached = costs.precision(int(loss * costs.scale), frequency.rows)
    return replace(recoding, optimality=_restate(found.optimality, reached))


def _restate(optimality: Optimality, reached: float) -> Optimality:
    """Return what is proved of a release that satisfies more than k rows a class."""
    return replace(
        optimality,
        reached=reached,
        proved=optimality.proved and reached >= optimality.reached,
        rows_alone=True,
    )


def _check_blank(rows: RowsBeside, classes: Classes, requirement: Requirement) -> None:
    """Raise if the blank rows, which are a class as well, have too few persons."""
    if requirement.suppressed_rows == "drop":
        return
    suppressed = rows.not_shown(classes)
    blank = np.flatnonzero(suppressed).astype(np.int32)
    one = np.zeros(len(blank), dtype=np.int32)
    if rows.failing(Classes(one, blank, suppressed[blank]), requirement).any():
        raise Infeasible(
            f"the suppressed rows that are kept blank belong to fewer than k = "
            f"{requirement.largest_k} persons; leave suppressed rows out "
            '(suppressed_rows = "drop"), or suppress none (max_suppressed = 0)'
        )
