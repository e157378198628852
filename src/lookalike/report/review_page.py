"""Write the page on which a reviewer decides about the findings of a planned release.

The page has one script, which the content security policy names by its digest. It saves the
answer as a file and sends nothing anywhere.
"""

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files

from lookalike.publish.certificate import name_software
from lookalike.publish.review import Subject
from lookalike.report.page import fill_page
from lookalike.risk.finding import PreflightFinding


@dataclass(frozen=True)
class PlannedRelease:
    """What a reviewer is shown of a release that is decided on but not published.

    ``quasi_identifiers``: the attributes and the k of each, and whether it counts rows or persons.
    ``answers``: the columns of which an attacker may know some, how many, and what is left.
    ``promise``: what is promised of linked tables, which have none of these.
    ``units``: what ``rows_in`` and ``rows_out`` count; of linked tables, what a person is called.
    """

    subject: Subject
    findings: Sequence[PreflightFinding]
    quasi_identifiers: Sequence[tuple[Sequence[str], int, str]]
    as_they_are: Sequence[str]
    method: str
    rows_in: int
    rows_out: int
    precision: float
    promise: str | None = None
    units: str = "rows"
    answers: tuple[Sequence[str], int, int] | None = None


def write_review_page(planned: PlannedRelease) -> str:
    """Fill the page, whose script saves what the reviewer answers."""
    script = files("lookalike.report").joinpath("templates/review.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return fill_page(
        "review",
        kind="Review",
        title="May this release be published?",
        software=name_software(),
        contents=(),
        planned=planned,
        subject=json.dumps(asdict(planned.subject), ensure_ascii=True),
        script=script,
        script_digest=digest,
    )
