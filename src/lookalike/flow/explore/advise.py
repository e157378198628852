"""Advise: what to try next where a release is impossible or keeps little.

Every sentence compares outcomes that were computed; nothing is estimated.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lookalike.describe.frontier import TrialSetting
from lookalike.flow.explore.grid import Outcome, Point
from lookalike.flow.explore.look_closer import WeightEffect
from lookalike.hierarchy import Hierarchy, Intervals
from lookalike.json_result import JsonResult
from lookalike.shown_text import count_rows

MUCH = 0.1
"""A difference of precision, or of what is kept of an attribute, that is worth a change."""
POOR = 0.5
"""An attribute of which less is kept is poor."""


@dataclass(frozen=True)
class Advice(JsonResult):
    """A change of the specification, and what it does."""

    json_names = "text release=written_fields weights"

    text: str
    release: dict[str, Any]
    weights: dict[str, Any]

    @property
    def written_fields(self) -> dict[str, Any]:
        """The fields of ``[release]`` to change; a limit is text, so that 1 row is not 1.0."""
        limits = {"max_suppressed"} & self.release.keys()
        return self.release | {name: str(self.release[name]) for name in limits}


@dataclass(frozen=True, eq=False)
class Findings:
    """What advice is drawn from."""

    chosen: TrialSetting
    points: Sequence[Point]
    weights: Sequence[WeightEffect]
    hierarchies: Mapping[str, Hierarchy]

    def outcome(self, setting: TrialSetting) -> Outcome | None:
        """Return the outcome of a setting, if there is one."""
        return next((one.outcome for one in self.points if one.setting == setting), None)

    def safe_outcomes(self, *same: str) -> list[tuple[TrialSetting, Outcome]]:
        """Return the outcomes that satisfy k and agree with the chosen setting in some fields."""
        return [
            (one.setting, one.outcome)
            for one in self.points
            if one.outcome is not None
            and not one.outcome.measures.rows_below_k
            and all(getattr(one.setting, name) == getattr(self.chosen, name) for name in same)
        ]


def advise(findings: Findings) -> tuple[Advice, ...]:
    """Advise what to try next."""
    outcome = findings.outcome(findings.chosen)
    if outcome is None:
        return tuple(_advise_possible(findings))
    rules: tuple[Callable[[Findings, Outcome], Iterator[Advice]], ...] = (
        _advise_method,
        _advise_suppression,
        _advise_weights,
        _advise_k,
    )
    return tuple(advice for rule in rules for advice in rule(findings, outcome))


def _advise_possible(findings: Findings) -> Iterator[Advice]:
    """Propose the nearest setting that is possible, if the chosen one is not."""
    chosen = findings.chosen
    if not any(one.error for one in findings.points if one.setting == chosen):
        return
    nearest = (
        sorted(findings.safe_outcomes("method", "k"), key=lambda one: one[1].rows_lost)
        or sorted(findings.safe_outcomes("method", "max_suppressed"), key=lambda one: -one[0].k)
        or sorted(findings.safe_outcomes("k"), key=lambda one: -one[1].precision)
        or sorted(findings.safe_outcomes(), key=lambda one: -one[1].precision)
    )
    for setting, outcome in nearest[:1]:
        yield Advice(
            f"{_name(chosen)} is not possible. {_name(setting)} is: it keeps "
            f"{_percent(outcome.precision)} of the detail and loses "
            f"{count_rows(outcome.rows_lost)}.",
            _changes(chosen, setting),
            {},
        )


def _advise_method(findings: Findings, outcome: Outcome) -> Iterator[Advice]:
    """Propose the method that keeps most, if it keeps much more."""
    others = findings.safe_outcomes("k", "max_suppressed")
    setting, best = max(others, key=lambda one: one[1].precision, default=(None, None))
    if setting is None or best is None or best.precision < outcome.precision + MUCH:
        return
    yield Advice(
        f"{setting.method} keeps {_percent(best.precision)} of the detail where "
        f"{findings.chosen.method} keeps {_percent(outcome.precision)}: set "
        f'method = "{setting.method}".',
        _changes(findings.chosen, setting),
        {},
    )


def _advise_suppression(findings: Findings, outcome: Outcome) -> Iterator[Advice]:
    """Propose the least suppression by which much more is kept."""
    chosen = findings.chosen
    better = [
        (setting, other)
        for setting, other in findings.safe_outcomes("method", "k")
        if other.rows_lost > outcome.rows_lost and other.precision >= outcome.precision + MUCH
    ]
    for setting, other in sorted(better, key=lambda one: one[1].rows_lost)[:1]:
        lower = _list_lower(findings, outcome, other)
        yield Advice(
            f"With at most {setting.limit} suppressed instead of {chosen.limit}, "
            f"{chosen.method} keeps "
            f"{_percent(other.precision)} of the detail instead of {_percent(outcome.precision)} "
            f"at k = {chosen.k}{lower and f': {lower}'}.",
            _changes(chosen, setting),
            {},
        )


def _list_lower(findings: Findings, before: Outcome, after: Outcome) -> str:
    """Name the attributes that have a lower level, with both levels."""
    if before.levels is None or after.levels is None:
        return ""
    lower = [name for name, level in after.levels.items() if level < before.levels[name]]
    return ", ".join(
        f"{name} at {_name_level(findings, name, after.levels[name])} instead of "
        f"{before.levels[name]}"
        for name in lower
    )


def _advise_weights(findings: Findings, outcome: Outcome) -> Iterator[Advice]:
    """Propose a weight for each attribute of which little is kept, if the weight helps much."""
    for effect in findings.weights:
        name = effect.attribute
        if outcome.kept[name] < POOR and effect.change[name] >= MUCH:
            share = _percent(outcome.kept[name])
            poor = f"{share} of {name} is kept" if outcome.kept[name] else f"{name} is suppressed"
            at = f" at {_name_level(findings, name, effect.levels[name])}" if effect.levels else ""
            yield Advice(
                f"{poor}: weight = {effect.weight:f} keeps {_percent(effect.kept[name])} of it"
                f"{at}, and {_percent(effect.precision)} of the detail of all attributes instead "
                f"of {_percent(outcome.precision)}.",
                {},
                {name: effect.weight},
            )


def _advise_k(findings: Findings, outcome: Outcome) -> Iterator[Advice]:
    """Propose the least k at which no class, or at most half as many, share a sensitive value."""
    chosen = findings.chosen
    alike = sum(count or 0 for count in outcome.one_value.values())
    fewer = [
        (setting, other, sum(count or 0 for count in other.one_value.values()))
        for setting, other in findings.safe_outcomes("method", "max_suppressed")
        if setting.k > chosen.k
    ]
    helpful = [one for one in fewer if one[2] <= alike / 2]
    for setting, other, left in sorted(helpful, key=lambda one: one[0].k)[: 1 if alike else 0]:
        yield Advice(
            f"{alike:,} classes share one value of a sensitive column, which is then known. At "
            f"k = {setting.k} {left:,} do, and {_percent(other.precision)} of the detail is kept "
            f"instead of {_percent(outcome.precision)}.",
            _changes(chosen, setting),
            {},
        )


def _name(setting: TrialSetting) -> str:
    """Name a setting."""
    return f"k = {setting.k} with {setting.limit} suppressed by {setting.method}"


def _changes(before: TrialSetting, after: TrialSetting) -> dict[str, Any]:
    """Return the fields of ``[release]`` in which two settings differ."""
    fields = ("method", "k", "max_suppressed")
    pairs = {name: (getattr(before, name), getattr(after, name)) for name in fields}
    return {name: new for name, (old, new) in pairs.items() if old != new}


def _name_level(findings: Findings, attribute: str, level: int) -> str:
    """Name a level by its number, and by the width of its intervals if it has one."""
    rule = findings.hierarchies[attribute]
    widths = rule.widths if isinstance(rule, Intervals) else None
    if widths and 0 < level <= len(widths):
        return f"level {level} (intervals of {widths[level - 1]})"
    return f"level {level}"


def _percent(share: float) -> str:
    """Write a share as a whole percentage."""
    return f"{100 * share:.0f} %"
