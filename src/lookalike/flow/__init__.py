"""Flow: the verbs of the package, each one function that reads from left to right.

A verb takes a specification or a table, calls the rooms below in order, and returns a frozen
result that the shell shows. Everything below may be used here; nothing below calls the flow.
Start with ``release.py``, then ``result.py``.

================  ==============================================================================
file or folder    what it does
================  ==============================================================================
release.py        from a specification to a release that was decided on: read, count, search
explain.py        how a release would be made: where its sequences are kept, and why
result.py         the release: its rows, its certificate, and publishing
claims.py         what a release promises, and the examination that its rows must pass
target.py         where a release goes: a path, or an address that Spark writes to
settle_method.py  the method for a counted table, if the specification names none
counted_table.py  a table that was counted, with its sequences in memory or in its engine
beyond_memory.py  refuses what needs more sequences in memory than fit
source.py         reads, checks and counts the table of a specification
count_beside.py   counts persons and protected sensitive values together with the sequences
count_register.py reads and counts the registers that classes are compared with
resume.py         begins an interrupted release with the list that it counted
draft/            proposes a specification of a table, with a role for every column
followup/         makes a release follow earlier ones of the same source
preflight/        checks before publishing what the certificate does not promise
documents/        the certificate, the reports, the proof of the bound
exposure.py       measures what the classes of a release show beyond their values
exposure_of_folder.py
                  the same for a published folder, given the holder's specification
report_folder.py  makes the recipient's report of a published folder again, and compares it
minimality/       decides whether an existing release is k-minimal, or of minimal distortion
suggest_method.py tries the default method after a release that keeps little
explore/          what is kept and lost at several k, limits of suppression and methods
compare.py        every method on the same table
utility/          measures what a release is still good for
minimal.py        every k-minimal generalization, and Samarati's searches step by step
check.py          the k of any table
attack_ledger.py  what the releases in a ledger give away together
stopwatch.py      times the steps, and announces them
================  ==============================================================================
"""
