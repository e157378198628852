"""Data of the annealing: fixed inputs, the current classes, and one trial that rebuilds some."""

from typing import NamedTuple

from lookalike.kernels.compiled import compiled
from lookalike.kernels.joins import Cells, raise_to_join
from lookalike.kernels.types import Codes, Counts, Reals

MOST_CLASSES = 8
"""The greatest number of classes that one trial breaks up."""
BROKEN, LOOSE, MADE = 0, 1, 2
"""Positions in `Trial.numbers`: classes broken up, free rows, and new classes."""
OLD, NEW, REST = 0, 1, 2
"""Positions in `Trial.sums`: cost of the broken and of the new classes, value of free rows."""


class Setting(NamedTuple):
    """Inputs that stay fixed while rows are exchanged.

    ``k``, ``unit``: the least size of a class, and the smallest difference of two costs.
    ``values``: the value of one row of each sequence.
    ``counts``: the number of rows of each sequence that are in a class.
    ``first_row``: the number of the first row of each sequence; its other rows follow.
    ``sequence_of``: the sequence of each row.
    ``offsets``, ``members``: the members of each group.
    ``begin_of``, ``groups``: the groups of each sequence.
    """

    k: int
    unit: float
    cells: Cells
    values: Reals
    counts: Counts
    first_row: Counts
    sequence_of: Codes
    offsets: Counts
    members: Codes
    begin_of: Counts
    groups: Codes


class Schedule(NamedTuple):
    """How many trials a turn of the annealing makes, between two temperatures in units.

    ``seed``: the seed of the random choices.
    """

    tries: int
    hot: float
    cold: float
    seed: int


class Packing(NamedTuple):
    """The current classes, changed in place.

    ``class_of``: the class of each row.
    ``rows_of``, ``sizes``, ``costs``: the rows of each class, their number, and the cost of one of
    them.
    ``excess``: by how much the cost of each class exceeds the values of its rows.
    ``spare``, ``spares``: numbers of classes that are not in use, and how many there are.
    """

    class_of: Codes
    rows_of: Codes
    sizes: Codes
    costs: Counts
    excess: Reals
    spare: Codes
    spares: Codes


class Trial(NamedTuple):
    """Working arrays of one trial.

    ``state``: for each row 2 t if it is free in trial t, 2 t + 1 if it is in a new class of trial
    t.
    ``used``: the classes that are broken up.
    ``loose``: the free rows.
    ``rows``, ``sizes``, ``costs``, ``levels``: the new classes.
    ``chosen``, ``score``: rows that may become a class, and the score of each.
    ``near``, ``fit``: the free rows that fit best to one row, and their scores; the first k are
    chosen.
    ``numbers``, ``sums``: see the constants above.
    """

    state: Counts
    used: Codes
    loose: Codes
    rows: Codes
    sizes: Codes
    costs: Counts
    levels: Codes
    chosen: Codes
    score: Reals
    near: Codes
    fit: Reals
    numbers: Counts
    sums: Reals


@compiled
def excess_of(setting: Setting, packing: Packing, one: int) -> float:
    """Return by how much the cost of a class exceeds the values of its rows."""
    above = float(packing.sizes[one] * packing.costs[one])
    for place in range(packing.sizes[one]):
        above -= setting.values[setting.sequence_of[packing.rows_of[one, place]]]
    return above


@compiled
def free_class(setting: Setting, packing: Packing, trial: Trial, one: int, turn: int) -> bool:
    """Break up a class, unless the trial has broken up the greatest number already."""
    if trial.numbers[BROKEN] >= len(trial.used):
        return False
    trial.used[trial.numbers[BROKEN]] = one
    trial.numbers[BROKEN] += 1
    trial.sums[OLD] += packing.sizes[one] * packing.costs[one]
    for place in range(packing.sizes[one]):
        row = packing.rows_of[one, place]
        trial.state[row] = 2 * turn
        trial.loose[trial.numbers[LOOSE]] = row
        trial.numbers[LOOSE] += 1
        trial.sums[REST] += setting.values[setting.sequence_of[row]]
    return True


@compiled
def make_class(setting: Setting, trial: Trial, chosen: Codes, turn: int) -> None:
    """Make a class of k free rows."""
    made, k = trial.numbers[MADE], setting.k
    levels = trial.levels[made]
    levels[:] = setting.cells.bottom
    first = setting.sequence_of[chosen[0]]
    for place in range(k):
        sequence = setting.sequence_of[chosen[place]]
        raise_to_join(setting.cells, first, levels, sequence, levels)
        trial.rows[made, place] = chosen[place]
        trial.state[chosen[place]] = 2 * turn + 1
        trial.sums[REST] -= setting.values[sequence]
    cost = 0
    for attribute in range(len(levels)):
        cost += setting.cells.prices[setting.cells.ancestors[first, attribute, levels[attribute]]]
    trial.costs[made], trial.sizes[made] = cost, k
    trial.sums[NEW] += k * cost
    trial.numbers[MADE] += 1
    kept = 0
    for place in range(trial.numbers[LOOSE]):
        row = trial.loose[place]
        if trial.state[row] == 2 * turn:
            trial.loose[kept] = row
            kept += 1
    trial.numbers[LOOSE] = kept


@compiled
def keep_trial(setting: Setting, packing: Packing, trial: Trial) -> bool:
    """Replace the broken classes by the new ones; return whether there was room."""
    # The first new classes take the numbers of the broken ones; the rest are taken from, or
    # given back to, the spare numbers.
    made, broken = trial.numbers[MADE], trial.numbers[BROKEN]
    if made - broken > packing.spares[0]:
        return False
    for place in range(max(made, broken)):
        if place >= made:
            packing.spare[packing.spares[0]] = trial.used[place]
            packing.spares[0] += 1
            packing.sizes[trial.used[place]] = 0
            continue
        if place < broken:
            one = trial.used[place]
        else:
            packing.spares[0] -= 1
            one = packing.spare[packing.spares[0]]
        packing.sizes[one], packing.costs[one] = trial.sizes[place], trial.costs[place]
        for other in range(trial.sizes[place]):
            packing.rows_of[one, other] = trial.rows[place, other]
            packing.class_of[trial.rows[place, other]] = one
        packing.excess[one] = excess_of(setting, packing, one)
    return True
