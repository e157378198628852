"""The commands of the program ``lookalike``, one file per command.

A command parses its options, makes one call of the library, and prints the result with one view,
as text or with ``--json`` as one JSON object. Each parameter of its function is an option of the
command line, declared with its help, or stands for the fields of a specification that name the
command (``arguments.py``). ``NAME_OUTPUTS`` has the types of what ``--json`` prints. The
first paragraph of its docstring is its help in ``lookalike --help`` and is repeated in ``cli.py``,
which lists the commands without importing them. Start reading at ``check.py``.

- ``arguments.py``: options of fields, and other options that several commands share.
- ``demo.py``: release the data that comes with the package.
- ``check.py``: report the k of a table.
- ``release.py``: make a release and publish it.
- ``minimal.py``: list k-minimal generalizations, trace a search, judge a release.
- ``compare.py``: run every method on one table.
- ``report.py``: make the report of a published release again.
- ``verify.py``: check a published release.
- ``apply.py``: give a new table the levels of a published release.
- ``join.py``: put increments of a source together.
- ``risk.py``: measure the re-identification risk of a table, or propose quasi-identifiers.
- ``link.py``: match a release with an external table.
- ``attack.py``: attack several releases of one source.
- ``ledger.py``: list, show, attack and forget recorded releases.
- ``schema.py``: print the JSON schema of an output.
- ``studio.py``: open the local web application.
"""
