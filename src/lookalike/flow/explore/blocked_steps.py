"""Find which step of a hierarchy keeps the vector of a release from being lower."""

from dataclasses import dataclass

from lookalike.describe.frontier import TrialSetting, with_setting
from lookalike.flow.explore.point import Outcome
from lookalike.flow.explore.run_point import Surroundings
from lookalike.search.lattice.rollup import RollUps


@dataclass(frozen=True)
class LowerStep:
    """What one level less of one attribute would require.

    Parameters
    ----------
    method
        The method whose vector it is about.
    attribute
        The attribute.
    level
        Its level in the release.
    rows
        The number of rows that would have to be suppressed at the level below.
    allowed
        The number of rows that may be suppressed.
    """

    method: str
    attribute: str
    level: int
    rows: int
    allowed: int

    @property
    def is_blocked(self) -> bool:
        """Whether more rows would have to be suppressed than may be."""
        return self.rows > self.allowed


def find_lower_steps(
    around: Surroundings, setting: TrialSetting, outcome: Outcome
) -> tuple[LowerStep, ...]:
    """Evaluate each vector one step below that of a release."""
    asked = with_setting(around.specification, setting)
    frequency, requirement = around.counted.frequency, asked.requirement(around.rows)
    lattice, _ = asked.options().lattice_of(frequency)
    rollups = RollUps(frequency, requirement)
    vector = tuple((outcome.levels or {}).values())
    return tuple(
        LowerStep(
            method=setting.method,
            attribute=frequency.attributes[place],
            level=level,
            rows=rollups.suppressed((*vector[:place], level - 1, *vector[place + 1 :])),
            allowed=requirement.allowance(around.rows),
        )
        for place, level in enumerate(vector)
        if level > lattice.bottom[place]
    )
