import pytest

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Suppress


def test_a_value_is_kept_or_suppressed():
    assert Suppress().ancestors("widow") == ("widow", "*")
    assert Suppress().height == 1


def test_a_suppression_level_above_it_is_refused():
    with pytest.raises(InvalidInput, match=r"suppress hierarchy: .*leave suppression_level out"):
        Suppress(suppression_level=True)
