"""OpenLevels: a counted table, its specification, and the settings of levels that are tried.

LevelSettings: weights, bounds on levels, k and suppression, as sliders show and forms give them.
"""

import math
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from lookalike.errors import InvalidInput, LookalikeError
from lookalike.model.clock import deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.progress import Announce
from lookalike.model.requirement import LEAST_K
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.decide import MOST_DECIDED, decide_lattice
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import TAKES
from lookalike.search.takes import Takes, refuse_untaken
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.studio.counted_list import count_list
from lookalike.studio.editing.edit_toml import set_field, write_inline
from lookalike.studio.editing.form_fields import Given, read_field_number, read_whole
from lookalike.studio.editing.project import Project
from lookalike.studio.levels import level_work
from lookalike.studio.levels.level_work import AskedLevels, LevelTrial, LevelWork, SettledLevels

_LIMIT = "rows that may be suppressed"


@dataclass(frozen=True)
class LevelSettings:
    """What is tried.

    ``k`` is None if the specification sets it in another way. ``limit``: the rows that may be
    suppressed, a number or a fraction. ``bottom`` and ``top`` bound the level of each attribute.
    """

    k: int | None
    limit: int | Decimal | None
    weights: tuple[Decimal, ...]
    bottom: Vector
    top: Vector

    @property
    def fields(self) -> dict[str, str]:
        """The fields of a form that stand for it."""
        found = {} if self.k is None else {"k": str(self.k)}
        found["limit"] = write_inline(self.limit or 0)
        for name, values in (("weight", self.weights), ("low", self.bottom), ("high", self.top)):
            found |= {f"{name}-{place}": write_inline(one) for place, one in enumerate(values)}
        return found


def read_vector(text: str, frequency: FrequencyList) -> Vector:
    """Read a vector, such as ``0,1,2``."""
    levels = text.split(",")
    heights = frequency.heights
    if len(levels) != len(heights):
        raise InvalidInput(
            f"vector must have {len(heights)} levels with commas between them, one for each of "
            f"{', '.join(frequency.attributes)}"
        )
    names = map("the level of {!r}".format, frequency.attributes)
    return tuple(map(read_whole, levels, names, heights))


def _read_number(text: str, what: str) -> int | Decimal:
    """Read a number that must be given."""
    try:
        number = read_field_number(text)
    except InvalidInput as error:
        raise InvalidInput(f"{what}: {error}") from None
    if number is None:
        raise InvalidInput(f"{what}: must be a number, such as 5 or 0.01")
    return number


def _read_limit(text: str, before: int | Decimal | None) -> int | Decimal | None:
    """Return the rows that may be suppressed, as rows or as a fraction, as it was before."""
    limit = _read_number(text, _LIMIT)
    if isinstance(before, int):
        if isinstance(limit, Decimal):
            raise InvalidInput(f"{_LIMIT}: must be a whole number of rows")
        return limit
    if limit > 1:
        raise InvalidInput(f"{_LIMIT}: must be a fraction from 0 to 1")
    return before if before is None and not limit else Decimal(limit)


