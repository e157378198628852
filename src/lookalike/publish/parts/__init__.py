"""Publish a release as a folder of part files, on a store that may not rename a folder at once.

Spark writes the rows of ``out = "hdfs://cluster/released/table.parquet"`` as many files into the
folder ``table.parquet``, whose name is ``out``; the folder around it, ``released``, is the place
of the release. Object stores have no rename of a folder, and no lock. So the last write makes the
release: a folder without its certificate is none, and the certificate lists every part file with
its digest. This room may use ``verify``, and of the rows it knows the store only
(:class:`~lookalike.tables.engines.spark_files.Store`).

The path of a release, with what a crash at each step leaves:

=====================================  ===================  =====================================
step                                   function             after a crash here, the next start
=====================================  ===================  =====================================
1. make a private folder beside the    ``staging_parts``    removes it; an earlier release is
   place, which also locks the place                        untouched
2. Spark writes the rows there         ``write_parts``      the same
3. hash the files, read them back and  ``recount_parts``    the same
   count them again
4. write the certificate there; from   ``publish_parts``    removes the private folder, and what
   now on it says what belongs to us                        the place holds of this release
5. move the certificate of an earlier  ``publish_parts``    the same; there is no release then
   release there, remove its rows
6. move the rows into the place, and   ``publish_parts``    the same
   hash them again
7. move the certificate into the       ``publish_parts``    removes the private folder: the
   place                                                    release is complete
=====================================  ===================  =====================================

A start removes from a place only what the certificates in the private folder name. Start reading at
:func:`lookalike.publish.parts.publish.publish_parts`; its caller is
:meth:`lookalike.flow.result.Release.publish`.

- ``stage.py``: the private folder, what is written into it, and the recount.
- ``place.py``: the place of a release: checks, and recovery after a crash.
- ``publish.py``: the verb, which moves a recounted release and its certificate into place.
"""
