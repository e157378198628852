"""Flow: the verbs of the package, each one function that reads from left to right.

A verb takes a specification or a table, calls the rooms below in order, and returns a frozen
result that the shell shows. Everything below may be used here; nothing below calls the flow.
Start with ``release.py``, then ``result.py`` and ``make_release.py``.

==================  ==============================================================================
verb                what it does
==================  ==============================================================================
release.py          from a specification to a release: read, count, search
make_release.py     makes a release and publishes it, or one that was made before
release_records.py  from a specification of linked tables to their release, and publishes it
suggest_method.py   suggests another method after a release that keeps little
explain.py          how a release would be made: where its sequences are kept, and why; of linked
                    tables: explain_records.py
explore/            what is kept and lost at several k, limits of suppression and methods
compare.py          every method on the same table; on linked tables: compare_records.py
minimal.py          every k-minimal generalization, and Samarati's searches step by step
minimality/         decides whether an existing release is k-minimal, or of minimal distortion
check.py            the k of any table
check_specification.py
                    the checks before publishing that need no release
check_records.py    whether linked tables keep a promise as they are
utility.py          what a release is still good for
exposure.py         what a published folder shows beyond its values, given the specification
attack_ledger.py    what the releases in a ledger give away together
forecast/           what each policy would release of a source over some months
apply.py            gives a new table the levels of a published release, without releasing it
report_folder.py    makes the recipient's report of a published folder again, and compares it
==================  ==============================================================================

==================  ==============================================================================
what they are made  what it does
of
==================  ==============================================================================
result.py           the release: its rows, its certificate, and publishing
release_html.py     a release as a notebook shows it
linked_release.py   the same of linked tables; read_linked.py, count_linked.py, recode_linked.py and
                    verify_linked.py are its steps, linked_documents.py its dossier
claims.py           what a release promises, and the examination that its rows must pass
documents.py        the certificate, the reports, the proof of the bound
record_findings.py  what the dossier records of the checks, the risk and what was accepted
measure_for_rules.py
                    the figures of a release that rules of laws and agencies ask for
preflight/          checks before publishing what the certificate does not promise
source.py           reads, checks and counts the table of a specification
counted_table.py    a table that was counted, with its sequences in memory or in its engine
count_beside.py     counts persons and protected sensitive values together with the sequences
count_register.py   reads and counts the registers that classes are compared with
resume.py           begins an interrupted release with the list that it counted
method.py           which method decides, and what it must not be asked for
followup/           makes a release follow earlier ones of the same source
==================  ==============================================================================
"""
