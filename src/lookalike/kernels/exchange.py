"""Improve classes: take some apart around a promising group and put their rows together anew."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import Counts, Integers
from lookalike.kernels.tight import Values

MOST_CLASSES = 8
"""How many classes are taken apart at once, at most."""
MOST_MEMBERS = 400
"""Groups with more members are not tried: most of their rows are not near each other."""


@compiled
def joined_cost(ancestors: Integers, steps: Counts, levels: Integers, one: int, other: int) -> int:
    """Return what a row of the join costs when another sequence joins a class of these levels."""
    cost = 0
    for attribute in range(len(levels)):
        level = levels[attribute]
        while ancestors[one, attribute, level] != ancestors[other, attribute, level]:
            level += 1
        cost += steps[attribute, level]
    return cost


@compiled
def join(ancestors: Integers, levels: Integers, one: int, other: int) -> None:
    """Raise the levels of a class until another sequence is alike."""
    for attribute in range(len(levels)):
        level = levels[attribute]
        while ancestors[one, attribute, level] != ancestors[other, attribute, level]:
            level += 1
        levels[attribute] = level


@compiled
def build(
    ancestors: Integers,
    steps: Counts,
    bottom: Integers,
    values: Values,
    pool: Integers,
    size: int,
    k: int,
    seed: int,
    levels: Integers,
    chosen: Integers,
    taken: Integers,
) -> int:
    """Choose k rows of a pool around one, each time that which costs the class least.

    Rows of high value are preferred, since they are hard to place elsewhere.
    """
    levels[:] = bottom
    for place in range(size):
        taken[place] = 0
    chosen[0] = seed
    taken[seed] = 1
    cost = 0
    for number in range(1, k):
        best, best_cost, best_score = -1, 0, np.inf
        for place in range(size):
            if taken[place]:
                continue
            there = joined_cost(ancestors, steps, levels, pool[seed], pool[place])
            score = there * k - values[pool[place]]
            if score < best_score:
                best, best_cost, best_score = place, there, score
        join(ancestors, levels, pool[seed], pool[best])
        chosen[number] = best
        taken[best] = 1
        cost = best_cost
    return cost


@compiled
def choose_rows(
    values: Values,
    counts: Counts,
    members: Integers,
    begin: int,
    end: int,
    wanted: int,
    k: int,
    noise: float,
    chosen: Integers,
    score: Values,
) -> int:
    """Choose the members of a group with the largest values, roughly, and the wanted one."""
    number, rows = 0, 0
    for entry in range(begin, end):
        member = members[entry]
        if counts[member] == 0:
            continue
        value = values[member] + noise * np.random.random()
        if member == wanted:
            value = np.inf
        if rows >= k and value <= score[number - 1]:
            continue
        place = number
        while place > 0 and score[place - 1] < value:
            chosen[place] = chosen[place - 1]
            score[place] = score[place - 1]
            place -= 1
        chosen[place] = member
        score[place] = value
        number += 1
        rows += counts[member]
        while rows - counts[chosen[number - 1]] >= k:
            number -= 1
            rows -= counts[chosen[number]]
    return number if rows >= k else 0


@compiled
def exchange(
    ancestors: Integers,
    steps: Counts,
    bottom: Integers,
    values: Values,
    counts: Counts,
    k: int,
    offsets: Counts,
    members: Integers,
    begin_of: Counts,
    groups: Integers,
    first_row: Counts,
    sequence_of: Integers,
    class_of: Integers,
    rows_of: Integers,
    sizes: Integers,
    costs: Counts,
    spare: Integers,
    spares: int,
    tries: int,
    hot: float,
    cold: float,
    unit: float,
    seed: int,
) -> tuple[int, int, int]:
    """Improve classes by simulated annealing.

    In each try a class is drawn, the likelier the more it costs above the values of its rows,
    and one of its rows; a group of that row, and the k rows of largest value there. The classes
    of these rows are taken apart; the k rows become a class, and the others are put together
    greedily. The values bound what the others can cost, so that most tries end early.

    Parameters
    ----------
    ancestors
        By sequence, attribute and level: the code that the sequence shows there.
    steps
        By attribute and level: what a cell costs.
    bottom
        The lowest levels.
    values
        The value of a row of each sequence.
    counts
        The number of rows of each sequence that are in a class.
    k
        How many rows a class must have; none has more than 2 k - 1 afterwards.
    offsets, members
        The members of each group.
    begin_of, groups
        The groups of each sequence.
    first_row
        The first row of each sequence; its rows are numbered on.
    sequence_of, class_of
        The sequence and the class of each row; the latter is changed in place.
    rows_of, sizes, costs
        The rows of each class, how many they are, and what each of them costs; changed.
    spare, spares
        Classes that are not in use, and how many.
    tries
        How many tries to make.
    hot, cold
        The temperature at the beginning and at the end.
    unit
        The smallest difference of costs.
    seed
        Of the random numbers.

    Returns
    -------
    saved
        By how much the total cost fell.
    accepted
        How many tries changed the cost.
    spares
        How many classes are not in use.
    """
    np.random.seed(seed)
    most = MOST_CLASSES * 2 * k
    attributes = len(bottom)
    pool, rows = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
    taken, chosen = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
    levels = np.empty(attributes, dtype=np.int32)
    candidates = np.empty(MOST_MEMBERS + 2, dtype=np.int32)
    score = np.empty(MOST_MEMBERS + 2, dtype=np.float64)
    used = np.empty(MOST_CLASSES, dtype=np.int32)
    forced = np.empty(k, dtype=np.int32)
    mark = np.zeros(len(sequence_of), dtype=np.int32)
    new_rows = np.empty((2 * MOST_CLASSES, 2 * k), dtype=np.int32)
    new_sizes = np.empty(2 * MOST_CLASSES, dtype=np.int32)
    new_costs = np.empty(2 * MOST_CLASSES, dtype=np.int64)
    new_levels = np.empty((2 * MOST_CLASSES, attributes), dtype=np.int32)
    saved, accepted = 0, 0
    for turn in range(tries):
        temperature = hot * (cold / hot) ** (turn / tries)
        drawn = -1
        for _ in range(20):
            one = np.random.randint(len(sizes))
            if sizes[one] == 0:
                continue
            above = float(sizes[one] * costs[one])
            for place in range(sizes[one]):
                above -= values[sequence_of[rows_of[one, place]]]
            if np.random.random() * 8 * unit < above + 0.05 * unit:
                drawn = one
                break
        if drawn < 0:
            continue
        wanted = sequence_of[rows_of[drawn, np.random.randint(sizes[drawn])]]
        known = begin_of[wanted + 1] - begin_of[wanted]
        if known == 0:
            continue
        group = groups[begin_of[wanted] + np.random.randint(known)]
        begin, end = offsets[group], offsets[group + 1]
        if end - begin > MOST_MEMBERS:
            continue
        number = choose_rows(
            values, counts, members, begin, end, wanted, k, 3 * unit, candidates, score
        )
        if number == 0:
            continue
        used[0] = drawn
        broken, size, found = 1, 0, 0
        for place in range(sizes[drawn]):
            rows[size] = rows_of[drawn, place]
            size += 1
        fits = True
        for place in range(number):
            member = candidates[place]
            offset = np.random.randint(counts[member])
            for step in range(counts[member]):
                if found >= k or not fits:
                    break
                row = first_row[member] + (offset + step) % counts[member]
                one = class_of[row]
                known_class = False
                for place_used in range(broken):
                    if used[place_used] == one:
                        known_class = True
                if not known_class:
                    if broken >= MOST_CLASSES:
                        fits = False
                        break
                    used[broken] = one
                    broken += 1
                    for other in range(sizes[one]):
                        rows[size] = rows_of[one, other]
                        size += 1
                forced[found] = row
                found += 1
        if not fits or found < k:
            continue
        old = 0
        for place in range(broken):
            old += sizes[used[place]] * costs[used[place]]
        limit = old - temperature * np.log(np.random.random())
        levels[:] = bottom
        for place in range(1, k):
            join(ancestors, levels, sequence_of[forced[0]], sequence_of[forced[place]])
        cost = 0
        for attribute in range(attributes):
            cost += steps[attribute, levels[attribute]]
        made, new = 1, k * cost
        new_costs[0], new_sizes[0] = cost, k
        new_levels[0] = levels
        for place in range(k):
            new_rows[0, place] = forced[place]
            mark[forced[place]] = turn + 1
        rest = 0.0
        kept = 0
        for place in range(size):
            row = rows[place]
            if mark[row] != turn + 1:
                rows[kept] = row
                pool[kept] = sequence_of[row]
                rest += values[pool[kept]]
                kept += 1
        size = kept
        if new + rest > limit:
            continue
        while size >= k and fits:
            hardest, value = 0, -np.inf
            for place in range(size):
                here = values[pool[place]] + 4 * unit * np.random.random()
                if here > value:
                    hardest, value = place, here
            cost = build(
                ancestors, steps, bottom, values, pool, size, k, hardest, levels, chosen, taken
            )
            new_costs[made], new_sizes[made] = cost, k
            new_levels[made] = levels
            new += k * cost
            for place in range(k):
                new_rows[made, place] = rows[chosen[place]]
                rest -= values[pool[chosen[place]]]
            made += 1
            kept = 0
            for place in range(size):
                if not taken[place]:
                    rows[kept] = rows[place]
                    pool[kept] = pool[place]
                    kept += 1
            size = kept
            if new + rest > limit:
                fits = False
        if not fits:
            continue
        for place in range(size):
            best, best_more, best_cost = -1, 0, 0
            for one in range(made):
                if new_sizes[one] >= 2 * k - 1:
                    continue
                there = joined_cost(
                    ancestors, steps, new_levels[one], sequence_of[new_rows[one, 0]], pool[place]
                )
                more = (new_sizes[one] + 1) * there - new_sizes[one] * new_costs[one]
                if best < 0 or more < best_more:
                    best, best_more, best_cost = one, more, there
            if best < 0:
                fits = False
                break
            join(ancestors, new_levels[best], sequence_of[new_rows[best, 0]], pool[place])
            new_rows[best, new_sizes[best]] = rows[place]
            new_sizes[best] += 1
            new_costs[best] = best_cost
            new += best_more
        if not fits or new > limit:
            continue
        if made > broken and made - broken > spares:
            continue
        if new != old:
            accepted += 1
        saved += old - new
        for place in range(max(made, broken)):
            if place >= made:
                spare[spares] = used[place]
                spares += 1
                sizes[used[place]] = 0
                continue
            if place < broken:
                one = used[place]
            else:
                spares -= 1
                one = spare[spares]
            sizes[one], costs[one] = new_sizes[place], new_costs[place]
            for other in range(new_sizes[place]):
                rows_of[one, other] = new_rows[place, other]
                class_of[new_rows[place, other]] = one
    return saved, accepted, spares
