"""Sides: a release and an external table, in codes that can be compared.

Both are read by the hierarchies: an external value becomes what a release would show of it at
every level, and a released value tells its level by what it is, or by the certificate. So
09/15/61 and 9/15/61 are one day.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from lookalike.errors import InvalidInput, UnknownValue, name_some
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.bound import LabelPath
from lookalike.hierarchy.released_values import ReleasedAttribute, read_attribute
from lookalike.kernels.types import Codes, Flags
from lookalike.risk.linking.matching import Entries
from lookalike.tables.counted import Counted


@dataclass(frozen=True)
class ReleaseFacts:
    """What is known of how a release was made.

    Parameters
    ----------
    hierarchies
        The hierarchy of each attribute that has one; others are compared as they are.
    suppressed_label
        How the suppressed value is written.
    levels
        The level of each attribute that has one level; the others tell it by their labels.
    heights
        The height of each hierarchy, if a certificate tells it.
    """

    hierarchies: Mapping[str, Hierarchy]
    suppressed_label: str = SUPPRESSED
    levels: Mapping[str, int | None] = field(default_factory=dict)
    heights: Mapping[str, int] | None = None

    def level_of(self, name: str) -> int | None:
        """Return the one level of an attribute; one without a hierarchy is as it is."""
        return self.levels.get(name) if name in self.hierarchies else 0


@dataclass(frozen=True, eq=False)
class LinkingColumn:
    """An attribute of both tables.

    Parameters
    ----------
    attribute
        Its values in both, as codes that can be compared at every level.
    person_levels, row_levels
        For each external value, and each released one, the position of the level at which it
        is compared; at the last anything equals anything.
    unknown
        For each external value, whether the hierarchy does not know it.
    """

    attribute: ReleasedAttribute
    person_levels: Codes
    row_levels: Codes
    unknown: Flags


def read_column(
    name: str,
    external: Sequence[str | None],
    released: Sequence[str | None],
    told: ReleaseFacts,
    *,
    as_written: bool = False,
) -> LinkingColumn:
    """Make the values of an attribute comparable.

    The hierarchy is not consulted where the release shows nothing but suppressed and missing
    values that match anything or, as written, missing alone. At a known level, as written, it
    is: it decides which values that level suppresses.

    Parameters
    ----------
    name
        The attribute.
    external, released
        Its distinct values in both tables.
    told
        What is known of the release.
    as_written
        Whether missing equals missing alone, and suppressed what the hierarchy suppresses;
        else both may be anything.

    Examples
    --------
    >>> from lookalike.hierarchy import Dates
    >>> days = Dates(formats=["%m/%d/%y"], century=1900)
    >>> facts = ReleaseFacts({"dob": days})
    >>> column = read_column("dob", ["9/15/61"], ["09/15/61", "1961-09"], facts)
    >>> column.attribute.levels[column.attribute.released].tolist()
    [0, 1]
    """
    suppressed, rule = told.suppressed_label, told.hierarchies.get(name)
    level = told.level_of(name)
    shows_nothing = {None, suppressed}.issuperset(released)
    if rule is None or (shows_nothing and not (as_written and level is not None)):
        paths: list[LabelPath] = [(value,) for value in external]
        shown = list(released)
    else:
        rule = _fit(name, rule, released, told)
        paths, shown = _climb(name, rule, external, released, told)
    attribute = read_attribute(name, paths, shown, suppressed, None if level is None else (level,))
    anything = len(attribute.lifts) - 1
    levels = np.maximum(attribute.levels[attribute.released], 0)
    hidden = np.array([text == suppressed for text in shown], dtype=np.bool_)
    if as_written and level is not None:
        levels[hidden] = 0
    wild = set() if as_written else {None, suppressed}
    levels[[text in wild for text in shown]] = anything
    unknown = [path[0] == suppressed != value for path, value in zip(paths, external, strict=True)]
    if not shows_nothing:
        _check_known(name, external, unknown)
    return LinkingColumn(
        attribute=attribute,
        person_levels=np.array([anything * (v in wild) for v in external], dtype=np.int32),
        row_levels=levels.astype(np.int32),
        unknown=np.array(unknown, dtype=np.bool_),
    )


def _fit(
    name: str, rule: Hierarchy, released: Sequence[str | None], told: ReleaseFacts
) -> Hierarchy:
    """Settle what a rule took from the private values, by what the release tells of them.

    A mask was made for the longest value. Masked values keep their length, and where every
    character is a level, the height is that length.
    """
    labels = [text for text in released if text is not None and text != told.suppressed_label]
    height = None if told.heights is None else told.heights[name]
    fitted = rule.fit([*labels, "?" * ((height or 0) - rule.suppression_level)])
    if height is not None and fitted.height != height:
        raise InvalidInput(
            f"column {name!r}: its hierarchy has height {height} in the certificate and "
            f"{fitted.height} here; give the specification that the release was made with"
        )
    return fitted


def _climb(
    name: str,
    rule: Hierarchy,
    external: Sequence[str | None],
    released: Sequence[str | None],
    told: ReleaseFacts,
) -> tuple[list[LabelPath], list[str | None]]:
    """Return what a release may show of external values, and what it shows.

    Where it shows ground values, they and the external ones are written in one way. What the
    hierarchy does not know can only be a suppressed value of the release.
    """
    level, suppressed = told.level_of(name), told.suppressed_label
    paths = replace(rule, unknown="suppress").released_paths(name, external, suppressed)
    general = {None, suppressed}
    general |= {text for path in paths for text in path[1:]} if level is None else set()
    if level or general.issuperset(released):
        return paths, list(released)
    ground = [
        path if value is None or path[0] == suppressed else (rule.parse(value), *path[1:])
        for value, path in zip(external, paths, strict=True)
    ]
    return ground, [text if text in general else _parse(rule, text) for text in released]


def _parse(rule: Hierarchy, text: str | None) -> str | None:
    """Write a value in the one way, if it is one of the ground."""
    try:
        return text if text is None else rule.parse(text)
    except UnknownValue:
        return text


def _check_known(name: str, values: Sequence[str | None], unknown: Sequence[bool]) -> None:
    """Refuse an external column of which the hierarchy knows no value: nobody would match."""
    strange = [v for v, is_unknown in zip(values, unknown, strict=True) if v and is_unknown]
    if strange and len(strange) == sum(value is not None for value in values):
        raise InvalidInput(
            f"column {name!r}: its hierarchy knows no value of the external table, such as "
            f"{name_some(sorted(strange))}; write them as in the private table, or let the "
            "hierarchy read both (formats of dates)"
        )


def encode_entries(
    columns: Sequence[LinkingColumn], persons: Counted, rows: Counted
) -> tuple[Entries, Entries]:
    """Return both tables in codes; what they have besides the columns is left out."""
    return (
        Entries(
            _gather([one.attribute.private for one in columns], persons),
            _gather([one.person_levels for one in columns], persons),
            persons.counts,
        ),
        Entries(
            _gather([one.attribute.released for one in columns], rows),
            _gather([one.row_levels for one in columns], rows),
            rows.counts,
        ),
    )


def _gather(lines: Sequence[Codes], counted: Counted) -> Codes:
    """Look up something for each value of each entry."""
    gathered = np.empty((len(lines), len(counted.counts)), dtype=np.int32)
    for line, (codes, positions) in enumerate(zip(lines, counted.positions, strict=False)):
        gathered[line] = codes[positions]
    return gathered
