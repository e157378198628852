"""The screens of the studio, one file each, in the order in which a release is made.

A screen has a page, which shows the session, and actions, which change it. An action reads a form
and raises an error to refuse it; the page is then shown again with the error beside its field. A
new screen is one file here with its template, and one line in :data:`SCREENS`.

- ``screen.py``: what a screen is, and undo, redo, save and cancel, which every screen has.
- ``data.py``: choose or upload a table; what its columns look like.
- ``roles.py``: the role of every column.
- ``hierarchies.py``: how values become more general.
- ``protection.py``: k, persons, suppression, sensitive values.
- ``explore.py``: what many settings keep and lose, and each of them closely.
- ``levels.py``: which levels satisfy the requirement, and trying weights and bounds.
- ``argus.py``: the decisions of µ-Argus.
- ``compare.py``: released rows beside private rows, utility, risk, exposure.
- ``publish.py``: try, publish, verify.
- ``releases.py``: past releases, attacks on them, links with a register.
"""

from lookalike.studio.screens.argus import ARGUS_SCREEN
from lookalike.studio.screens.compare import COMPARE_SCREEN
from lookalike.studio.screens.data import DATA_SCREEN
from lookalike.studio.screens.explore import EXPLORE_SCREEN
from lookalike.studio.screens.hierarchies import HIERARCHIES_SCREEN
from lookalike.studio.screens.levels import LEVELS_SCREEN
from lookalike.studio.screens.protection import PROTECTION_SCREEN
from lookalike.studio.screens.publish import PUBLISH_SCREEN
from lookalike.studio.screens.releases import RELEASES_SCREEN
from lookalike.studio.screens.roles import ROLES_SCREEN

SCREENS = (
    DATA_SCREEN,
    ROLES_SCREEN,
    HIERARCHIES_SCREEN,
    PROTECTION_SCREEN,
    EXPLORE_SCREEN,
    LEVELS_SCREEN,
    ARGUS_SCREEN,
    COMPARE_SCREEN,
    PUBLISH_SCREEN,
    RELEASES_SCREEN,
)

__all__ = ["SCREENS"]
