"""Write the sentences of a certificate: its statement, and a summary for people.

The statement is a field of ``certificate.json``. The summary is what a terminal shows.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from lookalike.publish.certificate import (
    Certificate,
    CertifiedAlone,
    CertifiedQuasiIdentifier,
    EarlierReleases,
    GeneralizedColumn,
)
from lookalike.publish.certified_register import CertifiedRegister, state_register


def write_statement(
    promised: Sequence[CertifiedQuasiIdentifier],
    alone: Sequence[CertifiedAlone],
    registers: Sequence[CertifiedRegister] = (),
) -> str:
    """Write the statement of a certificate: what the release promises, and what it does not.

    The statement is part of ``certificate.json``, and verification derives it again: its wording
    is part of the format.
    """
    people = [state_register(one, _join(promised[0].attributes)) for one in registers]
    return " ".join([*map(_state_promise, promised), *people, *_warn_of_single_protection(alone)])


def _state_promise(promised: CertifiedQuasiIdentifier) -> str:
    """Write what a release promises for one quasi-identifier."""
    over = _join(promised.attributes)
    if promised.rows_below_k:
        return (
            f"k-anonymity does NOT hold: {promised.rows_below_k:,} rows of this release have a "
            f"combination of {over} that occurs fewer than {promised.k} times, down to "
            f"{promised.k_reached}; whoever knows these values of a person may find their row."
        )
    return (
        f"Every combination of {over} in this release occurs at least "
        f"{promised.k_reached} times, so the release is {promised.k}-anonymous over them."
    )


def _warn_of_single_protection(alone: Sequence[CertifiedAlone]) -> list[str]:
    """Name the attributes that are not protected in combination."""
    outside = tuple(dict.fromkeys(one.attribute for one in alone if one.is_outside))
    if not outside:
        return []
    return [
        f"Warning: {_join(outside)} {'is' if len(outside) == 1 else 'are'} protected only by "
        f"{'itself' if len(outside) == 1 else 'themselves'}, if at all, and not in combination."
    ]


def _join(names: tuple[str, ...]) -> str:
    """Join names with commas and a final "and"."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def summarize_certificate(certificate: Certificate) -> list[str]:
    """Summarize a certificate in sentences, for a recipient."""
    lines = [certificate.statement, *_describe_alone(certificate)]
    if certificate.recipient is not None:
        lines.append(f"It was made for {certificate.recipient}.")
    unchanged = [name for name, done in certificate.generalized.items() if _is_unchanged(done)]
    for name, done in certificate.generalized.items():
        if name not in unchanged:
            lines.append(_describe_generalization(name, done, certificate.rows_shown))
    if unchanged:
        verb = "is" if len(unchanged) == 1 else "are"
        lines.append(f"{_join(tuple(unchanged))} {verb} not generalized.")
    lines.append(_describe_suppression(certificate))
    if certificate.objective is not None:
        lines.append(_describe_optimality(certificate))
    lines.append(
        f"Precision {certificate.precision:.4f} (1 = private table, 0 = fully suppressed), by "
        f"{certificate.method}; the order of rows was {certificate.order}; earlier releases: "
        f"{_describe_earlier(certificate.earlier_releases)}."
    )
    return lines


def _describe_earlier(earlier: Literal["not checked"] | EarlierReleases) -> str:
    """Describe which earlier releases the release was checked against."""
    if isinstance(earlier, str):
        return earlier
    considered = f"{earlier.considered:,} considered, by the policy {earlier.policy}"
    if earlier.new_people:
        considered += "; the holder declared that people with an unknown row key are new"
    return considered


def _is_unchanged(done: GeneralizedColumn) -> bool:
    """Return whether an attribute has the values of the private table."""
    return _is_ground(done) and not done.cells_suppressed


def _is_ground(done: GeneralizedColumn) -> bool:
    """Return whether every value of an attribute is at level 0, or suppressed."""
    return done.level == 0 if done.cells_by_level is None else {*done.cells_by_level} <= {0}


def _describe_generalization(name: str, done: GeneralizedColumn, rows: int) -> str:
    """Describe how one attribute was generalized in the rows that are not suppressed."""
    if done.cells_suppressed == rows:
        return f"Every value of {name} was suppressed ({done.hierarchy})."
    if _is_ground(done):
        sentence = f"{name} was not generalized"
    elif done.cells_by_level is not None:
        sentence = f"{name} was generalized cell by cell ({done.hierarchy})"
    else:
        sentence = f"{name} was generalized {done.level} of {done.height} steps ({done.hierarchy})"
    if done.cells_suppressed:
        sentence += f"; {done.cells_suppressed:,} of its values were suppressed"
    return f"{sentence}."


def _describe_alone(certificate: Certificate) -> Iterator[str]:
    """Describe the attributes with a k of their own, and what that does not protect against."""
    for one in certificate.alone:
        asked = f"{one.k:,} asked for" if one.k else "no minimum was asked for"
        within = f" of {one.quasi_identifier}" if len(certificate.quasi_identifiers) > 1 else ""
        outside = f" and is outside the combination{within}" if one.is_outside else ""
        yield (
            f"{one.attribute} has linking {one.linking}{outside}: each of its values occurs at "
            f"least {one.k_reached:,} times ({asked})."
        )
    if certificate.k_over_all is not None:
        yield (
            f"Over {_join(tuple(certificate.generalized))} together the smallest class has "
            f"{certificate.k_over_all:,} rows: whoever knows all of these values of a person may "
            "narrow the search down to that many."
        )


def _describe_optimality(certificate: Certificate) -> str:
    """State whether a better release can exist."""
    if certificate.optimality == "proved":
        return f"It is proved that no release of this kind has a better {certificate.objective}."
    if certificate.precision_bound is None:
        return f"The search for the best {certificate.objective} stopped before it was proved."
    return (
        "It is not proved that the precision is the best possible; no release exceeds "
        f"{certificate.precision_bound:.4f}."
    )


def _describe_suppression(certificate: Certificate) -> str:
    """State how many rows were suppressed, and how."""
    suppressed = certificate.rows_suppressed + certificate.rows_complementary
    how = {
        "drop": "left out",
        "blank": f"kept with {certificate.suppressed_label!r} for every quasi-identifier value",
    }[certificate.suppressed_rows]
    return f"{suppressed:,} of {certificate.rows_in:,} rows were suppressed ({how})."
