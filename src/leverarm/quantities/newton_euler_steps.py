"""What the Newton-Euler recursion finds on its way out and back: poses, twists, accelerations and wrenches, by link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.mechanics.kinematics import forward_kinematics
from leverarm.mechanics.screw_form import screw_recursion
from leverarm.model import Arm
from leverarm.quantities.arrays import array, coordinates, matrix4, over_floats
from leverarm.quantities.arrays import wrenches as read_wrenches
from leverarm.spatial import Force


@dataclass(frozen=True, slots=True)
class LinkStep:
    """One link, everything in its own frame, angular parts and moments first."""

    link: str
    parent: str
    T: Array
    """T_{i,parent}: the parent's pose in the link's frame, 4 x 4."""
    V: Array
    """The twist, 6 [rad/s, m/s]."""
    V_dot: Array
    """Its time derivative in the moving frame, less gravity, 6 [rad/s^2, m/s^2]."""
    F: Array
    """The wrench that the link's joint brings up, 6 [N m, N]."""
    tau: float
    """Its component along the joint, F^T A; rotors, springs and friction come on top [N m or N]."""


def newton_euler_steps(
    arm: Arm, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *, wrenches: Mapping[str, ArrayLike] | None = None
) -> tuple[LinkStep, ...]:
    """T, V, Vdot and F of every moving link, from the base outwards: Modern Robotics, equations 8.50-8.54.

    `wrenches` is as for `inverse_dynamics`, on at most one frame: six numbers that act on the arm, in world axes. The
    wrench of the tip, F_{n+1}, is the opposite in the frame's own axes.
    """
    mechanism = over_floats(arm)
    state = coordinates(arm, "q", q), coordinates(arm, "qd", qd), coordinates(arm, "qdd", qdd)
    outside = read_wrenches(arm, wrenches)
    if len(outside) > 1:
        raise InputError(f"wrenches act on {', '.join(outside)}; the steps of Newton-Euler take one. Give one frame.")
    tip = None
    for frame, wrench in outside.items():
        back = forward_kinematics(mechanism, state[0])[frame].rotation.transposed()
        tip = (frame, Force(-(back @ wrench.moment), -(back @ wrench.force)))
    run = screw_recursion(mechanism, *state, tip)
    names = [*(link.name for link in mechanism.links), arm.base]
    return tuple(
        LinkStep(
            link.name,
            names[link.parent],
            matrix4(run.T[i]),
            array([*run.V[i].angular, *run.V[i].linear]),
            array([*run.V_dot[i].angular, *run.V_dot[i].linear]),
            array([*run.F[i].moment, *run.F[i].force]),
            float(run.tau[i]),
        )
        for i, link in enumerate(mechanism.links)
    )
