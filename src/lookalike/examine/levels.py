"""Check heights of hierarchies, levels of released values and their certain share again.

The certain share is that of generalized cells in which a finer value is certain for some row. All
is counted from the released values of each column and the rule of its hierarchy, not from the
recoding. The private table says only how values are written, and which levels there are.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lookalike.examine.consistency import read_decimal
from lookalike.examine.examined_release import HeldRelease
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.bound import LabelPath
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.kept import name_share
from lookalike.search.lattice.constraints import Constraint
from lookalike.tables.labels import label
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
            labels_at = {level: {path[level] for path in paths} for level in levels}
            if not _are_possible(done.cells_by_level, labels_at, counted):
                wrong.append(f"the values of {name} have other levels")
    return Finding(
        "hierarchy heights and the number of values at each level match the certificate",
        not wrong,
        "; ".join(wrong) or "they do",
    )


def _are_possible(
    certified: Mapping[int, int],
    labels_at: Mapping[int, set[str | None]],
    rows_of: Mapping[str | None, int],
) -> bool:
    """Return whether the certified number of values at each level is possible.

    A label that occurs at several levels may stand for any of them.
    """
    certain, ambiguous = dict.fromkeys(certified, 0), dict.fromkeys(certified, 0)
    for text, rows in rows_of.items():
        levels = [level for level, labels in labels_at.items() if text in labels]
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
        """Return whether rows that show a value differ, and it has two children.

        A missing value is a child, if the release shows it.
        """
        if self.decoys and level <= self.levels[-1]:
            return False
        below = [path[0] for path in self.paths if path[level] == text]
        known = [value for value in below if value is not None and value != self.hidden]
        children = self.rule.count_children(known[0], level) if known else None
        if children is not None and level == len(self.paths[0]) - 1:
            children += (None in self.rows) + (self.rule.unknown == "suppress")
        return children == 2


def check_kept(held: HeldRelease) -> Iterator[Finding]:
    """Recount what is kept of the attributes of which the certificate states a least share."""
    for name, done in held.certificate.generalized.items():
        least = Fraction(read_decimal(done.keep, f"keep of {name}"))
        if least:
            kept = _count_kept(held, name, done.level)
            yield Finding(
                f"at least {name_share(least)} of {name} is kept",
                kept >= least,
                f"{name_share(kept)} is",
            )


def _count_kept(held: HeldRelease, name: str, level: int | None) -> Fraction:
    """Count what is kept of an attribute, from the labels that the release shows.

    A label that covers n of N leaves keeps (N − n) ∕ (N − 1) of a private value that is not
    missing. The label of the top keeps nothing, so it does not matter what it stands for.
    """
    values, rows = count_column_values(held.original, name)
    labels, hidden = [label(value) for value in values], held.claim.suppressed_label
    known = sum(number for text, number in zip(labels, rows, strict=True) if text is not None)
    bound = held.claim.hierarchies[name].bind(name, labels, hidden)
    if not known or not bound.most_lost:
        return Fraction(1)
    levels = range(bound.height + 1) if level is None else [level]
    leaves = int(bound.leaves[-1].sum())
    kept = 0
    for text, number in _count_labels(held, name, levels).items():
        if text is not None and text != hidden:
            at = next(one for one in levels if text in bound.labels[one])
            under = int(bound.leaves[at][bound.labels[at].index(text)])
            kept += number * (leaves - under)
    return Fraction(kept, max(leaves - 1, 1) * known)


def check_certain_share(held: HeldRelease) -> Iterator[Finding]:
    """Recount the certain share that a certificate states, if it does."""
    certificate, hidden = held.certificate, held.claim.suppressed_label
    certified, drawn = certificate.certain_share, certificate.decoys is not None
    if certified is None:
        return
    blank = certificate.suppressed_rows == "blank" and certificate.rows_shown < certificate.rows_in
    names = tuple(certificate.generalized)
    left_out = count_suppressed(held.rows, names, hidden) if blank else 0
    constraints, counted = [Constraint.parse(text) for text in certificate.constraints], []
    for name, paths in held.paths.items():
        rows = _count_labels(held, name, range(len(paths[0])))
        rows[hidden] = rows.get(hidden, 0) - left_out
        allowed = [
            set(one.levels(len(paths[0]) - 1)) for one in constraints if one.quantity == name
        ]
        possible = set(range(len(paths[0]))).intersection(*allowed)
        levels = sorted(possible) or [len(paths[0]) - 1]
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
