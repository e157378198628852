"""Rule: what a law, an agency or a standard asks for, and RuleVerdict: what a release reaches."""

from dataclasses import dataclass
from typing import Final, Literal

MET: Final = "met"
NOT_MET: Final = "not met"
NOT_DECIDED: Final = "not for software to decide"
RuleAnswer = Literal["met", "not met", "not for software to decide"]
"""Whether a release reaches the figure that a rule names, or whether people must decide."""

DISCLAIMER = (
    "“Met” means that this release reaches the figure that the rule names. It is no legal advice, "
    "and no statement that a law or an agreement is complied with."
)
"""What must stand beside every table of verdicts."""


@dataclass(frozen=True)
class RuleVerdict:
    """What a release reaches of one rule, in words.

    ``why``: what was compared with what, and what remains for people to decide.
    """

    rule: str
    issuer: str
    asks: str
    measured: str
    verdict: RuleAnswer
    why: str
    source: str


@dataclass(frozen=True)
class Rule:
    """A rule, and the document that it comes from with the year of its version."""

    name: str
    issuer: str
    asks: str
    title: str
    section: str
    year: int

    @property
    def source(self) -> str:
        """The document, the place in it and its year, in one line."""
        place = f", {self.section}" if self.section else ""
        return f"{self.title}{place} ({self.year})"

    def answer(self, measured: str, verdict: RuleAnswer, why: str) -> RuleVerdict:
        """Return the verdict of this rule.

        Examples
        --------
        >>> rule = Rule("Cells", "CMS", "no cell of 1 to 10", "Cell Size Policy", "", 2024)
        >>> found = rule.answer("11 rows", MET, "The smallest class has 11 rows.")
        >>> found.rule, found.verdict, found.source
        ('Cells', 'met', 'Cell Size Policy (2024)')
        """
        return RuleVerdict(self.name, self.issuer, self.asks, measured, verdict, why, self.source)
