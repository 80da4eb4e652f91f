"""What two logs tell of a load: its mass, centre and inertia, how sure they are, and the arm that carries it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from leverarm.arrays import Array
from leverarm.identification.result import Estimates, Validation
from leverarm.lint.finding import Finding
from leverarm.model import Arm

if TYPE_CHECKING:
    from leverarm.identification.result import Identified


@dataclass(frozen=True, slots=True)
class PayloadEstimate:
    """A load at a frame of an arm: mass [kg], centre of mass (3,) [m] and tensor about it (3, 3) [kg m^2], in the
    frame's axes.

    They are of the likeliest body that can exist, ready for `la.payload(mass, com, inertia)`. `numbers` are the same
    ten ("mass", "com.x", "inertia.xx") by least squares, with standard errors, 95 % intervals and whether the torques
    tell them; `covariance` (10, 10) is of m, m c and the six moments about the frame's origin.

    `before` are the errors of the loaded arm's torques predicted without the load, `after` with it, every block of time
    by the others. `arm` carries the load as a body, `without` is what was identified of the arm alone, None where the
    arm was taken as described. `accepted` says whether the torques tell the mass, and nothing speaks against it.
    """

    frame: str
    mass: float
    com: Array
    inertia: Array
    numbers: Estimates
    covariance: Array
    before: Validation
    after: Validation
    findings: tuple[Finding, ...]
    accepted: bool
    arm: Arm
    without: Identified | None
    seconds: float

    def save(self, path: str | Path) -> Path:
        """Writes payload.json, arm.toml and, where possible, arm.urdf into a folder; or one file by its ending.

        A .json file gets the numbers, a .toml or .urdf file the arm with its load. Returns the path.
        """
        from leverarm.identification.loads.payload_files import save_payload

        return save_payload(self, Path(path))
