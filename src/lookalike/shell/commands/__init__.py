"""The commands of the program ``lookalike``, one file per command.

A command parses its options, makes one call of the library, and prints the result with one view,
as text or with ``--json`` as one JSON object. The function of a command has many parameters and
is long because each parameter is an option of the command line, declared with its help; the body
is short. The first paragraph of its docstring is its help in ``lookalike --help`` and is repeated
in ``cli.py``, which lists the commands without importing them. Start reading at
``check.py``.

- ``arguments.py``: options and arguments that several commands share.
- ``strict_command.py``: rejects an option that is given twice.
- ``demo.py``: release the data that comes with the package.
- ``check.py``: report the k of a table.
- ``release.py``: make a release and publish it.
- ``minimal.py``: list k-minimal generalizations, trace a search, judge a release.
- ``compare.py``: run every method on one table.
- ``report.py``: make the report of a published release again.
- ``verify.py``: check a published release.
- ``risk.py``: measure the re-identification risk of a table, or propose quasi-identifiers.
- ``link.py``: match a release with an external table.
- ``attack.py``: attack several releases of one source.
- ``ledger.py``: list, show, attack and forget recorded releases.
- ``studio.py``: open the local web application.
"""
