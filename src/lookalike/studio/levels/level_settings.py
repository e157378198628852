"""LevelSettings: what the screen Levels tries: weights, bounds on levels, k, and suppression."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from lookalike.errors import InvalidInput
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.requirement import LEAST_K
from lookalike.search.lattice.constraints import Constraint
from lookalike.spec.specification import Specification
from lookalike.studio.editing.edit_toml import set_field, write_inline
from lookalike.studio.editing.form_fields import read_field_number
from lookalike.studio.editing.project import Project

GivenFields = Mapping[str, str]
"""The fields of an address or of a form."""


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


def find_settings(asked: Specification, frequency: FrequencyList) -> LevelSettings:
    """Return the settings of a specification."""
    options = asked.options()
    lattice, _ = options.lattice_of(frequency)
    release = asked.release
    weights = options.weights_of(frequency)
    return LevelSettings(release.k, release.max_suppressed, weights, lattice.bottom, lattice.top)


def read_settings(
    given: GivenFields, own: LevelSettings, frequency: FrequencyList
) -> LevelSettings:
    """Return the settings that an address or a form asks for; what it leaves out is as it was."""
    names, heights = frequency.attributes, frequency.heights
    places = range(len(names))
    return LevelSettings(
        k=_read_k(given, own.k),
        limit=_read_limit(given, own.limit),
        weights=tuple(_read_weight(given, n, names[n], own.weights[n]) for n in places),
        bottom=tuple(_read_level(given, "low", n, heights[n], own.bottom[n]) for n in places),
        top=tuple(_read_level(given, "high", n, heights[n], own.top[n]) for n in places),
    )


def _read_k(given: GivenFields, before: int | None) -> int | None:
    """Return the k of some fields."""
    if "k" not in given or before is None:
        return before
    k = _read_number(given["k"], "k")
    if isinstance(k, Decimal) or k < LEAST_K:
        raise InvalidInput(f"k must be a whole number of at least {LEAST_K}")
    return k


def _read_limit(given: GivenFields, before: int | Decimal | None) -> int | Decimal | None:
    """Return the rows that may be suppressed, as rows or as a fraction, as it was before."""
    if "limit" not in given:
        return before
    limit = _read_number(given["limit"], "rows that may be left out")
    if isinstance(before, int):
        if isinstance(limit, Decimal):
            raise InvalidInput("rows that may be left out: must be a whole number of rows")
        return limit
    if limit > 1:
        raise InvalidInput("rows that may be left out: must be a fraction from 0 to 1")
    return before if before is None and not limit else Decimal(limit)


def _read_weight(given: GivenFields, place: int, name: str, before: Decimal) -> Decimal:
    """Return the weight of an attribute."""
    text = given.get(f"weight-{place}")
    return before if text is None else Decimal(_read_number(text, f"the weight of {name!r}"))


def _read_level(given: GivenFields, kind: str, place: int, height: int, before: int) -> int:
    """Return a bound on the level of an attribute."""
    field = f"{kind}-{place}"
    return before if field not in given else read_level(given[field], field, height)


def read_level(text: str, field: str, height: int) -> int:
    """Read a level of an attribute."""
    if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) > height:
        raise InvalidInput(f"{field} must be a level from 0 to {height}")
    return int(text)


def read_vector(text: str, frequency: FrequencyList) -> Vector:
    """Read a vector, such as ``0,1,2``."""
    levels = text.split(",")
    heights = frequency.heights
    if len(levels) != len(heights):
        raise InvalidInput(
            f"vector must have {len(heights)} levels with commas between them, one for each of "
            f"{', '.join(frequency.attributes)}"
        )
    return tuple(
        map(read_level, levels, map("the level of {!r}".format, frequency.attributes), heights)
    )


def _read_number(text: str, what: str) -> int | Decimal:
    """Read a number that must be given."""
    try:
        number = read_field_number(text)
    except InvalidInput as error:
        raise InvalidInput(f"{what}: {error}") from None
    if number is None:
        raise InvalidInput(f"{what}: must be a number, such as 5 or 0.01")
    return number


def find_crossed(settings: LevelSettings, attributes: Sequence[str]) -> str:
    """Say which attributes have a lowest level above the highest one; nothing if none has."""
    crossed = [
        name
        for name, low, high in zip(attributes, settings.bottom, settings.top, strict=True)
        if low > high
    ]
    if not crossed:
        return ""
    return f"The lowest level is above the highest one for {', '.join(crossed)}; no level is left."


def write_settings(
    project: Project, frequency: FrequencyList, own: LevelSettings, tried: LevelSettings
) -> str:
    """Return the specification of a project with other settings; what is equal stays as it is."""
    text = project.text
    for field, before, after in (("k", own.k, tried.k), ("max_suppressed", own.limit, tried.limit)):
        if before != after:
            text = set_field(text, ("release",), field, after)
    weights = zip(frequency.attributes, own.weights, tried.weights, strict=True)
    for name, lighter, heavier in weights:
        if lighter != heavier and name not in project.attributes:
            raise InvalidInput(f"the weight of {name!r} is that of its pattern; change it there")
        if lighter != heavier:
            text = set_field(text, ("attributes", name), "weight", heavier)
    if (own.bottom, own.top) == (tried.bottom, tried.top):
        return text
    bounded = _bound_levels(project, frequency, own, tried)
    return set_field(text, ("release",), "constraints", bounded or None)


def _bound_levels(
    project: Project, frequency: FrequencyList, own: LevelSettings, tried: LevelSettings
) -> list[str]:
    """Return the constraints with other bounds of the attributes whose bounds changed."""
    before = [*map(str, project.table("release").get("constraints", ()))]
    bounds = zip(frequency.attributes, own.bottom, own.top, tried.bottom, tried.top, strict=True)
    changed = [name for name, *levels in bounds if levels[:2] != levels[2:]]
    kept = [text for text in before if Constraint.parse(text).quantity not in changed]
    for place, name in enumerate(frequency.attributes):
        if name in changed:
            height = frequency.heights[place]
            kept += _bound(name, tried.bottom[place], tried.top[place], height)
    return kept


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


def hold_exactly(settings: LevelSettings, vector: Vector) -> LevelSettings:
    """Return settings that leave one vector."""
    return LevelSettings(settings.k, settings.limit, settings.weights, vector, vector)


def hold_at_most(settings: LevelSettings, vector: Vector) -> LevelSettings:
    """Return settings that leave the vectors up to one, from the lowest levels on."""
    bottom = tuple(map(min, settings.bottom, vector))
    return LevelSettings(settings.k, settings.limit, settings.weights, bottom, vector)
