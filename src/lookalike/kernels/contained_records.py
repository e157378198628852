"""Find the persons whose records contain all records that are known of somebody.

What is known of a record fits some classes of released records: one, or several where a value is
missing. A person holds what is known if each known record fits a released record of its own.
"""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts

NOBODY = -1
"""Stands for no person, record or entry of another table."""


@compiled
def find_holders(
    known_starts: Counts,
    known: Codes,
    option_starts: Counts,
    options: Codes,
    holder_starts: Counts,
    holders: Codes,
    shown_starts: Counts,
    shown: Codes,
    weights: Counts,
) -> tuple[Counts, Codes, Counts, Codes]:
    """Count for each of whom something is known the released persons who hold all of it.

    Parameters
    ----------
    known_starts, known
        Where the known records of each begin, and what they are.
    option_starts, options
        The classes that fit each known record, in ascending order.
    holder_starts, holders
        The released persons who have a record of each class.
    shown_starts, shown
        The classes of the records of each released person.
    weights
        How many persons each of the former stands for.

    Returns
    -------
    tuple of arrays
        The number of holders of each, and the holder if it is the only one; and for each released
        person the number of those who may be this person, and the last of them.

    Examples
    --------
    >>> starts, codes = np.array([0, 1, 3]), np.array([0, 0, 1], dtype=np.int32)
    >>> fits = np.arange(3), np.arange(2, dtype=np.int32)
    >>> held = np.array([0, 2, 3]), np.array([0, 1, 1], dtype=np.int32)
    >>> found = find_holders(starts, codes, *fits, *held, starts, codes, np.ones(2, np.int64))
    >>> [one.tolist() for one in found]
    [[2, 1], [-1, 1], [1, 2], [0, 1]]
    """
    several, people = len(known_starts) - 1, len(shown_starts) - 1
    number, only = np.zeros(several, dtype=np.int64), np.full(several, NOBODY, dtype=np.int32)
    fitting, last = np.zeros(people, dtype=np.int64), np.full(people, NOBODY, dtype=np.int32)
    compared = np.full(people, NOBODY, dtype=np.int32)
    widest = np.max(np.diff(shown_starts)) if people else 0
    deepest = np.max(np.diff(known_starts)) if several else 0
    shown_notes = np.empty((3, widest), dtype=np.int32)
    known_notes = np.empty((2, deepest), dtype=np.int32)
    every = np.arange(people, dtype=np.int32)
    for one in range(several):
        wanted = known[known_starts[one] : known_starts[one + 1]]
        # whoever holds everything holds the record that fits the fewest
        rarest, fewest = -1, np.int64(0)
        for record in wanted:
            total = np.int64(0)
            for option in options[option_starts[record] : option_starts[record + 1]]:
                total += holder_starts[option + 1] - holder_starts[option]
            if rarest < 0 or total < fewest:
                rarest, fewest = record, total
        first = option_starts[rarest] if rarest >= 0 else 0
        final = option_starts[rarest + 1] if rarest >= 0 else 1
        for place in range(first, final):
            some = every
            if rarest >= 0:
                some = holders[holder_starts[options[place]] : holder_starts[options[place] + 1]]
            for person in some:
                if compared[person] == one:
                    continue
                compared[person] = one
                own = shown[shown_starts[person] : shown_starts[person + 1]]
                if _holds(wanted, option_starts, options, own, known_notes, shown_notes):
                    number[one] += 1
                    only[one] = person
                    fitting[person] += weights[one]
                    last[person] = one
    only[number != 1] = NOBODY
    return number, only, fitting, last


@compiled
def _holds(
    wanted: Codes,
    option_starts: Counts,
    options: Codes,
    own: Codes,
    known_notes: Codes,
    shown_notes: Codes,
) -> bool:
    """Return whether each wanted record fits one of somebody's own records, each another one.

    A matching grows by one wanted record after the other, along augmenting paths.
    """
    if len(wanted) > len(own):
        return False
    taken, queue = known_notes[0], known_notes[1]
    owner, came, seen = shown_notes[0], shown_notes[1], shown_notes[2]
    owner[: len(own)] = NOBODY
    for record in range(len(wanted)):
        taken[record], queue[0] = NOBODY, record
        seen[: len(own)] = 0
        head, tail, free = 0, 1, NOBODY
        # breadth first: the owner of a record that fits may take another one in its place
        while head < tail and free < 0:
            asking = queue[head]
            head += 1
            begin, end = option_starts[wanted[asking]], option_starts[wanted[asking] + 1]
            for place in range(len(own)):
                if seen[place]:
                    continue
                found = begin + np.searchsorted(options[begin:end], own[place])
                if found == end or options[found] != own[place]:
                    continue
                seen[place], came[place] = 1, asking
                if owner[place] < 0:
                    free = place
                    break
                queue[tail] = owner[place]
                tail += 1
        if free < 0:
            return False
        while free >= 0:
            asking = came[free]
            owner[free], free, taken[asking] = asking, taken[asking], free
    return True
