"""What a specification promises, in sentences, before anything is released."""

from collections.abc import Iterator, Sequence

from lookalike.examine.promises import certify_protection, read_promises, read_protections
from lookalike.publish.certificate_sentences import (
    join_names,
    state_decoys,
    state_protections,
    state_register,
)
from lookalike.publish.certified import (
    CertifiedProtection,
    CertifiedRegister,
)
from lookalike.spec.specification import Specification
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
