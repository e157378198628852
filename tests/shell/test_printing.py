"""Shares, bars and shortened texts, as every view writes them."""

import pytest

from lookalike.shell.views.printing import draw_bar, percent, shorten


def test_a_share_is_written_in_percent():
    assert [percent(share) for share in (0, 0.5143, 1)] == ["0.0 %", "51.4 %", "100.0 %"]


@pytest.mark.parametrize(
    ("share", "bar"), [(-0.5, "░░░░"), (0, "░░░░"), (0.625, "██▌░"), (1, "████"), (1.5, "████")]
)
def test_a_bar_is_as_long_as_its_share_and_never_longer_than_its_width(share, bar):
    assert draw_bar(share, width=4).plain == bar


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("country", "country"),
        ("countries", "countr…"),
        ("郵便番号", "郵便番…"),  # four characters that are two columns wide each
        ("a\x1bb", "a\\x1bb"),
    ],
)
def test_a_text_is_cut_only_if_it_is_wider_than_the_width(text, shown):
    assert shorten(text, 7) == shown
