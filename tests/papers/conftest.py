"""Frequency lists of Samarati's figures."""

import pytest

from ..small_tables import frequency_of
from .samarati_tables import (
    SAMARATI_FIGURE_2,
    SAMARATI_FIGURE_4,
    SAMARATI_FIGURE_6,
    SAMARATI_FIGURE_6_HIERARCHIES,
    SAMARATI_FIGURE_8,
)


@pytest.fixture
def freq_of_4():
    return frequency_of(SAMARATI_FIGURE_4, SAMARATI_FIGURE_2)


@pytest.fixture
def freq_of_6():
    return frequency_of(SAMARATI_FIGURE_6, SAMARATI_FIGURE_6_HIERARCHIES)


@pytest.fixture
def freq_of_8():
    return frequency_of(SAMARATI_FIGURE_8, SAMARATI_FIGURE_2)
