"""The figures of Adult at k = 5: what the study of exposure found."""

from pathlib import Path

import pytest

import lookalike
from lookalike.flow.release import prepare
from lookalike.spec.specification import Specification

ADULT = Path(lookalike.__file__).parent / "shell" / "data" / "adult" / "adult.toml"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "certain", "mean"),
    [
        ({"method": "mingen-cells", "effort": "quick"}, 0.19, 0.016),
        ({"method": "k-similar"}, 0.19, 0.018),
    ],
)
def test_adult_is_exposed_as_the_study_found(fields, certain, mean):
    found = prepare(Specification.load(ADULT, {"k": 5, **fields})).exposure
    assert found.certain_share == pytest.approx(certain, abs=0.006)
    assert found.mean_gain == pytest.approx(mean, abs=0.0006)
    assert found.greatest_gain == pytest.approx(0.20, abs=0.002)
    worst = found.announcements[0]
    assert (worst.value, worst.child) == ("spouse present", "Married-AF-spouse")
    assert worst.certain


@pytest.mark.slow
def test_decoys_hide_that_values_are_certain():
    asked = {"k": 5, "method": "mingen-cells", "effort": "quick", "decoys": 0.02}
    made = prepare(Specification.load(ADULT, asked))
    assert made.exposure.certain_share == 0
    assert made.exposure.greatest_gain < 0.13
    assert made.precision_before_decoys - made.measures.precision == pytest.approx(0.026, abs=0.004)
