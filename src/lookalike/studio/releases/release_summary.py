"""What a page shows of a release, made in a process of its own: summaries and comparisons.

ReleaseSummary: what it keeps and promises. ReleaseComparison: the same beside the private table,
with some rows.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lookalike.describe import attributes
from lookalike.describe.classes import ClassFacts, measure_classes
from lookalike.describe.utility.utility_figures import Utility
from lookalike.errors import InvalidInput
from lookalike.examine.verify import Verification, verify
from lookalike.flow.make_release import (
    PublishedRelease,
    ask_again,
    make_release,
    publish_kept,
)
from lookalike.flow.require_review import DECIDES_NOTHING
from lookalike.flow.result import Release
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts
from lookalike.model.progress import Announce
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.risk.finding import PreflightFinding
from lookalike.risk.table.exposure import Exposure
from lookalike.spec.specification import Specification
from lookalike.studio.editing.edit_toml import parse_toml
from lookalike.studio.editing.project import Project, Stamps, find_stamps, list_changed
from lookalike.studio.work import TaskLine
from lookalike.tables.engines.engine import FATE
from lookalike.tables.labels import label_in
from lookalike.tables.plan import Fates, Plan, label_fates


@dataclass(frozen=True)
class ReleaseSummary:
    """What a release keeps and promises, and whether it was published: then it has files.

    ``text``: the specification that it was made from; another one makes another release.
    ``own_files``: what was written for the holder, in the dossier. ``stamps``: those of the files
    that it was made from, before they were read.
    """

    text: str
    rows_in: int
    rows_out: int
    classes: int
    smallest: int
    precision: float
    sentences: tuple[str, ...]
    kept: tuple[attributes.AttributeFigures, ...]
    findings: tuple[PreflightFinding, ...]
    files: tuple[Path, ...] = ()
    own_files: tuple[Path, ...] = ()
    sequences: int = 0
    stamps: Stamps = field(default_factory=dict)


@dataclass(frozen=True)
class KeptRelease(Discreet):
    """A release that stays in the process that made it, and the stamps of what it was made from."""

    made: PublishedRelease
    stamps: Stamps


def is_same_release(made: ReleaseSummary, project: Project) -> bool:
    """Return whether a project asks for the release that was made, from files that did not change.

    Without files, such as of a server, nobody knows whether the source has changed.
    """
    asked = [_list_deciding(fields) for fields in (parse_toml(made.text), project.fields)]
    source = project.table("source").get("path")
    has_files = isinstance(source, str) and bool(made.stamps.get(source))
    return has_files and asked[0] == asked[1] and find_stamps(project) == made.stamps


def _list_deciding(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a specification that decide what is released."""
    release = dict(fields.get("release", {}))
    return {**fields, "release": {name: release[name] for name in release.keys() - DECIDES_NOTHING}}


def publish_release(
    line: TaskLine, project: Project, replaces: bool, shown: ReleaseSummary | None = None
) -> ReleaseSummary:
    """Publish the release that this process keeps, or make the one that a project asks for."""
    kept: KeptRelease | None = line.kept
    stamps = find_stamps(project) if kept is None else kept.stamps

    def confirm(release: Release) -> None:
        now = find_stamps(project)
        changed = list_changed(stamps, now) or (shown and list_changed(shown.stamps, now))
        if changed or (shown and _has_other_rows(shown, release, project)):
            raise InvalidInput(describe_changed(changed or ()))

    asked = decide_roles(project)
    if kept is None:
        made = make_release(asked, line, replace=replaces, confirm=confirm)
    else:
        made = publish_kept(kept.made.release, asked, replace=replaces, confirm=confirm)
    line.kept = None
    return summarize_release(made, project, stamps)


def describe_changed(paths: Iterable[str]) -> str:
    """Say that what was shown is not what would be published, and what to do."""
    named = ", ".join(paths) or "the source"
    return (
        f"{named}: changed since the release was shown, so a different one would be published; "
        "make a dry run again, review it, then publish"
    )


def _has_other_rows(shown: ReleaseSummary, release: Release, project: Project) -> bool:
    """Return whether other rows were counted in the same way, perhaps of a source without files."""
    before, now = ({**fields, "release": {}} for fields in (parse_toml(shown.text), project.fields))
    read = release.plan.frequency.rows, release.plan.frequency.distinct_sequences
    return before == now and read != (shown.rows_in, shown.sequences)


def verify_release(announce: Announce, project: Project) -> Verification:
    """Verify the published release of a project against its certificate and its source."""
    announce("verify")
    specification = project.specification()
    if specification.release.out is None:
        raise InvalidInput("the specification names no output file, so nothing was published")
    return verify(Path(specification.release.out).parent, spec=specification)


