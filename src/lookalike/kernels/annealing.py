"""Improve classes by simulated annealing: break up some classes and rebuild them."""

import numpy as np

from lookalike.kernels.annealing_state import (
    LOOSE,
    MADE,
    NEW,
    OLD,
    REST,
    Packing,
    Schedule,
    Setting,
    Trial,
    free_class,
    keep_trial,
    make_class,
)
from lookalike.kernels.compiled import compiled
from lookalike.kernels.joins import UNREACHED, join_cost, raise_to_join
from lookalike.kernels.types import Codes, Flags

DRAWS = 20
"""The number of draws of a class before a trial is given up."""
CERTAIN_EXCESS = 40.0
"""The excess over its values, in units, from which on a drawn class is always accepted."""
NOISE, BONUS = 3.0, 1.0
"""Units of random noise in the score of a row, and units that a free row scores more."""
NEARNESS = 3.0
"""The greater, the more draws favor groups whose cost is near the values of their rows."""
STOP = 0.5
"""The probability that fewer than k free rows join new classes at once."""
EAGER = 2.0
"""By how many units a class that breaks up others may cost more than one of free rows."""
HARDNESS = 4.0
"""Units of random noise in the choice of the free row that is hardest to place."""


@compiled
def draw_class(setting: Setting, packing: Packing) -> int:
    """Draw a class, with a probability that rises with its excess over its values; -1 if none."""
    for _ in range(DRAWS):
        one = np.random.randint(len(packing.sizes))
        if packing.sizes[one] == 0:
            continue
        # A class without excess is accepted, too: with probability 0.05 / 40 = 1 / 800.
        if (
            np.random.random() * CERTAIN_EXCESS * setting.unit
            < packing.excess[one] + 0.05 * setting.unit
        ):
            return one
    return -1


@compiled
def choose_in_group(setting: Setting, trial: Trial, group: int, wanted: int, turn: int) -> bool:
    """Choose a given row and about the k - 1 rows of largest value in a group.

    Free rows are preferred; rows of new classes are never chosen.
    """
    k, unit = setting.k, setting.unit
    trial.chosen[0] = wanted
    number = 1
    for entry in range(setting.offsets[group], setting.offsets[group + 1]):
        member = setting.members[entry]
        most = setting.values[member] + (NOISE + BONUS) * unit
        if number == k and most <= trial.score[k - 1]:
            break  # the members of a group come by falling value
        count = setting.counts[member]
        offset = np.random.randint(max(count, 1))
        for step in range(count):
            row = setting.first_row[member] + (offset + step) % count
            if row == wanted or trial.state[row] == 2 * turn + 1:
                continue
            score = setting.values[member] + NOISE * unit * np.random.random()
            if trial.state[row] == 2 * turn:
                score += BONUS * unit
            if number == k and score <= trial.score[k - 1]:
                continue
            place = min(number, k - 1)  # place 0 is the given row, whatever its value
            while place > 1 and trial.score[place - 1] < score:
                trial.chosen[place] = trial.chosen[place - 1]
                trial.score[place] = trial.score[place - 1]
                place -= 1
            trial.chosen[place] = row
            trial.score[place] = score
            number = min(number + 1, k)
    return number == k


@compiled
def weigh_chosen(
    setting: Setting, packing: Packing, trial: Trial, turn: int, levels: Codes
) -> float:
    """Return the estimated rise of the total cost if the chosen rows become a class."""
    levels[:] = setting.cells.bottom
    first = setting.sequence_of[trial.chosen[0]]
    rise = 0.0
    for place in range(setting.k):
        row = trial.chosen[place]
        sequence = setting.sequence_of[row]
        raise_to_join(setting.cells, first, levels, sequence, levels)
        rise -= setting.values[sequence]
        if trial.state[row] < 2 * turn:
            one = packing.class_of[row]
            seen = False
            for earlier in range(place):
                other = trial.chosen[earlier]
                if trial.state[other] < 2 * turn and packing.class_of[other] == one:
                    seen = True
            if not seen:  # a class is broken up once, however many of its rows are chosen
                rise -= packing.excess[one]
    for attribute in range(len(levels)):
        code = setting.cells.ancestors[first, attribute, levels[attribute]]
        rise += setting.k * setting.cells.prices[code]
    return rise


