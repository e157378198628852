"""RuleOutlook: whether a release will reach the figure of a rule, as far as the settings say."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from lookalike.flow.read_promises import read_promises
from lookalike.report.rules.cell_size import CMS, ONS
from lookalike.report.rules.rule import Rule
from lookalike.report.rules.threshold import EMA, HEALTH_CANADA
from lookalike.spec.presets import PRESETS, Preset
from lookalike.spec.specification import Specification
from lookalike.studio.protection.promise import list_outside, may_miss_k

Outlook = Literal["will be met", "not assured", "known after a dry run"]
RULES_OF_PRESETS: Mapping[str, Rule] = {
    "cms": CMS,
    "ema": EMA,
    "health-canada": HEALTH_CANADA,
    "ons": ONS,
}
"""The rule that each preset comes from."""
_COUNTS_TOGETHER = (CMS, ONS)
"""The rules about every table that can be counted, over all quasi-identifiers together."""


@dataclass(frozen=True)
class RuleOutlook:
    """What the settings say about the figure of a rule.

    Parameters
    ----------
    preset
        The preset of the rule.
    rule
        The rule, with its source.
    outlook
        Whether every release with these settings reaches the figure; `None` if the settings
        are incomplete.
    why
        Why, and what to change.
    """

    preset: Preset
    rule: Rule
    outlook: Outlook | None
    why: str


def foresee_rules(asked: Specification | None, rows: int) -> list[RuleOutlook]:
    """Return what the settings say about the rule of each preset.

    Parameters
    ----------
    asked
        The specification; `None` if it is incomplete.
    rows
        The number of rows of the private table.
    """
    return [_foresee(PRESETS[name], rule, asked, rows) for name, rule in RULES_OF_PRESETS.items()]


def _foresee(preset: Preset, rule: Rule, asked: Specification | None, rows: int) -> RuleOutlook:
    """Return what the settings say about one rule."""
    if asked is None or not asked.hierarchies():
        return RuleOutlook(preset, rule, None, "")
    outlook, why = _compare(preset, rule, asked, rows)
    return RuleOutlook(preset, rule, outlook, why)


def _compare(preset: Preset, rule: Rule, asked: Specification, rows: int) -> tuple[Outlook, str]:
    """Compare the least k with the figure of a rule."""
    promises, least = read_promises(asked, rows), preset.least_k
    k = min(one.k for one in promises)
    if k < least:
        return "not assured", f"The settings allow classes of {k}; the rule asks for {least}."
    if may_miss_k(asked):
        return "known after a dry run", "µ-Argus without repair need not reach k."
    together = rule in _COUNTS_TOGETHER
    if together and (len(promises) > 1 or list_outside(asked, rows)):
        return "known after a dry run", (
            "The rule counts all columns that others may know together, and the settings protect "
            "them in parts."
        )
    if rule is CMS and _may_leave_out(asked):
        return "known after a dry run", (
            f"Classes are large enough. The number of rows left out must be 0 or at least {least}, "
            "too."
        )
    return "will be met", f"Every class will have at least {k}."


def _may_leave_out(asked: Specification) -> bool:
    """Return whether some rows may be suppressed; Datafly may suppress k if nothing is said."""
    most = asked.release.max_suppressed
    return asked.release.method == "datafly" if most is None else most > 0
