"""Compute the probability that three kinds of attackers assign a row to the right person.

The names are those of the literature on disclosure risk (El Emam and Dankar, *Protecting
privacy using k-anonymity*, 2008). For a row whose class has f rows, and whose values F persons of
the population have:

- a *prosecutor* knows that a person is in the table, and is right with probability 1 / f;
- a *journalist* tries to identify any person with a list of the population: 1 / F;
- a *marketer* tries to identify as many rows as possible; the average over all rows counts.
"""

from dataclasses import dataclass

import numpy as np

from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Counts
from lookalike.risk.table.sequences import Sequences


@dataclass(frozen=True)
class AttackerRisk:
    """The probability that an attacker is right.

    ``highest``: the probability for the row with the highest risk.
    ``average``: the probability for a row, or a person, drawn at random.
    ``rows_at_risk``: the number of rows with a probability above 1 / k.
    """

    highest: float
    average: float
    rows_at_risk: int


def prosecutor_risk(sizes: Counts, k: int) -> AttackerRisk:
    """Return the risk from an attacker who knows that a person is in the table.

    It is that of a journalist whose population is the table: the highest is 1 / min f, the average
    Σ f · (1 / f) / n, which is classes / rows.

    Examples
    --------
    >>> prosecutor_risk(np.array([1, 3]), k=2)
    AttackerRisk(highest=1.0, average=0.5, rows_at_risk=1)
    """
    return journalist_risk(sizes, sizes, k)


def journalist_risk(sizes: Counts, persons: Counts, k: int) -> AttackerRisk:
    """Return the risk from an attacker who looks for any person in a list of the population.

    The highest is 1 / min F. The average is the larger of Σ (f / F) / n, for a row drawn at
    random, and classes / Σ F, for a person drawn at random from those who have the values.

    ``persons``: the number of persons of the population with the values of each class, at least as
    many.

    Examples
    --------
    >>> journalist_risk(np.array([1, 3]), np.array([4, 3]), k=4)
    AttackerRisk(highest=0.3333333333333333, average=0.3125, rows_at_risk=3)
    """
    if not len(sizes):
        return AttackerRisk(0.0, 0.0, 0)
    return AttackerRisk(
        highest=float(1 / persons.min()),
        average=max(marketer_risk(sizes, persons), float(len(sizes) / persons.sum())),
        rows_at_risk=int(sizes[persons < k].sum()),
    )


def marketer_risk(sizes: Counts, persons: Counts) -> float:
    """Return the share of rows that an attacker identifies correctly: Σ (f / F) / n.

    Examples
    --------
    >>> marketer_risk(np.array([1, 3]), np.array([4, 3]))
    0.3125
    """
    return float((sizes / persons).sum() / sizes.sum()) if len(sizes) else 0.0


def count_persons(classes: Sequences, population: Sequences) -> Counts:
    """Return the number of persons of a population with the values of each class."""
    sizes, codes = [], []
    for attribute, theirs in enumerate(population.values):
        number_of = {value: number for number, value in enumerate(classes.values[attribute])}
        renumber = [number_of.setdefault(value, len(number_of)) for value in theirs]
        renumbered = np.array(renumber, dtype=np.int32)[population.codes[attribute]]
        sizes.append(len(number_of))
        codes.append(np.concatenate([classes.codes[attribute], renumbered]))
    persons = np.concatenate([np.zeros(len(classes), dtype=np.int64), population.counts])
    class_of, _, totals = group_equal(np.array(codes), sizes, persons)
    found: Counts = totals[class_of[: len(classes)]]
    return found
