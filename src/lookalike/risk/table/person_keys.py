"""Find out who is a person: columns whose groups share what others know of people.

The rows of one person agree in sex, birth date, postal code; the rows of one ward or city do not.
For a column and an attribute, *sharing* is how far the rows of a group agree beyond chance: with w
the chance that two rows of a group agree (the mean over rows) and p the chance that any two rows of
the table do, it is (w - p) / (1 - p); 0 is chance, 1 means that every group has one value. There is
no limit on the rows of a group.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2

import numpy as np

from lookalike.kernels.grouping import group_codes
from lookalike.kernels.types import Codes, Counts
from lookalike.tables.sample import Sample

SHARED = 0.8
"""The sharing from which an attribute is one of the group: a fifth may be errors of entry."""
DIFFERENT = 0.5
"""The sharing below which what a person keeps for life is not one person's."""
NEARLY_ONE_VALUE = 0.95
"""The chance of agreement from which an attribute says nothing, since nearly all rows agree."""
SURPRISE = 20
"""The bits from which agreement is no accident: a chance of one in a million."""
RARE_AGREEMENT = 4
"""The bits that the shared attributes must have of any two rows: one pair of 16 agrees."""
REPEATED = 0.25
"""The sharing from which combinations repeat as those of people with several rows. It is at most
0.12 over four to nine attributes of Adult, where everybody has one row, and at least 0.28 in tables
of 2 to 500 rows a person."""
FEW_REPEATS = 100
"""The repeated rows below which sharing without a key is a matter of chance."""
_FRACTION = re.compile(r"\s*[-+]?[0-9]*[.,][0-9]+\s*")
_EXAMINED = 1000


@dataclass(frozen=True)
class KeyEvidence:
    """How far the rows with one value of a column look like rows of one person.

    ``column``: the column, or the attributes of a combination.
    ``sharing``: for each attribute that tells people apart, how far the groups share it.
    ``lasting``: those of them that a person keeps for life.
    ``repeated``: the share of the rows that are not the first of their group.
    ``rows``: the number of such rows that were compared.
    ``bits``: how rarely any two rows agree in all shared attributes, in bits.
    """

    column: str
    sharing: Mapping[str, float]
    lasting: frozenset[str]
    repeated: float
    rows: int
    bits: float

    @property
    def shared(self) -> tuple[str, ...]:
        """The attributes that are the same in nearly all rows of a group."""
        return tuple(name for name, share in self.sharing.items() if share >= SHARED)

    @property
    def differ(self) -> bool:
        """Whether the groups are of several people: what people keep for life differs in them.

        Where most attributes are shared nevertheless, the one that differs is of somebody else,
        such as the sex of a physician.
        """
        lasting = self.lasting & self.sharing.keys()
        most = 2 * len(self.shared) > len(self.sharing)
        return not most and any(self.sharing[name] < DIFFERENT for name in lasting)

    @property
    def is_person(self) -> bool:
        """Whether the groups share what is known of a person far more often than by chance."""
        shared = self.shared
        enough = 2 * len(shared) > len(self.sharing) or len(self.lasting & {*shared}) > 1
        certain = self.bits >= RARE_AGREEMENT and self.bits * self.rows >= SURPRISE
        return enough and certain and not self.differ


def judge_columns(
    samples: Sequence[Sample],
    linkable: Sequence[str],
    lasting: Collection[str] = (),
    person: str | None = None,
) -> Iterator[KeyEvidence]:
    """Yield for each column with repeated values how far its groups are like persons.

    ``lasting``: those of them that people keep for life, such as sex and birth date.
    ``person``: the column that is taken for that of persons. Each person is then compared by one
    row, to find out whether several of them are one.
    """
    for sample in samples:
        judge = _Judge(sample, linkable, frozenset(lasting), person)
        for name in sample.in_groups:
            if name != person and not _are_measurements(sample.values[name]):
                yield from judge.judge(name)


