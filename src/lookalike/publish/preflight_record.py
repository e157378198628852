"""PreflightRecord: what was found before a release was published, as a file of the dossier."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

PREFLIGHT = "preflight.json"


@dataclass(frozen=True)
class PreflightRecord:
    """What was found before a release was published, and what the specification accepted.

    Parameters
    ----------
    software
        The software that published the release.
    release_sha256
        The digest of the released file.
    recorded
        When it was recorded, in UTC.
    findings
        The findings: name, severity, sentence, remedy, and whether it was accepted.
    """

    software: str
    release_sha256: str
    recorded: str
    findings: tuple[Mapping[str, Any], ...]

    def to_json(self) -> str:
        """Return the text of the file."""
        return json.dumps({"format": "lookalike preflight 1", **asdict(self)}, indent=2) + "\n"
