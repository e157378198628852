"""Spans: the listed ranges of an intervals hierarchy, as integers in units of 10^-places."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from lookalike.errors import InvalidInput
from lookalike.hierarchy.decimal_text import write_number

Span = tuple[int, int]
"""The lowest and the highest number of a range, inclusive."""

_WHERE = "ranges of an intervals hierarchy"


def label_span(span: Span, places: int) -> str:
    """Return the label of a span in a release.

    Examples
    --------
    >>> label_span((20, 29), 0), label_span((200, 299), 1), label_span((-10, -1), 0)
    ('20-29', '20.0-29.9', '-10 to -1')
    """
    low, high = (write_number(units, places) for units in span)
    if low == high:
        return low
    return f"{low} to {high}" if min(span) < 0 else f"{low}-{high}"


def show_span(span: Span, places: int) -> str:
    """Return a span as a specification writes it.

    Examples
    --------
    >>> show_span((20, 29), 0)
    '[20, 29]'
    """
    return f"[{write_number(span[0], places)}, {write_number(span[1], places)}]"


def whole_of(spans: Sequence[Span]) -> Span:
    """Return the span from the first to the last of several ordered spans."""
    return spans[0][0], spans[-1][1]


def find_span(spans: Sequence[Span], units: int) -> Span:
    """Return the span that contains a number; one of them must.

    Examples
    --------
    >>> find_span([(0, 17), (18, 64), (65, 120)], 64)
    (18, 64)
    """
    return spans[bisect_right(spans, units, key=lambda span: span[0]) - 1]


def check_span_levels(levels: Sequence[Sequence[Span]], places: int) -> None:
    """Check that every level covers the same numbers and consists of spans of the level below."""
    if not levels:
        raise InvalidInput(f"{_WHERE}: give the ranges of at least one level")
    for level, spans in enumerate(levels, start=1):
        _check_row(level, spans, places)
    for level, (finer, coarser) in enumerate(pairwise(levels), start=2):
        _check_union(level, finer, coarser, places)


def _check_row(level: int, spans: Sequence[Span], places: int) -> None:
    """Check that the spans of a level have no gaps and no overlaps."""
    if not spans:
        raise InvalidInput(f"{_WHERE}: level {level} is empty; give it at least one range")
    for span in spans:
        if span[0] > span[1]:
            raise InvalidInput(
                f"{_WHERE}: {show_span(span, places)} at level {level} is reversed; "
                "give each range as [low, high]"
            )
    for span, following in pairwise(spans):
        if following[0] != span[1] + 1:
            problem = "overlap" if following[0] <= span[1] else "leave a gap"
            raise InvalidInput(
                f"{_WHERE}: {show_span(span, places)} and {show_span(following, places)} at "
                f"level {level} {problem}; with decimals = {places} the second must begin at "
                f"{write_number(span[1] + 1, places)}"
            )


def _check_union(level: int, finer: Sequence[Span], coarser: Sequence[Span], places: int) -> None:
    """Check that each span of a level is a union of spans of the level below."""
    if whole_of(finer) != whole_of(coarser):
        raise InvalidInput(
            f"{_WHERE}: level {level} covers {show_span(whole_of(coarser), places)}, but the "
            f"level below covers {show_span(whole_of(finer), places)}; every level must cover "
            "the same numbers"
        )
    starts = {low for low, _ in finer}
    for span in coarser:
        if span[0] not in starts:
            raise InvalidInput(
                f"{_WHERE}: the levels do not nest: {show_span(span, places)} at level {level} "
                "begins inside a range of the level below"
            )
