"""Review: what a reviewer decided about the findings of a release, and the file that says so."""

from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from lookalike.errors import InvalidInput, RequirementNotMet

_FORMAT: Literal["lookalike review 1"] = "lookalike review 1"
Words = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Choice = Literal["accept", "refuse"]


@dataclass(frozen=True)
class Decision:
    """What a reviewer decided about one finding, which its name and its sentence identify."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    finding: str
    sentence: str
    decision: Choice
    reason: Words


@dataclass(frozen=True)
class Subject:
    """What a review is about: a specification and a source by their digests, and for whom."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    specification_sha256: Digest
    source_sha256: Digest
    recipient: str | None = None
    purpose: str | None = None


@dataclass(frozen=True)
class Review:
    """The answer of a reviewer.

    Parameters
    ----------
    subject
        What was reviewed.
    decision, reason
        Whether the release may be published at all, and why.
    reviewer
        The name of the reviewer.
    reviewed
        The day of the review, such as 2026-11-18.
    decisions
        A decision about each finding.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    subject: Subject
    decision: Choice
    reason: Words
    reviewer: Words
    reviewed: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    decisions: tuple[Decision, ...]
    format: Literal["lookalike review 1"] = _FORMAT

    @classmethod
    def read(cls, path: Path) -> "Review":
        """Read the file that the page for the reviewer saved.

        Raises
        ------
        InvalidInput
            If it cannot be read, or is no review; the message names the field.
        """
        try:
            return cls.parse(path.read_bytes(), f"{path}")
        except OSError as error:
            raise InvalidInput(f"review: {path} cannot be read: {error.strerror}") from None

    @classmethod
    def parse(cls, content: bytes, place: str) -> "Review":
        """Return the review that a file holds; ``place`` names the file in the error."""
        try:
            return _reader().validate_json(content)
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            field = ".".join(str(part) for part in first["loc"]) or "the file"
            raise InvalidInput(f"review: {place}: {field}: {first['msg']}") from None

    def list_changed(self, subject: Subject) -> list[str]:
        """List what differs between the subject of this review and another one."""
        before, now = asdict(self.subject), asdict(subject)
        return [name.removesuffix("_sha256") for name in now if now[name] != before[name]]

    @property
    def refuses(self) -> bool:
        """Whether it refuses a finding, or the release."""
        return _refuses(self) or any(map(_refuses, self.decisions))

    def require(self, subject: Subject) -> None:
        """Raise unless the review is about this specification and source, and refuses nothing.

        Raises
        ------
        RequirementNotMet
            With what differs, or with what the reviewer refused.
        """
        other = self.list_changed(subject)
        if other:
            raise RequirementNotMet(
                f"review: the {' and '.join(other)} changed since {self.reviewer} reviewed the "
                f"release on {self.reviewed}; ask for another review of what would be released now"
            )
        refused = [f"{one.finding}: {one.reason}" for one in self.decisions if _refuses(one)]
        refused += [f"the release: {self.reason}"] if _refuses(self) else []
        if refused:
            listed = "\n".join(f"- {one}" for one in refused)
            raise RequirementNotMet(
                f"review: {self.reviewer} refused on {self.reviewed}, so nothing is published:\n"
                f"{listed}\nChange the specification, and ask for another review."
            )

    def find(self, name: str, sentence: str) -> Decision | None:
        """Return the decision about a finding; None if the reviewer did not see it."""
        same = [one for one in self.decisions if (one.finding, one.sentence) == (name, sentence)]
        return next(iter(same), None)


def _refuses(one: "Decision | Review") -> bool:
    """Return whether a decision is a refusal."""
    return one.decision == "refuse"


@cache
def _reader() -> TypeAdapter[Review]:
    """Return the validator of reviews."""
    return TypeAdapter(Review)
