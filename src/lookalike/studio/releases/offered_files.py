"""The files of published releases that the studio gives to the browser, and no others."""

from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.studio.releases.past_releases import list_past_releases
from lookalike.studio.releases.release_summary import ReleaseSummary
from lookalike.studio.session import Session

LATEST = "latest"
"""What addresses call the release that the latest task has published."""


def list_offered_files(session: Session, release: str) -> tuple[Path, ...]:
    """List the files of a release, which an address names by their places in this list.

    Parameters
    ----------
    session
        What is open.
    release
        :data:`LATEST`, which also has the holder's own files, or the key of a past release.
    """
    if release == LATEST:
        made = session.find_result(ReleaseSummary)
        return () if made is None else (*made.files, *made.own_files)
    try:
        return list_past_releases(session.project.folder, None).find(release).files
    except InvalidInput:
        return ()
