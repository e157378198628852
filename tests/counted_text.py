"""Text that counts how often it is looked up or compared, so that tests see what a loop costs."""


class CountedText(str):
    """A text that counts the uses of all texts of its class."""

    uses = 0

    def __hash__(self):
        CountedText.uses += 1
        return super().__hash__()

    def __eq__(self, other):
        CountedText.uses += 1
        return super().__eq__(other)
