"""The studio: a local web application in which a data steward makes a release.

Pages are functions of the specification and of what ``flow/`` returns. The specification is text
(TOML) that every screen can show, and is what gets saved; every form changes that text and nothing
else. Long work runs in a process of its own. It may import everything below the shell. Start
reading at ``screens/__init__.py`` for what it shows, and at ``door.py`` for who may see it.

====================  ====================================================================
file or folder        what it does
====================  ====================================================================
serve.py              opens a session and serves it on 127.0.0.1
app.py                an address for every screen and every action; fills the templates
door.py               who may see it
session.py            what is open: the project, the table's profile, the running task
editing/              the specification while it is edited: undo, redo, drafts, forms
folder.py             the tables and specifications of the folder, and uploads
blockers.py           what must be decided before a release can be made
work.py               a task in its own process, with progress, cancel and what it keeps
table_facts.py        the task that profiles a table
counted_list.py       the task that counts a table, so that settings are tried at once
frontier.py           the task that tries many settings, and what *Explore* shows of them
attackers.py          what a specification promises, and what attackers could still find
screens/              one file per screen: what it shows, and what its forms do
hierarchies/ levels/ releases/
                      what the screens of these names are made of
templates/, static/   HTML, what terms mean, style sheets, and the one script
====================  ====================================================================
"""
