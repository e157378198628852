"""What a specification promises, what attackers could still find, and which rules it meets.

The figures follow from the specification. Where a dry run of the same specification was made, its
figures are added.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lookalike.examine.promises import certify_protection, read_promises, read_protections
from lookalike.publish import certificate_sentences as sentences
from lookalike.publish.certificate_sentences import join_names
from lookalike.publish.certified import CertifiedProtection, CertifiedRegister
from lookalike.report.rules.rule import Rule
from lookalike.report.rules.threshold import CIHI, CMS, EMA, HEALTH_CANADA, ONS
from lookalike.search.methods import TAKES
from lookalike.shown_text import count_rows
from lookalike.spec.preflight_names import ONE_SENSITIVE_VALUE, REPEATED_PERSONS
from lookalike.spec.presets import PRESETS, Preset
from lookalike.spec.specification import Specification
from lookalike.studio.releases.release_summary import ReleaseSummary
from lookalike.verify.recount import Promise

Outlook = Literal["will be met", "not assured", "known after a dry run"]
RULES_OF_PRESETS = {
    "cms": CMS,
    "ema": EMA,
    "health-canada": HEALTH_CANADA,
    "cihi": CIHI,
    "ons": ONS,
}
"""The rule that each preset comes from."""


def state_promises(asked: Specification, rows: int) -> Iterator[str]:
    """State what a release will promise, and what it will not."""
    if not asked.is_complete:
        yield (
            "Patterns and [defaults] stand for columns that are not known here, and are not named "
            "below. Choose the table under Data."
        )
    elif not asked.hierarchies():
        yield "Nothing is promised: no column has the role quasi-identifier."
    if not asked.hierarchies():
        return
    promises, release = read_promises(asked, rows), asked.release
    for one in promises:
        over = f"Every combination of {', '.join(one.attributes)} in the release"
        if one.person is not None:
            yield f"{over} is shared by at least {one.k} persons, who may have several rows."
        else:
            yield f"{over} occurs at least {one.k} times, assuming that each person has one row."
    if may_miss_k(asked):
        yield "µ-Argus need not reach this; a release that does not is refused. Turn on repair."
    if release.average_risk is not None:
        yield (
            "On average a row is found with a probability of at most "
            f"{release.average_risk} (classes / rows)."
        )
    if release.decoys:
        yield sentences.state_decoys(release.decoys)
    yield from state_registers(asked, promises[0].attributes)
    protected = certify_asked(asked, promises)
    yield from sentences.state_protections(
        protected, asked.requirement(rows).secrecy if protected else None
    )
    if as_is := list_as_is(asked):
        yield (
            f"Outside the promise: {', '.join(as_is)}. Their values are released as they are, and "
            "whoever knows them of a person may find the row."
        )


def certify_asked(asked: Specification, promises: Sequence[Promise]) -> list[CertifiedProtection]:
    """Return the protections of sensitive values as a certificate would state them."""
    return [certify_protection(one) for one in read_protections(asked, promises)]


def state_registers(asked: Specification, attributes: tuple[str, ...]) -> list[str]:
    """State the conditions on registers."""
    k_map, presence, found = asked.release.k_map, asked.release.presence, []
    if k_map is not None:
        found.append(CertifiedRegister("k_map", k=k_map.k))
    if presence is not None:
        bounds = f"{presence.lowest}", f"{presence.highest}"
        found.append(CertifiedRegister("presence", lowest=bounds[0], highest=bounds[1]))
    return [sentences.state_register(one, join_names(attributes)) for one in found]


def list_as_is(asked: Specification) -> list[str]:
    """Return the columns that are released as they are."""
    return [name for name, one in asked.attributes.items() if one.role in ("sensitive", "other")]


def list_outside(asked: Specification, rows: int) -> list[str]:
    """Return the quasi-identifier attributes that are not protected in combination."""
    combined = {name for one in read_promises(asked, rows) for name in one.attributes}
    return [name for name in asked.hierarchies() if name not in combined]


def may_miss_k(asked: Specification) -> bool:
    """Return whether the method need not reach k, so that the release may be refused."""
    return asked.release.method == "mu-argus" and not asked.release.repair


@dataclass(frozen=True)
class _Case:
    """What is asked for, and what a dry run of it has found."""

    asked: Specification
    rows: int
    made: ReleaseSummary | None

    def find(self, *names: str) -> Iterator[str]:
        """Yield what the checks of the dry run found, by the names of the checks."""
        for one in () if self.made is None else self.made.findings:
            if one.name in names:
                yield one.sentence

    @property
    def counted(self) -> ReleaseSummary | None:
        """The dry run, if its figures are those of one quasi-identifier that counts rows."""
        promises = read_promises(self.asked, self.rows)
        is_one = len(promises) == 1 and promises[0].person is None
        return self.made if is_one and not list_outside(self.asked, self.rows) else None

    @property
    def least(self) -> int:
        """The least k of all quasi-identifiers."""
        return min(one.k for one in read_promises(self.asked, self.rows))


def list_attackers(
    asked: Specification, rows: int, made: ReleaseSummary | None = None
) -> dict[str, list[str]]:
    """Return what each attacker can still do, one sentence each."""
    case = _Case(asked, rows, made)
    return {name: [*find(case)] for name, find in _ATTACKERS.items()}


def _find_row(case: _Case) -> Iterator[str]:
    """State how well one person's row can be found."""
    if may_miss_k(case.asked):
        yield "µ-Argus without repair need not reach k; a release that does not is refused."
    promises = read_promises(case.asked, case.rows)
    yield from map(_state_candidates, promises)
    if any(one.person is None for one in promises):
        yield "This assumes that each person has one row."
    made = case.counted
    if made is not None:
        yield (
            f"The smallest class of the latest dry run has {count_rows(made.smallest)}: at most "
            f"{_write_odds(made.smallest)}."
        )
    outside, as_is = tuple(list_outside(case.asked, case.rows)), tuple(list_as_is(case.asked))
    if outside:
        yield f"{join_names(outside)} may narrow that down: not protected in combination."
    if as_is:
        yield f"Whoever also knows {join_names(as_is)} of the person may find the row."
    yield from case.find(REPEATED_PERSONS)


