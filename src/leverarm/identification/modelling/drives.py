"""How the drives of an arm are modelled: friction of each joint, motors that turn with two joints."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JointModel:
    """Friction of one joint: viscous speed + Coulomb sgn(speed) + offset.

    With `smoothing` w sgn(speed) is tanh(speed / w). Asymmetric friction has another viscous coefficient backwards;
    another Coulomb one is the same as an offset.
    """

    smoothing: float | None = None
    is_asymmetric: bool = False

    def __str__(self) -> str:
        viscous = "viscous each way" if self.is_asymmetric else "viscous"
        coulomb = "Coulomb" if self.smoothing is None else f"Coulomb tanh(v/{self.smoothing:.2g})"
        return f"{viscous} + {coulomb}"


@dataclass(frozen=True, slots=True)
class Coupling:
    """The motor of joint `motor` turns with joint `also` too: as fast as its own joint + ratio times the other."""

    motor: int
    also: int
    ratio: float


@dataclass(frozen=True, slots=True)
class DriveModel:
    """A model for each joint, and the couplings between motors and other joints."""

    joints: tuple[JointModel, ...]
    couplings: tuple[Coupling, ...] = ()


def plain_drives(dof: int) -> DriveModel:
    """Symmetric friction with a sharp sign in every joint, no couplings."""
    return DriveModel((JointModel(),) * dof)
