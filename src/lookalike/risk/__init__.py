"""Re-identification risk: what others could find out about the people of a table or a release.

This room may know tables, specifications and published folders (to read a release); it contains no
SQL and changes nothing. It has three sub-rooms, each with one public function to start from:

- ``table/``: the risk of one table. :func:`~lookalike.risk.table.assess.risk` finds unique rows,
  small classes and homogeneous sensitive values.
- ``linking/``: the risk of a release and an external table, such as a voter list.
  :func:`~lookalike.risk.linking.link.link` counts the persons that match each row.
- ``releases/``: the risk of several releases of one source.
  :func:`~lookalike.risk.releases.attack.attack` links them with each other.
"""
