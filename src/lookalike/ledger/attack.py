"""Attack: what releases that a ledger remembers give away together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from lookalike.attacks.attack import Attacked, attack_classes
from lookalike.certificate import Certificate
from lookalike.discreet import Discreet
from lookalike.hierarchy import Hierarchy
from lookalike.kernels.numbering import number_columns, number_keys
from lookalike.ledger.earlier import NEXT, name_of
from lookalike.ledger.entry import Entry
from lookalike.ledger.published import find_file
from lookalike.ledger.row_map import KEY, LINKABLE, OTHER, to_digests
from lookalike.see import fit_hierarchies, see_published


@dataclass(frozen=True, eq=False)
class Attackable(Discreet):
    """A release with its file, its certificate, and the map of its private rows.

    Parameters
    ----------
    name
        What to call it.
    file
        The file.
    certificate
        What its recipients are told.
    rows
        Which private row went where.
    """

    name: str
    file: Path
    certificate: Certificate
    rows: pa.Table


def expose(entry: Entry) -> Attackable:
    """Take a published release, if its file is there as it was published."""
    return Attackable(name_of(entry), find_file(entry), entry.certificate, entry.kept.rows())


def attack_releases(
    releases: Sequence[Attackable], hierarchies: Mapping[str, Hierarchy], k: int | None = None
) -> Attacked:
    """Try every attack on some releases of one source.

    Parameters
    ----------
    releases
        Two at least.
    hierarchies
        The hierarchy of each column whose level differs from release to release.
    k
        How many rows should remain possible; without it, the least that was promised.
    """
    every = [one.certificate for one in releases]
    return attack_classes(
        [see_published(one.name, one.file, one.certificate, every) for one in releases],
        fit_hierarchies(hierarchies, every),
        k=k,
        people=count_people(releases),
    )


def count_people(releases: Sequence[Attackable]) -> int:
    """Count the people that releases are about together, as far as these can be compared.

    To someone who takes rows with different values for rows of different people, a person whose
    values changed is one who left and another who came.
    """
    columns = {(one.certificate.columns, tuple(one.certificate.generalized)) for one in releases}
    kinds = (KEY, LINKABLE, OTHER) if len(columns) == 1 else (KEY,)
    codes = [
        number_keys(np.concatenate([to_digests(one.rows[kind]) for one in releases]))[0]
        for kind in kinds
    ]
    ones = np.ones(len(codes[0]), dtype=np.int64)
    return len(number_columns(np.array(codes, dtype=np.int32), ones)[1])


@dataclass(frozen=True)
class Result:
    """What one attack on the next release came to.

    Parameters
    ----------
    attack
        The name of the attack.
    release
        The earlier release, or several of them.
    lower_bound
        It is proved that at least so many rows remain possible for everyone.
    upper_bound
        An attack was found that leaves so many for someone.
    exposed_rows
        For how many rows it is not proved that at least k remain possible.
    """

    attack: str
    release: str
    lower_bound: int
    upper_bound: int
    exposed_rows: int


def list_results(attacked: Attacked, rows: int) -> Iterator[Result]:
    """List what every attack on the next release came to.

    Parameters
    ----------
    attacked
        All releases, the next one last.
    rows
        How many rows the next release has.
    """
    for pair in attacked.pairs:
        if pair.right == NEXT:
            for one in pair.linked:
                if one.k is not None:
                    exposed = max(one.left_exposed, one.right_exposed)
                    yield Result(pair.kind, pair.left, one.k, one.k, exposed)
            for two in pair.unsorted:
                if two.k is not None:
                    yield Result("unsorted matching", pair.left, two.k, two.k, two.rows_exposed)
    if len(attacked.pairs) > 1:
        together = " and ".join(attacked.releases[:-1])
        for left in attacked.left:
            if left.at_least is not None and left.at_most is not None:
                exposed = attacked.rows_exposed or rows
                yield Result("combined", together, left.at_least, left.at_most, exposed)
