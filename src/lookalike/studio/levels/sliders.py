"""The sliders of the screen Levels: their ranges, so that each can be left where it is."""

from dataclasses import dataclass
from decimal import Decimal

from lookalike.hierarchy.discreet import Discreet
from lookalike.model.requirement import LEAST_K
from lookalike.studio.editing.edit_toml import write_inline
from lookalike.studio.levels.level_settings import LevelSettings
from lookalike.studio.levels.open_levels import OpenLevels

SLIDER_K = 50
SLIDER_WEIGHT = 5
SLIDER_SHARE = Decimal("0.1")


@dataclass(frozen=True)
class Slider:
    """A range of numbers, with the chosen one."""

    least: str
    most: str
    step: str
    value: str


@dataclass(frozen=True)
class AttributeSliders(Discreet):
    """The sliders of an attribute: its weight, and the bounds on its level.

    Parameters
    ----------
    name
        The attribute.
    height
        Its highest level.
    weight
        Its weight; None if a pattern sets it.
    low, high
        The lowest and the highest level that are allowed.
    """

    name: str
    height: int
    weight: Slider | None
    low: Slider
    high: Slider


@dataclass(frozen=True)
class Sliders:
    """All sliders.

    Parameters
    ----------
    k
        The least size of a class; None if the specification sets it in another way.
    limit
        The rows that may be suppressed.
    counts_rows
        Whether that is a number of rows; else it is a fraction.
    attributes
        The sliders of each attribute.
    """

    k: Slider | None
    limit: Slider
    counts_rows: bool
    attributes: tuple[AttributeSliders, ...]


def list_sliders(own: OpenLevels, tried: LevelSettings) -> Sliders:
    """Return the sliders for some settings."""
    frequency, named = own.frequency, own.project.attributes
    rows = zip(
        frequency.attributes, frequency.heights, tried.weights, tried.bottom, tried.top, strict=True
    )
    return Sliders(
        k=None
        if tried.k is None
        else _slide(tried.k, LEAST_K, max(SLIDER_K, 2 * (own.settings.k or 0))),
        limit=_slide_limit(own.settings.limit, tried.limit, frequency.rows),
        counts_rows=isinstance(tried.limit, int),
        attributes=tuple(
            AttributeSliders(
                name=name,
                height=height,
                weight=_slide(weight, 0, SLIDER_WEIGHT) if name in named else None,
                low=_slide(low, 0, height),
                high=_slide(high, 0, height),
            )
            for name, height, weight, low, high in rows
        ),
    )


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
    Slider(least='0', most='5', step='0.01', value='0.25')
    >>> _slide(7, 2, 5)
    Slider(least='2', most='7', step='1', value='7')
    """
    if isinstance(value, int):
        return Slider(str(least), str(max(most, value)), "1", str(value))
    fine = max(places, -int(value.as_tuple().exponent))
    step = Decimal(1).scaleb(-fine)
    return Slider(str(least), str(max(most, value)), f"{step:f}", write_inline(value))
