"""Find who is rare by what may be known, without listing it: each combination has its own cell.

Persons of whom different things are known anyway share no combination. So they are counted group
by group, in the same cells.
"""

import numpy as np
import numpy.typing as npt

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts, Flags

PERSONS_AT_ONCE = 64
"""So many persons are counted before it is asked whether that is enough."""


@compiled
def drop_counted(
    order: Counts,
    begins: Counts,
    starts: Counts,
    sequence_of: Codes,
    code_of: Codes,
    limits: Counts,
    lines: Counts,
    steps: Counts,
    kept: Flags,
    k: int,
    enough: int,
) -> int:
    """Leave out persons until at least k have whatever may be known of each who is left.

    What is left is the greatest set of persons among whom that holds.

    Parameters
    ----------
    order, begins
        The persons, by what is known of them anyway; and where each group begins that shares it.
    starts
        Where the records of each person begin in `sequence_of`, one line a table.
    sequence_of, code_of
        The sequence of each record, and the code that it shows: 0, 1, … in each table.
    limits
        For each table, how many records of a person are combined at most.
    lines
        For each kind of combination, its first step and its first cell; the numbers of all at last.
    steps
        For each record of a combination its table, how many of that table are still to be chosen,
        by what their cells are multiplied, and whether one of the table was chosen before.
    kept
        The persons that are left; it is changed.
    k
        How many persons must share it.
    enough
        No more are left out when more than so many were.

    Returns
    -------
    int
        How many persons were left out.

    Examples
    --------
    >>> starts, codes = np.array([[0, 2, 3, 5]]), np.array([0, 1, 1, 1, 0], dtype=np.int32)
    >>> order, group, kept = np.arange(3), np.array([0, 3]), np.ones(3, dtype=np.bool_)
    >>> records = (starts, codes, np.arange(2, dtype=np.int32), np.array([1]))
    >>> single = np.array([[0, 0], [1, 2]]), np.array([[0, 1, 1, 0]])
    >>> drop_counted(order, group, *records, *single, kept, 3, 9), kept.tolist()
    (3, [False, False, False])
    """
    cells = lines[-1, 1]
    # How many persons of the group that is counted have each combination, plus the persons of the
    # groups before it: whatever these left in a cell is no more than their number.
    support = np.zeros(cells, dtype=np.int32)
    codes, ends = np.empty_like(sequence_of), np.empty((len(starts), len(kept)), dtype=np.int64)
    times, paths = np.zeros(len(code_of), dtype=np.int8), np.empty((4, cells), dtype=np.int64)
    tally, dropped = np.empty(2, dtype=np.int64), 0
    for group in range(len(begins) - 1):
        nobody, block, tally[:] = begins[group], 0, 0
        members = order[nobody : begins[group + 1]]
        members = members[kept[members]]
        staying = len(members)
        rest = (starts, codes, ends, lines, steps, paths, kept, nobody, k, support, tally)
        # once k persons have every combination, none can be rare
        while block < len(members) and staying >= k and tally[1] < cells:
            some = members[block : block + PERSONS_AT_ONCE]
            _sort_codes(some, starts, sequence_of, code_of, limits, times, codes, ends)
            _visit(some, 1, *rest)
            block += PERSONS_AT_ONCE
        # Of those who are kept, somebody has tally[0] combinations, and k have tally[1] of them.
        # If they differ, somebody who is kept has a rare one, so that each round leaves one out.
        while staying > 0 and (staying < k or tally[1] < tally[0]):
            place = 0
            while place < len(members):
                place += _visit(members[place:], 0, *rest) if staying >= k else 0
                one = members[place : place + 1]  # nobody if the last one has been passed
                place += 1
                if not np.any(kept[one]):
                    continue
                if staying >= k:
                    _visit(one, -1, *rest)
                kept[one] = False
                dropped, staying = dropped + 1, staying - 1
                if dropped > enough:
                    return dropped
    return dropped


@compiled
def _sort_codes(
    members: Counts,
    starts: Counts,
    sequence_of: Codes,
    code_of: Codes,
    limits: Counts,
    times: npt.NDArray[np.int8],
    codes: Codes,
    ends: Counts,
) -> None:
    """Write what the records of persons show, of equal ones no more than can be combined.

    If several are combined, they are sorted, the largest first. `times` is 0 before and after.
    """
    for table in range(len(starts)):
        limit = limits[table]
        for person in members:
            begin = found = starts[table, person]
            for record in range(begin, starts[table, person + 1] if limit else begin):
                code = codes[found] = code_of[sequence_of[record]]
                more = times[code] < limit  # counted, as a branch would often be mispredicted
                times[code] += more
                found += more
            ends[table, person] = found
            for record in range(begin, found):
                code, place = codes[record], record
                times[code] = 0
                while limit > 1 and place > begin and codes[place - 1] < code:
                    codes[place] = codes[place - 1]
                    place -= 1
                codes[place] = code


@compiled
def _visit(
    members: Counts,
    change: int,
    starts: Counts,
    codes: Codes,
    ends: Counts,
    lines: Counts,
    steps: Counts,
    paths: Counts,
    kept: Flags,
    nobody: int,
    k: int,
    support: Codes,
    tally: Counts,
) -> int:
    """Add 1 to the combinations of persons who are kept, or -1; with 0, find one who is rare.

    Returns: how many persons come before that one.
    """
    shared, supported = 0, 0
    for place in range(len(members)):
        person = members[place]
        for line in range(len(lines) - 1 if kept[person] else 0):
            here, found, last = 0, 1, lines[line + 1, 0] - 1
            paths[0, 0] = lines[line, 1]
            if last > lines[line, 0]:
                own = steps[lines[line, 0] : last]
                here, found = _list_paths(person, starts, codes, ends, own, paths)
            table, _, _, again = steps[last]
            end = ends[table, person]
            for path in range(found):
                begin = paths[here + 1, path] if again else starts[table, person]
                first = paths[here, path]
                for record in range(begin, end):
                    if record > begin and codes[record - 1] == codes[record]:
                        continue
                    # unsigned: not tested for an index from the end
                    cell = np.uint64(first + codes[record])
                    before = max(support[cell], nobody)
                    if change == 0:
                        if before < nobody + k:
                            return place
                    elif change > 0:
                        support[cell] = before + 1
                        shared += before == nobody
                        supported += before + 1 == nobody + k
                    else:
                        support[cell] = before - 1
                        shared -= before - 1 == nobody
                        supported -= before == nobody + k
    tally[0] += shared
    tally[1] += supported
    return len(members)


@compiled
def _list_paths(
    person: int, starts: Counts, codes: Codes, ends: Counts, steps: Counts, paths: Counts
) -> tuple[int, int]:
    """List the combinations of a person without the last record; return where, and how many.

    Of each, its cell if the last record has code 0, and where that record is looked for. The cell
    of codes a ≥ b ≥ … of a table is the number of multisets that come before it: those of as many
    codes below a, plus those of one code less below b, and so on.
    """
    found, here = 1, 0
    for table, left, stride, again in steps:
        extended, there = 0, 2 - here
        end = ends[table, person]
        for path in range(found):
            begin = paths[here + 1, path] if again else starts[table, person]
            for record in range(begin, end):
                code = codes[record]
                if record == begin or codes[record - 1] != code:
                    ways = np.int64(code)
                    for more in range(1, left):
                        ways = ways * (code + more) // (more + 1)
                    paths[there, extended] = paths[here, path] + stride * ways
                    paths[there + 1, extended] = record + 1
                    extended += 1
        found, here = extended, there
    return here, found
