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


def write_statement(
    promised: Sequence[CertifiedQuasiIdentifier], alone: Sequence[CertifiedAlone]
) -> str:
    """Put into sentences what a release promises, and what it does not."""
    return " ".join([*(_state(one) for one in promised), *_warn(alone)])


def _state(promised: CertifiedQuasiIdentifier) -> str:
    """Put into one sentence what a release promises."""
    over = _and(promised.attributes)
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


def _warn(alone: Sequence[CertifiedAlone]) -> list[str]:
    """Tell which attributes are not protected in combination."""
    apart = tuple(dict.fromkeys(one.attribute for one in alone if one.apart))
    if not apart:
        return []
    return [
        f"Warning: {_and(apart)} {'is' if len(apart) == 1 else 'are'} protected only by "
        f"{'itself' if len(apart) == 1 else 'themselves'}, if at all, and not in combination."
    ]


def _and(names: tuple[str, ...]) -> str:
    """Join names as in a sentence."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def summarize_certificate(certificate: Certificate) -> list[str]:
    """Tell a recipient, in sentences, what was done."""
    lines = [certificate.statement, *_alone_in_words(certificate)]
    if certificate.recipient is not None:
        lines.append(f"It was made for {certificate.recipient}.")
    same = [name for name, done in certificate.generalized.items() if _is_untouched(done)]
    for name, done in certificate.generalized.items():
        if name not in same:
            lines.append(_generalization_in_words(name, done, certificate.rows_shown))
    if same:
        lines.append(f"{_and(tuple(same))} {'is' if len(same) == 1 else 'are'} not generalized.")
    lines.append(_suppression_in_words(certificate))
    if certificate.objective is not None:
        lines.append(_optimality_in_words(certificate))
    lines.append(
        f"Precision {certificate.precision:.4f} (1 is the private table, 0 tells nothing), by "
        f"{certificate.method}; the order of rows was {certificate.order}; earlier releases: "
        f"{_earlier_in_words(certificate.earlier_releases)}."
    )
    return lines


def _earlier_in_words(earlier: Literal["not checked"] | EarlierReleases) -> str:
    """Tell whether a release was checked against those before it."""
    if isinstance(earlier, str):
        return earlier
    told = f"{earlier.considered:,} considered, by the policy {earlier.policy}"
    if earlier.new_people:
        told += "; people whose row key was unknown are new, as the holder says"
    return told


def _is_untouched(done: GeneralizedColumn) -> bool:
    """Tell whether an attribute has the values of the private table."""
    return _is_ground(done) and not done.cells_suppressed


def _is_ground(done: GeneralizedColumn) -> bool:
    """Tell whether every value of an attribute is at level 0, or suppressed."""
    return done.level == 0 if done.cells_by_level is None else {*done.cells_by_level} <= {0}


def _generalization_in_words(name: str, done: GeneralizedColumn, rows: int) -> str:
    """Tell what was done to one attribute in the rows that show it."""
    if done.cells_suppressed == rows:
        return f"Every value of {name} was suppressed ({done.hierarchy})."
    if _is_ground(done):
        told = f"{name} was not generalized"
    elif done.cells_by_level is not None:
        told = f"{name} was generalized cell by cell ({done.hierarchy})"
    else:
        told = f"{name} was generalized {done.level} of {done.height} steps ({done.hierarchy})"
    if done.cells_suppressed:
        told += f"; {done.cells_suppressed:,} of its values were suppressed"
    return f"{told}."


def _alone_in_words(certificate: Certificate) -> Iterator[str]:
    """Tell what is known of attributes by themselves, and what that does not protect from."""
    for one in certificate.alone:
        asked = f"{one.k:,} asked" if one.k else "nothing was asked of it"
        within = f" of {one.quasi_identifier}" if len(certificate.quasi_identifiers) > 1 else ""
        outside = f" and is outside of the combination{within}" if one.apart else ""
        yield (
            f"{one.attribute} has linking {one.linking}{outside}: each of its values occurs at "
            f"least {one.k_reached:,} times ({asked})."
        )
    if certificate.k_over_all is not None:
        yield (
            f"Over {_and(tuple(certificate.generalized))} together the smallest class has "
            f"{certificate.k_over_all:,} rows: somebody who knows all of these values of a person "
            "may be left with no more."
        )


def _optimality_in_words(certificate: Certificate) -> str:
    """Tell whether a better release could exist."""
    if certificate.optimality == "proved":
        return f"No release of this kind is better by {certificate.objective}: that is proved."
    if certificate.precision_bound is None:
        return f"The search for the best {certificate.objective} was stopped before it was proved."
    return (
        "That the precision is the best is not proved; none is better than "
        f"{certificate.precision_bound:.4f}."
    )


def _suppression_in_words(certificate: Certificate) -> str:
    """Tell how many rows were suppressed, and what that means."""
    gone = certificate.rows_suppressed + certificate.rows_complementary
    how = {
        "drop": "left out",
        "blank": f"kept with {certificate.suppressed_label!r} for every linkable value",
    }[certificate.suppressed_rows]
    return f"{gone:,} of {certificate.rows_in:,} rows were suppressed ({how})."
