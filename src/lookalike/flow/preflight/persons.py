"""Check whether persons have several rows, so that k rows may be fewer than k persons."""

from collections.abc import Iterator, Sequence

import numpy as np

from lookalike.draft.find_person import PersonsFound, describe_sharing, find_person_keys
from lookalike.flow.preflight.facts import MOST_ROWS, Facts
from lookalike.kernels.grouping import group_equal
from lookalike.model.frequency import list_frequencies
from lookalike.risk.finding import SMALL_SHARE, PreflightFinding
from lookalike.risk.table.person_keys import KeyEvidence
from lookalike.spec.preflight_names import REPEATED_PERSONS
from lookalike.tables.count import count_distinct, count_within
from lookalike.tables.counted import Counted
from lookalike.tables.plan import Plan
from lookalike.tables.table import PERSON


def check_persons(facts: Facts) -> Iterator[PreflightFinding]:
    """Check every quasi-identifier for a column of any role that behaves like a key of persons.

    Where persons are counted by a column, it is checked whether several of them are one.
    """
    protected = facts.requirement.protected(facts.frequency.attributes)
    for attributes, person in dict.fromkeys((one.attributes, one.respondent) for one in protected):
        found = find_person_keys(facts.samples, facts.table.roles, attributes, person)
        yield from _judge(facts, found, attributes, person)


def _judge(
    facts: Facts, found: PersonsFound, attributes: Sequence[str], person: str | None
) -> Iterator[PreflightFinding]:
    """Report the column that stands for persons with the most rows, or that there may be one."""
    if found.keys:
        yield _describe(facts, found.keys[0], attributes, person)
    elif found.repeats:
        yield PreflightFinding(
            REPEATED_PERSONS,
            "warning",
            "combinations of the quasi-identifier repeat far more often than by chance: rows look "
            "like several rows of the same people, and a class of k rows may be fewer than k "
            "persons.",
            "add the column that identifies persons to the table, and name it under [source], "
            'person = "COLUMN"; or keep one row for each person',
        )


def _describe(
    facts: Facts, key: KeyEvidence, attributes: Sequence[str], person: str | None
) -> PreflightFinding:
    """Describe a column whose values may stand for persons, and what k would be with it."""
    name, rows = key.column, facts.frequency.rows
    [(distinct, _)] = count_distinct(facts.table.frame, [name]).values()
    source = facts.specification.source
    named = source.person_columns if source is not None and person == PERSON else (person,)
    counted = "k rows" if person is None else f"k values of {', '.join(map(repr, named))}"
    return PreflightFinding(
        REPEATED_PERSONS,
        "error" if key.repeated >= SMALL_SHARE else "warning",
        f"{describe_sharing(key)}, {distinct:,} different ones in {rows:,} rows: if they are "
        f"persons, a class of {counted} may be fewer than k persons"
        f"{_count_smallest(facts, attributes, name)}.",
        f'name the column under [source], person = "{name}", with the role identifier, so that k '
        "counts persons; or keep one row for each person",
    )


def _count_smallest(facts: Facts, attributes: Sequence[str], name: str) -> str:
    """Say how many persons the class with the fewest has at most, if that can be counted.

    Rows with equal values may be dealt to several classes at random, so that a class may have
    fewer persons than its values have, never more.
    """
    plan, columns = facts.plan, dict.fromkeys((*facts.table.quasi_identifier, name))
    if plan is None or any(plan.frequency.vector) or not facts.rows:
        return ""
    counted = count_within(facts.table.frame, [*columns], MOST_ROWS)
    if not isinstance(counted, Counted):
        return ""
    fewest = _count_fewest(plan, counted, attributes, [*columns].index(name))
    persons = "1 person" if fewest == 1 else f"{fewest:,} persons"
    return f", and the class with the fewest has {persons} at most"


def _count_fewest(plan: Plan, counted: Counted, attributes: Sequence[str], column: int) -> int:
    """Count the persons whose rows may be in each class, and return the fewest."""
    frequency, tuples = plan.frequency, plan.recoding.released(plan.frequency)
    hierarchies, linkable = frequency.hierarchies, len(frequency.hierarchies)
    # Without columns beside them, both lists have the same sequences in the same order.
    entry_of = list_frequencies(hierarchies, counted.positions[:linkable], counted.counts)[0]
    sequence = frequency.without_beside[0][tuples.sequence]
    order = np.argsort(entry_of, kind="stable")
    begin = np.searchsorted(entry_of[order], sequence, "left")
    sizes = np.searchsorted(entry_of[order], sequence, "right") - begin
    places = np.arange(sizes.sum()) + np.repeat(begin - np.cumsum(sizes) + sizes, sizes)
    class_of = np.repeat(tuples.classes(frequency, attributes)[0], sizes)
    persons = counted.positions[column][order[places]]
    pairs = np.stack([class_of, persons])
    kinds = [int(line.max(initial=0)) + 1 for line in pairs]
    first = group_equal(pairs, kinds, np.ones(len(persons), dtype=np.int64))[1]
    return int(np.bincount(class_of[first]).min())
