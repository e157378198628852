"""How the frequency list grows with the rows: distinct sequences of random samples of Adult."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

import lookalike
from lookalike.flow.release import prepare
from lookalike.model.frequency import FrequencyList
from lookalike.spec.specification import Specification

SEED = 20020501
SHARES = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)
ATTRIBUTES = (3, 6, 9)


def run() -> None:
    """Distinct sequences D(n) of n rows of Adult; the exponent b of D = a · n^b at the end."""
    data = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
    frequency = prepare(
        Specification.load(data / "adult.toml", {"method": "datafly"})
    ).plan.frequency
    rows = np.repeat(frequency.codes, frequency.counts, axis=1)
    drawn = np.random.default_rng(SEED).permutation(rows.shape[1])
    for attributes in ATTRIBUTES:
        names = ", ".join(frequency.attributes[:attributes])
        print(f"{attributes} attributes ({names}):")
        _show_growth(rows[:attributes, drawn], _possible(frequency, attributes))


def _possible(frequency: FrequencyList, attributes: int) -> int:
    """Return how many sequences the values of the first attributes could form."""
    return int(np.prod([int(codes.max()) + 1 for codes in frequency.codes[:attributes]]))


def _show_growth(rows: npt.NDArray[np.int32], possible: int) -> None:
    """Print the distinct sequences of growing samples, and the exponent of the growth."""
    sizes = [int(share * rows.shape[1]) for share in SHARES]
    distinct = [np.unique(rows[:, :size], axis=1).shape[1] for size in sizes]
    for size, number in zip(sizes, distinct, strict=True):
        print(
            f"  {size:>6,} rows: {number:>6,} sequences, {100 * number / size:5.1f} % of the rows"
        )
    exponent = np.log(distinct[-1] / distinct[-3]) / np.log(sizes[-1] / sizes[-3])
    print(f"  of {possible:,} possible; D grows as n^{exponent:.2f} from {sizes[-3]:,} rows on")