def decide_roles(project: Project) -> Specification:
    """Return the specification of a project, if every role is decided."""
    specification = project.specification()
    specification.decided_roles()
    return specification


def summarize_release(made: PublishedRelease, project: Project, stamps: Stamps) -> ReleaseSummary:
    """Return what a page shows of a release, and of which files it was made."""
    release = made.release
    certificate = made.certificate or release.verify()
    return ReleaseSummary(
        text=project.text,
        rows_in=release.plan.frequency.rows,
        rows_out=release.plan.rows_out,
        classes=release.measures.classes,
        smallest=release.measures.smallest_class,
        precision=release.measures.precision,
        sentences=tuple(summarize_certificate(certificate)),
        kept=attributes.describe_attributes(release.specification, release.plan),
        findings=release.preflight,
        files=tuple(path for path in made.files if isinstance(path, Path)),
        own_files=tuple(path for path in (made.report, made.proof) if path is not None),
        sequences=release.plan.frequency.distinct_sequences,
        stamps=stamps,
    )


CLASSES_COMPARED = 20
ROWS_OF_CLASS_COMPARED = 10
SUPPRESSED_COMPARED = 40
"""How many rows are compared: so many of so many classes, and so many suppressed ones."""
COLUMNS_COMPARED = 30
_SUPPRESSED = -1
"""The number that suppressed rows have in place of that of a class."""


@dataclass(frozen=True)
class ComparedRow(Discreet):
    """A private row, and what the release shows of it; a value None is missing.

    Of a row that was left out, there are no released values. ``group``: the number of its class in
    the sample, from 1; 0 if it is suppressed. ``alike``: how many released rows share its
    quasi-identifier; of several ones, the fewest.
    """

    private: tuple[str | None, ...]
    released: tuple[str | None, ...] | None
    group: int
    alike: int


@dataclass(frozen=True)
class RowSample(Discreet):
    """Some rows of a table: the classes of its first rows, and the first suppressed rows."""

    columns: tuple[str, ...]
    linkable: int
    left_out: int
    rows: tuple[ComparedRow, ...]