def _state_candidates(promise: Promise) -> str:
    """State how many rows or persons fit what is known."""
    over, odds = join_names(promise.attributes), _write_odds(promise.k)
    if promise.person is not None:
        return (
            f"By {over}, at least {promise.k} persons fit every row: names the right person with a "
            f"probability of at most {odds}."
        )
    return (
        f"By {over}, at least {promise.k} rows fit: picks the right one with a probability of at "
        f"most {odds}."
    )


def _find_by_register(case: _Case) -> Iterator[str]:
    """State what a list of people adds."""
    yield (
        f"Is right with at most the neighbour's probability, {_write_odds(case.least)}; how much "
        "less depends on the list."
    )
    [first, *_] = read_promises(case.asked, case.rows)
    yield from state_registers(case.asked, first.attributes)
    if case.asked.release.presence is None:
        yield "May conclude that somebody is in the table: no setting bounds that."


def _find_many(case: _Case) -> Iterator[str]:
    """State how many matches are right on average."""
    asked, made = case.asked.release.average_risk, case.counted
    if asked is None:
        yield f"On average at most {_write_odds(case.least)} of the matches are right."
    else:
        yield f"On average at most {_write_share(float(asked))} of the matches are right."
    if made is not None and made.rows_out:
        yield (
            f"In the latest dry run {_write_share(made.classes / made.rows_out)}: {made.classes:,} "
            f"classes of {made.rows_out:,} rows."
        )


def _find_value(case: _Case) -> Iterator[str]:
    """State what classes show of sensitive values."""
    columns = {
        name: one.protect for name, one in case.asked.attributes.items() if one.role == "sensitive"
    }
    if not columns:
        yield "No column has the role sensitive, so no value is protected."
    promises = read_promises(case.asked, case.rows)
    yield from sentences.state_protections(certify_asked(case.asked, promises), None)
    bare = tuple(name for name, protect in columns.items() if protect is None)
    if bare:
        yield (
            f"{join_names(bare)}: not protected. If all rows of a class have the same value, it is "
            "known."
        )
    yield from case.find(ONE_SENSITIVE_VALUE)


def _find_by_method(case: _Case) -> Iterator[str]:
    """State what the choice of levels and classes shows."""
    asked, takes = case.asked.release, TAKES[case.asked.release.method]
    if takes.argus:
        yield "What suppressed cells show about the rows of a class is not measured."
    elif not takes.cells:
        yield "All values of a column have one level, so that a class shows nothing but its values."
    elif asked.decoys:
        yield sentences.state_decoys(asked.decoys)
    else:
        yield (
            "A generalized cell shows that the rows of its class differ, which can raise the "
            f"belief in a value by up to {_write_odds(case.least)}."
        )
    if asked.max_exposure is not None:
        yield f"A release in which a belief rises by more than {asked.max_exposure} is refused."
    if case.asked.protected_columns:
        yield from sentences.state_protections((), case.asked.requirement(case.rows).secrecy)


def _find_by_releases(case: _Case) -> Iterator[str]:
    """State what earlier releases add."""
    if case.asked.release.ledger is None:
        yield (
            "Earlier releases are not checked. Two releases of the same people can show together "
            "what neither shows alone."
        )
    else:
        policy = case.asked.release.policy
        yield f"Earlier releases in the ledger are considered, by the policy {policy}."


def _write_odds(number: int) -> str:
    """Write one of a number, as a fraction and in percent.

    Examples
    --------
    >>> _write_odds(5), _write_odds(12)
    ('1/5 (20 %)', '1/12 (8.33 %)')
    """
    return f"1/{number:,} ({_write_share(1 / number)})"


def _write_share(share: float) -> str:
    """Write a share in percent."""
    return f"{100 * share:.3g} %"


_ATTACKERS: Mapping[str, Callable[[_Case], Iterable[str]]] = {
    "neighbour": _find_row,
    "register": _find_by_register,
    "marketer": _find_many,
    "value": _find_value,
    "insider": _find_by_method,
    "releases": _find_by_releases,
    "acquaintance": lambda _: ["Learns the last value. No release of true rows prevents that."],
}
"""What each attacker finds; the glossary has their names, what they know, and what changes it."""


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
