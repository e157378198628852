"""Ladder: the labels of one column in all releases, so that any two of them can be compared.

Two released values are compatible if some ground value could have become both. Values of a
hierarchy lie in a tree, so that is so if and only if one is an ancestor of the other, which is
seen at the higher of their two levels: they are equal there.

The suppressed value is compatible with everything where any cell may have been suppressed, and
in a row that may be blank. Elsewhere it stands for the values that the hierarchy suppresses at that
level: those that it does not know, and those that it writes so. Values that it does not
know are different at the ground and suppressed at level 0 already, so where there may be some the
ladder has a step between the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.errors import InvalidInput, UnknownValue, name_some
from lookalike.hierarchy import SUPPRESSED, Hierarchy, Rounding
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes
from lookalike.risk.releases.seen_release import Label, SeenRelease

NOT_SHOWN = 0
"""The entry of every ladder that stands for a column that a release does not have."""

Rung = tuple[str, Label]
"""A value at a level: of what kind it is, and its text."""
HIDDEN: Rung = ("hidden", None)
"""What the hierarchy suppresses at a level."""
Steps = tuple[int, tuple[Rung, ...]]
"""The level of a label, and what it is there and at every level above but the top."""


@dataclass(frozen=True, eq=False)
class LabelLevels(Discreet):
    """The entries of a column: each a value at a level, and what it is at the levels above.

    Parameters
    ----------
    column
        The column.
    labels
        How each entry is written.
    levels
        The level of each entry. What tells nothing is at the top: the most general value, the
        suppressed value, and ``NOTHING``.
    lifts
        By level and entry: the code of the entry at the level, meaningful from its own on.
    sizes
        For each level, the number of codes.
    written
        For each entry a number, the same for entries that are written alike.
    """

    column: str
    labels: tuple[Label, ...]
    levels: Codes
    lifts: Codes
    sizes: tuple[int, ...]
    written: Codes


def build_label_levels(
    column: str, releases: Sequence[SeenRelease], hierarchy: Hierarchy | None
) -> tuple[LabelLevels, list[Codes]]:
    """Lay the labels that releases show of a column on one ladder.

    Parameters
    ----------
    column
        The column.
    releases
        All releases; some may lack the column.
    hierarchy
        Its hierarchy. Without it, values must be at the same level in every release.

    Returns
    -------
    ladder
        The ladder.
    entries
        For each release, the entry of each of its labels, and at the end that of a blank cell.
    """
    rule = _fit(column, releases, hierarchy)
    step = 0 if rule is None or rule.unknown != "suppress" else 1
    height = step + (1 if rule is None else max(rule.height, 1))
    numbers: dict[tuple[Steps, Label], int] = {((height, ()), None): NOT_SHOWN}
    labels: list[Label] = [None]
    entries = []
    for release in releases:
        shown = release.labels[release.position(column)] if column in release.columns else ()
        read = [*_read(column, release, shown, rule, height), (height, ())]
        places = []
        for label, steps in zip([*shown, release.suppressed], read, strict=True):
            written = (steps, label if steps[0] == height else None)
            if written not in numbers:
                numbers[written] = len(labels)
                labels.append(label)
            places.append(numbers[written])
        entries.append(np.array(places, dtype=np.int32))
    return _number(column, labels, [steps for steps, _ in numbers], height), entries


def _number(column: str, labels: list[Label], entries: list[Steps], height: int) -> LabelLevels:
    """Number what the entries of a ladder are at each level."""
    lifts = np.zeros((height + 1, len(entries)), dtype=np.int32)
    sizes = []
    for level in range(height):
        codes: dict[Rung, int] = {}
        for place, (own, rungs) in enumerate(entries):
            if own <= level:
                lifts[level, place] = codes.setdefault(rungs[level - own], len(codes))
        sizes.append(max(len(codes), 1))
    levels = np.array([own for own, _ in entries], dtype=np.int32)
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    written = np.array([numbers[label] for label in labels], dtype=np.int32)
    return LabelLevels(column, tuple(labels), levels, lifts, (*sizes, 1), written)


def _fit(
    column: str, releases: Sequence[SeenRelease], hierarchy: Hierarchy | None
) -> Hierarchy | None:
    """Settle the rule of a column, or make sure that none is needed."""
    having = [release for release in releases if column in release.columns]
    generalized = [release for release in having if column in release.levels]
    if hierarchy is not None and generalized:
        texts = [
            label
            for release in having
            for label in release.labels[release.position(column)]
            if label is not None and label != release.suppressed
        ]
        return hierarchy.fit(texts)
    levels = {release.levels.get(column, 0) for release in having}
    if len(having) > 1 and generalized and (None in levels or len(levels) > 1):
        names = " and ".join(release.name for release in having)
        raise InvalidInput(
            f"column {column!r} is at different levels in {names}, so its values can be compared "
            "only by its hierarchy; give the specification (--spec)"
        )
    return None


def _read(
    column: str,
    release: SeenRelease,
    shown: Sequence[Label],
    rule: Hierarchy | None,
    height: int,
) -> list[Steps]:
    """Return for each label of a release its level, and what it is from there on."""
    unchanged = column not in release.levels
    level = release.levels.get(column, 0)
    step = 0 if rule is None else height - max(rule.height, 1)
    read: list[Steps] = []
    unknown: list[str] = []
    for label in shown:
        if not unchanged and _tells_nothing(release, label, rule, level):
            read.append((height, ()))
        elif not unchanged and label == release.suppressed:
            own = 0 if rule is None or level is None else level + step
            read.append((own, (HIDDEN,) * (height - own)))
        elif label is None or rule is None:
            read.append((0, (("missing" if label is None else "value", label),) * height))
        else:
            try:
                read.append(_climb(column, rule, label, level, height))
            except UnknownValue:
                above = HIDDEN if step else ("stranger", label)
                read.append((0, (("stranger", label), *(above,) * (height - 1))))
                suppressible = rule.unknown == "suppress" and not level
                unknown += [] if unchanged or suppressible else [label]
    if unknown:
        raise InvalidInput(
            f"{release.name}: column {column!r}: {len(unknown):,} values that the hierarchy does "
            f"not write{'' if level is None else f' at level {level}'}: {name_some(unknown)}; give "
            "the specification that the release was made with"
        )
    return read


def _tells_nothing(
    release: SeenRelease, label: Label, rule: Hierarchy | None, level: int | None
) -> bool:
    """Tell whether a label of a generalized column may stand for any value.

    Blank rows are not judged here, but where whole rows are seen.
    """
    if rule is not None and level == rule.height:
        return True
    return label == release.suppressed and (release.suppresses == "cells" or level is None)


def _climb(column: str, rule: Hierarchy, label: str, level: int | None, height: int) -> Steps:
    """Return the level of a label and its ancestors below the top."""
    own = _find_level(column, rule, label) if level is None else level
    ground = rule.descend(label, own)
    step = height - max(rule.height, 1)
    path = (rule.parse(ground), *rule.ancestors(ground)[1:])
    path = (path[0],) * step + path
    own += step if own else 0
    rungs = (HIDDEN if text == SUPPRESSED else ("value", text) for text in path[own:height])
    return min(own, height), tuple(rungs)


def _find_level(column: str, rule: Hierarchy, label: str) -> int:
    """Return the level at which a rule writes a label, where cells differ in theirs."""
    grounds = {}
    for level in range(rule.height + 1):
        try:
            grounds[level] = rule.descend(label, level)
        except UnknownValue:
            continue
    plain = [level for level, ground in grounds.items() if "*" not in ground] or list(grounds)
    if not plain:
        raise UnknownValue("no level writes it")
    if len(plain) > 1 and not _means_one(rule, label, plain):
        raise InvalidInput(
            f"column {column!r}: {label!r} may be at level {plain[0]} or {plain[1]} of the "
            "hierarchy and means something else there; attack the published folder, whose "
            "certificate tells the level"
        )
    return plain[0]


def _means_one(rule: Hierarchy, label: str, levels: Sequence[int]) -> bool:
    """Tell whether a label covers the same ground values at each of some levels."""
    if rule.domain():
        covers = [
            {value for value in rule.domain() if rule.ancestors(value)[level] == label}
            for level in levels
        ]
        return all(cover == covers[0] for cover in covers)
    return not isinstance(rule, Rounding) and getattr(rule, "fixed_day", None) is None
