"""Changes of a specification that the screen *µ-Argus* makes. Each returns another text."""

from collections.abc import Mapping
from typing import Any

from lookalike.search.argus.combinations import MOST_IDENTIFYING
from lookalike.studio.editing.changes import set_option
from lookalike.studio.editing.edit_toml import find_fields, set_field

ARGUS = "mu-argus"
ARGUS_DEFAULTS: Mapping[str, Any] = {
    "dimension": 3,
    "combinations": "all",
    "suppress_by": "count",
    "repair": False,
}
"""The options of µ-Argus under ``[release]``, with the values they have if they are left out."""


def use_argus(text: str) -> str:
    """Choose µ-Argus.

    The list of decisions is written even if it is empty: without it, the command line asks.
    """
    return decide_argus(text, list_decided(text))


def leave_argus(text: str) -> str:
    """Name no method any more; the decisions and options of µ-Argus go with it."""
    for field in ("method", "generalize", *ARGUS_DEFAULTS):
        text = set_field(text, ("release",), field, None)
    return text


def decide_argus(text: str, decisions: list[str]) -> str:
    """Choose µ-Argus with decisions about what to generalize."""
    text = set_field(text, ("release",), "method", ARGUS)
    return set_field(text, ("release",), "generalize", decisions)


def list_decided(text: str) -> list[str]:
    """Return the decisions of a specification; none if it has a wrong value there."""
    found = find_fields(text, "release").get("generalize")
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def set_argus_options(
    text: str, options: Mapping[str, Any], identification: Mapping[str, int]
) -> str:
    """Set the options of µ-Argus, and how identifying each attribute is."""
    for field, value in options.items():
        text = set_option(text, ("release",), field, value, ARGUS_DEFAULTS[field])
    for name, level in identification.items():
        place = ("attributes", name)
        text = set_option(text, place, "identification", level, MOST_IDENTIFYING)
    return text
