"""Check heights of hierarchies, levels of released values and their certain share again.

The certain share is that of generalized cells in which a finer value is certain for some row. All
is counted from the released values of each column and the rule of its hierarchy, not from the
recoding. The private table says only how values are written, and which levels there are.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lookalike.examine.examined_release import HeldRelease
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.bound import LabelPath
from lookalike.hierarchy.discreet import Discreet
from lookalike.search.lattice.constraints import Constraint
from lookalike.verify.recount import Finding, count_suppressed
from lookalike.verify.released_values import count_column_values
from lookalike.verify.values import recognize


def check_released_levels(held: HeldRelease) -> Finding:
    """Check the height of every hierarchy, and the number of values at each level."""
    wrong = []
    for name, done in held.certificate.generalized.items():
        paths = held.paths[name]
        height = len(paths[0]) - 1 if paths else done.height
        if height != done.height:
            wrong.append(f"the hierarchy of {name} has height {height}")
        if done.cells_by_level is not None:
            levels = [level for level in done.cells_by_level if 0 <= level <= height]
            counted = _count_labels(held, name, levels)
            counted.pop(held.claim.suppressed_label, None)
            if not _are_possible(done.cells_by_level, _find_levels(paths, levels), counted):
                wrong.append(f"the values of {name} have other levels")
    return Finding(
        "hierarchy heights and the number of values at each level match the certificate",
        not wrong,
        "; ".join(wrong) or "they do",
    )


def _find_levels(paths: Sequence[LabelPath], levels: Sequence[int]) -> dict[str | None, set[int]]:
    """Return for every label the levels at which it occurs."""
    found: dict[str | None, set[int]] = {}
    for path in paths:
        for level in levels:
            found.setdefault(path[level], set()).add(level)
    return found


def _are_possible(
    certified: Mapping[int, int],
    levels_of: Mapping[str | None, set[int]],
    rows_of: Mapping[str | None, int],
) -> bool:
    """Return whether the certified number of values at each level is possible.

    A label that occurs at several levels may stand for any of them.
    """
    certain, ambiguous = dict.fromkeys(certified, 0), dict.fromkeys(certified, 0)
    for text, rows in rows_of.items():
        levels = levels_of.get(text, set())
        for level in levels:
            (certain if len(levels) == 1 else ambiguous)[level] += rows
    complete = sum(certified.values()) == sum(rows_of.values())
    return complete and all(
        certain[level] <= number <= certain[level] + ambiguous[level]
        for level, number in certified.items()
    )


@dataclass(frozen=True, eq=False)
class _Column(Discreet):
    """The released values of one attribute."""

    rule: Hierarchy
    paths: Sequence[LabelPath]
    rows: Mapping[str | None, int]
    levels: Sequence[int]
    hidden: str
    decoys: bool

    def count_raised(self) -> tuple[int, int]:
        """Count the cells above the least level, and those in which a finer value is certain."""
        level_of = {text: self._find_level(text) for text in self.rows}
        raised = {text: level for text, level in level_of.items() if level > self.levels[0]}
        certain = [text for text, level in raised.items() if self._is_certain(text, level)]
        return sum(map(self.rows.__getitem__, raised)), sum(map(self.rows.__getitem__, certain))

    def _find_level(self, text: str | None) -> int:
        """Return the lowest level of a released value; the suppressed value is the top."""
        for level in self.levels if text == self.hidden else ():
            if all(path[level] == text for path in self.paths):
                return level
        for level in self.levels:
            if any(path[level] == text for path in self.paths):
                return level
        return len(self.paths[0]) - 1

    def _is_certain(self, text: str | None, level: int) -> bool:
        """Return whether rows that show a value differ, and it has two children."""
        drawn = self.decoys and level <= self.levels[-1]
        return not drawn and self._has_two_children(text, level)

    def _has_two_children(self, text: str | None, level: int) -> bool:
        """Return whether a value has two children, with a missing one if the release shows it."""
        below = [path[0] for path in self.paths if path[level] == text]
        known = [value for value in below if value is not None and value != self.hidden]
        children = self.rule.count_children(known[0], level) if known else None
        if children is not None and level == len(self.paths[0]) - 1:
            children += (None in self.rows) + (self.rule.unknown == "suppress")
        return children == 2


def check_certain_share(held: HeldRelease) -> Iterator[Finding]:
    """Recount the certain share that a certificate states, if it does."""
    certificate, hidden = held.certificate, held.claim.suppressed_label
    certified, drawn = certificate.certain_share, certificate.decoys is not None
    if certified is None:
        return
    blank = certificate.suppressed_rows == "blank" and certificate.rows_shown < certificate.rows_in
    names = tuple(certificate.generalized)
    left_out = count_suppressed(held.rows, names, hidden) if blank else 0
    counted = []
    for name, paths in held.paths.items():
        rows = _count_labels(held, name, range(len(paths[0])))
        rows[hidden] = rows.get(hidden, 0) - left_out
        levels = _list_levels(certificate.constraints, name, len(paths[0]) - 1)
        column = _Column(held.claim.hierarchies[name], paths, rows, levels, hidden, drawn)
        counted.append(column.count_raised())
    cells, certain = (sum(numbers) for numbers in zip(*counted, strict=True))
    yield Finding(
        f"a finer value is certain for some row in {100 * certified:.2f} % of generalized cells",
        abs(certain / max(1, cells) - certified) < 1e-9,
        f"{certain:,} of {cells:,} cells",
    )


def _count_labels(held: HeldRelease, name: str, levels: Collection[int]) -> dict[str | None, int]:
    """Count the rows of each label that a released column shows at some levels."""
    values, rows = count_column_values(held.rows, name)
    texts = recognize(values, held.paths[name], levels, held.types[name], held.connection)
    shown = dict.fromkeys(texts, 0)
    for text, number in zip(texts, rows, strict=True):
        shown[text] += number
    return shown


def _list_levels(constraints: Sequence[str], name: str, height: int) -> list[int]:
    """Return the levels of an attribute that all constraints allow."""
    asked = [Constraint.parse(text) for text in constraints]
    allowed = [set(one.levels(height)) for one in asked if one.quantity == name]
    return sorted(set(range(height + 1)).intersection(*allowed)) or [height]
