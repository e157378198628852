"""The JSON schemas that the program publishes, and which of them a command line answers to."""

import json
from functools import cache

from jsonschema import Draft202012Validator

from lookalike.json_result import describe_json
from lookalike.shell.commands.schema import list_outputs

VARIANTS = {
    "init": {"visits.csv": "records"},
    "check": {"linked.toml": "records", "--spec": "spec"},
    "release": {"--explain": "explain", "linked.toml": "records"},
    "compare": {"linked.toml": "records"},
    "explore": {"linked.toml": "records"},
    "link": {"--records": "records", "records.toml": "records"},
    "minimal": {"--search": "search", "--of": "of"},
    "risk": {"--spec": "spec", "--records": "records", "--record-columns": "records"},
}
"""The options, or the specification of linked tables, that change what a command prints."""


def name_output(words):
    """Return the name of what a command line prints with ``--json``."""
    command = "-".join(words[:2]) if words[0] in ("ledger", "hierarchy") else words[0]
    for option, variant in VARIANTS.get(command, {}).items():
        if option in words:
            linked = "records-" if option == "--explain" and "linked.toml" in words else ""
            return f"{command}-{linked}{variant}"
    proposes = command == "risk" and not {"-q", "--quasi-identifier"} & {*words}
    return "risk-propose" if proposes else command


@cache
def find_validator(name):
    """Return what checks a document against a schema."""
    return Draft202012Validator(describe_json(list_outputs()[name]))


def check_printed(words, printed):
    """Fail unless the JSON that a command line printed is what the schema of its name describes."""
    document = json.loads(printed)
    name = "error" if "error" in document and "method" not in document else name_output(words)
    problems = [
        f"{'/'.join(map(str, one.path))}: {one.message}"
        for one in find_validator(name).iter_errors(document)
    ]
    assert problems == [], f"the schema {name} does not describe what was printed"
