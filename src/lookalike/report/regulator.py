"""Write the file for a regulator: what agencies and standards want documented of a release.

The figures come from the certificate, the dossier and the JSON of tests. What only people can
answer is left blank. The page has no script, and no value of a row.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import (
    describe_coarsening,
    describe_generalization,
    summarize_certificate,
)
from lookalike.publish.digest import describe_file
from lookalike.publish.dossier import PreflightRecord
from lookalike.report.page import fill_page
from lookalike.report.rules.judge import ISO_27559
from lookalike.report.rules.measured import write_count
from lookalike.report.rules.rule import DISCLAIMER, Rule
from lookalike.report.rules.threshold import CIHI, EMA, HEALTH_CANADA
from lookalike.shown_text import show_text
from lookalike.spec.presets import PRESETS

ICO = Rule(
    "ICO anonymisation",
    "Information Commissioner's Office (UK)",
    "record whether a motivated intruder would succeed",
    "Anonymisation, pseudonymisation guidance: How do we ensure anonymisation is effective?",
    "What is the “motivated intruder” test?",
    2025,
)
SOURCES = (EMA, HEALTH_CANADA, CIHI, ISO_27559, ICO)
_CONTENTS = (
    ("context", "Context"),
    ("variables", "Variables and technique"),
    ("risk", "Risk and threshold"),
    ("tests", "Adversarial testing"),
    ("intruder", "Motivated intruder"),
    ("remaining", "What remains"),
    ("governance", "Governance"),
    ("sources", "Sources"),
)
_KINDS = {"identifier": "direct identifier", "drop": "other"}
_LEFT_OUT = {"identifier": "left out, as an identifier", "drop": "left out"}


@dataclass(frozen=True)
class AdversarialTest:
    """What a test of a release found: the JSON of ``lookalike link`` or ``attack``.

    ``held``: whether nobody was found.
    """

    file: str
    sha256: str
    kind: str
    held: bool
    sentences: tuple[str, ...]

    @classmethod
    def read(cls, path: Path) -> "AdversarialTest":
        """Read what ``--json`` of a test printed; persons that it lists are not taken over."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            kind = "link" if "persons" in found else "attack"
            words = tuple((_describe_link if kind == "link" else _describe_attack)(found))
            held = found["holds"] is True
        except OSError as error:
            raise InvalidInput(f"test: {path} cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise InvalidInput(
                f"test: {path} is not what lookalike link --json or attack --json prints"
            ) from None
        return cls(path.name, describe_file(path).sha256, kind, held, words)


def _describe_link(found: Mapping[str, Any]) -> Iterator[str]:
    """Describe what matching the release with a table of persons found."""
    persons, rows = found["persons"], found["rows"]
    over = ", ".join(show_text(one) for one in found["on"])
    yield f"{persons['total']:,} persons of another table were matched over {over}."
    yield (
        f"{persons['one']:,} of them match exactly one released row, and {rows['one']:,} of "
        f"{rows['total']:,} released rows match exactly one of them; {rows['below_k']:,} match "
        f"some, but fewer than {found['k']:,}."
    )


def _describe_attack(found: Mapping[str, Any]) -> Iterator[str]:
    """Describe what attacking several releases together found."""
    named = ", ".join(show_text(one) for one in found["releases"])
    people, exposed = f"{found['people']:,} people", write_count(found["rows_exposed"], "row")
    yield f"The releases {named} were attacked together, as releases of {people}."
    yield f"{exposed.capitalize()} exposed."
    for one in found["left"]:
        least = "not proved" if one["at_least"] is None else f"{one['at_least']:,}"
        over = ", ".join(show_text(name) for name in one["attributes"])
        yield f"Rows that remain possible for everybody over {over}: {least}, of k = {one['k']:,}."


def write_regulator_file(
    certificate: Certificate, record: PreflightRecord, tests: Sequence[AdversarialTest]
) -> str:
    """Fill the page with what is known of a release, and blanks for what people must answer."""
    return fill_page(
        "regulator",
        kind="File for the regulator",
        title=f"Anonymization of {show_text(next(iter(certificate.files)))}",
        software=certificate.software,
        contents=_CONTENTS,
        certificate=certificate,
        record=record,
        variables=[*_list_variables(certificate, record)],
        thresholds=[*_compare_thresholds(certificate)],
        average=max(one["after"]["average_risk"] for one in record.risks),
        sentences=summarize_certificate(certificate),
        tests=tests,
        sources=SOURCES,
        disclaimer=DISCLAIMER,
    )


def _list_variables(
    certificate: Certificate, record: PreflightRecord
) -> Iterator[tuple[str, str, str]]:
    """Yield each column of the private table: its name, what it is, and what was done to it."""
    for name, role in record.left_out.items():
        yield name, _KINDS.get(role, role), _LEFT_OUT.get(role, "left out for this recipient")
    for name in certificate.columns:
        if name in certificate.pseudonyms:
            yield name, "direct identifier", "replaced with a keyed pseudonym"
        elif (done := certificate.generalized.get(name)) is not None:
            technique = describe_generalization(name, done, certificate.rows_shown)
            yield name, "quasi-identifier", technique
        else:
            coarse = certificate.coarsened.get(name)
            technique = "released as it is" if coarse is None else describe_coarsening(coarse)
            left_out = {} if certificate.answers is None else certificate.answers.left_out
            if name in left_out:
                technique += f"; values that are rare in a class left out: {left_out[name]:,} cells"
            yield name, "answer" if name in left_out else "not protected", technique


def _compare_thresholds(certificate: Certificate) -> Iterator[tuple[str, str, bool]]:
    """Yield each threshold with its source, and whether the highest risk is at most as high."""
    promised = certificate.quasi_identifiers
    least = min(one.persons_reached or one.k_reached for one in promised)
    asked = min(one.k for one in promised)
    yield "asked for", f"1/{asked}", least >= asked
    for preset in PRESETS.values():
        if preset.field == "highest_risk":
            yield preset.rule, f"{preset.value}", Fraction(1, least) <= Fraction(preset.value)
