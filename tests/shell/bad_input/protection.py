"""Mistakes in levels of anonymity, linking weights, tolerance and recipients."""

from .case import Bad
from .specifications import IDENTIFIER, MASK, PATIENT, SENSITIVE, K, add

QUASI_IDENTIFIER = PATIENT.replace("REST", "region")


def before_release(text: str) -> dict[str, str]:
    """Put lines before the table of the release."""
    return {"[release]": f"{text}\n[release]"}


PROTECTION = [
    Bad(
        "anonymity above 1",
        ("release.anonymity", "write a number from 0 to 1, such as 0.5"),
        {K: "anonymity = 5"},
    ),
    Bad(
        "anonymity as text",
        ("release.anonymity", "write a number from 0 to 1, such as 0.5"),
        {K: 'anonymity = "high"'},
    ),
    Bad(
        "anonymity of nothing",
        ("release.anonymity_constant: must be above 0", "0.01"),
        {K: "anonymity = 0.5\nanonymity_constant = 0.0"},
    ),
    Bad(
        "anonymity of more than all rows",
        ("release.anonymity_constant", "write a number from 0 to 1"),
        {K: "anonymity = 0.5\nanonymity_constant = 2"},
    ),
    Bad(
        "anonymity of a column that is not linkable",
        ("attributes.illness", "anonymity is for quasi-identifiers, not for sensitive"),
        add(SENSITIVE, "anonymity = 0.5"),
    ),
    Bad(
        "anonymity only of what is outside of the combination",
        ("release.k is required", "or anonymity"),
        {K: "", MASK: f"{MASK}\nanonymity = 0.5\nlinking = 0.5"},
    ),
    Bad(
        "linking above 1",
        ("attributes.zip.linking", "write a number from 0 to 1"),
        {MASK: f"{MASK}\nlinking = 1.5"},
    ),
    Bad(
        "linking of a column that is not linkable",
        ("attributes.name", "linking is for quasi-identifiers, not for identifier"),
        add(IDENTIFIER, "linking = 0.5"),
    ),
    Bad(
        "linking that is sure of no attribute",
        ("linking: every attribute of 'quasi-identifier' is below 1", "give 1 to those"),
        {"hierarchy =": "linking = 0.9\nhierarchy ="},
    ),
    Bad(
        "linking of one quasi-identifier that is sure of none",
        ("linking: every attribute of 'place' is below 1", "give 1 to those"),
        before_release(
            f"{QUASI_IDENTIFIER}\n[[quasi_identifiers]]\n"
            'name = "place"\nattributes = ["zip"]\nlinking = { zip = 0.5 }'
        ),
    ),
    Bad(
        "linking of an attribute of another quasi-identifier",
        ("quasi_identifiers.patient.linking: 'name' is not one of its attributes zip, born"),
        before_release(f"{QUASI_IDENTIFIER}\nlinking = {{ name = 1 }}"),
    ),
    Bad(
        "tolerance below 0",
        ("attributes.zip.tolerance", "write a number from 0 to 1"),
        {MASK: f"{MASK}\ntolerance = -0.1"},
    ),
    Bad(
        "tolerance of an attribute of another quasi-identifier",
        ("quasi_identifiers.patient.tolerance: 'name' is not one of its attributes zip, born"),
        before_release(f"{QUASI_IDENTIFIER}\ntolerance = {{ name = 1 }}"),
    ),
    Bad(
        "unknown recipient",
        ("release.recipient: no recipient is named 'pres'", "the recipients are press, clinic"),
        before_release("[recipients.press]\n[recipients.clinic]"),
        command="release spec.toml --recipient pres",
    ),
    Bad(
        "recipient where there are none",
        ("release.recipient: no recipient is named 'press'", "write [recipients.NAME]"),
        command="minimal spec.toml --recipient press",
    ),
    Bad(
        "unknown field of a recipient",
        ("recipients.press.collumns", "not a field", "did you mean 'columns'?"),
        before_release('[recipients.press]\ncollumns = ["zip"]'),
    ),
    Bad(
        "recipients that are no table",
        ("recipients.press: must be a table", "write [recipients.press]"),
        before_release("[recipients]\npress = 5"),
        command="release spec.toml --recipient press -k 5",
    ),
    Bad(
        "recipient with k = 1",
        ("recipients.press.k: k must be at least 2", "not 1"),
        before_release("[recipients.press]\nk = 1"),
    ),
    Bad(
        "recipient with an unknown method",
        ("recipients.press.method: method is one of datafly", "not 'magic'"),
        before_release('[recipients.press]\nmethod = "magic"'),
    ),
    Bad(
        "recipient of a column that does not exist",
        ("recipients.press.columns: no column is named 'zap'", "the columns are name, zip"),
        before_release('[recipients.press]\ncolumns = ["zap"]'),
    ),
    Bad(
        "recipient of an identifier",
        ("recipients.press.columns: 'name' is an identifier", "give it a pseudonym"),
        before_release('[recipients.press]\ncolumns = ["name", "zip"]'),
    ),
    Bad(
        "recipient of nothing linkable",
        ("recipients.press.columns", "name at least one of zip, born, age, region"),
        before_release('[recipients.press]\ncolumns = ["illness"]'),
    ),
    Bad(
        "recipient with a profile of what is not linkable",
        (
            "recipients.press.linking: 'illness' does not have the role quasi-identifier",
            "zip, born",
        ),
        before_release("[recipients.press]\nlinking = { illness = 0.5 }"),
    ),
    Bad(
        "recipient who links nothing",
        ("recipients.press: linking: every attribute of 'quasi-identifier' is below 1",),
        before_release('[recipients.press]\ncolumns = ["zip"]\nlinking = { zip = 0.5 }'),
    ),
    Bad(
        "recipient for whom nothing weighs",
        ("recipients.press: attributes: every weight is 0",),
        before_release('[recipients.press]\ncolumns = ["zip"]\nweights = { zip = 0 }'),
    ),
]
