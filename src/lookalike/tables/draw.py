"""Draw: the randomness of one release."""

import hashlib
import secrets
from dataclasses import dataclass, field

import numpy as np

SEED_BYTES = 32


@dataclass(frozen=True)
class Draw:
    """What is random about one release, drawn once from the operating system's entropy.

    Row order and the choice among rows with equal values follow from it, so every output of a
    release shows the same rows. Two draws of one release would undo each other: a row that is
    suppressed in one may be shown in the other.

    ``seed``: the entropy. Anyone who has it can undo the row order, so it is never shown or stored.
    """

    seed: bytes = field(default_factory=lambda: secrets.token_bytes(SEED_BYTES), repr=False)

    def generator(self) -> np.random.Generator:
        """Return a generator that starts at the same place each time."""
        return np.random.default_rng(np.frombuffer(self.seed, dtype=np.uint32))

    def key(self, purpose: str) -> str:
        """Return a secret key for a keyed hash in an engine, another one for each purpose.

        Examples
        --------
        >>> draw = Draw()
        >>> draw.key("order") == draw.key("order"), draw.key("order") == draw.key("choice")
        (True, False)
        """
        return hashlib.blake2b(purpose.encode(), key=self.seed, digest_size=16).hexdigest()
