"""The screens of the studio, one file each, in the order in which a release is made.

A screen has a page, which shows the session, and actions, which change it. An action reads a form
and raises an error to refuse it; the page is then shown again with the error beside its field. A
new screen is one file here with its template, and one line in :data:`SCREENS`.

- ``screen.py``: what a screen is.
- ``data.py``: choose or upload a table; what its columns look like.
- ``roles.py``: the role of every column.
- ``protection.py``: k, persons, suppression, sensitive values.
- ``levels.py``: which levels satisfy the requirement, and trying weights and bounds.
- ``publish.py``: try, publish, verify.
- ``history.py``: undo, redo, save and cancel, which every screen has.
"""

from lookalike.studio.screens.data import DATA_SCREEN
from lookalike.studio.screens.levels import LEVELS_SCREEN
from lookalike.studio.screens.protection import PROTECTION_SCREEN
from lookalike.studio.screens.publish import PUBLISH_SCREEN
from lookalike.studio.screens.roles import ROLES_SCREEN

SCREENS = (DATA_SCREEN, ROLES_SCREEN, PROTECTION_SCREEN, LEVELS_SCREEN, PUBLISH_SCREEN)

__all__ = ["SCREENS"]
