"""OpenLevels: a counted table, its specification, and what is tried at the attribute level."""

import math
from dataclasses import dataclass, replace

from lookalike.errors import InvalidInput, LookalikeError
from lookalike.model.clock import deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.progress import Announce
from lookalike.search.lattice.decide import MOST_DECIDED, decide_lattice
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import TAKES
from lookalike.search.takes import refuse_untaken
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.studio.counted_list import CountedList, count_list
from lookalike.studio.editing.edit_toml import set_field
from lookalike.studio.editing.project import Project
from lookalike.studio.levels.level_settings import (
    LevelSettings,
    find_crossed,
    find_settings,
    write_settings,
)
from lookalike.studio.levels.level_work import LevelWork, SettledLevels
from lookalike.studio.levels.try_weights import AskedLevels, LevelTrial, ask_levels, find_best

ATTRIBUTE_METHOD = "mingen"
"""The method that finds the best vector."""
ROUND_SECONDS = 1.0
"""How often a task says how many vectors are not decided."""


@dataclass(frozen=True, eq=False)
class OpenLevels:
    """A counted table and what its specification asks for at the attribute level.

    Parameters
    ----------
    project
        The specification, as text.
    work
        The frequency list, and what requests have evaluated on it.
    specification
        The specification.
    settings
        What it says of weights, levels, k and suppression.
    asked
        What it asks for.
    """

    project: Project
    work: LevelWork
    specification: Specification
    settings: LevelSettings
    asked: AskedLevels

    @property
    def frequency(self) -> FrequencyList:
        """The frequency list."""
        return self.work.frequency

    @property
    def method(self) -> str:
        """The method of the specification."""
        return self.specification.release.method

    @property
    def takes_bounds(self) -> bool:
        """Whether the method takes bounds on levels."""
        return TAKES[self.method].level_bounds

    @property
    def is_cell_level(self) -> bool:
        """Whether the method may give rows different levels."""
        return TAKES[self.method].cells

    def change(self, tried: LevelSettings, method: str = "") -> "OpenLevels":
        """Return it with other settings, and with another method if one is named."""
        text = write_settings(self.project, self.frequency, self.settings, tried)
        text = set_field(text, ("release",), "method", method) if method else text
        changed = open_levels(replace(self.project, text=text), self.work)
        if changed.settings != tried:
            raise InvalidInput(
                "the recipient's part of the specification sets some of this; change it in the text"
            )
        return changed

    def require_taken(self) -> None:
        """Raise if the method of the specification would ignore a part of it."""
        requirement = self.specification.requirement(self.frequency.rows)
        options = self.specification.options()
        refuse_untaken(self.method, self.frequency.attributes, requirement, options)


def open_counted(project: Project, counted: CountedList) -> OpenLevels:
    """Open the levels of a counted table."""
    return open_levels(project, counted.levels)


def open_levels(project: Project, work: LevelWork) -> OpenLevels:
    """Read what a specification asks for at the attribute level."""
    if not work.frequency.attributes:
        raise InvalidInput("no column has the role quasi-identifier; choose one on Roles")
    specification = settle_columns(project.specification())
    settings = find_settings(specification, work.frequency)
    asked = ask_levels(specification, work.frequency)
    return OpenLevels(project, work, specification, settings, asked)


def try_levels(
    own: OpenLevels, tried: LevelSettings, *, is_hasty: bool = False
) -> tuple[OpenLevels, LevelTrial]:
    """Search the best vector with other settings.

    ``is_hasty``: whether a vector that is not proved to be the best is not searched for again.
    Returns: what is asked for then; as it was, if that cannot be asked for.
    """
    crossed = find_crossed(tried, own.frequency.attributes)
    if crossed:
        return own, LevelTrial(problem=crossed)
    try:
        opened = own if tried == own.settings else own.change(tried)
    except LookalikeError as error:
        return own, LevelTrial(problem=str(error))
    return opened, own.work.find_best(opened.asked, is_hasty=is_hasty)


def find_bounds(opened: OpenLevels) -> Lattice:
    """Return the vectors within the bounds on levels."""
    return Lattice(opened.settings.bottom, opened.settings.top)


def settle_levels(announce: Announce, project: Project) -> SettledLevels:
    """Search the best vector until it is proved, and decide every vector, however long it takes.

    The table is counted again: sending a long list to another process would keep pages waiting.
    """
    counted = count_list(announce, project)
    opened, frequency = open_counted(project, counted), counted.frequency
    asked, lattice = opened.asked, find_bounds(opened)
    rollups, allowance = RollUps(frequency, asked.requirement), asked.allowance(frequency)
    searching = replace(asked, options=replace(asked.options, announce=announce))
    trial, decided = find_best(rollups, searching, math.inf), None
    while lattice.size <= MOST_DECIDED and (decided is None or not decided.is_complete):
        deadline = deadline_after(ROUND_SECONDS)
        decided = decide_lattice(rollups, lattice, allowance, deadline, decided)
        announce(f"{decided.undecided:,} of {lattice.size:,} vectors are not decided")
    return SettledLevels(counted.key, asked.requirement, asked.key, trial, decided)
