"""The screens of the studio, one file each, in the order in which a release is made.

A screen has a page, which shows the session, and actions, which change it. An action reads a form
and raises an error to refuse it; the page is then shown again with the error beside its field. A
new screen is one file here with its template, and one line in :data:`SCREENS`. For linked tables,
some screens show another one (``linked_…``), and some say that they take one table.

``screen.py`` says what a screen is, and has undo, redo, save and cancel, which every screen has.
"""

from dataclasses import replace

from lookalike.studio.screens.argus import ARGUS_SCREEN
from lookalike.studio.screens.attacker import ATTACKER_SCREEN
from lookalike.studio.screens.compare import COMPARE_SCREEN
from lookalike.studio.screens.data import DATA_SCREEN
from lookalike.studio.screens.explore import EXPLORE_SCREEN
from lookalike.studio.screens.forecast import FORECAST_SCREEN
from lookalike.studio.screens.hierarchies import HIERARCHIES_SCREEN
from lookalike.studio.screens.levels import LEVELS_SCREEN
from lookalike.studio.screens.linked_explore import LINKED_EXPLORE_SCREEN
from lookalike.studio.screens.linked_protection import LINKED_PROTECTION_SCREEN
from lookalike.studio.screens.linked_publish import LINKED_PUBLISH_SCREEN
from lookalike.studio.screens.protection import PROTECTION_SCREEN
from lookalike.studio.screens.publish import PUBLISH_SCREEN
from lookalike.studio.screens.releases import RELEASES_SCREEN
from lookalike.studio.screens.roles import ROLES_SCREEN

SCREENS = (
    DATA_SCREEN,
    ROLES_SCREEN,
    HIERARCHIES_SCREEN,
    replace(PROTECTION_SCREEN, for_linked=LINKED_PROTECTION_SCREEN),
    replace(EXPLORE_SCREEN, for_linked=LINKED_EXPLORE_SCREEN),
    LEVELS_SCREEN,
    ARGUS_SCREEN,
    COMPARE_SCREEN,
    ATTACKER_SCREEN,
    replace(PUBLISH_SCREEN, for_linked=LINKED_PUBLISH_SCREEN),
    FORECAST_SCREEN,
    RELEASES_SCREEN,
)

__all__ = ["SCREENS"]
