"""Check whether private linked tables keep the promise of a specification as they are."""

from dataclasses import dataclass

import numpy as np

from lookalike.describe.linked import describe_promise
from lookalike.flow.release_records import read_to_search
from lookalike.json_result import JsonResult
from lookalike.model.progress import Announce, Stopwatch
from lookalike.spec.fields import PersonUnit
from lookalike.spec.specification import Specification


@dataclass(frozen=True)
class CheckedRecords(JsonResult):
    """Whether private linked tables keep the promise of a specification as they are.

    ``known``: what may be known of a person, in words.
    ``k``: the number of persons who share the rarest of it.
    ``k_asked``: the number that the specification asks for.
    ``persons``: the number of persons.
    ``unique_persons``: those who are alone with something that may be known of them.
    ``persons_below_k``: those who share it with fewer persons than are asked for.
    ``persons_left_out``: those who would have to be left out without any generalization; to leave
    out one can make what is known of another one rare.
    ``unit``: what a person is called.
    """

    json_names = (
        "known k k_asked persons unique_persons persons_below_k persons_left_out unit holds"
    )

    known: str
    k: int
    k_asked: int
    persons: int
    unique_persons: int
    persons_below_k: int
    persons_left_out: int
    unit: PersonUnit

    @property
    def holds(self) -> bool:
        """Whether the tables keep the promise as they are."""
        return not self.persons_left_out and self.persons >= self.k_asked


def check_records(
    specification: Specification, announce: Announce = lambda _: None
) -> CheckedRecords:
    """Read and count linked tables, and check whether they keep the promise as they are."""
    sources, requirement, _ = read_to_search(specification, Stopwatch(announce))
    tables, k = sources.linked, requirement.k
    ground, everybody = (0,) * len(tables.heights), np.ones(sources.persons, dtype=np.bool_)
    alike = tables.count_alike(ground, everybody)
    return CheckedRecords(
        known=describe_promise(tables, specification.release.unit),
        k=int(alike.min(initial=sources.persons)),
        k_asked=k,
        persons=sources.persons,
        unique_persons=int((alike == 1).sum()),
        persons_below_k=int((alike < k).sum()),
        persons_left_out=int((~tables.mark_released(ground, k)).sum()),
        unit=specification.release.unit,
    )
