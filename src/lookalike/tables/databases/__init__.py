"""Databases: tables and queries of SQLite, PostgreSQL and what SQLAlchemy can reach.

Start with ``read_database.py``, which asks the module of the address for the rows of its query.

===================  ==========================================================================
database.py          the database that holds a table, and the result of a query
sqlite.py            SQLite files
postgres.py          PostgreSQL servers
database_url.py      any other address of SQLAlchemy
===================  ==========================================================================
"""