@compiled
def take_chosen(setting: Setting, packing: Packing, trial: Trial, turn: int) -> bool:
    """Make a class of the chosen rows, and break up the classes that they are in."""
    for row in trial.chosen:
        if trial.state[row] < 2 * turn and not free_class(
            setting, packing, trial, packing.class_of[row], turn
        ):
            return False
    make_class(setting, trial, trial.chosen, turn)
    return True


@compiled
def list_near_free(setting: Setting, trial: Trial, seed: int) -> int:
    """List the 2 k free rows that fit best to one row, itself first; return their number.

    Rows of high value are preferred, since they are hard to place elsewhere.
    """
    first, bottom = setting.sequence_of[trial.loose[seed]], setting.cells.bottom
    trial.near[0], number = trial.loose[seed], 1
    for place in range(trial.numbers[LOOSE]):
        if place == seed:
            continue
        sequence = setting.sequence_of[trial.loose[place]]
        distance = join_cost(setting.cells, first, bottom, sequence, bottom, UNREACHED)
        score = distance * setting.k - setting.values[sequence]
        if number == len(trial.near) and score >= trial.fit[number - 1]:
            continue
        spot = min(number, len(trial.near) - 1)
        while spot > 1 and trial.fit[spot - 1] > score:
            trial.near[spot], trial.fit[spot] = trial.near[spot - 1], trial.fit[spot - 1]
            spot -= 1
        trial.near[spot], trial.fit[spot] = trial.loose[place], score
        number = min(number + 1, len(trial.near))
    return number


@compiled
def choose_among_loose(setting: Setting, trial: Trial, seed: int, levels: Codes) -> float:
    """Choose k free rows around one, in each step the row that costs the class least.

    Returns by how much the cost of the class exceeds the values of its rows.
    """
    k = setting.k
    known = list_near_free(setting, trial, seed)  # at least k, as the caller has k free rows
    levels[:] = setting.cells.bottom
    first = setting.sequence_of[trial.near[0]]
    rise = -setting.values[first]
    cost = 0
    for number in range(1, k):
        best, best_cost, best_score = -1, 0, 2.0**60
        for place in range(number, known):
            sequence = setting.sequence_of[trial.near[place]]
            # From this cost on, the score is no better than the best.
            limit = int((best_score + setting.values[sequence]) / k) + 1
            there = join_cost(setting.cells, first, levels, sequence, levels, limit)
            score = there * k - setting.values[sequence]
            if score < best_score:
                best, best_cost, best_score = place, there, score
        trial.near[number], trial.near[best] = trial.near[best], trial.near[number]
        sequence = setting.sequence_of[trial.near[number]]
        raise_to_join(setting.cells, first, levels, sequence, levels)
        rise -= setting.values[sequence]
        cost = best_cost
    return float(rise + k * cost)


@compiled
def draw_hardest(setting: Setting, trial: Trial) -> int:
    """Return about the free row of largest value, with random noise."""
    hardest, value = 0, -np.inf
    for place in range(trial.numbers[LOOSE]):
        sequence = setting.sequence_of[trial.loose[place]]
        here = setting.values[sequence] + HARDNESS * setting.unit * np.random.random()
        if here > value:
            hardest, value = place, here
    return hardest


@compiled
def draw_group(setting: Setting, sequence: int) -> int:
    """Draw a group of a sequence; -1 if it has none."""
    known = setting.begin_of[sequence + 1] - setting.begin_of[sequence]
    if known == 0:
        return -1
    drawn = int(known * np.random.random() ** NEARNESS)
    return int(setting.groups[setting.begin_of[sequence] + drawn])


