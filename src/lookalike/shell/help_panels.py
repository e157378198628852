"""The panels of a long help: which options stand together."""

from typing import Any

MANY_OPTIONS = 12
"""A command with fewer options has a help without panels."""

PANELS = {
    "Table": "table where engine master memory spill delimiter encoding missing trim person",
    "Requirement": "recipient k preset max_suppressed quasi_identifier sensitive spec accept "
    "allow_unsafe",
    "Search": "method objective prefer constraint time_limit max_sequences effort bound generalize "
    "repair search repeats",
    "Output": "out_file neutralize_formulas keep_order dossier no_report replace dry_run rules "
    "explained as_json csv show most target",
    "Earlier releases": "ledger ledger_files ledger_key policy",
}
"""The names of the options of each panel; others stand in the general one."""

_PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names.split()}


def arrange(options: list[Any]) -> None:
    """Put the options of a command into panels, if they are many."""
    if len(options) < MANY_OPTIONS:
        return
    for option in options:
        panel = _PANEL_OF.get(option.name or "")
        if panel is not None and not getattr(option, "required", False):
            option.rich_help_panel = panel