def _bound(name: str, low: int, high: int, height: int) -> list[str]:
    """Return the constraints that keep an attribute between two levels.

    Examples
    --------
    >>> _bound("zip", 1, 1, 5), _bound("zip", 1, 4, 5), _bound("zip", 0, 5, 5)
    (['zip = 1'], ['zip >= 1', 'zip <= 4'], [])
    """
    least = [f"{name} >= {low}"] if low else []
    most = [f"{name} <= {high}"] if high < height else []
    texts = [f"{name} = {low}"] if low == high else [*least, *most]
    if any(Constraint.parse(text).quantity != name for text in texts):
        raise InvalidInput(
            f"the levels of {name!r} cannot be bounded: its name cannot be written in a constraint"
        )
    return texts


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
    def lattice(self) -> Lattice:
        """The vectors within the bounds on levels."""
        return Lattice(self.settings.bottom, self.settings.top)

    @property
    def method(self) -> str:
        """The method of the specification."""
        return self.specification.release.method

    @property
    def takes(self) -> Takes:
        """What the method takes, and whether it may give rows different levels."""
        return TAKES[self.method]

    def read(self, given: Given) -> LevelSettings:
        """Return the settings that an address or a form asks for; the others stay as they are."""
        own, frequency = self.settings, self.frequency

        def read_levels(kind: str, bounds: Vector) -> Vector:
            fields = ((f"{kind}-{place}", level) for place, level in enumerate(bounds))
            return tuple(
                read_whole(given[field], field, height) if field in given else level
                for (field, level), height in zip(fields, frequency.heights, strict=True)
            )

        k = own.k if own.k is None or "k" not in given else _read_number(given["k"], "k")
        if isinstance(k, Decimal) or (k is not None and k < LEAST_K):
            raise InvalidInput(f"k must be a whole number of at least {LEAST_K}")
        weights = tuple(
            Decimal(_read_number(given[field], f"the weight of {name!r}"))
            if (field := f"weight-{place}") in given
            else own.weights[place]
            for place, name in enumerate(frequency.attributes)
        )
        limit = _read_limit(given["limit"], own.limit) if "limit" in given else own.limit
        bottom, top = read_levels("low", own.bottom), read_levels("high", own.top)
        return LevelSettings(k, limit, weights, bottom, top)

    def write(self, tried: LevelSettings) -> str:
        """Return the specification with other settings; what is equal stays as it is."""
        text, own = self.project.text, self.settings
        changed = {"k": (own.k, tried.k), "max_suppressed": (own.limit, tried.limit)}
        for field, (before, after) in changed.items():
            if before != after:
                text = set_field(text, ("release",), field, after)
        weights = zip(self.frequency.attributes, own.weights, tried.weights, strict=True)
        for name, lighter, heavier in weights:
            if lighter != heavier and name not in self.project.attributes:
                raise InvalidInput(
                    f"the weight of {name!r} is that of its pattern; change it there"
                )
            if lighter != heavier:
                text = set_field(text, ("attributes", name), "weight", heavier)
        if (own.bottom, own.top) == (tried.bottom, tried.top):
            return text
        return set_field(text, ("release",), "constraints", self._bound_levels(tried) or None)

    def _bound_levels(self, tried: LevelSettings) -> list[str]:
        """Return the constraints with other bounds of the attributes whose bounds changed."""
        before = [*map(str, self.project.table("release").get("constraints", ()))]
        names, heights = self.frequency.attributes, self.frequency.heights
        known = zip(self.settings.bottom, self.settings.top, strict=True)
        bounds = zip(names, known, zip(tried.bottom, tried.top, strict=True), heights, strict=True)
        changed = {name: (*after, height) for name, own, after, height in bounds if own != after}
        kept = [text for text in before if Constraint.parse(text).quantity not in changed]
        return kept + [text for name, levels in changed.items() for text in _bound(name, *levels)]

    def change(self, tried: LevelSettings, method: str = "") -> "OpenLevels":
        """Return it with other settings, and with another method if one is named."""
        text = self.write(tried)
        text = set_field(text, ("release",), "method", method) if method else text
        opened = replace(self.project, text=text)
        changed = self.work.share(("opened", text), lambda: open_levels(opened, self.work))
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
    options, release = specification.options(), specification.release
    lattice, _ = options.lattice_of(work.frequency)
    weights = options.weights_of(work.frequency)
    bounds = lattice.bottom, lattice.top
    settings = LevelSettings(release.k, release.max_suppressed, weights, *bounds)
    asked = level_work.ask_levels(specification, work.frequency)
    return OpenLevels(project, work, specification, settings, asked)


def try_levels(
    own: OpenLevels, tried: LevelSettings, *, is_hasty: bool = False
) -> tuple[OpenLevels, LevelTrial]:
    """Search the best vector with other settings.

    ``is_hasty``: whether a vector that is not proved to be the best is not searched for again.
    Returns: what is asked for then; as it was, if that cannot be asked for.
    """
    bounds = zip(own.frequency.attributes, tried.bottom, tried.top, strict=True)
    if crossed := [name for name, low, high in bounds if low > high]:
        why = f"The lowest level is above the highest one for {', '.join(crossed)}"
        return own, LevelTrial(problem=f"{why}; no level is left.")
    try:
        opened = own if tried == own.settings else own.change(tried)
    except LookalikeError as error:
        return own, LevelTrial(problem=str(error))
    return opened, own.work.find_best(opened.asked, is_hasty=is_hasty)


def settle_levels(announce: Announce, project: Project) -> SettledLevels:
    """Search the best vector until it is proved, and decide every vector, however long it takes.

    The table is counted again: sending a long list to another process would keep pages waiting.
    """
    counted = count_list(announce, project)
    opened, frequency = open_levels(project, counted.levels), counted.frequency
    asked, lattice = opened.asked, opened.lattice
    rollups, allowance = RollUps(frequency, asked.requirement), asked.allowance(frequency)
    searching = replace(asked, options=replace(asked.options, announce=announce))
    trial, decided = level_work.find_best(rollups, searching, math.inf), None
    while lattice.size <= MOST_DECIDED and (decided is None or not decided.is_complete):
        deadline = deadline_after(ROUND_SECONDS)
        decided = decide_lattice(rollups, lattice, allowance, deadline, decided)
        announce(f"{decided.undecided:,} of {lattice.size:,} vectors are not decided")
    return SettledLevels(counted.key, asked.key, trial, decided)


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
    most_k, before = max(SLIDER_K, 2 * (own.settings.k or 0)), own.settings.limit or 0
    if isinstance(tried.limit, int):
        limit = _slide(tried.limit, 0, max(frequency.rows // 20, 2 * int(before)))
    else:
        most = max(SLIDER_SHARE, Decimal(before))
        limit = _slide(tried.limit or Decimal(0), 0, most, 3)
    return {
        "k": None if tried.k is None else _slide(tried.k, LEAST_K, most_k),
        "limit": limit,
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