@compiled
def add_to_classes(setting: Setting, trial: Trial) -> bool:
    """Add fewer than k free rows to the new classes where they cost least."""
    for place in range(trial.numbers[LOOSE]):
        row = trial.loose[place]
        sequence = setting.sequence_of[row]
        best, best_more, best_cost = -1, 0, 0
        for one in range(trial.numbers[MADE]):
            if trial.sizes[one] >= 2 * setting.k - 1:
                continue
            first = setting.sequence_of[trial.rows[one, 0]]
            levels = trial.levels[one]
            there = join_cost(setting.cells, first, levels, sequence, levels, UNREACHED)
            more = (trial.sizes[one] + 1) * there - trial.sizes[one] * trial.costs[one]
            if best < 0 or more < best_more:
                best, best_more, best_cost = one, more, there
        if best < 0:
            return False
        first = setting.sequence_of[trial.rows[best, 0]]
        levels = trial.levels[best]
        raise_to_join(setting.cells, first, levels, sequence, levels)
        trial.rows[best, trial.sizes[best]] = row
        trial.sizes[best] += 1
        trial.costs[best] = best_cost
        trial.sums[NEW] += best_more
        trial.sums[REST] -= setting.values[sequence]
    trial.numbers[LOOSE] = 0
    return True


@compiled
def rebuild(
    setting: Setting, packing: Packing, trial: Trial, turn: int, more: float, levels: Codes
) -> bool:
    """Put all free rows into new classes; return whether that can cost little enough."""
    while trial.numbers[LOOSE] > 0:
        # Values are nearly a lower bound of what the free rows will cost.
        if trial.sums[NEW] + trial.sums[REST] > trial.sums[OLD] + more:
            return False
        enough = trial.numbers[LOOSE] >= setting.k
        seed = draw_hardest(setting, trial)
        rise = np.inf
        if enough:
            rise = choose_among_loose(setting, trial, seed, levels)
        elif np.random.random() < STOP:
            return add_to_classes(setting, trial)
        row = trial.loose[seed]
        group = draw_group(setting, setting.sequence_of[row])
        if (
            group >= 0
            and choose_in_group(setting, trial, group, row, turn)
            and weigh_chosen(setting, packing, trial, turn, levels)
            < rise + EAGER * setting.unit * np.random.random()
        ):
            if not take_chosen(setting, packing, trial, turn):
                return False
        elif enough:
            make_class(setting, trial, trial.near, turn)
        else:
            return add_to_classes(setting, trial)
    return True


@compiled
def anneal(
    setting: Setting, packing: Packing, trial: Trial, schedule: Schedule, stop: Flags
) -> int:
    """Improve classes by simulated annealing; return by how much the total cost fell.

    The temperature falls along the schedule. Another thread sets `stop` to end before the next
    trial.
    """
    np.random.seed(schedule.seed)
    tries, hot, cold = schedule.tries, schedule.hot * setting.unit, schedule.cold * setting.unit
    levels = np.empty(len(setting.cells.bottom), dtype=np.int32)
    saved = 0.0
    trial.state[:] = 0
    for turn in range(1, tries + 1):
        if stop[0]:
            break
        temperature = hot * (cold / hot) ** (turn / tries)
        drawn = draw_class(setting, packing)
        if drawn < 0:
            continue
        row = packing.rows_of[drawn, np.random.randint(packing.sizes[drawn])]
        group = draw_group(setting, setting.sequence_of[row])
        if group < 0:
            continue
        trial.numbers[:] = 0
        trial.sums[:] = 0
        free_class(setting, packing, trial, drawn, turn)
        if not choose_in_group(setting, trial, group, row, turn):
            continue
        same = packing.sizes[drawn] == setting.k
        for chosen in trial.chosen:
            if trial.state[chosen] < 2 * turn:
                same = False
        if same:
            continue
        # A rise r of the cost is accepted with probability exp(-r / temperature).
        more = -temperature * np.log(np.random.random())
        if weigh_chosen(setting, packing, trial, turn, levels) - packing.excess[drawn] > more:
            continue
        if not take_chosen(setting, packing, trial, turn):
            continue
        if not rebuild(setting, packing, trial, turn, more, levels):
            continue
        if trial.sums[NEW] > trial.sums[OLD] + more or not keep_trial(setting, packing, trial):
            continue
        saved += trial.sums[OLD] - trial.sums[NEW]
    return int(saved)
