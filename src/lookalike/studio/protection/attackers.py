"""What a specification promises, and what attackers could still find, in words.

The figures follow from the specification. Where a dry run of the same specification was made, its
figures are added.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lookalike.examine.promises import certify_protection, read_promises, read_protections
from lookalike.publish.certificate_sentences import (
    join_names,
    state_decoys,
    state_protections,
    state_register,
)
from lookalike.publish.certified import CertifiedProtection, CertifiedRegister
from lookalike.search.methods import TAKES
from lookalike.shown_text import count_rows
from lookalike.spec.preflight_names import ONE_SENSITIVE_VALUE, REPEATED_PERSONS
from lookalike.spec.specification import Specification
from lookalike.studio.releases.release_summary import ReleaseSummary
from lookalike.verify.recount import Promise


def state_promises(asked: Specification, rows: int) -> list[str]:
    """State what a release will promise, and what it will not."""
    if not asked.hierarchies():
        return ["Nothing is promised: no column has the role quasi-identifier."]
    promises = read_promises(asked, rows)
    protected = certify_asked(asked, promises)
    secrecy = asked.requirement(rows).secrecy if protected else None
    return [
        *map(_state_k, promises),
        *_state_risks(asked),
        *state_registers(asked, promises[0].attributes),
        *state_protections(protected, secrecy),
        *_state_limits(asked),
    ]


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
    return [state_register(one, join_names(attributes)) for one in found]


def _state_k(promise: Promise) -> str:
    """State what every combination of a quasi-identifier has in common."""
    over = ", ".join(promise.attributes)
    if promise.person is not None:
        return (
            f"Every combination of {over} in the release is shared by at least {promise.k} "
            "persons, also if persons have several rows."
        )
    return (
        f"Every combination of {over} in the release occurs at least {promise.k} times. It is "
        "assumed that each person has one row."
    )


def _state_risks(asked: Specification) -> Iterator[str]:
    """State the average risk and decoys, and whether the method may fail k."""
    if may_miss_k(asked):
        yield (
            "µ-Argus need not reach this; a release that does not is refused. Turn on repair to "
            "make it safe."
        )
    if asked.release.average_risk is not None:
        yield (
            "On average a row is found with a probability of at most "
            f"{asked.release.average_risk} (classes / rows)."
        )
    if asked.release.decoys:
        yield state_decoys(asked.release.decoys)


def _state_limits(asked: Specification) -> list[str]:
    """State what is outside the promise."""
    as_is = list_as_is(asked)
    if not as_is:
        return []
    return [
        f"Outside the promise: {', '.join(as_is)}. Their values are released as they are, and "
        "whoever knows them of a person may find the row."
    ]


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
class Attacker:
    """Somebody who wants to learn about a person in the release.

    ``can``: what is still possible, one sentence each; ``change``: the settings that change it.
    """

    name: str
    knows: str
    can: tuple[str, ...]
    change: str


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
) -> list[Attacker]:
    """Return what each attacker can still do."""
    case = _Case(asked, rows, made)
    return [
        Attacker(name, knows, tuple(find(case)), change) for name, knows, find, change in _ATTACKERS
    ]


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
    yield from _state_more_known(case)
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


def _state_more_known(case: _Case) -> Iterator[str]:
    """State what columns outside the combination add."""
    outside = tuple(list_outside(case.asked, case.rows))
    if outside:
        yield f"{join_names(outside)} may narrow that down: not protected in combination."
    as_is = tuple(list_as_is(case.asked))
    if as_is:
        yield f"Whoever also knows {join_names(as_is)} of the person may find the row."


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
    yield from state_protections(certify_asked(case.asked, promises), None)
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
        yield state_decoys(asked.decoys)
    else:
        yield (
            "A generalized cell shows that the rows of its class differ, which can raise the "
            f"belief in a value by up to {_write_odds(case.least)}."
        )
    if asked.max_exposure is not None:
        yield f"A release in which a belief rises by more than {asked.max_exposure} is refused."
    if case.asked.protected_columns:
        yield from state_protections((), case.asked.requirement(case.rows).secrecy)


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


def _find_last(_case: _Case) -> Iterator[str]:
    """State what somebody learns who knows all others."""
    yield "Learns the last value. No release of true rows prevents that."


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


_ATTACKERS: Sequence[tuple[str, str, Callable[[_Case], Iterator[str]], str]] = (
    (
        "A neighbour (prosecutor)",
        "the quasi-identifiers of one person, and that the person is in the table",
        _find_row,
        "k or highest risk; the roles of columns that are released as they are",
    ),
    (
        "A register holder (journalist)",
        "a list of people with the same columns, but not who is in the table",
        _find_by_register,
        "k_map and presence, with a register, in the text of the specification",
    ),
    (
        "Somebody who matches many (marketer)",
        "a list of people, and wants to match as many of them as possible",
        _find_many,
        "average risk, or k",
    ),
    (
        "Somebody looking for a value",
        "which class a person is in, and wants the sensitive value",
        _find_value,
        "the protections of sensitive columns",
    ),
    (
        "An insider of the method",
        "everybody's quasi-identifiers, and how lookalike chooses classes",
        _find_by_method,
        "decoys and greatest exposure; how sensitive values are protected; a method with one level "
        "for each column",
    ),
    (
        "A collector of releases",
        "earlier releases of the same people",
        _find_by_releases,
        "the ledger and the column that identifies rows, under Publish",
    ),
    (
        "An acquaintance of all others",
        "the sensitive values of everybody in a class but one",
        _find_last,
        "nothing here; publish statistics with differential privacy if it matters",
    ),
)
"""Each attacker: the name, what is known, what is found, and what changes it."""
