"""The fields of a specification that say where a release goes, and what remembers it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from lookalike.draft.write_toml import quote_key
from lookalike.errors import not_one_of
from lookalike.spec.policies import POLICIES
from lookalike.studio.editing.edit_toml import parse_toml, set_field
from lookalike.studio.editing.project import Project

FOLDER_PLACES = {
    "release.out": "released/table.csv",
    "release.dossier": "private/dossier",
    "release.ledger": "ledger.db",
}
"""The fields that are places in the folder of the studio, each with an example."""
_SPECIAL = re.compile(r"[\x00-\x1f\\]|://")


@dataclass(frozen=True)
class PublishingFields:
    """Where a release goes, for whom it is, and what remembers it; empty texts for nothing.

    Parameters
    ----------
    out, dossier, ledger
        The file of the release, the holder's own folder, and the ledger.
    row_key, source_name
        The column that identifies rows in the ledger, and the name of the source there.
    policy
        How the release follows earlier ones.
    recipient, contract
        Who receives it, and what binds the recipient.
    has_report
        Whether a report for the recipient is published with it.
    has_new_people
        Whether people whom the ledger does not know are in no earlier release.
    """

    out: str
    dossier: str
    ledger: str
    row_key: str
    source_name: str
    policy: str
    recipient: str
    contract: str
    has_report: bool
    has_new_people: bool


def read_publishing_fields(project: Project) -> PublishingFields:
    """Return the fields of a specification, as far as they are texts."""
    release, source = project.table("release"), project.table("source")
    recipient = _text(release.get("recipient"))
    known = project.table("recipients").get(recipient)
    return PublishingFields(
        out=_text(release.get("out")),
        dossier=_text(release.get("dossier")),
        ledger=_text(release.get("ledger")),
        row_key=_text(source.get("row_key")),
        source_name=_text(source.get("name")),
        policy=_text(release.get("policy")) or POLICIES[0],
        recipient=recipient,
        contract=_text(known.get("contract")) if isinstance(known, dict) else "",
        has_report=release.get("report") is not False,
        has_new_people=source.get("new_people") is True,
    )


def _text(value: object) -> str:
    """Return a text; of anything else, nothing."""
    return value if isinstance(value, str) else ""


def find_wrong_fields(
    asked: PublishingFields, before: PublishingFields
) -> Iterator[tuple[str, str]]:
    """Yield each field that is wrong, by its place in the specification, and why.

    A place outside the folder can stay if it was written in the text of the specification.
    """
    for place, example in FOLDER_PLACES.items():
        name = place.removeprefix("release.")
        given = getattr(asked, name)
        if given != getattr(before, name) and given and not _is_inside(given):
            yield place, f"name a place in this folder, such as {example}"
    if not asked.out:
        yield "release.out", f"name the file of the release, such as {FOLDER_PLACES['release.out']}"
    if asked.policy not in POLICIES:
        yield "release.policy", not_one_of("the policy", asked.policy, POLICIES)
    if asked.ledger and not asked.row_key:
        yield "source.row_key", "a ledger recognizes rows by a column; choose one"
    if asked.contract and not asked.recipient:
        yield "recipients.contract", "name the recipient whom it binds"


def _is_inside(path: str) -> bool:
    """Return whether a path leads to a place in the folder of the studio."""
    parts = PurePosixPath(path).parts
    return not (_SPECIAL.search(path) or path.startswith(("/", "~")) or ".." in parts)


def set_publishing_fields(text: str, asked: PublishingFields) -> str:
    """Write the fields into a specification; a new recipient gets a table."""
    release, source = ("release",), ("source",)
    text = set_field(text, release, "out", asked.out)
    text = set_field(text, release, "dossier", asked.dossier or None)
    text = set_field(text, release, "report", None if asked.has_report else False)
    text = set_field(text, release, "ledger", asked.ledger or None)
    text = set_field(text, release, "policy", asked.policy if asked.ledger else None)
    text = set_field(text, source, "row_key", asked.row_key or None)
    text = set_field(text, source, "name", asked.source_name or None)
    text = set_field(text, source, "new_people", True if asked.has_new_people else None)
    text = set_field(text, release, "recipient", asked.recipient or None)
    return _set_recipient(text, asked.recipient, asked.contract)


def _set_recipient(text: str, name: str, contract: str) -> str:
    """Write what binds a recipient."""
    if not name:
        return text
    if name not in parse_toml(text).get("recipients", {}):
        text = f"{text.rstrip()}\n\n[recipients.{quote_key(name)}]\n"
    return set_field(text, ("recipients", name), "contract", contract or None)
