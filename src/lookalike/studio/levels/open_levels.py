"""OpenLevels: a counted table, its specification, and what is tried at the attribute level."""

from dataclasses import dataclass, replace

from lookalike.errors import InvalidInput, LookalikeError
from lookalike.flow.settle_columns import settle_columns
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.search.methods import TAKES
from lookalike.search.takes import refuse_untaken
from lookalike.spec.specification import Specification
from lookalike.studio.counted_list import CountedList
from lookalike.studio.editing.edit_toml import set_field
from lookalike.studio.editing.project import Project
from lookalike.studio.levels.level_settings import (
    LevelSettings,
    find_crossed,
    find_settings,
    write_settings,
)
from lookalike.studio.levels.level_work import LevelWork
from lookalike.studio.levels.try_weights import AskedLevels, LevelTrial, ask_levels

ATTRIBUTE_METHOD = "mingen"
"""The method that finds the best vector."""


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
        """Return it with other settings, and with another method if one is named.

        Raises
        ------
        InvalidInput
            If the specification cannot say it, or something in it overrides the settings.
        """
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
    """Read what a specification asks for at the attribute level.

    Raises
    ------
    LookalikeError
        If it asks for nothing, or for what contradicts itself.
    """
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

    Parameters
    ----------
    own
        The specification.
    tried
        The settings.
    is_hasty
        Whether a vector that is not proved to be the best is not searched for again.

    Returns
    -------
    opened
        What is asked for then; as it was, if that cannot be asked for.
    trial
        The best vector, or why there is none.
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
