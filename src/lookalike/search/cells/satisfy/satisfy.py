"""Wrap a method of the cell level, so that its classes satisfy persons and protections, too."""

import functools
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.types import Codes, Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import add_up_loss
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import Tuples
from lookalike.search.cells.classes import Classes, merge_entries, release_classes
from lookalike.search.cells.clustering import find_near_of, lay_out_ground
from lookalike.search.cells.costs import Costs, cost_cells
from lookalike.search.cells.satisfy.lottery import default_rate, hold_lottery
from lookalike.search.cells.satisfy.merge_failing import rank_partners, satisfy_classes
from lookalike.search.cells.satisfy.rows_beside import RowsBeside
from lookalike.search.options import DEFAULTS, SearchOptions

TREE_LEVELS = 4
"""The most levels of a tree above its classes."""
PAIRINGS = 2
"""How often nodes are paired for one level, so that a node has up to four children."""


IN_NO_CLASS = -1
"""The class of suppressed rows."""


CellSearch = Callable[[FrequencyList, Requirement, SearchOptions], Recoding]


def satisfying(search: CellSearch) -> CellSearch:
    """Let a method that makes classes of k rows satisfy the whole requirement.

    The method sees the list of quasi-identifier values alone, so its classes depend on nothing
    else. Then the rows are dealt to the classes at random, and classes that fail are merged. The
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

    ``generator``: draws the deal of rows first, and then the coins of a lottery, level by level.
    """
    position, plain = frequency.without_beside()
    lattice, _ = options.lattice_of(plain)
    costs = cost_cells(plain, options.weights_of(plain))
    lower, ground = lay_out_ground(plain, costs, lattice)
    rows = RowsBeside(frequency, ground, lower[position], options.announce)
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
    reached, alone = costs.precision(int(loss * costs.scale), frequency.rows), found.optimality
    optimality = replace(
        alone,
        reached=reached,
        proved=alone.proved and reached >= alone.reached,
        reached_alone=alone.reached,
    )
    return replace(recoding, optimality=optimality)


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


def draw_generator() -> np.random.Generator:
    """Return a generator that starts from the operating system's entropy."""
    return np.random.default_rng(secrets.randbits(256))


def deal_rows(
    tuples: Tuples, class_of: Codes, position: Codes, counts: Counts, order: Counts
) -> Classes:
    """Deal rows to classes, given the order in which the rows are dealt.

    If the order is drawn uniformly, any two rows with the same quasi-identifier values exchange
    their places with equal probability, whatever they have beside.

    ``order``: A permutation of all rows, which are numbered in the order of the finer sequences.
    """
    row = np.repeat(np.arange(len(counts), dtype=np.int32), counts)[order]
    row = row[np.argsort(position[row], kind="stable")]
    total = np.bincount(position, counts).astype(np.int64)
    gone = total - np.bincount(tuples.sequence, tuples.counts, len(total)).astype(np.int64)
    sequence = np.concatenate([tuples.sequence, np.arange(len(total))])
    places = np.argsort(sequence, kind="stable")
    number = np.concatenate([class_of, np.full(len(total), IN_NO_CLASS)]).astype(np.int32)
    rows = np.concatenate([tuples.counts, gone])
    dealt = np.repeat(number[places], rows[places])
    kept = dealt != IN_NO_CLASS
    return merge_entries(Classes(dealt[kept], row[kept], np.ones(kept.sum(), dtype=np.int64)))


def grow_tree(rows: RowsBeside, classes: Classes) -> Iterator[Codes]:
    """Yield, level by level, the parent of each node; the lowest nodes are the classes.

    Nodes are paired with near ones, the cheapest unions first, twice for each level. Costs follow
    from the quasi-identifier alone. A node without a partner is the only child of its parent.
    """
    for _ in range(TREE_LEVELS):
        number = np.arange(len(classes), dtype=np.int32)
        for _ in range(PAIRINGS):
            pair_of = _pair_nodes(rows, classes)
            number = pair_of[number]
            classes = replace(classes, class_of=pair_of[classes.class_of])
        if len(classes) == len(number):
            return
        yield number


def _pair_nodes(rows: RowsBeside, nodes: Classes) -> Codes:
    """Number the pairs of near nodes, and the nodes without a partner after them."""
    units = rows.units(nodes)
    everything = np.arange(len(nodes), dtype=np.int32)
    near, cost = rank_partners(units, everything, *find_near_of(units, everything))
    first, choice = np.nonzero(near >= 0)
    return _number_pairs(len(nodes), first, near[first, choice], cost[first, choice])


def _number_pairs(nodes: int, first: Counts, second: Codes, cost: Counts) -> Codes:
    """Number the cheapest pairs, in which each node takes part once, and then the other nodes."""
    pair_of, pairs = np.full(nodes, -1, dtype=np.int32), 0
    for place in np.lexsort((second, first, cost)).tolist():
        one, other = int(first[place]), int(second[place])
        if pair_of[one] < 0 and pair_of[other] < 0:
            pair_of[[one, other]] = pairs
            pairs += 1
    alone = pair_of < 0
    pair_of[alone] = pairs + np.arange(alone.sum())
    return pair_of
