"""Number the labels of one column in all releases, so that any two labels can be compared.

Two released labels are compatible if some ground value could have become both. The values of a
hierarchy form a tree, so two labels are compatible if and only if one is an ancestor of the other:
they are equal at the higher of their two levels.

The suppressed label is compatible with every label where any cell may have been suppressed, and in
a row that may be blank. Elsewhere it stands for the values that the hierarchy suppresses at that
level: unknown values, and values that the hierarchy itself writes as suppressed. Unknown values
differ from each other at the ground and are suppressed at level 0 already. Where the hierarchy
allows unknown values, one more level is therefore inserted between the ground and level 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.errors import InvalidInput, UnknownValue, name_some
from lookalike.hierarchy import SUPPRESSED, Hierarchy, Rounding
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes
from lookalike.risk.releases.seen_release import Label, Releases, SeenRelease

NOT_SHOWN = 0
"""The entry, in every column, of a release that does not have the column."""

_ValueAtLevel = tuple[str, Label]
"""A value at a level: its kind and its text."""
_HIDDEN: _ValueAtLevel = ("hidden", None)
"""A value that the hierarchy suppresses at a level."""
_LevelPath = tuple[int, tuple[_ValueAtLevel, ...]]
"""The level of a label, and its value at this level and at every level above it but the top."""


@dataclass(frozen=True, eq=False)
class LabelLevels(Discreet):
    """The entries of one column: each is a label at a level, with its values at the levels above.

    ``levels``: the level of each entry. Entries without information are at the top: the most
    general value, the suppressed value, and ``NOT_SHOWN``.
    ``lifts``: by level and entry, the code of the entry at the level; defined from the entry's own
    level upwards.
    ``written``: for each entry a number that is equal for entries with the same text.
    """

    name: str
    labels: tuple[Label, ...]
    levels: Codes
    lifts: Codes
    sizes: tuple[int, ...]
    written: Codes


def build_label_levels(
    name: str, releases: Releases, hierarchy: Hierarchy | None
) -> tuple[LabelLevels, list[Codes]]:
    """Number the labels of a column in all releases.

    ``hierarchy``: its hierarchy. Without it, values must be at the same level in every release.
    Returns: for each release, the entry of each of its labels, followed by the entry of a blank
    cell.
    """
    rule = _fit(name, releases, hierarchy)
    inserted = 0 if rule is None or rule.unknown != "suppress" else 1
    height = inserted + (1 if rule is None else max(rule.height, 1))
    numbers: dict[tuple[_LevelPath, Label], int] = {((height, ()), None): NOT_SHOWN}
    labels: list[Label] = [None]
    entries = []
    for release in releases:
        shown = release.labels[release.position(name)] if name in release.columns else ()
        paths = [*_find_paths(name, release, shown, rule, height), (height, ())]
        places = []
        for label, path in zip([*shown, release.suppressed], paths, strict=True):
            entry = (path, label if path[0] == height else None)
            if entry not in numbers:
                numbers[entry] = len(labels)
                labels.append(label)
            places.append(numbers[entry])
        entries.append(np.array(places, dtype=np.int32))
    return _number_levels(name, labels, [path for path, _ in numbers], height), entries


def _number_levels(
    name: str, labels: list[Label], paths: list[_LevelPath], height: int
) -> LabelLevels:
    """Number the values of all entries at each level."""
    lifts = np.zeros((height + 1, len(paths)), dtype=np.int32)
    sizes = []
    for level in range(height):
        codes: dict[_ValueAtLevel, int] = {}
        for entry, (own, values) in enumerate(paths):
            if own <= level:
                lifts[level, entry] = codes.setdefault(values[level - own], len(codes))
        sizes.append(max(len(codes), 1))
    levels = np.array([own for own, _ in paths], dtype=np.int32)
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    written = np.array([numbers[label] for label in labels], dtype=np.int32)
    return LabelLevels(name, tuple(labels), levels, lifts, (*sizes, 1), written)


def _fit(name: str, releases: Releases, hierarchy: Hierarchy | None) -> Hierarchy | None:
    """Return the fitted hierarchy of a column, or make sure that none is needed."""
    having = [release for release in releases if name in release.columns]
    generalized = [release for release in having if name in release.levels]
    if hierarchy is not None and generalized:
        texts = [
            label
            for release in having
            for label in release.labels[release.position(name)]
            if label is not None and label != release.suppressed
        ]
        return hierarchy.fit(texts)
    levels = {release.levels.get(name, 0) for release in having}
    if len(having) > 1 and generalized and (None in levels or len(levels) > 1):
        names = " and ".join(release.name for release in having)
        raise InvalidInput(
            f"column {name!r} is at different levels in {names}, so comparing its values requires "
            "its hierarchy; give the specification (--spec)"
        )
    return None


def _find_paths(
    name: str, release: SeenRelease, shown: Sequence[Label], rule: Hierarchy | None, height: int
) -> list[_LevelPath]:
    """Return for each label of a release its level, and its values from there upwards."""
    unchanged = name not in release.levels
    level = release.levels.get(name, 0)
    inserted = 0 if rule is None else height - max(rule.height, 1)
    paths: list[_LevelPath] = []
    unknown: list[str] = []
    for label in shown:
        if not unchanged and _may_be_any(release, label, rule, level):
            paths.append((height, ()))
        elif not unchanged and label == release.suppressed:
            own = 0 if rule is None or level is None else level + inserted
            paths.append((own, (_HIDDEN,) * (height - own)))
        elif label is None or rule is None:
            paths.append((0, (("missing" if label is None else "value", label),) * height))
        else:
            try:
                paths.append(_climb(name, rule, label, level, height))
            except UnknownValue:
                above = _HIDDEN if inserted else ("unknown", label)
                paths.append((0, (("unknown", label), *(above,) * (height - 1))))
                suppressible = rule.unknown == "suppress" and not level
                unknown += [] if unchanged or suppressible else [label]
    if unknown:
        named = name_some(unknown)
        raise InvalidInput(
            f"{release.name}: column {name!r}: released values that are not in the hierarchy"
            f"{'' if level is None else f' at level {level}'}: {named}; give the "
            "specification that the release was made with",
            named=named,
        )
    return paths


def _may_be_any(
    release: SeenRelease, label: Label, rule: Hierarchy | None, level: int | None
) -> bool:
    """Return whether a label of a generalized column may stand for any value.

    Blank rows are found elsewhere, because that needs whole rows
    (:meth:`~lookalike.risk.releases.seen_release.SeenRelease.find_blank`).
    """
    if rule is not None and level == rule.height:
        return True
    return label == release.suppressed and (release.suppresses == "cells" or level is None)


def _climb(name: str, rule: Hierarchy, label: str, level: int | None, height: int) -> _LevelPath:
    """Return the level of a label and its ancestors below the top."""
    own = _find_level(name, rule, label) if level is None else level
    ground = rule.descend(label, own)
    inserted = height - max(rule.height, 1)
    path = (rule.parse(ground), *rule.ancestors(ground)[1:])
    path = (path[0],) * inserted + path
    own += inserted if own else 0
    values = (_HIDDEN if text == SUPPRESSED else ("value", text) for text in path[own:height])
    return min(own, height), tuple(values)


def _find_level(name: str, rule: Hierarchy, label: str) -> int:
    """Return the level that has a label, where levels differ from cell to cell."""
    grounds = {}
    for level in range(rule.height + 1):
        try:
            grounds[level] = rule.descend(label, level)
        except UnknownValue:
            continue
    plain = [level for level, ground in grounds.items() if "*" not in ground] or list(grounds)
    if not plain:
        raise UnknownValue("no level of the hierarchy has this label")
    if len(plain) > 1 and not _means_same(rule, label, plain):
        raise InvalidInput(
            f"column {name!r}: {label!r} is ambiguous: it may be at level {plain[0]} or "
            f"{plain[1]} of the hierarchy, with different meanings; attack the published folder, "
            "whose certificate states the level"
        )
    return plain[0]


def _means_same(rule: Hierarchy, label: str, levels: Sequence[int]) -> bool:
    """Return whether a label covers the same ground values at each of some levels."""
    if rule.domain():
        covers = [
            {value for value in rule.domain() if rule.ancestors(value)[level] == label}
            for level in levels
        ]
        return all(cover == covers[0] for cover in covers)
    return not isinstance(rule, Rounding) and getattr(rule, "fixed_day", None) is None
