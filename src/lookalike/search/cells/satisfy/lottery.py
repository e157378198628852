"""Merge classes by a lottery, so that a merged class proves nothing about sensitive values.

A class that is merged because it fails shows that it failed. So merging follows a tree that the
quasi-identifier alone determines, and every node of the tree is also formed at random:

- The leaves of the tree are the classes. A leaf fails if some value has more than the share α of
  its rows, that is, if its odds exceed θ = α ∕ (1 − α).
- An inner node has a coin of its own, which says "form" with probability r. The node is *formed*,
  so that all classes below it become one, if its coin says so or if a child that is a class (a
  leaf or a formed node) fails. A formed node fails if the odds of some value exceed r · θ.
- If a root is a class and fails, the whole release is refused. There is no other repair.

**Theorem.** Let an attacker know the quasi-identifiers of all rows, the tree and the method, and
let exchanging the sensitive values of two rows not change the attacker's prior. Then for every
release R, every person x with a row in it and every value s, the posterior probability that this
row has s is at most α.

*Proof.* The deal of rows with equal quasi-identifiers is drawn apart from all sensitive values, so
let the attacker know it, too; and if two classes are released as equal tuples, let the attacker
see them apart. The posterior without this knowledge is a mean of those with it. Let C₁, …, C_m be
the classes of R: disjoint nodes that cover the leaves. R is released exactly if

1. each inner Cᵢ is formed,
2. no Cᵢ fails, and
3. the coin of every node above some Cᵢ does not say "form".

For a child of a node above is some Cᵢ, which does not fail, or another such node, which is no
class. Let v be all sensitive values. (2) depends on the values of each class, but not on their
order in it. (3) has a probability that does not depend on v. The events of (1) use disjoint sets of
coins. Each has a probability p(Cᵢ, v) that depends on the values below Cᵢ alone, and lies between
r and 1, since the node's own coin is enough. So the probability of R given v is a constant times
Π p(Cᵢ, v), for all v that agree with R.

Let x be in C, which has n rows, h of them with s. Compare the v that differ in the order of the
values within C alone: the prior gives them the same probability, and x has s in h ∕ n of them. If
C is a leaf, R has the same probability in all of them, so the posterior odds are h ∕ (n − h) ≤ θ.
If C was formed, these probabilities differ at most by the factor 1 ∕ r, so the odds are at most
(1 ∕ r) · h ∕ (n − h) ≤ (1 ∕ r) · r · θ = θ. ∎

The proof allows another r for each node, and an r that depends on how often each value occurs in
the table, which is the same for all v compared. It does not cover a release that was refused and
tried again with other coins until it passed: a refusal depends on the values, too.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lookalike.errors import RequirementNotMet
from lookalike.kernels.types import Codes, Flags
from lookalike.model.frequency import FrequencyList
from lookalike.model.protections import Share
from lookalike.model.requirement import Requirement
from lookalike.search.cells.classes import Classes, merge_entries
from lookalike.search.cells.satisfy.rows_beside import RowsBeside

MERGED_ODDS = 0.8
"""The odds that a merged class may have at the default rate: 4 rows of 9 with the same value."""
ABOVE_TABLE = 4 / 3
"""The least ratio of these odds to the odds in the whole table."""


@dataclass(frozen=True, eq=False)
class _Level:
    """The nodes of one level of the tree."""

    nodes: Classes
    is_class: Flags
    fails: Flags


def hold_lottery(
    rows: RowsBeside,
    classes: Classes,
    tree: Sequence[Codes],
    coins: Sequence[Flags],
    requirement: Requirement,
    rate: float,
) -> Classes:
    """Merge classes along a tree, where they fail and where the coins say so."""
    sharper = sharpen(requirement, rate)
    level = _Level(
        classes, np.ones(len(classes), dtype=np.bool_), rows.failing(classes, requirement)
    )
    node_of = home = np.arange(len(classes), dtype=np.int32)
    for parent, forced in zip(tree, coins, strict=True):
        level, formed = _climb(rows, level, parent, forced, sharper)
        node_of = parent[node_of]
        home = np.where(formed[node_of], home.max() + 1 + node_of, home)
    refused = level.is_class & level.fails
    if refused.any():
        raise RequirementNotMet(
            f"{int(refused.sum()):,} of {len(refused):,} groups of classes are too uniform in a "
            'sensitive column, even merged whole. With secrecy = "lottery" and lottery_rate = '
            f"{rate:.3g} the release is then refused whole, because any other repair can reveal "
            "sensitive values. Raise lottery_rate, k or the share, or use coarser hierarchies; do "
            "not just try again, because a release that was repeated until it passed is not "
            "covered by the proof (docs/secrecy.md)"
        )
    return merge_entries(replace(classes, class_of=home[classes.class_of].astype(np.int32)))


def _climb(
    rows: RowsBeside, below: _Level, parent: Codes, forced: Flags, sharper: Requirement
) -> tuple[_Level, Flags]:
    """Return the next level of the tree, and which of its nodes are formed."""
    nodes = replace(below.nodes, class_of=parent[below.nodes.class_of])
    children = np.bincount(parent)
    drags = np.bincount(parent, below.is_class & below.fails) > 0
    formed: Flags = (children > 1) & (forced | drags)
    is_class, fails = formed.copy(), rows.failing(nodes, sharper)
    only = np.flatnonzero(children[parent] == 1)
    is_class[parent[only]], fails[parent[only]] = below.is_class[only], below.fails[only]
    return _Level(nodes, is_class, fails), formed


def sharpen(requirement: Requirement, rate: float) -> Requirement:
    """Return the requirement of merged classes, whose odds are at most rate times as great."""
    sharper = tuple(
        replace(one, protection=Share(_sharpen_share(one.protection.alpha, rate)))
        for one in requirement.protections
        if isinstance(one.protection, Share)
    )
    return replace(requirement, protections=sharper)


def _sharpen_share(alpha: float, rate: float) -> float:
    """Return the share whose odds are rate times those of a share.

    Examples
    --------
    >>> _sharpen_share(0.75, 0.5), _sharpen_share(1, 0)
    (0.6, 1.0)
    """
    return rate * alpha / (1 - alpha + rate * alpha) if alpha < 1 else 1.0


def default_rate(requirement: Requirement, frequency: FrequencyList) -> float:
    """Return a rate at which large classes satisfy the sharper share.

    A small rate forms few nodes at random, but a merged class must be more diverse then, so that
    merging goes on up to large classes. At this rate a merged class may have the odds
    :data:`MERGED_ODDS`, or more if the odds of the whole table are not well below: large classes
    are hardly more diverse than the table.
    """
    return max(
        _suitable_rate(one.protection.alpha, _table_odds(frequency, one.column))
        for one in requirement.protections
        if isinstance(one.protection, Share)
    )


def _suitable_rate(alpha: float, table_odds: float) -> float:
    """Return a rate for a share and the odds of the most frequent value in the table.

    Examples
    --------
    >>> [round(_suitable_rate(alpha, 0.15), 2) for alpha in (0.5, 0.8, 1)]
    [0.8, 0.2, 0.0]
    >>> round(_suitable_rate(0.9, 3), 2)
    0.44
    """
    if alpha == 1:
        return 0.0
    return min(1.0, max(MERGED_ODDS, ABOVE_TABLE * table_odds) * (1 - alpha) / alpha)


def _table_odds(frequency: FrequencyList, column: str) -> float:
    """Return the odds of the most frequent value of a sensitive column in the whole table."""
    found = frequency.find_beside(column)
    counts = np.bincount([] if found is None else found.codes, frequency.counts)
    most, rows = int(counts.max(initial=0)), int(counts.sum())
    return most / (rows - most) if most < rows else math.inf
