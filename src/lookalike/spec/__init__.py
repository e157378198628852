"""The specification: what is to be released, to whom, and how.

A specification is a TOML file, or the same fields as keyword arguments. The room validates it and
translates it into a requirement and search options. It knows hierarchies, ``model/``, the options
and names of ``search/`` and the description of a source; of a table it reads the names of the
columns only. Start reading at ``specification.py``.

==================  ======================================================================
specification.py    `Specification`: the whole file, and what follows from it
release_fields.py   the fields of ``[release]``, each declared once; ``[source]`` is declared in
                    ``tables/source.py``
release_options.py  the fields as keyword arguments of the library, with their types
fields.py           the other tables of the file: attributes, quasi-identifiers, recipients, ...
protect.py          the protections of a sensitive column
model.py            `SpecificationModel`, and the values of fields, each with its check
load.py             the tables of a TOML file, fields in place of its own, and its paths
ask_requirement.py  from the fields to the requirement of the release
choose_method.py    the method of a file that names none
presets.py          the figures of rules by name
columns.py          the columns that patterns and defaults stand for
conflicts.py        what is wrong between the tables
recipients.py       the fields that differ for one recipient
problems.py         the problems of a file, each with its place
ledger_address.py   `LedgerAddress`: the database, files and key of a ledger
policies.py         names of the policies that judge a release against earlier ones
preflight_names.py  names of the checks before publishing
==================  ======================================================================
"""
