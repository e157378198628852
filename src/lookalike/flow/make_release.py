"""Make a release and publish it: check the places, make it, verify it, and put it in its place."""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as renew
from pathlib import Path
from typing import ClassVar

from lookalike.errors import InvalidInput
from lookalike.flow.release import prepare
from lookalike.flow.require_review import DECIDES_NOTHING, require_review
from lookalike.flow.result import Release
from lookalike.json_result import JsonResult
from lookalike.model.progress import Announce
from lookalike.publish.address import check_parts_place
from lookalike.publish.certificate import Certificate
from lookalike.publish.publish import check_places, read_dossier, read_target
from lookalike.report.rules.rule import RuleVerdict
from lookalike.search.argus.options import Decide
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.engines.spark_files import Store
from lookalike.tables.engines.spark_source import start_session
from lookalike.tables.files.file_format import CERTIFICATE, REPORT
from lookalike.tables.storage_url import StorageUrl, not_in_storage
from lookalike.verify.bound.proof import OPTIMALITY


@dataclass(frozen=True, eq=False)
class PublishedRelease(JsonResult):
    """A release, and where it was published: its files, and what the holder's dossier got.

    There is no certificate if it was not published. ``proof`` proves the bound on precision.
    """

    json_names = (
        "**release persons_reached preflight=release.preflight files dossier=proof "
        "earlier_releases=certificate.earlier_releases answers_left_out"
    )
    json_requested: ClassVar = {"rules": tuple[RuleVerdict, ...]}

    release: Release
    certificate: Certificate | None = None
    files: tuple[Path | StorageUrl, ...] = ()
    dossier: Path | None = None
    proof: Path | None = None
    report: Path | None = None

    @property
    def answers_left_out(self) -> dict[str, int] | None:
        """The number of values that are left out of each answer, if an attacker may know some."""
        asked = self.release.plan.requirement.answers
        return None if asked is None else self.release.trail.left_out

    @property
    def chooses_policy(self) -> bool:
        """Whether it is the first of a source in a ledger, and its policy nobody has chosen."""
        asked = self.release.specification.release
        chosen = asked.model_fields_set & {"policy", "leavers", "patience"}
        return asked.ledger is not None and not self.release.earlier and not chosen

    @property
    def persons_reached(self) -> int | None:
        """The number of persons of the smallest class, where k counts persons."""
        promised = () if self.certificate is None else self.certificate.quasi_identifiers
        counted = [one.persons_reached for one in promised if one.persons_reached is not None]
        return min(counted, default=None)


def make_release(
    specification: Specification,
    announce: Announce = lambda _: None,
    *,
    decide: Decide | None = None,
    keep_best: Callable[[], bool] = lambda: False,
    allow_unsafe: bool = False,
    replace: bool = False,
    dry_run: bool = False,
    confirm: Callable[[Release], None] = lambda _: None,
) -> PublishedRelease:
    """Make the release that a specification asks for and publish it.

    The folders and the ledger are checked before the search, so that a mistake is reported
    before the work is done.

    ``confirm``: callback that receives the release before it is published, and raises to stop it.
    """
    specification = settle_columns(specification)
    out, dossier = _check_targets(specification, replace=replace, dry_run=dry_run)
    release = prepare(
        specification, announce, decide=decide, keep_best=keep_best, allow_unsafe=allow_unsafe
    )
    if dry_run or out is None:
        release.check()
        if release.safe or allow_unsafe:
            _rehearse(release)
        return PublishedRelease(release, dossier=dossier)
    confirm(release)
    return _publish(release, out, dossier, replace=replace)


def publish_kept(
    release: Release,
    specification: Specification,
    *,
    replace: bool = False,
    confirm: Callable[[Release], None] = lambda _: None,
) -> PublishedRelease:
    """Publish a release that was made before, as it was drawn then.

    ``specification``: what is asked for now; it differs in :data:`DECIDES_NOTHING` only.
    """
    specification = settle_columns(specification)
    out, dossier = _check_targets(specification, replace=replace, dry_run=False)
    assert out is not None
    release = ask_again(release, specification)
    confirm(release)
    return _publish(release, out, dossier, replace=replace)


def ask_again(release: Release, specification: Specification) -> Release:
    """Return a release with what its specification asks for now in :data:`DECIDES_NOTHING`."""
    require_review(specification)
    known, asked = release.specification, specification.release
    fields = {name: getattr(asked, name) for name in DECIDES_NOTHING}
    known = known.model_copy(update={"release": known.release.model_copy(update=fields)})
    return renew(release, specification=known)


def _check_targets(
    specification: Specification, *, replace: bool, dry_run: bool
) -> tuple[Path | StorageUrl | None, Path | None]:
    """Return where a release and its dossier go, and check both and the ledger before the work."""
    asked = specification.release
    dossier = read_dossier(asked.dossier)
    out = None if asked.out is None else read_target(asked.out, asked.ledger or asked.dossier)
    if out is None and not dry_run:
        raise InvalidInput(
            'no output file: set out = "released/table.csv" under [release], or give --out'
        )
    if isinstance(out, StorageUrl):
        _check_address(specification, out, replace=replace)
    elif out is not None:
        check_places(out, dossier, asked.address, specification.resources.spill, replace=replace)
        _open_ledger(specification, create=not dry_run)
    return out, dossier


def _publish(
    release: Release, out: Path | StorageUrl, dossier: Path | None, *, replace: bool
) -> PublishedRelease:
    """Publish a release, and list its files."""
    certificate = release.publish(replace=replace)
    proof = dossier / OPTIMALITY if dossier is not None and release.has_proof else None
    documents = [CERTIFICATE] if certificate.report is None else [CERTIFICATE, REPORT]
    files = out, *(out.parent / name for name in documents)
    report = dossier / REPORT if dossier is not None and release.has_reports else None
    return PublishedRelease(release, certificate, files, dossier, proof, report)


def _open_ledger(specification: Specification, *, create: bool) -> None:
    """Create the ledger unless it is there, so that a mistake shows before the search."""
    address = specification.release.address
    if address is not None and create:
        from lookalike.ledger.store.ledger import open_at  # imports sqlalchemy

        open_at(address, create=True)


def _check_address(specification: Specification, out: StorageUrl, *, replace: bool) -> None:
    """Refuse an address that Spark cannot publish to, before the rows are read."""
    source = specification.source
    if source is None or source.engine != "spark":
        raise not_in_storage(out)
    store = Store(start_session(source.master), out)
    try:
        check_parts_place(store, out, replace=replace)
    finally:
        store.close()


def _rehearse(release: Release) -> None:
    """Verify a release, and let the ledger judge it as if it were published now."""
    if release.specification.release.ledger is None:
        return
    from lookalike.ledger.record import enroll, rehearse  # imports sqlalchemy

    certificate = release.verify()
    release.stopwatch.begin("publish")
    drawn = release.plan, release.trail, release.shared
    rehearse(enroll(release.specification, *drawn, release.stopwatch.report), certificate)
    release.stopwatch.begin(None)
