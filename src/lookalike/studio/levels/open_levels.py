"""OpenLevels: a counted table, its specification, what is tried, and the sliders to try it."""

import math
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from lookalike.errors import InvalidInput, LookalikeError
from lookalike.model.clock import deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.progress import Announce
from lookalike.model.requirement import LEAST_K
from lookalike.search.lattice.decide import MOST_DECIDED, decide_lattice
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import TAKES
from lookalike.search.takes import refuse_untaken
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.studio.counted_list import count_list
from lookalike.studio.editing.edit_toml import set_field, write_inline
from lookalike.studio.editing.project import Project
from lookalike.studio.levels.level_settings import (
    LevelSettings,
    find_crossed,
    find_settings,
    write_settings,
)
from lookalike.studio.levels.level_work import (
    AskedLevels,
    LevelTrial,
    LevelWork,
    SettledLevels,
    ask_levels,
    find_best,
)

ATTRIBUTE_METHOD = "mingen"
"""The method that finds the best vector."""
ROUND_SECONDS = 1.0
"""How often a task says how many vectors are not decided."""


@dataclass(frozen=True, eq=False)
class OpenLevels:
    """A counted table and what its specification asks for at the attribute level."""

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
    opened, frequency = open_levels(project, counted.levels), counted.frequency
    asked, lattice = opened.asked, find_bounds(opened)
    rollups, allowance = RollUps(frequency, asked.requirement), asked.allowance(frequency)
    searching = replace(asked, options=replace(asked.options, announce=announce))
    trial, decided = find_best(rollups, searching, math.inf), None
    while lattice.size <= MOST_DECIDED and (decided is None or not decided.is_complete):
        deadline = deadline_after(ROUND_SECONDS)
        decided = decide_lattice(rollups, lattice, allowance, deadline, decided)
        announce(f"{decided.undecided:,} of {lattice.size:,} vectors are not decided")
    return SettledLevels(counted.key, asked.requirement, asked.key, trial, decided)


SLIDER_K = 50
SLIDER_WEIGHT = 5
SLIDER_SHARE = Decimal("0.1")


Slider = dict[str, str]
"""A range of numbers, its step, and the chosen one, so that it can be left where it is."""


def list_sliders(own: OpenLevels, tried: LevelSettings) -> dict[str, Any]:
    """Return the sliders for some settings; None for what the specification sets in another way."""
    frequency, named = own.frequency, own.project.attributes
    rows = zip(
        frequency.attributes, frequency.heights, tried.weights, tried.bottom, tried.top, strict=True
    )
    most_k = max(SLIDER_K, 2 * (own.settings.k or 0))
    return {
        "k": None if tried.k is None else _slide(tried.k, LEAST_K, most_k),
        "limit": _slide_limit(own.settings.limit, tried.limit, frequency.rows),
        "counts_rows": isinstance(tried.limit, int),
        "attributes": [
            {
                "name": name,
                "height": height,
                "weight": _slide(weight, 0, SLIDER_WEIGHT) if name in named else None,
                "low": _slide(low, 0, height),
                "high": _slide(high, 0, height),
            }
            for name, height, weight, low, high in rows
        ],
    }


def _slide_limit(own: int | Decimal | None, tried: int | Decimal | None, rows: int) -> Slider:
    """Return the slider of the rows that may be suppressed."""
    if isinstance(tried, int):
        return _slide(tried, 0, max(rows // 20, 2 * int(own or 0)))
    return _slide(tried or Decimal(0), 0, max(SLIDER_SHARE, Decimal(own or 0)), 3)


def _slide(value: int | Decimal, least: int, most: int | Decimal, places: int = 1) -> Slider:
    """Return a slider on which a value lies exactly.

    Examples
    --------
    >>> _slide(Decimal("0.25"), 0, 5)
    {'least': '0', 'most': '5', 'step': '0.01', 'value': '0.25'}
    >>> _slide(7, 2, 5)
    {'least': '2', 'most': '7', 'step': '1', 'value': '7'}
    """
    fine = 0 if isinstance(value, int) else max(places, -int(value.as_tuple().exponent))
    return {
        "least": str(least),
        "most": str(max(most, value)),
        "step": f"{Decimal(1).scaleb(-fine):f}",
        "value": write_inline(value),
    }
