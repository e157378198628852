"""The studio: a local web application in which a data steward makes a release.

Pages are functions of the specification and of what ``flow/`` returns. The specification is text
(TOML), always visible, and is what gets saved; every form changes that text and nothing else. Long
work runs in a process of its own. It may import everything below the shell. Start reading at
``screens/__init__.py`` for what it shows, and at ``guard.py`` for who may see it.

- ``serve.py``: opens a session and serves it on 127.0.0.1.
- ``app.py``: an address for every screen and every action.
- ``guard.py``: refuses every request that is not the user's own; ``gate.py``: its secrets;
  ``peer.py``: who is at the other end of a connection.
- ``session.py``: what is open: the project, the table's profile, the running task.
- ``project.py``: the specification while it is edited, with undo and redo.
- ``draft_store.py``: keeps the project as a draft at each change, and saves it.
- ``edit_toml.py``: changes one field of a TOML text; ``changes.py``: the changes of the screens.
- ``folder.py``: the tables of the folder, and uploads.
- ``work.py``: a task in its own process; the tasks: ``table_facts.py``, ``release_summary.py``,
  ``counted_list.py``.
- ``open_levels.py``: what is tried at the attribute level; ``level_settings.py``: weights, bounds,
  k and suppression; ``level_work.py``: what requests share; ``try_weights.py``: the best vector;
  ``vector_facts.py``: why a vector fails; ``lattice_view.py``: how the lattice is shown;
  ``sliders.py``: the sliders.
- ``promise.py`` and ``glossary.py``: what is promised, and what terms mean, in words.
- ``screens/``: one file per screen. ``pages.py``: fills the templates.
- ``templates/``, ``static/``: HTML, the style sheet, and the one script.
"""
