"""Output of ``lookalike risk FOLDER``: what a release shows to a reader who knows the method."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lookalike.risk.table.exposure import Exposure
from lookalike.risk.table.presence import Presence
from lookalike.shell.views.printing import fold, percent, show_rows, write_value


def state_exposure(found: Exposure) -> Iterator[str]:
    """State the exposure of a release."""
    if not found.cells:
        yield "Exposure 0: no class shows more than its values."
        return
    worst = found.announcements[0]
    yield (
        f"Exposure {found.greatest_gain:.4f} (mean {found.mean_gain:.4f}), greatest where "
        f"{worst.attribute} is {write_value(worst.value)}; a finer value is certain for some row "
        f"in {percent(found.certain_share)} of the generalized cells."
    )


def show_exposure(found: Exposure, most: int) -> RenderableType:
    """Show what a release shows beyond its values, and the values that announce most."""
    lines = [fold(line) for line in _explain(found)]
    tables = [_show_announcements(found, most)] if found.announcements else []
    presence = [fold(line) for line in _state_presence(found.presence)]
    return Group(*lines, *tables, *_name_remedy(found), *presence)


def _explain(found: Exposure) -> Iterator[str]:
    """Explain the figures of an exposure, or why a release shows nothing beyond its values."""
    if not found.cells:
        yield (
            "Exposure 0. No cell is above its least level: the level of a cell does not depend on "
            "its class, so a class shows nothing beyond its values."
        )
        return
    yield (
        f"Exposure {found.greatest_gain:.4f}: to a reader who knows the method, a value of a row "
        "becomes at most so much more likely than it is by its frequency "
        f"(mean {found.mean_gain:.4f} over {found.cells:,} generalized cells)."
    )
    yield (
        f"In {percent(found.certain_share)} of these cells a finer value is certain for some row "
        f"of the class. Classes show {found.bits:.2f} bits per generalized row beyond their values."
    )
    if found.decoys:
        yield f"Decoys, drawn with probability {found.decoys:g}, are taken into account."


def _show_announcements(found: Exposure, most: int) -> Table:
    """Show the released values that make a rarer value below them more likely."""
    rows = [
        [
            one.attribute,
            write_value(one.value),
            write_value(one.child),
            "yes" if one.certain else "",
            f"{one.gain:.4f}",
            f"{one.classes:,}",
        ]
        for one in [one for one in found.announcements if one.gain][:most]
    ]
    headings = ["attribute", "released", "announces", "sure", "gain", "classes"]
    return show_rows(headings, rows, text=4)


def _name_remedy(found: Exposure) -> Iterator[Text]:
    """Name the remedy for the values that announce most."""
    if found.announcements and found.greatest_gain:
        worst = found.announcements[0]
        more = "raise decoys" if found.decoys else "set decoys = 0.02"
        yield fold(
            f"To lower it, change the hierarchy of {worst.attribute} so that several frequent "
            f"values lie below {write_value(worst.value)}, raise k, or {more}."
        )


def _state_presence(presence: Presence | None) -> Iterator[str]:
    """State how likely people of the population are in the table."""
    if presence is None:
        return
    yield (
        f"Presence, with a population of {presence.people:,} people: a member is in its class with "
        f"{presence.mean_after:.3f} on average ({presence.mean_before:.3f} for a reader who does "
        f"not know the method), at most {presence.greatest:.3f}; {presence.nearly_certain:,} of "
        f"{presence.classes:,} classes have a candidate with 0.9 or more."
    )
    if presence.classes_left_out:
        yield (
            f"{presence.classes_left_out:,} classes were not counted: the population has fewer "
            "candidates than they have rows, or too many of their cells are generalized."
        )
