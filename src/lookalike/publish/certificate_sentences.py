"""Write the sentences of a certificate: its statement, and a summary for people.

The statement is a field of ``certificate.json``. The summary is what a terminal shows.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, Decimal
from typing import Literal

from lookalike.model.protections import PROTECTIONS
from lookalike.model.proved_bound import state_bound
from lookalike.publish import certified
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import state_accepted
from lookalike.spec.policies import INCREMENTS
from lookalike.tables.cleaning import NumberCoarsening

_SECRECY: Mapping[str, str] = {
    "search": (
        "Classes were chosen with regard to these values: somebody who knows the method and the "
        "quasi-identifiers of everybody may conclude more than a class shows."
    ),
    "blind": (
        "Classes were chosen by the quasi-identifier alone: to somebody who knows the method, and "
        "no other release of these people, a value is as likely as its share in the class."
    ),
    "lottery": (
        "Classes were merged along a tree that the quasi-identifier alone determines, some of them "
        "at random: even somebody who knows the method, and no other release of these people, can "
        "give no value a greater probability than the largest share that is promised."
    ),
}


def write_statement(certificate: Certificate) -> str:
    """Write the statement of a certificate: what the release promises, and what it does not.

    The statement is part of ``certificate.json``, and verification derives it again: its wording
    is part of the format.
    """
    promised = certificate.quasi_identifiers
    over = join_names(promised[0].attributes)
    people = [state_register(one, over) for one in certificate.registers]
    promises, assumed = map(_state_promise, promised), _state_assumption(promised)
    said = [*promises, *assumed, *people, *_warn_of_single_protection(certificate.alone)]
    given = certificate.protections, certificate.secrecy
    protections = state_protections(*given, over_releases=certificate.protects_over_releases)
    said += [] if certificate.answers is None else [certificate.answers.state(over)]
    return " ".join([*said, *protections])


def state_protections(
    protections: Sequence[certified.CertifiedProtection],
    secrecy: certified.CertifiedSecrecy | None,
    *,
    over_releases: bool = False,
) -> list[str]:
    """Write what a release promises of its sensitive values.

    ``over_releases``: whether that was judged together with earlier releases.

    Examples
    --------
    >>> one = certified.CertifiedProtection(("zip",), "ill", "distinct", {"l": 3}, 3.0)
    >>> state_protections([one], None)
    ['In this release by itself, in every class over zip, ill has at least 3 distinct values.']
    """
    where = (
        "In every class over {}, and in every set of its rows that this release and the earlier "
        "ones considered show alike, "
        if over_releases
        else "In this release by itself, in every class over {}, "
    )
    said = [
        f"{where.format(', '.join(one.attributes))}"
        f"{PROTECTIONS[one.protection](**one.parameters).state(one.column)}."
        for one in protections
    ]
    return said if secrecy is None else [*said, _SECRECY[secrecy]]


def _state_promise(promised: certified.CertifiedQuasiIdentifier) -> str:
    """Write what a release promises for one quasi-identifier."""
    over = join_names(promised.attributes)
    if promised.rows_below_k:
        return (
            f"k-anonymity does NOT hold: {promised.rows_below_k:,} rows of this release have a "
            f"combination of {over} that occurs fewer than {promised.k} times, down to "
            f"{promised.k_reached}; whoever knows these values of a person may find their row."
        )
    if promised.counts == "persons":
        return (
            f"Every combination of {over} in this release is shared by at least "
            f"{promised.persons_reached} persons, so the release is {promised.k}-anonymous over "
            "them, also if persons have several rows."
        )
    return (
        f"Every combination of {over} in this release occurs at least "
        f"{promised.k_reached} times, so the release is {promised.k}-anonymous over them."
    )


def _state_assumption(promised: Sequence[certified.CertifiedQuasiIdentifier]) -> list[str]:
    """State for which quasi-identifiers a release assumes that each person has one row."""
    assumed = [one for one in promised if one.counts == "rows"]
    if not assumed:
        return []
    if len(assumed) == len(promised):
        return ["It is assumed that each person has one row."]
    names = join_names(tuple(one.name for one in assumed))
    return [f"For {names}, it is assumed that each person has one row."]


def _warn_of_single_protection(alone: Sequence[certified.CertifiedAlone]) -> list[str]:
    """Name the attributes that are not protected in combination."""
    outside = tuple(dict.fromkeys(one.attribute for one in alone if one.is_outside))
    if not outside:
        return []
    return [
        f"Warning: {join_names(outside)} {'is' if len(outside) == 1 else 'are'} protected only by "
        f"{'itself' if len(outside) == 1 else 'themselves'}, if at all, and not in combination."
    ]


def state_decoys(rate: Decimal) -> str:
    """Write what decoys protect from; the wording is part of the format, as that of the statement.

    Examples
    --------
    >>> print(state_decoys(Decimal("0.02")))  # doctest: +NORMALIZE_WHITESPACE
    For each class and attribute a level was drawn at random, from the greatest one downwards, each
    with probability 0.02; a class that needs less shows this level. So no level that a class shows
    proves that its rows differ at a lower one: each of its cells lowers the odds that they agree
    there at most 50-fold (classes that are shown alike count one by one). What the choice of
    classes shows is not covered.
    """
    fold = f"{(1 / rate).quantize(Decimal('0.01'), ROUND_CEILING):,f}".removesuffix(".00")
    return (
        "For each class and attribute a level was drawn at random, from the greatest one "
        f"downwards, each with probability {rate:f}; a class that needs less shows this level. So "
        "no level that a class shows proves that its rows differ at a lower one: each of its cells "
        f"lowers the odds that they agree there at most {fold}-fold (classes that are shown alike "
        "count one by one). What the choice of classes shows is not covered."
    )


def describe_decoys(decoys: certified.CertifiedDecoys) -> str:
    """Return what a certificate says of decoys, unless an earlier version wrote it.

    That drew cells one level higher only, and its sentence promised what this does not keep.
    """
    if decoys.statement == state_decoys(Decimal(decoys.rate)):
        return decoys.statement
    return (
        "Some cells show one level more than needed, at random with probability "
        f"{decoys.rate}. What the certificate says of them was written by an earlier version and "
        "is not true: a cell two or more levels up still proves that the rows of its class differ."
    )


def _describe_classes(certificate: Certificate) -> Iterator[str]:
    """State what the choice of classes depends on, and what classes show beyond their values."""
    others = " alone" if certificate.is_blind else " and sensitive values"
    yield f"Classes were chosen by the quasi-identifier{others}."
    if certificate.decoys is not None:
        yield describe_decoys(certificate.decoys)
    elif certificate.certain_share is not None:
        yield (
            "No cell is generalized more than its class needs, so the rows of a class differ in "
            f"every generalized cell; in {100 * certificate.certain_share:.1f} % of these cells a "
            "finer value follows for some row of the class."
        )


def join_names(names: tuple[str, ...]) -> str:
    """Join names with commas and a final "and"."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def summarize_certificate(certificate: Certificate) -> list[str]:
    """Summarize a certificate in sentences, for a recipient."""
    accepted = state_accepted(certificate.accepted)
    lines = [certificate.statement, *accepted, *_describe_alone(certificate)]
    if certificate.average_risk is not None:
        lines.append(
            f"On average a row is found with a probability of at most {certificate.average_risk} "
            "(classes / rows)."
        )
    if certificate.recipient is not None:
        lines.append(f"It was made for {certificate.recipient}.")
    lines += [*_describe_columns(certificate), _describe_suppression(certificate)]
    lines += _describe_classes(certificate)
    if certificate.objective is not None:
        lines.append(_describe_optimality(certificate))
    lines.append(
        f"Precision {certificate.precision:.4f} (1 = private table, 0 = fully suppressed), by "
        f"{certificate.method}; the order of rows was {certificate.order}; earlier releases: "
        f"{_describe_earlier(certificate.earlier_releases)}."
    )
    lines += [
        f"The numbers of {name} are {describe_coarsening(done)}."
        for name, done in certificate.coarsened.items()
    ]
    lines += [
        f"The data holder wrote some values of {name} in another way first."
        for name in certificate.mapped
    ]
    if certificate.shares_classes:
        lines.append(
            "The classes were chosen over columns that other recipients get, too; a release of "
            "these columns alone would show more detail."
        )
    if certificate.neutralized:
        lines.append(
            "Cells that a spreadsheet would take for a formula are written after an apostrophe: an "
            "apostrophe at the beginning of a cell or a column name is not part of it."
        )
    return lines


