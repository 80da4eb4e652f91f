"""Motor rotors behind gears: each adds its inertia, seen through the gear, to the mass matrix.

The rotor spins at N qd about its own axis; its kinetic energy is J (N qd)^2 / 2, its force N^T J N qdd. The gyroscopic
effect of a rotor carried by a moving link is left out, as is usual.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.model import Mechanism, RotorTerm
from leverarm.scalars import Scalar


def rotor_speed(rotor: RotorTerm, qd: Sequence[Scalar]) -> Scalar:
    """N qd, or N qdd for its acceleration."""
    return sum((gear * qd[j] for j, gear in rotor.gears), start=0)


def rotor_forces(arm: Mechanism, qdd: Sequence[Scalar]) -> list[Scalar]:
    """N^T J N qdd summed over the rotors. Ring."""
    tau: list[Scalar] = [0] * arm.dof
    for rotor in arm.rotors:
        force = rotor.inertia * rotor_speed(rotor, qdd)
        for j, gear in rotor.gears:
            tau[j] = tau[j] + gear * force
    return tau


def rotor_mass_matrix(arm: Mechanism) -> list[list[Scalar]]:
    """The sum of J N^T N: constant, so rotors add nothing to C or g. Ring."""
    return through_gears(arm, [rotor.inertia for rotor in arm.rotors])


def through_gears(arm: Mechanism, of_rotors: Sequence[Scalar]) -> list[list[Scalar]]:
    """The sum of x N^T N over the rotors: what is x at each shaft, as the coordinates feel it. Ring."""
    n = arm.dof
    A: list[list[Scalar]] = [[0] * n for _ in range(n)]
    for rotor, x in zip(arm.rotors, of_rotors, strict=True):
        for i, a in rotor.gears:
            for j, b in rotor.gears:
                A[i][j] = A[i][j] + a * x * b
    return A
