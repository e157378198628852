"""The methods: one file per published method, one signature, one registry.

A method receives a frequency list, a requirement and options, and returns a recoding. It sees no
rows and no table engine, and methods never import each other. Each method declares beside its
function what it takes (:mod:`lookalike.search.takes`); everything else is refused. To add a
method, write its file and add it to :data:`ALGORITHMS`.

================  =========================================================================
datafly.py        Datafly (Achieving, Figure 8)
mu_argus.py       µ-Argus (Achieving, Figure 11)
samarati.py       Samarati's preferred k-minimal generalization (Figure 10)
mingen.py         MinGen at the attribute level (Achieving, Figure 5)
mingen_cells.py   MinGen at the cell level
k_similar.py      k-Similar, reconstructed from its name
================  =========================================================================
"""

from lookalike.search.methods.datafly import datafly
from lookalike.search.methods.k_similar import k_similar
from lookalike.search.methods.mingen import mingen
from lookalike.search.methods.mingen_cells import mingen_cells
from lookalike.search.methods.mu_argus import mu_argus
from lookalike.search.methods.samarati import samarati
from lookalike.search.takes import Algorithm, Takes, declared

ALGORITHMS: dict[str, Algorithm] = {
    "datafly": datafly,
    "mu-argus": mu_argus,
    "samarati": samarati,
    "mingen": mingen,
    "mingen-cells": mingen_cells,
    "k-similar": k_similar,
}
"""The methods by name."""

TAKES: dict[str, Takes] = {name: declared()[name] for name in ALGORITHMS}
"""The declaration of each method."""

__all__ = [
    "ALGORITHMS",
    "TAKES",
    "Algorithm",
    "datafly",
    "k_similar",
    "mingen",
    "mingen_cells",
    "mu_argus",
    "samarati",
]