def _describe_columns(certificate: Certificate) -> Iterator[str]:
    """Describe how each attribute was generalized."""
    columns = certificate.generalized.items()
    unchanged = [n for n, done in columns if _is_ground(done) and not done.cells_suppressed]
    for name, done in columns:
        if name not in unchanged:
            yield describe_generalization(name, done, certificate.rows_shown)
    if unchanged:
        verb = "is" if len(unchanged) == 1 else "are"
        yield f"{join_names(tuple(unchanged))} {verb} not generalized."


def _describe_earlier(earlier: Literal["not checked"] | certified.EarlierReleases) -> str:
    """Describe which earlier releases the release was checked against."""
    if isinstance(earlier, str):
        return earlier
    considered = f"{earlier.considered:,} considered, by the policy {earlier.policy}"
    if earlier.new_people:
        considered += "; the holder declared that people with an unknown row key are new"
    if earlier.since is not None:
        considered += (
            "; rows of people who left, and values that changed since, may be shown as they were, "
            f"the oldest as of {earlier.since}"
        )
    if earlier.policy == INCREMENTS:
        considered += "; it shows only rows that none of them has shown"
    return considered


def describe_coarsening(done: NumberCoarsening) -> str:
    """Describe how numbers were made less precise.

    Examples
    --------
    >>> describe_coarsening(NumberCoarsening(1000, top=90000))
    'rounded to multiples of 1,000, and at most 90,000 (greater ones are shown so)'
    """
    parts = []
    if done.round is not None:
        parts.append(f"rounded to multiples of {done.round:,}")
    if done.top is not None:
        parts.append(f"at most {done.top:,} (greater ones are shown so)")
    if done.bottom is not None:
        parts.append(f"at least {done.bottom:,} (smaller ones are shown so)")
    return ", and ".join(parts)


