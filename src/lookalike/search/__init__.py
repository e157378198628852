"""How a recoding is found: the published methods and the searches that they share.

The room works on the frequency list alone. It knows ``model/`` and ``kernels/``, and no table
engine. Start reading at ``methods/``: one file per published method, one signature
``f(frequency, requirement, options) -> Recoding``, one registry.

===============  ==========================================================================
options.py       `SearchOptions`: objective, preferences, constraints, time limit, ...; `SharedWork`
takes.py         `Takes`: what each method takes, and the refusal of everything else
linked.py        the search over the levels of linked tables; linked_counts.py: who is left out;
                 leave_out_records.py: which records are left out instead of persons
secrecy.py       what the choice of classes may reveal about sensitive values
lattice/         searches at the attribute level, over vectors of levels
cells/           searches at the cell level, where each row has its own levels
argus/           the parts of µ-Argus: combinations, decisions, cell suppression
methods/         Datafly, µ-Argus, Samarati, MinGen, MinGen at the cell level, k-Similar
===============  ==========================================================================
"""
