"""The specification: what is to be released, to whom, and how.

A specification is a TOML file, or the same fields as keyword arguments. The room validates it and
translates it into a requirement and search options. It knows hierarchies, ``model/``, the options
and names of ``search/`` and the description of a source; it opens no table and no database. Start
reading at ``specification.py``.

===================  ======================================================================
specification.py     `Specification`: the whole file, and what follows from it
model.py             `SpecificationModel`: what all tables of the file have in common
ask_requirement.py   from the fields to the requirement of the release
choose_method.py     the method of a file that names none
protect.py           the protections of a sensitive column
register_fields.py   the conditions on a register of the population
fields.py            the tables of the file: release, attributes, quasi-identifiers, ...
recipients.py        the fields that differ for one recipient
problems.py          the problems of a file, as one message
ledger_address.py    `LedgerAddress`: the database, files and key of a ledger
policies.py          names of the policies that judge a release against earlier ones
===================  ======================================================================
"""