def find_repeated_people(samples: Sequence[Sample], linkable: Sequence[str]) -> KeyEvidence | None:
    """Find out whether combinations repeat as if people had several rows, without a key.

    Rows that agree in all attributes but one agree in that one, too, if they are rows of one
    person, and by chance if they are not. The attribute with the least sharing decides.
    """
    first = samples[0]
    most = max(
        linkable,
        key=lambda name: np.count_nonzero(np.bincount(first.codes[name][first.one_by_one] + 1)),
    )
    drawn = next(one for one in samples if most in one.in_groups)
    found = (
        evidence
        for name in linkable
        if name != most
        for evidence in _Judge(drawn, [name], frozenset(), None).judge_rest(most, linkable)
    )
    return min((one for one in found if one.sharing), key=_least, default=None)


def repeats_people(evidence: KeyEvidence | None) -> bool:
    """Return whether :func:`find_repeated_people` found more agreement than chance explains."""
    return evidence is not None and evidence.rows >= FEW_REPEATS and _least(evidence) >= REPEATED


def _least(evidence: KeyEvidence) -> float:
    """Return the least sharing of an attribute."""
    return min(evidence.sharing.values())


def _are_measurements(texts: Sequence[str]) -> bool:
    """Return whether most values are numbers with a fraction, which no key has."""
    some = texts[:: max(1, len(texts) // _EXAMINED)]
    return 2 * sum(_FRACTION.fullmatch(text) is not None for text in some) > len(some)


@dataclass(frozen=True)
class _Judge:
    """Judges the columns of one sample."""

    sample: Sample
    linkable: Sequence[str]
    lasting: frozenset[str]
    person: str | None

    def judge(self, column: str) -> Iterator[KeyEvidence]:
        """Yield the evidence about a column, if several rows have one value of it."""
        chosen = self.sample.rows_of(column)
        group = self.sample.codes[column][chosen]
        if self.person is not None:
            first = group_codes([group, self.sample.codes[self.person][chosen]])[1]
            chosen, group = chosen[first], group[first]
        yield from self._compare(column, [column], chosen, group)

    def judge_rest(self, drawn: str, linkable: Sequence[str]) -> Iterator[KeyEvidence]:
        """Yield the evidence about the other attributes together; rows are drawn by one of them."""
        rest = [name for name in linkable if name not in self.linkable]
        chosen = self.sample.rows_of(drawn)
        group = group_codes([self.sample.codes[name][chosen] for name in rest])[0]
        yield from self._compare(", ".join(rest), rest, chosen, group)

    def _compare(
        self, name: str, own: Collection[str], chosen: Codes, group: Codes
    ) -> Iterator[KeyEvidence]:
        """Compare the rows of each group."""
        sizes = np.bincount(group, minlength=1).astype(np.int64)
        several = sizes[group] > 1
        repeated = len(group) - int((sizes > 0).sum())
        if not repeated:
            return
        rows, groups, counts = chosen[several], group[several], sizes[group[several]]
        sharing = {
            attribute: _share(self.sample.codes[attribute][rows], groups, counts, chance)
            for attribute, chance in self._chances.items()
            if attribute not in own
        }
        bits = self._surprise(sharing)
        yield KeyEvidence(name, sharing, self.lasting, repeated / len(group), repeated, bits)

    @cached_property
    def _chances(self) -> dict[str, float]:
        """The chance that two rows agree, for each attribute that tells people apart."""
        found = {name: self._agree([name]) for name in self.linkable}
        return {name: chance for name, chance in found.items() if chance < NEARLY_ONE_VALUE}

    def _agree(self, attributes: Sequence[str]) -> float:
        """Return the chance that two rows agree in some attributes, at least that of one pair."""
        single = np.flatnonzero(self.sample.one_by_one)
        counts = group_codes([self.sample.codes[name][single] for name in attributes])[2]
        pairs = max(1, len(single) * (len(single) - 1))
        return max(1, int((counts * (counts - 1)).sum())) / pairs

    def _surprise(self, sharing: Mapping[str, float]) -> float:
        """Return how rarely two rows agree in all shared attributes, in bits."""
        shared = [name for name, share in sharing.items() if share >= SHARED]
        return -log2(min(1.0, self._agree(shared))) if shared else 0.0


def _share(values: Codes, groups: Codes, counts: Counts, chance: float) -> float:
    """Return how far groups share a value beyond chance, as the mean over their rows."""
    _, first, alike = group_codes([groups, values])
    agree = float((alike * (alike - 1) / (counts[first] - 1)).sum()) / len(groups)
    return float((agree - chance) / (1 - chance))
