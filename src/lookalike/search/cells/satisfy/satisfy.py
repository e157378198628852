"""Wrap a method of the cell level, so that its classes satisfy persons and protections, too."""

import functools
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.nearest_units import RowSets
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import reach
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import Tuples
from lookalike.search.cells.classes import Classes, merge_entries, release_classes
from lookalike.search.cells.clustering import find_near_of, lay_out_ground
from lookalike.search.cells.costs import cost_finely
from lookalike.search.cells.decoys import draw_decoys
from lookalike.search.cells.satisfy.lottery import default_rate, hold_lottery
from lookalike.search.cells.satisfy.rows_beside import RowsBeside, row_costs, unite
from lookalike.search.options import DEFAULTS, SearchOptions

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


TREE_LEVELS = 4
"""The most levels of a tree above its classes."""
PAIRINGS = 2
"""How often nodes are paired for one level, so that a node has up to four children."""


IN_NO_CLASS = -1
"""The class of suppressed rows."""


CellSearch = Callable[[FrequencyList, Requirement, SearchOptions], Recoding]


def satisfying(search: CellSearch) -> CellSearch:
    """Let a method that makes classes of k rows satisfy the whole requirement, and draw decoys.

    The method sees the list of quasi-identifier values alone, so its classes depend on nothing
    else. Then the rows are dealt to the classes at random, and classes that fail are merged. The
    bound of the method holds for classes of k rows, so for every stronger requirement; the result
    is proved optimal only if satisfying the rest has cost nothing. Decoys are drawn in the end,
    after all else is decided.
    """

    @functools.wraps(search)
    def run(
        frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
    ) -> Recoding:
        if frequency.beside or requirement.protections:
            found = search(frequency.without_beside[1], requirement.rows_alone, options)
            generator = np.random.default_rng(secrets.randbits(256))
            found = satisfy(frequency, found, requirement, options, generator)
        else:
            found = search(frequency, requirement, options)
        return draw_decoys(frequency, found, options.lattice_of(frequency)[0], options.decoys)

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
    position, plain = frequency.without_beside
    lattice, _ = options.lattice_of(plain)
    costs = cost_finely(plain, options.weights_of(plain), options.objective)
    lower, ground = lay_out_ground(plain, costs, lattice)
    rows = RowsBeside(frequency, ground, lower[position], options.announce)
    tuples = found.released(plain)
    order = generator.permutation(frequency.rows)
    class_of = tuples.classes(plain, plain.attributes)[0]
    dealt = deal_rows(tuples, class_of, position, frequency.counts, order)
    _check_blank(rows, dealt, requirement)
    allowance = requirement.allowance(frequency.rows) - found.rows_suppressed
    if requirement.suppressed_rows == "blank":
        allowance = 0
    if requirement.secrecy == "lottery" and requirement.protections:
        # Before a lottery, classes are merged for persons alone: that looks at no sensitive value.
        enough = satisfy_classes(rows, dealt, replace(requirement, protections=()), allowance)
        rate = requirement.lottery_rate or default_rate(requirement, frequency)
        tree = list(grow_tree(rows, enough))
        coins = [generator.random(int(parent.max()) + 1) < rate for parent in tree]
        classes = hold_lottery(rows, enough, tree, coins, requirement, rate)
    else:
        classes = satisfy_classes(rows, dealt, requirement, allowance)
    released = release_classes(costs.ancestors[:, :, position], classes, lattice.bottom)
    return _describe(frequency, found, released, options)


def _describe(
    frequency: FrequencyList, found: Recoding, tuples: Tuples, options: SearchOptions
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
    weights, alone = options.weights_of(frequency), found.optimality
    reached = reach(frequency, recoding, weights, options.objective)
    more = reached - alone.reached
    optimality = replace(
        alone,
        reached=reached,
        proved=alone.proved and (more <= 0 if options.objective == "loss" else more >= 0),
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
