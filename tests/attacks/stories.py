"""Invent tiny private tables that change over time, and the releases that are asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from lookalike.model.protections import Distinct, Entropy, Protection, Recursive, Share

from .every_world import Person

BITS = 2
"""The height of every hierarchy: a label drops so many bits at most."""
PROTECTED = (Distinct(2), Distinct(3), Entropy(1.8), Recursive(2.5, 2), Share(0.5), Share(0.67))
"""Protections that classes of a few rows can keep."""


@dataclass(frozen=True)
class Asked:
    """What a release shall be.

    Parameters
    ----------
    levels
        The level of each attribute of the quasi-identifier.
    names
        What each column is called that the release shows.
    hidden
        The names that are suppressed if they have joined the quasi-identifier.
    blank
        Whether rows of small classes are kept with a blank quasi-identifier.
    policy
        The policy, where policies are mixed.
    withdrawn
        Whose rows must go where leavers are kept.
    protect
        The protections of the column "ill".
    """

    levels: tuple[int, ...]
    names: Mapping[str, str]
    hidden: frozenset[str] = frozenset()
    blank: bool = False
    policy: str = "based-on"
    withdrawn: frozenset[int] = frozenset()
    protect: tuple[Protection, ...] = ()

    @property
    def protected(self) -> tuple[tuple[str, Protection], ...]:
        """The protections with the name that the column has in the release, if it is shown."""
        return tuple((self.names["ill"], one) for one in self.protect if "ill" in self.names)


@dataclass(frozen=True)
class Story:
    """A source at several times, and what is asked for at each."""

    k: int
    times: tuple[tuple[Person, ...], ...]
    asked: tuple[Asked, ...]


def invent(draw: Random, coming: float = 0) -> Story:
    """Invent a few persons who come, leave, move and change, and two or three releases.

    ``coming``: how likely somebody comes who is not there.
    """
    people = draw.randint(3, 6) + (2 if coming else 0)
    attributes, k = draw.randint(1, 2), draw.choice([2, 2, 2, 3])
    columns = ["ill", "days"][: draw.randint(1, 2)]
    domain, tagged = draw.choice([2, 3, 10]), draw.random() < 0.5
    persons = []
    for who in range(people):
        numbers = tuple(draw.randrange(2 ** draw.randint(0, BITS)) for _ in range(attributes))
        values = {name: _value(draw, name, domain) for name in columns}
        tag = {"tag": 100 + who} if tagged else {}
        persons.append(Person(draw.random() < (0.5 if coming else 0.85), numbers, values | tag))
    times = [tuple(persons)]
    for _ in range(draw.randint(1, 2)):
        times.append(tuple(_change(draw, times[-1], domain, coming)))
    return Story(k, tuple(times), tuple(_ask(draw, times, attributes) for _ in times))


def protect(draw: Random, story: Story) -> Story:
    """Protect the illness in a story, in some of its releases."""
    asked = []
    for one in story.asked:
        some = tuple(draw.sample(PROTECTED, 1)) if draw.random() < 0.75 else ()
        asked.append(replace(one, protect=some, blank=False))
    return replace(story, asked=tuple(asked))


def _value(draw: Random, name: str, domain: int) -> int:
    """Draw a value; 0 is none, because it stands for the digest of what was never shown."""
    return draw.randrange(domain) + (20 if name == "days" else 1)


def _change(draw: Random, before: tuple[Person, ...], domain: int, coming: float) -> list[Person]:
    """Let persons come, leave, move and change, and some columns change for everybody."""
    calm = draw.choice([0.0, 0.1, 0.3])
    for_all = [name for name in before[0].values if name != "tag" and draw.random() < 0.25]
    exceptions = draw.choice([0, 0, 0.3])
    after = []
    for person in before:
        values = dict(person.values)
        for name in values:
            everybody = name in for_all and draw.random() >= exceptions
            if name != "tag" and (everybody or draw.random() < calm):
                values[name] = _value(draw, name, domain)
        present = person.present ^ (draw.random() < calm)
        present = present or (coming > 0 and draw.random() < coming)
        moves = draw.random() < calm / 2
        numbers = tuple(draw.randrange(2**BITS) if moves else n for n in person.numbers)
        after.append(Person(present, numbers, values))
    return after


def _ask(draw: Random, times: list[tuple[Person, ...]], attributes: int) -> Asked:
    """Ask for some levels and some columns, which may have another name than before."""
    levels = tuple(draw.randint(0, BITS) for _ in range(attributes))
    names = {
        name: draw.choice([name, name, name, f"{name} renamed"])
        for name in times[0][0].values
        if draw.random() < 0.85
    }
    hidden = frozenset(name for name in names.values() if draw.random() < 0.5)
    policy = draw.choice(["based-on", "check-only", "based-on, leavers kept", "increments"])
    blank, few = draw.random() < 0.3, draw.choice([0, 0, 0.3])
    withdrawn = frozenset(who for who in range(len(times[0])) if draw.random() < few)
    return Asked(levels, names, hidden, blank, policy, withdrawn)
