"""Springs in the joints: of a joint at x, the energy k (x - x0)^2 / 2 and the force k (x - x0) that holds it there.

A spring's energy is part of the potential energy P, so its force is part of g = dP/dq: M qdd + C qd + F + g = tau keeps
its form, and with it every statement about energy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leverarm.model import Mechanism
from leverarm.scalars import Scalar, as_length, half


def stretches(arm: Mechanism, q: Sequence[Scalar]) -> list[Scalar]:
    """How far each joint's spring is from rest [rad or m]; 0 for joints without a spring."""
    joints = zip(arm.springs, arm.joint_values(q), strict=True)
    return [0 if spring is None else as_length(x) - spring.rest for spring, x in joints]


def spring_energies(arm: Mechanism, q: Sequence[Scalar]) -> list[Scalar]:
    """k (x - x0)^2 / 2 of each joint [J]; 0 for joints without a spring. Ring, O(n)."""
    joints = zip(arm.springs, stretches(arm, q), strict=True)
    return [0 if spring is None else half(spring.stiffness * x * x) for spring, x in joints]


def joint_springs(arm: Mechanism, q: Sequence[Scalar]) -> list[Scalar]:
    """k (x - x0) of each joint, what its spring asks of it [N m or N]; 0 for joints without a spring."""
    joints = zip(arm.springs, stretches(arm, q), strict=True)
    return [0 if spring is None else spring.stiffness * x for spring, x in joints]


def spring_forces(arm: Mechanism, q: Sequence[Scalar]) -> list[Scalar]:
    """The forces along the coordinates that hold the joints against their springs [N m or N]. Ring, O(n)."""
    if not arm.has_springs:
        return [0] * arm.dof
    return arm.generalised_forces(joint_springs(arm, q))


def with_joint_springs(arm: Mechanism, q: Sequence[Scalar], forces: Sequence[Scalar]) -> list[Scalar]:
    """Forces of the joints, before the couplings, with those of their springs added."""
    if not arm.has_springs:
        return list(forces)
    return [force + spring for force, spring in zip(forces, joint_springs(arm, q), strict=True)]


def plus_springs(arm: Mechanism, q: Sequence[Scalar], forces: Sequence[Scalar]) -> list[Scalar]:
    """Forces along the coordinates with those of the springs added."""
    if not arm.has_springs:
        return list(forces)
    return [force + spring for force, spring in zip(forces, spring_forces(arm, q), strict=True)]


def stiffnesses(arm: Mechanism) -> list[Scalar]:
    """k of each joint [N m/rad or N/m], the slope of its spring's force."""
    return [0 if spring is None else spring.stiffness for spring in arm.springs]


def with_stiffnesses(arm: Mechanism, given: Sequence[Scalar]) -> Mechanism:
    """The same arm with these stiffnesses of its springs, joint by joint; joints without a spring stay without."""
    pairs = zip(arm.springs, given, strict=True)
    return replace(arm, springs=tuple(spring and replace(spring, stiffness=k) for spring, k in pairs))


def without_springs(arm: Mechanism) -> Mechanism:
    """The same arm without springs."""
    return replace(arm, springs=(None,) * len(arm.springs))
