"""Load the compiled loops that pages need, so that the first page after counting is quick."""

import threading
from dataclasses import replace

import numpy as np

from lookalike.hierarchy import Mask
from lookalike.model.frequency import FrequencyList
from lookalike.model.requirement import LEAST_K, Requirement
from lookalike.search.argus.options import ArgusOptions
from lookalike.search.lattice.decide import decide_lattice
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import mingen, mu_argus
from lookalike.search.options import DEFAULTS

_VALUES = ("aa", "ab", "ba", "bb")


def begin_loading() -> None:
    """Begin to load the loops beside other work; the first time of all, they are compiled."""
    threading.Thread(target=load_compiled, daemon=True).start()


def load_compiled() -> None:
    """Use the loops of *Levels* and *µ-Argus* on an invented table of a few rows."""
    rule = Mask(length=2)
    codes = np.array([[0, 1, 2, 3], [3, 3, 0, 1]], dtype=np.int32)
    few = FrequencyList(
        hierarchies=(rule.bind("one", _VALUES), rule.bind("other", _VALUES)),
        vector=(0, 0),
        codes=codes,
        counts=np.array([1, 2, 1, 2], dtype=np.int64),
    )
    asked = Requirement(LEAST_K, 1)
    lattice, _ = DEFAULTS.lattice_of(few)
    rollups = RollUps(few, asked)
    rollups.decide(few.vector)
    decide_lattice(rollups, lattice, 1)
    mingen(few, asked)
    mu_argus(few, asked, replace(DEFAULTS, argus=ArgusOptions(dimension=2, repair=True)))
