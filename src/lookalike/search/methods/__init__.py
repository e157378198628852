"""The methods, each with one signature, found by name through one registry.

A method takes a frequency list, a requirement and options, and returns a recoding. It sees
no row and no table engine, and methods never import each other. Each declares beside its
function which options it takes (:mod:`lookalike.search.takes`) and refuses the others.
"""

from collections.abc import Mapping

from lookalike.search.methods.datafly import datafly
from lookalike.search.methods.k_similar import k_similar
from lookalike.search.methods.mingen import mingen
from lookalike.search.methods.mingen_cells import mingen_cells
from lookalike.search.methods.mu_argus import mu_argus
from lookalike.search.methods.samarati import samarati
from lookalike.search.takes import Algorithm, Takes, declared

ALGORITHMS: Mapping[str, Algorithm] = {
    "datafly": datafly,
    "mu-argus": mu_argus,
    "samarati": samarati,
    "mingen": mingen,
    "mingen-cells": mingen_cells,
    "k-similar": k_similar,
}

TAKES: Mapping[str, Takes] = {name: declared()[name] for name in ALGORITHMS}
"""What each method takes."""

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
