"""The command line: the program ``lookalike``.

The shell turns arguments into calls of the library, prints what they return, and turns errors
into messages and exit codes. It may use every room below it (``flow`` first of all) and nothing
imports it. It computes no figures: they come from the objects that the library returns. Start
reading at :mod:`~lookalike.shell.cli`, then at one command such as
:mod:`~lookalike.shell.commands.check` and its view, :mod:`~lookalike.shell.views.check`.

- ``cli.py``: the entry point; the list of commands, errors, exit codes, ``--version``.
- ``console.py``: standard output and standard error, safe against control characters; JSON.
- ``display.py``: what every command has: display options, panels, no option twice.
- ``commands/``: one file per command; each is one library call and one view.
- ``views/``: how results are printed, as text and as JSON.
- ``data/``: the tables and specifications of the demo and of the documentation.
"""
