"""The screen *Protection*: how well people are hidden, and what each attacker can still do."""

from collections.abc import Mapping
from typing import Any, Literal

from lookalike.errors import LookalikeError
from lookalike.examine.promises import read_promises
from lookalike.flow.release import refuse_ignored
from lookalike.report.rules.cell_size import CMS, ONS
from lookalike.report.rules.rule import Rule
from lookalike.report.rules.threshold import EMA, HEALTH_CANADA
from lookalike.search.methods import TAKES
from lookalike.search.secrecy import are_shares
from lookalike.spec.choose_method import choose_method, list_methods
from lookalike.spec.presets import PRESETS, Preset
from lookalike.spec.specification import Specification
from lookalike.studio.protection.attackers import (
    list_attackers,
    list_outside,
    may_miss_k,
    state_promises,
)
from lookalike.studio.protection.protection_form import (
    ask_protection,
    list_protection_fields,
    show_person,
    show_protections,
)
from lookalike.studio.releases.release_summary import ReleaseSummary
from lookalike.studio.screens.screen import Query, Screen, command_of_dry_run
from lookalike.studio.session import Session

Outlook = Literal["will be met", "not assured", "known after a dry run"]
RULES_OF_PRESETS = {"cms": CMS, "ema": EMA, "health-canada": HEALTH_CANADA, "ons": ONS}
"""The rule that each preset comes from."""


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return what is asked for, what it promises, and what it leaves."""
    project, made = session.project, session.find_result(ReleaseSummary)
    release, attributes = project.table("release"), project.attributes
    rows = 0 if session.facts is None else session.facts.rows
    asked = None if project.problems else project.specification()
    current = made if made is not None and made.text == project.text and asked else None
    can_attack = asked is not None and bool(asked.hierarchies())
    groups = project.fields.get("quasi_identifiers")
    return {
        "release": release,
        "person": show_person(project),
        "persons": [name for name, one in attributes.items() if one["role"] == "identifier"],
        "sensitive": [
            (place, name, show_protections(column))
            for place, (name, column) in enumerate(attributes.items())
            if column["role"] == "sensitive"
        ],
        "fields": list_protection_fields(),
        "methods": {"": "decide for me"}
        | {one: f"{one}: {TAKES[one].result}" for one in list_methods()},
        "is_protected": any("protect" in column for column in attributes.values()),
        "groups": groups if isinstance(groups, list) else [],
        "registers": [
            (name, release[name])
            for name in ("k_map", "presence")
            if isinstance(release.get(name), dict)
        ],
        "by_preset": _describe_preset(release),
        "promises": [] if asked is None else [*state_promises(asked, rows)],
        "attackers": list_attackers(asked, rows, current) if asked and can_attack else {},
        "made": current,
        "rules": foresee_rules(asked, rows),
        "method": _describe_method(asked, rows),
    }


def _describe_preset(release: Mapping[str, Any]) -> str:
    """Say what the preset sets, or what the specification sets itself."""
    preset = PRESETS.get(str(release.get("preset", "")))
    if preset is None:
        return ""
    own = [f"{name} = {release[name]}" for name in ("k", "highest_risk") if name in release]
    if own:
        return f"The specification itself sets {' and '.join(own)}, which counts instead."
    return f"The preset sets {preset.asks}. Leave k and the highest risk empty."


def _describe_method(asked: Specification | None, rows: int) -> dict[str, str]:
    """Return the method that is used, why another default is not, and why it would be refused."""
    if asked is None or not asked.is_complete:
        return dict.fromkeys(("name", "reason", "refusal"), "")
    chosen, reason = choose_method(asked, rows=rows)
    refusal = ""
    try:
        refuse_ignored(asked)
        requirement = asked.requirement(rows=0)
        if requirement.secrecy == "lottery" and not are_shares(requirement.protections):
            refusal = "secrecy: a lottery is for largest shares alone; choose another way"
    except LookalikeError as error:
        refusal = str(error)
    return {"name": chosen.release.method, "reason": reason or "", "refusal": refusal}


PROTECTION_SCREEN = Screen(
    name="protection",
    title="Protection",
    show=_show,
    command=command_of_dry_run,
    actions={"ask": ask_protection},
    has_style=True,
)


def foresee_rules(asked: Specification | None, rows: int) -> list[dict[str, Any]]:
    """Return whether every release with these settings reaches the rule of each preset, and why.

    Without complete settings, the outlook is `None`.
    """
    found = []
    for name, rule in RULES_OF_PRESETS.items():
        preset, outlook, why = PRESETS[name], None, ""
        if asked is not None and asked.hierarchies():
            outlook, why = _compare(preset, rule, asked, rows)
        found.append({"preset": preset, "rule": rule, "outlook": outlook, "why": why})
    return found


def _compare(preset: Preset, rule: Rule, asked: Specification, rows: int) -> tuple[Outlook, str]:
    """Compare the least k with the figure of a rule; CMS and ONS count all columns together."""
    promises, least = read_promises(asked, rows), preset.least_k
    k = min(one.k for one in promises)
    if k < least:
        return "not assured", f"The settings allow classes of {k}; the rule asks for {least}."
    if may_miss_k(asked):
        return "known after a dry run", "µ-Argus without repair need not reach k."
    if rule in (CMS, ONS) and (len(promises) > 1 or list_outside(asked, rows)):
        return "known after a dry run", (
            "The rule counts all columns that others may know together, and the settings protect "
            "them in parts."
        )
    most = asked.release.max_suppressed  # Datafly may suppress k if nothing is said
    may_leave_out = asked.release.method == "datafly" if most is None else most > 0
    if rule is CMS and may_leave_out:
        return "known after a dry run", (
            f"Classes are large enough. The number of rows left out must be 0 or at least {least}, "
            "too."
        )
    return "will be met", f"Every class will have at least {k}."
