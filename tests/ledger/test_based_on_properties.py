"""Releases based on earlier ones leave every attacker at least k rows (Model, section 4)."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from lookalike.ledger.policies.based_on import NextFate, check_next
from lookalike.ledger.policies.history import smallest_part

from ..releasing import (
    TOP,
    Series,
    covers,
    histories,
    least_candidates,
    release_all,
    sources,
)

KS = st.integers(2, 3)
MOST_LEVELS = st.integers(0, TOP)


def in_order(plan, source, fate):
    return [key for key, one in zip(sorted(source), plan.fate, strict=True) if one == fate]


@given(sources(), KS, MOST_LEVELS)
def test_rows_with_the_same_history_number_none_or_at_least_k(times, k, most_level):
    series = release_all(times, k, most_level)
    assert all(number >= k for number in histories(series.releases).values())


@given(sources(), KS, MOST_LEVELS)
def test_the_smallest_part_is_at_most_the_smallest_class(times, k, most_level):
    series = release_all(times, k, most_level)
    counted = min(histories(series.releases).values(), default=0)
    assert (k if counted else 0) <= smallest_part(series.history()) <= counted


@given(sources(), KS, MOST_LEVELS, st.booleans())
def test_attacker_never_gets_below_k(times, k, most_level, knows_changes):
    series = release_all(times, k, most_level)
    for number in range(1, len(times) + 1):
        left = least_candidates(series.releases[:number], knows_changes=knows_changes)
        assert left == 0 or left >= k


@given(sources(), KS)
def test_released_rows_are_true_and_no_value_is_more_specific_than_before(times, k):
    releases = release_all(times, k).releases
    last = {}
    for release in releases:
        for key, label in release.labels.items():
            assert covers(label, release.source[key].number)
            assert label[0] >= last.get(key, 0)
            last[key] = label[0]


@given(sources(), KS)
def test_rows_that_keep_show_the_old_values_and_all_others_the_new(times, k):
    series = release_all(times, k)
    last = {}
    for plan, release in zip(series.plans, series.releases, strict=True):
        for key in in_order(plan, release.source, NextFate.KEEPS):
            assert release.versions[key] == last[key]
        for fate in (NextFate.RENEWS, NextFate.JOINS):
            for key in in_order(plan, release.source, fate):
                assert release.versions[key] == release.source[key].version
        last |= release.versions


@given(sources(), KS)
def test_a_source_that_did_not_change_is_released_as_before(times, k):
    series = release_all([*times, times[-1]], k)
    before, after = series.releases[-2:]
    assert before.labels.items() <= after.labels.items()
    assert before.versions.items() <= after.versions.items()


@given(sources(), st.lists(st.integers(2, 4), min_size=5, max_size=5).map(sorted))
def test_a_greater_k_holds_from_then_on(times, ks):
    series = Series(k=2)
    for k, source in zip(ks, times, strict=False):
        series.k = k
        series.release(source)
        check_next(series.history(), k)
        shown = Counter(
            tuple(release.labels.get(key) for release in series.releases)
            for key in series.releases[-1].labels
        )
        assert all(number >= k for number in shown.values())
