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
- ``edit_toml.py``: changes one field of a TOML text; ``changes.py`` and
  ``publishing_fields.py``: the changes of the screens.
- ``folder.py``: the tables of the folder, and uploads; ``settle_files.py``: free names of files.
- ``read_grid.py``: which settings to try; ``draw_points.py`` and ``frontier_view.py``: what is
  shown of them; ``choose_setting.py``: the changes that follow.
- ``argus_state.py``: where µ-Argus stands after the decisions; ``argus_changes.py``: its changes.
- ``protection_form.py``: reads the form of *Protection*; ``protection_fields.py``: its fields for
  sensitive columns; ``choices.py``: what its choices mean.
- ``attackers.py``: what others could still find; ``rule_outlook.py``: which rules will be met.
- ``work.py``: a task in its own process; the tasks: ``table_facts.py``, ``counted_list.py``,
  ``comparison.py`` (with ``row_sample.py``), ``release_summary.py``, ``release_attacks.py``,
  ``register_link.py``, ``try_grid.py``.
- ``past_releases.py`` and ``ledger_history.py``: what was published before;
  ``offered_files.py``: the files of releases that the browser gets.
- ``open_levels.py``: what is tried at the attribute level; ``level_settings.py``: weights, bounds,
  k and suppression; ``level_work.py``: what requests share; ``try_weights.py``: the best vector;
  ``vector_facts.py``: why a vector fails; ``lattice_view.py``: how the lattice is shown;
  ``sliders.py``: the sliders.
- ``promise.py`` and ``glossary.py``: what is promised, and what terms mean, in words.
- ``hierarchies/``: previews, bounds and trees of the screen *Hierarchies*.
- ``screens/``: one file per screen. ``pages.py``: fills the templates.
- ``templates/``, ``static/``: HTML, the style sheet, and the one script.
"""
