"""Judge whether an existing release is k-minimal, and whether it has minimal distortion.

Both are properties of a release with respect to its private table (Achieving, Definitions 4
and 6; Samarati, Definition 4.3), so the data holder can judge any release, whoever made it. The
answer is *yes* (proved), *no* (with a better alternative) or *undecided* (the search ended
without a proof). The release is verified first; then the searches of :mod:`lookalike.search` look
for an alternative. Start reading at :func:`lookalike.flow.minimality.judge.is_k_minimal`.

- ``judge.py``: searches for a finer k-anonymous table, and for a greater precision.
- ``answers.py``: the answers.
- ``existing_release.py``: the release to judge, as levels; reads and verifies it.
"""
