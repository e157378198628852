"""Secrecy: what the choice of classes may reveal about sensitive values.

A method that looks at sensitive values to choose classes can give them away to an attacker who
knows the method and the quasi-identifiers: a class that was merged or suppressed without need of k
shows that it failed a protection (the minimality attack). So there are three ways to satisfy a
protection:

``search``
    The method looks at sensitive values. Least distortion; the choice of classes can reveal them.
``blind``
    The method sees the quasi-identifier alone. Then the classes are judged; if one fails, the
    whole release is refused, and nothing is repaired. By the argument of the papers' random deal,
    exchanging sensitive values within a class changes nothing that is published, so a value's
    probability is its share in the class.
``lottery``
    Classes are merged along a tree that the quasi-identifier alone determines, some of them by
    lot (:mod:`lookalike.search.cells.satisfy.lottery`).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.model.frequency import FrequencyList
from lookalike.model.protections import Share
from lookalike.model.recoding import Recoding, judge_classes
from lookalike.model.requirement import ColumnProtection, Requirement, Secrecy
from lookalike.model.stored_list import Frequencies
from lookalike.shown_text import count_rows


def default_secrecy(
    protections: Sequence[ColumnProtection] = (), *, lottery: bool = False
) -> Secrecy:
    """Return the safest way that the protections and the method have.

    A lottery bounds the share of a value, so it is for protections by `share` alone. Both ways
    bound what an attacker learns in the same way, but a lottery is seldom refused.
    """
    return "lottery" if lottery and protections and are_shares(protections) else "blind"


def are_shares(protections: Sequence[ColumnProtection]) -> bool:
    """Return whether every protection is a largest share."""
    return all(isinstance(one.protection, Share) for one in protections)


def keep_secret(
    search: Callable[[Frequencies, Requirement], Recoding],
    frequency: Frequencies,
    requirement: Requirement,
    *,
    lottery: bool = False,
) -> Recoding:
    """Let a method search in the way that the requirement asks for."""
    protections = requirement.protections
    way = requirement.secrecy or default_secrecy(protections, lottery=lottery)
    if way == "lottery" and not are_shares(protections):
        raise InvalidInput(
            'secrecy = "lottery" is proved for protections by share alone; ask for share only, or '
            'set secrecy = "blind"'
        )
    if not protections or way != "blind":
        return search(frequency, replace(requirement, secrecy=way))
    recoding = search(frequency, replace(requirement, protections=()))
    if isinstance(frequency, FrequencyList):
        failures = judge_classes(frequency, recoding, requirement)
        if failures:
            found = "; ".join(
                f"{one.condition} fails in {one.classes:,} "
                f"{'class' if one.classes == 1 else 'classes'} with {count_rows(one.rows)}"
                for one in failures
            )
            raise RequirementNotMet(
                f'{found}. With secrecy = "blind", classes are chosen by the quasi-identifier '
                "alone, and a release that fails is refused whole, because a repair can reveal "
                "sensitive values to somebody who knows the method. Raise k, bound levels from "
                "below with constraints, or ask for a weaker protection; or set secrecy = "
                '"search" if the recipients are trusted not to attack (docs/secrecy.md)'
            )
    return recoding
