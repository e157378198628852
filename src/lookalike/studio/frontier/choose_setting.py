"""Change a specification so that it asks for a setting that was tried, or follows advice."""

from lookalike.errors import InvalidInput
from lookalike.flow.explore.advise import Advice
from lookalike.flow.explore.grid import TrialSetting
from lookalike.flow.explore.run_point import with_setting
from lookalike.spec.specification import Specification
from lookalike.studio.editing.edit_toml import parse_toml, set_field
from lookalike.studio.editing.project import find_problems


def use_setting(text: str, setting: TrialSetting, rows: int) -> str:
    """Return a specification that asks for a setting.

    Parameters
    ----------
    text
        The specification.
    setting
        The setting.
    rows
        The number of rows of the table.

    Raises
    ------
    InvalidInput
        If the specification also says elsewhere what a setting says.
    """
    fields = {
        "method": setting.method,
        "k": setting.k,
        "max_suppressed": setting.max_suppressed,
        "highest_risk": None,
    }
    for name, value in fields.items():
        text = set_field(text, ("release",), name, value)
    _require_setting(text, setting, rows)
    return text


def _require_setting(text: str, setting: TrialSetting, rows: int) -> None:
    """Raise unless a specification asks for what was tried; what else is wrong is said later."""
    if find_problems(text):
        return
    asked = Specification.build(parse_toml(text))
    if asked.requirement(rows) != with_setting(asked, setting).requirement(rows):
        raise InvalidInput(
            "the specification sets k in another place, too, such as a quasi-identifier or a "
            "recipient; change it in the text of the specification"
        )


def follow_advice(text: str, advice: Advice) -> str:
    """Return a specification with the fields and weights that an advice names."""
    for name, value in advice.release.items():
        text = set_field(text, ("release",), name, value)
    for attribute, weight in advice.weights.items():
        text = set_field(text, ("attributes", attribute), "weight", weight)
    return text
