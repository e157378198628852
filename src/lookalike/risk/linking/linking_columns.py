"""Make the values of one column comparable in a release and an external table.

Both tables are read with the hierarchies: an external value gets its label at every level, and the
level of a released value follows from its label, or from the certificate. So 09/15/61 and 9/15/61
are the same day. How missing and suppressed values match is decided in
:mod:`lookalike.risk.linking.matching`.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from lookalike.errors import InvalidInput, UnknownValue, name_some
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.bound import LabelPath
from lookalike.hierarchy.released_values import ReleasedAttribute, read_attribute
from lookalike.kernels.types import Codes, Flags
from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.publish.certified import GeneralizedAttribute
from lookalike.risk.linking import matching
from lookalike.risk.linking.matching import Values
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.counted import Counted
from lookalike.tables.read import read_table
from lookalike.tables.released_file import read_released_file
from lookalike.tables.table import Frame, check_columns, column_names


@dataclass(frozen=True)
class ReleaseFacts:
    """What is known about how a release was made.

    ``hierarchies``: the hierarchy of each attribute that has one; other attributes are compared as
    they are.
    ``levels``: the level of each attribute with one level; for other attributes, the level of each
    value follows from its label.
    ``heights``: the height of each hierarchy, if there is a certificate.
    """

    hierarchies: Mapping[str, Hierarchy]
    suppressed_label: str = SUPPRESSED
    levels: Mapping[str, int | None] = field(default_factory=dict)
    heights: Mapping[str, int] | None = None

    def level_of(self, name: str) -> int | None:
        """Return the level of an attribute, None if unknown; 0 without a hierarchy."""
        return self.levels.get(name) if name in self.hierarchies else 0


def read_with_facts(
    release: Any,
    columns: Collection[str],
    specification: Specification | str | PathLike[str] | None,
    hierarchies: Mapping[str, Hierarchy] | None,
    suppressed_label: str,
) -> tuple[Frame, ReleaseFacts]:
    """Read a published folder or any table, and collect what is known about it."""
    folder = Path(release) if isinstance(release, str | PathLike) else None
    certificate = Certificate.read(folder) if folder is not None and folder.is_dir() else None
    if specification is not None:
        if not isinstance(specification, Specification):
            recipient = None if certificate is None else certificate.recipient
            chosen = {"recipient": recipient} if recipient else {}
            specification = Specification.load(Path(specification), chosen)
        holder = specification.naming([*columns])
        hierarchies, suppressed_label = holder.hierarchies(), holder.release.suppressed_label
    rules = {name: rule for name, rule in (hierarchies or {}).items() if name in columns}
    frame: Frame
    if folder is None or certificate is None:
        frame, facts = read_table(release, {}), ReleaseFacts(rules, suppressed_label)
    else:
        file = find_released_file(folder, certificate)
        frame = read_released_file(file, Connection(), neutralized=certificate.neutralized)
        stated = certificate.generalized, certificate.suppressed_label
        facts = read_facts(*stated, rules, columns)
    check_columns(column_names(frame), list(columns), "the release")
    return frame, facts


def read_facts(
    generalized: Mapping[str, GeneralizedAttribute],
    suppressed_label: str,
    rules: Mapping[str, Hierarchy],
    columns: Collection[str],
) -> ReleaseFacts:
    """Return what a certificate states about the attributes to link by."""
    for name in columns:
        if name in generalized and name not in rules:
            raise InvalidInput(
                f"column {name!r} was generalized, so linking by it requires its hierarchy; give "
                "the specification of the release (--spec)"
            )
    return ReleaseFacts(
        hierarchies={name: rule for name, rule in rules.items() if name in generalized},
        suppressed_label=suppressed_label,
        levels={name: one.level for name, one in generalized.items()},
        heights={name: one.height for name, one in generalized.items()},
    )


@dataclass(frozen=True, eq=False)
class LinkingColumn:
    """One column by which both tables are linked.

    ``attribute``: the values in both tables, as codes that can be compared at every level.
    ``person_levels``, ``row_levels``: for each external value, and each released value, the
    position of the level at which it is compared; at the last level any two values match
    (:mod:`lookalike.risk.linking.matching`).
    ``unknown``: for each external value, whether it is not in the hierarchy.
    """

    attribute: ReleasedAttribute
    person_levels: Codes
    row_levels: Codes
    unknown: Flags


def read_column(
    name: str, external: Values, released: Values, facts: ReleaseFacts, *, as_written: bool = False
) -> LinkingColumn:
    """Make the values of one column comparable.

    The hierarchy is not used if the release has only missing and suppressed values, unless
    `as_written` is set and the level is known: the hierarchy then decides which values this level
    suppresses.

    ``as_written``: whether missing values match only missing values, and suppressed values only
    what the hierarchy suppresses; by default both match any value.

    Examples
    --------
    >>> from lookalike.hierarchy import Dates
    >>> days = Dates(formats=["%m/%d/%y"], century=1900)
    >>> facts = ReleaseFacts({"dob": days})
    >>> column = read_column("dob", ["9/15/61"], ["09/15/61", "1961-09"], facts)
    >>> column.attribute.levels[column.attribute.released].tolist()
    [0, 1]
    """
    suppressed, rule = facts.suppressed_label, facts.hierarchies.get(name)
    level = facts.level_of(name)
    uninformative = {None, suppressed}.issuperset(released)
    if rule is None or (uninformative and not (as_written and level is not None)):
        paths: list[LabelPath] = [(value,) for value in external]
        shown = list(released)
    else:
        rule = _fit(name, rule, released, facts)
        paths, shown = _climb(name, rule, external, released, facts)
    attribute = read_attribute(name, paths, shown, suppressed, None if level is None else (level,))
    unknown = [path[0] == suppressed != value for path, value in zip(paths, external, strict=True)]
    if not uninformative:
        _check_known(name, external, unknown)
    one_level = level is not None
    levels = matching.find_levels(
        attribute, external, shown, suppressed, as_written=as_written, one_level=one_level
    )
    return LinkingColumn(attribute, *levels, np.array(unknown, dtype=np.bool_))


def _fit(name: str, rule: Hierarchy, released: Values, facts: ReleaseFacts) -> Hierarchy:
    """Fit a hierarchy to the released values and to the height in the certificate.

    The release was made with a hierarchy fitted to the private values: a mask, for example, has
    one level for each character of the longest value. Masked values keep this length.
    """
    labels = [text for text in released if text is not None and text != facts.suppressed_label]
    height = None if facts.heights is None else facts.heights[name]
    fitted = rule.fit([*labels, "?" * ((height or 0) - rule.suppression_level)])
    if height is not None and fitted.height != height:
        raise InvalidInput(
            f"column {name!r}: the hierarchy has height {fitted.height}, but the certificate "
            f"states {height}; give the specification that the release was made with"
        )
    return fitted


def _climb(
    name: str, rule: Hierarchy, external: Values, released: Values, facts: ReleaseFacts
) -> tuple[list[LabelPath], list[str | None]]:
    """Return the labels of external values at every level, and the released labels.

    Ground values of both tables are brought to the hierarchy's own notation. External values that
    are not in the hierarchy can only match suppressed values.
    """
    level, suppressed = facts.level_of(name), facts.suppressed_label
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
    """Return a ground value in the notation of the hierarchy, and any other text unchanged."""
    with suppress(UnknownValue):
        return None if text is None else rule.parse(text)
    return text


def _check_known(name: str, values: Values, unknown: Sequence[bool]) -> None:
    """Refuse an external column without any value of the hierarchy: no person would match."""
    strange = [v for v, is_unknown in zip(values, unknown, strict=True) if v and is_unknown]
    if strange and len(strange) == sum(value is not None for value in values):
        named = name_some(sorted(strange))
        raise InvalidInput(
            f"column {name!r}: no value of the external table is in the hierarchy: "
            f"{named}; write the values as in the private table, or let the "
            "hierarchy read both notations (formats of dates)",
            named=named,
        )


def encode_entries(
    columns: Sequence[LinkingColumn], persons: Counted, rows: Counted
) -> tuple[matching.Entries, matching.Entries]:
    """Return the entries of both tables as codes, over the linking columns."""
    attributes = [one.attribute for one in columns]
    of_persons = [(one.attribute.private, one.person_levels) for one in columns]
    of_rows = [(one.attribute.released, one.row_levels) for one in columns]
    return _encode(attributes, of_persons, persons), _encode(attributes, of_rows, rows)


def _encode(
    attributes: Sequence[ReleasedAttribute], lines: Sequence[tuple[Codes, Codes]], counted: Counted
) -> matching.Entries:
    """Return for each column the code and the level of every entry."""
    codes, levels = np.empty((2, len(lines), len(counted.counts)), dtype=np.int32)
    for place, (line, positions) in enumerate(zip(lines, counted.positions, strict=False)):
        codes[place], levels[place] = line[0][positions], line[1][positions]
    return matching.Entries(attributes, codes, levels, counted.counts)
