"""Advise: what to try next where a release is impossible or keeps little.

Every sentence compares outcomes that were computed; nothing is estimated.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lookalike.describe.frontier import TrialSetting
from lookalike.flow.explore.exploration import Advice, Exploration, Outcome
from lookalike.hierarchy import Hierarchy, Intervals
from lookalike.shown_text import count_rows

MUCH = 0.1
"""A difference of precision, or of what is kept of an attribute, that is worth a change."""
POOR = 0.5
"""An attribute of which less is kept is poor."""


def advise(found: Exploration, hierarchies: Mapping[str, Hierarchy]) -> tuple[Advice, ...]:
    """Advise what to try next."""
    outcome = found.find(found.chosen)
    if outcome is None:
        return tuple(_advise_possible(found))
    return (
        *_advise_method(found, outcome),
        *_advise_suppression(found, outcome, hierarchies),
        *_advise_weights(found, outcome, hierarchies),
        *_advise_k(found, outcome),
    )


def _list_safe(found: Exploration, *same: str) -> list[tuple[TrialSetting, Outcome]]:
    """Return the outcomes that satisfy k and agree with the chosen setting in some fields."""
    return [
        (one.setting, one.outcome)
        for one in found.points
        if one.outcome is not None
        and not one.outcome.measures.rows_below_k
        and all(getattr(one.setting, name) == getattr(found.chosen, name) for name in same)
    ]


def _advise_possible(found: Exploration) -> Iterator[Advice]:
    """Propose the nearest setting that is possible, if the chosen one is not."""
    chosen = found.chosen
    if not any(one.error for one in found.points if one.setting == chosen):
        return
    nearest = (
        sorted(_list_safe(found, "method", "k"), key=lambda one: one[1].rows_lost)
        or sorted(_list_safe(found, "method", "max_suppressed"), key=lambda one: -one[0].k)
        or sorted(_list_safe(found, "k"), key=lambda one: -one[1].precision)
        or sorted(_list_safe(found), key=lambda one: -one[1].precision)
    )
    for setting, outcome in nearest[:1]:
        yield Advice(
            f"{_name(chosen)} is not possible. {_name(setting)} is: it reaches a precision of "
            f"{_percent(outcome.precision)} and loses "
            f"{count_rows(outcome.rows_lost)}.",
            _changes(chosen, setting),
        )


def _advise_method(found: Exploration, outcome: Outcome) -> Iterator[Advice]:
    """Propose the method that keeps most, if it keeps much more."""
    others = _list_safe(found, "k", "max_suppressed")
    setting, best = max(others, key=lambda one: one[1].precision, default=(None, None))
    if setting is None or best is None or best.precision < outcome.precision + MUCH:
        return
    yield Advice(
        f"{setting.method} reaches a precision of {_percent(best.precision)} where "
        f"{found.chosen.method} reaches {_percent(outcome.precision)}: set "
        f'method = "{setting.method}".',
        _changes(found.chosen, setting),
    )


def _advise_suppression(
    found: Exploration, outcome: Outcome, hierarchies: Mapping[str, Hierarchy]
) -> Iterator[Advice]:
    """Propose the least suppression by which much more is kept."""
    chosen = found.chosen
    better = [
        (setting, other)
        for setting, other in _list_safe(found, "method", "k")
        if other.rows_lost > outcome.rows_lost and other.precision >= outcome.precision + MUCH
    ]
    for setting, other in sorted(better, key=lambda one: one[1].rows_lost)[:1]:
        lower = _list_lower(hierarchies, outcome, other)
        yield Advice(
            f"With at most {setting.limit} suppressed instead of {chosen.limit}, "
            f"{chosen.method} reaches a precision of "
            f"{_percent(other.precision)} instead of {_percent(outcome.precision)} "
            f"at k = {chosen.k}{lower and f': {lower}'}.",
            _changes(chosen, setting),
        )


def _list_lower(hierarchies: Mapping[str, Hierarchy], before: Outcome, after: Outcome) -> str:
    """Name the attributes that have a lower level, with both levels."""
    if before.levels is None or after.levels is None:
        return ""
    lower = [name for name, level in after.levels.items() if level < before.levels[name]]
    return ", ".join(
        f"{name} at {_name_level(hierarchies[name], after.levels[name])} instead of "
        f"{before.levels[name]}"
        for name in lower
    )


def _advise_weights(
    found: Exploration, outcome: Outcome, hierarchies: Mapping[str, Hierarchy]
) -> Iterator[Advice]:
    """Propose a weight for each attribute of which little is kept, if the weight helps much."""
    for effect in found.weights:
        name = effect.attribute
        if outcome.kept[name] < POOR and effect.change[name] >= MUCH:
            share = _percent(outcome.kept[name])
            poor = f"{share} of {name} is kept" if outcome.kept[name] else f"{name} is suppressed"
            levels = effect.levels
            at = f" at {_name_level(hierarchies[name], levels[name])}" if levels else ""
            yield Advice(
                f"{poor}: weight = {effect.weight:f} keeps {_percent(effect.kept[name])} of it"
                f"{at}, with a precision of {_percent(effect.precision)} instead of "
                f"{_percent(outcome.precision)}.",
                weights={name: effect.weight},
            )


def _advise_k(found: Exploration, outcome: Outcome) -> Iterator[Advice]:
    """Propose the least k at which no class, or at most half as many, share a sensitive value."""
    chosen = found.chosen
    alike = sum(count or 0 for count in outcome.one_value.values())
    fewer = [
        (setting, other, sum(count or 0 for count in other.one_value.values()))
        for setting, other in _list_safe(found, "method", "max_suppressed")
        if setting.k > chosen.k
    ]
    helpful = [one for one in fewer if one[2] <= alike / 2]
    for setting, other, left in sorted(helpful, key=lambda one: one[0].k)[: 1 if alike else 0]:
        yield Advice(
            f"{alike:,} classes share one value of a sensitive column, which is then known. At "
            f"k = {setting.k} {left:,} do, with a precision of {_percent(other.precision)} "
            f"instead of {_percent(outcome.precision)}.",
            _changes(chosen, setting),
        )


def _name(setting: TrialSetting) -> str:
    """Name a setting."""
    return f"k = {setting.k} with {setting.limit} suppressed by {setting.method}"


def _changes(before: TrialSetting, after: TrialSetting) -> dict[str, Any]:
    """Return the fields of ``[release]`` in which two settings differ."""
    fields = ("method", "k", "max_suppressed")
    pairs = {name: (getattr(before, name), getattr(after, name)) for name in fields}
    return {name: new for name, (old, new) in pairs.items() if old != new}


def _name_level(rule: Hierarchy, level: int) -> str:
    """Name a level by its number, and by the width of its intervals if it has one."""
    widths = rule.widths if isinstance(rule, Intervals) else None
    if widths and 0 < level <= len(widths):
        return f"level {level} (intervals of {widths[level - 1]})"
    return f"level {level}"


def _percent(share: float) -> str:
    """Write a share as a whole percentage."""
    return f"{100 * share:.0f} %"