def _is_ground(done: certified.GeneralizedColumn) -> bool:
    """Return whether every value of an attribute is at level 0, or suppressed."""
    return done.level == 0 if done.cells_by_level is None else {*done.cells_by_level} <= {0}


def describe_generalization(name: str, done: certified.GeneralizedColumn, rows: int) -> str:
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
            f"Over {join_names(tuple(certificate.generalized))} together the smallest class has "
            f"{certificate.k_over_all:,} rows: whoever knows all of these values of a person may "
            "narrow the search down to that many."
        )


def _describe_optimality(certificate: Certificate) -> str:
    """State whether a better release can exist; a bound would show how many decoys there are."""
    if certificate.decoys is not None:
        proved = "" if certificate.optimality == "proved before decoys" else "not "
        return (
            f"Before decoys were drawn, it was {proved}proved that no release of this kind has a "
            f"better {certificate.objective}."
        )
    if certificate.optimality == "proved":
        return f"It is proved that no release of this kind has a better {certificate.objective}."
    if certificate.objective == "loss" and certificate.recoding == "cell level":
        return "It is not proved that no release of this kind has a better loss."
    if certificate.precision_bound is None:
        return f"The search for the best {certificate.objective} stopped before it was proved."
    exceeds = f"exceeds {certificate.precision_bound:.4f}"
    k, stricter = certificate.quasi_identifiers[0].k, certificate.stricter_than_bound
    return (
        "It is not proved that the precision is the best possible; "
        f"{state_bound(exceeds, k, stricter)}."
    )


def _describe_suppression(certificate: Certificate) -> str:
    """State how many rows were suppressed, and how."""
    suppressed = certificate.rows_suppressed + certificate.rows_complementary
    how = "left out"
    if certificate.suppressed_rows == "blank":
        how = f"kept with {certificate.suppressed_label!r} for every quasi-identifier value"
    return f"{suppressed:,} of {certificate.rows_in:,} rows were suppressed ({how})."


def state_register(register: certified.CertifiedRegister, over: str) -> str:
    """Write what a release promises about a register, over attributes that are joined as text.

    Examples
    --------
    >>> state_register(certified.CertifiedRegister("k_map", k=5), "zip and age")
    'Every combination of zip and age matches at least 5 people of a register of the data holder.'
    """
    if register.condition == "k_map":
        return (
            f"Every combination of {over} matches at least {register.k} people of a register of "
            "the data holder."
        )
    return (
        "Of the people of a register of the data holder, nobody is in the private table with a "
        f"probability below {register.lowest} or above {register.highest}, as far as {over} in "
        "this release and the number of suppressed rows show it."
    )