@dataclass
class _Quota:
    """How many rows of which class are still wanted; it opens classes as they appear."""

    sizes: Counts
    left: dict[int, int]

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is wanted."""
        wanted = min(CLASSES_COMPARED, int(np.count_nonzero(self.sizes)))
        return len(self.left) > wanted and not any(self.left.values())

    def pick(self, groups: Codes) -> Codes:
        """Return the places of the rows to take from a piece of the table, ascending."""
        seen, first = np.unique(groups, return_index=True)
        for group in seen[np.argsort(first)].tolist():
            if len(self.left) <= CLASSES_COMPARED and group != _SUPPRESSED:
                self.left.setdefault(group, min(int(self.sizes[group]), ROWS_OF_CLASS_COMPARED))
        picked = {
            group: np.flatnonzero(groups == group)[:wanted] for group, wanted in self.left.items()
        }
        self.left = {group: self.left[group] - len(found) for group, found in picked.items()}
        return np.sort(np.concatenate([*picked.values()])).astype(np.int32)


def compare_rows(release: Release) -> RowSample:
    """Take some rows of a release, and compare them with the private rows.

    The rows are read once, piece by piece, until there are enough.
    """
    plan, trail = release.plan, release.trail
    linkable = plan.frequency.attributes
    every = (*linkable, *(name for name in plan.table.unchanged if name not in linkable))
    columns = every[:COLUMNS_COMPARED]
    rows, fate_of = _take_rows(plan, trail.fates, trail.follow(columns))
    return RowSample(
        columns,
        min(len(linkable), len(columns)),
        len(every) - len(columns),
        tuple(_pair_rows(plan, trail.fates, rows, fate_of)),
    )


def _number_classes(plan: Plan, fates: Fates) -> Codes:
    """Return the class of each fate over all attributes; suppression is none."""
    group, _ = fates.tuples.classes(plan.frequency, plan.frequency.attributes)
    return np.where(fates.gone, _SUPPRESSED, group).astype(np.int32)


def _count_alike(plan: Plan, fates: Fates) -> Counts:
    """Return for each fate the fewest released rows that share a quasi-identifier with it."""
    counts = np.where(fates.gone & (not plan.blank), 0, fates.tuples.counts)
    fewest = np.full(len(counts), plan.frequency.rows, dtype=np.int64)
    for one in plan.requirement.protected(plan.frequency.attributes):
        class_of, _ = fates.tuples.classes(plan.frequency, one.attributes)
        fewest = np.minimum(fewest, np.bincount(class_of, counts).astype(np.int64)[class_of])
    return fewest


def _take_rows(plan: Plan, fates: Fates, pieces: Iterable[pa.Table]) -> tuple[pa.Table, Codes]:
    """Take the rows of the sample from the pieces of a table, and return the fate of each.

    A row that was not there when the table was counted has no fate, and is not taken.
    """
    group, counts = _number_classes(plan, fates), fates.tuples.counts
    sizes = np.bincount(group[~fates.gone], counts[~fates.gone]).astype(np.int64)
    suppressed = min(int(counts[fates.gone].sum()), SUPPRESSED_COMPARED)
    quota, taken = _Quota(sizes, {_SUPPRESSED: suppressed}), []
    for piece in pieces:
        known = piece.filter(pc.is_valid(piece[FATE]))
        taken.append(known.take(quota.pick(group[known[FATE].to_numpy()])))
        if quota.is_spent:
            break
    rows = pa.concat_tables(taken)
    return rows.drop_columns(FATE), rows[FATE].to_numpy().astype(np.int32)


def _pair_rows(plan: Plan, fates: Fates, rows: pa.Table, fate_of: Codes) -> Iterator[ComparedRow]:
    """Yield each row with what is released of it, class by class, suppressed rows last."""
    named = ((name, rows[name].to_pylist()) for name in rows.column_names)
    columns = [[_label(name, value) for value in values] for name, values in named]
    labels = label_fates(plan, fates, plan.frequency.attributes).values()
    released_columns = [one.take(pa.array(fate_of)).to_pylist() for one in labels]
    private, shown = [*zip(*columns, strict=True)], [*zip(*released_columns, strict=True)]
    alike, gone = _count_alike(plan, fates)[fate_of], fates.gone[fate_of]
    groups = _number_classes(plan, fates)[fate_of].tolist()
    seen = dict.fromkeys(group for group in groups if group != _SUPPRESSED)
    number = {group: place for place, group in enumerate(seen, start=1)} | {_SUPPRESSED: 0}
    numbers = [number[group] for group in groups]
    for place in sorted(range(len(groups)), key=lambda one: (not numbers[one], numbers[one])):
        own = private[place]
        released = (*shown[place][: len(own)], *own[len(shown[place]) :])
        yield ComparedRow(
            private=own,
            released=None if gone[place] and not plan.blank else released,
            group=numbers[place],
            alike=int(alike[place]),
        )


def _label(name: str, value: Any) -> str | None:
    """Write a value as text; also one that cannot be compared, such as a list."""
    try:
        return label_in(name, value)
    except InvalidInput:
        return str(value)


BASED_ON_EARLIER = (
    "This release is based on earlier ones and shows values that they have shown, so its rows and "
    "its utility are not compared with the private table."
)


@dataclass(frozen=True)
class ReleaseComparison(Discreet):
    """A release beside the private table. It stays with the data holder.

    ``remark``: why something is missing, such as rows that cannot be compared.
    """

    summary: ReleaseSummary
    sample: RowSample | None
    attributes: tuple[attributes.AttributeFacts, ...]
    classes: tuple[ClassFacts, ...]
    exposure: Exposure | None
    utility: Utility | None = None
    remark: str = ""


def compare_release(line: TaskLine, project: Project, target: str | None) -> ReleaseComparison:
    """Make the release that a project asks for, write nothing, and compare it with the table.

    The process keeps the release, so that the next comparison and publishing search no more.

    ``target``: the column that models are to predict; if it is empty, only distances measure the
    utility, and if it is None, nothing does.
    """
    specification, trial = decide_roles(project), None
    if target:
        from lookalike.flow.utility import ask_trial

        trial = ask_trial(specification, target)  # refuses before the long work
    if line.kept is None:
        stamps = find_stamps(project)
        made = make_release(specification, line, dry_run=True, replace=True)
    else:
        stamps = line.kept.stamps
        made = replace(line.kept.made, release=ask_again(line.kept.made.release, specification))
    line.kept = KeptRelease(made, stamps)
    summary, release = summarize_release(made, project, stamps), made.release
    line("comparing rows")
    compared = ReleaseComparison(
        summary=summary,
        sample=None if release.basis is not None else compare_rows(release),
        attributes=attributes.compare_attributes(release.specification, release.plan),
        classes=measure_classes(release.plan),
        exposure=release.exposure,
        remark="" if release.basis is None else BASED_ON_EARLIER,
    )
    if target is None or release.basis is not None:
        return compared
    from lookalike.flow.utility import measure_utility

    line("measuring utility")
    try:
        return replace(compared, utility=measure_utility(release, trial))
    except InvalidInput as error:
        return replace(compared, remark=f"{str(error).capitalize()}.")
