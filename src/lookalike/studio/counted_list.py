"""CountedList: the frequency list of the table, on which settings are tried at once."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.flow.counted_table import CountedTable
from lookalike.flow.source import read_or_store
from lookalike.hierarchy import Mask
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.frequency import FrequencyList
from lookalike.model.progress import Announce, Stopwatch
from lookalike.model.requirement import LEAST_K, Requirement
from lookalike.search.argus.options import ArgusOptions
from lookalike.search.lattice.decide import decide_lattice
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import mingen, mu_argus
from lookalike.search.options import DEFAULTS
from lookalike.spec.settle_columns import settle_columns
from lookalike.studio.editing.project import Project, find_stamps
from lookalike.studio.levels.level_work import LevelWork

_SEARCHING_FIELDS = (
    *("k", "max_suppressed", "method", "objective", "prefer", "constraints", "time_limit"),
    *("effort", "bound", "combinations", "dimension", "generalize", "suppress_by", "repair"),
    *(
        "out",
        "dossier",
        "report",
        "accept",
        "review",
        "purpose",
        "recipient",
        "secrecy",
        "lottery_rate",
    ),
    *("preset", "highest_risk", "average_risk", "decoys", "max_exposure", "state_exposure"),
)
"""The fields of ``[release]`` that the frequency list does not depend on."""
_WEIGHING_FIELDS = ("weight", "keep", "anonymity", "linking", "tolerance", "identification")
"""The same of ``[attributes.NAME]``."""


@dataclass(frozen=True, eq=False)
class CountedList(Discreet):
    """The frequency list of a table.

    Two specifications with the same ``key`` have the same list.
    """

    key: str
    frequency: FrequencyList

    @cached_property
    def levels(self) -> LevelWork:
        """What requests about levels have evaluated on the list."""
        return LevelWork(self.frequency)


def find_counting_key(project: Project) -> str:
    """Return the part of a specification that the frequency list depends on, as text.

    It also changes with the files that are read.
    """
    counted = {
        **project.fields,
        "release": _without(project.table("release"), _SEARCHING_FIELDS),
        "attributes": {
            name: _without(column, _WEIGHING_FIELDS) for name, column in project.attributes.items()
        },
    }
    return json.dumps([counted, find_stamps(project)], default=str, sort_keys=True)


def _without(fields: Mapping[str, Any], left_out: Iterable[str]) -> dict[str, Any]:
    """Return fields without some of them."""
    return {name: value for name, value in fields.items() if name not in left_out}


def count_list(announce: Announce, project: Project) -> CountedList:
    """Read and count the table of a project."""
    specification = settle_columns(project.specification())
    counted = read_or_store(specification, Stopwatch(announce))
    if not isinstance(counted, CountedTable) or counted.is_coarsened:
        raise InvalidInput(
            "the distinct sequences of this table do not fit in memory, so that settings cannot "
            "be tried at once; raise release.max_sequences, or use a dry run"
        )
    return CountedList(find_counting_key(project), counted.frequency)


_VALUES = ("aa", "ab", "ba", "bb")


def load_compiled() -> None:
    """Use the loops of *Levels* and *µ-Argus* on an invented table of a few rows."""
    rule = Mask(length=2)
    codes = np.array([[0, 1, 2, 3], [3, 3, 0, 1]], dtype=np.int32)
    few = FrequencyList(
        hierarchies=(rule.bind("one", _VALUES), rule.bind("other", _VALUES)),
        vector=(0, 0),
        codes=codes,
        counts=np.array([1, 2, 1, 2], dtype=np.int64),
    )
    asked = Requirement(LEAST_K, 1)
    lattice, _ = DEFAULTS.lattice_of(few)
    rollups = RollUps(few, asked)
    rollups.decide(few.vector)
    decide_lattice(rollups, lattice, 1)
    mingen(few, asked)
    mu_argus(few, asked, replace(DEFAULTS, argus=ArgusOptions(dimension=2, repair=True)))
