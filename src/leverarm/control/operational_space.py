"""The operational-space law: forces at a frame that make it move like a unit mass.

Khatib 1987, "A unified approach for motion and force control of robot manipulators: the operational space formulation".
With F = Lambda a + mu + p at the frame, for the desired acceleration a there, the forces

    tau = J^T F + (1 - J^T Jbar^T) tau_0,    Jbar = M^-1 J^T Lambda

accelerate the frame by a whatever tau_0 is. Here tau_0 = C qd + F(qd) + g - d M qd: it compensates the arm's dynamics
in the null space, so that a redundant arm does not swing about its tip, and damps the remaining motion at the rate d.
Then tau is inverse dynamics at qdd_0 = -d qd, plus J^T Lambda times the acceleration that the frame still lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leverarm import mechanics
from leverarm.arrays import Array as Floats
from leverarm.compiler import Array
from leverarm.control.control import Control, Target, finite, gains, listed, made, reference_of
from leverarm.control.law import Data, compensated_friction, total
from leverarm.control.signals import Moment, Signal, constant
from leverarm.errors import InputError
from leverarm.mechanics import ROWS, Task
from leverarm.mechanics.classical_motion import classical_motion
from leverarm.model import Arm, Mechanism
from leverarm.quantities.arrays import frame_name, over_floats, rows
from leverarm.scalars import Scalar, half
from leverarm.spatial import ORIGIN, Matrix3, Pose, Vec3

ANGULAR, LINEAR = ROWS[:3], ROWS[3:]
NOTHING = ("nothing",)
"""The placeholder reference of a law without linear axes: a signal has at least one number."""


@dataclass(frozen=True, slots=True)
class OperationalSpace:
    """Forces that accelerate some axes of a frame (the tool where it is None) by xdd_wanted + Kd xd_e + Kp x_e.

    Angular axes hold a constant orientation, linear ones follow the reference.
    """

    frame: str | None
    axes: tuple[str, ...]

    def reference(self, arm: Arm) -> Array:
        linear = tuple(axis for axis in self.axes if axis in LINEAR) or NOTHING
        return Array("target", (len(linear),), f"position of {frame_name(arm, self.frame)} [m]", linear)

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        _require_movable(arm, frame_name(arm, self.frame), self.axes)
        own = [
            Array("kp", (len(self.axes),), "acceleration per error of the pose [1/s^2]", self.axes),
            Array("kd", (len(self.axes),), "acceleration per error of velocity [1/s]", self.axes),
        ]
        if self._turns:
            own.append(Array("orientation", (9,), "world_from_frame as it should be, row by row"))
        if self._leaves_free(arm.dof):
            own.append(Array("null_damping", (1,), "rate at which motion that the frame does not feel dies out [1/s]"))
        return tuple(own)

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        frame, chosen = self.frame or model.tool, [ROWS.index(axis) for axis in self.axes]
        task = Task.of(model, q, frame, chosen)
        qdd_0 = [-(data["null_damping"][0] * rate) if self._leaves_free(model.dof) else 0 for rate in qd]
        pose = mechanics.forward_kinematics(model, q)[frame]
        a = self._acceleration(data, wanted, pose, mechanics.apply(task.J, qd))
        a_0 = frame_acceleration(model, q, qd, qdd_0, frame)
        force = mechanics.factorise(task.mobility()).solve([x - a_0[r] for x, r in zip(a, chosen, strict=True)])
        return total(
            mechanics.classical_inverse_dynamics(mechanics.without_friction(model), q, qd, qdd_0),
            compensated_friction(model, q, qd, [0] * model.dof),
            mechanics.apply(mechanics.transposed(task.J), force),
        )

    def _acceleration(self, data: Data, wanted: Moment, pose: Pose, velocity: Sequence[Scalar]) -> list[Scalar]:
        """xdd_wanted + Kd xd_e + Kp x_e, axis by axis."""
        missing = turn_error(pose.rotation, data["orientation"]) if self._turns else ORIGIN
        turn, here = dict(zip(ANGULAR, missing, strict=True)), dict(zip(LINEAR, pose.position, strict=True))
        followed, result = iter(zip(*wanted, strict=True)), []
        for axis, kp, kd, speed in zip(self.axes, data["kp"], data["kd"], velocity, strict=True):
            if axis in LINEAR:
                x, xd, xdd = next(followed)
                result.append(xdd + kd * (xd - speed) + kp * (x - here[axis]))
            else:
                result.append(kp * turn[axis] - kd * speed)
        return result

    @property
    def _turns(self) -> bool:
        return any(axis in ANGULAR for axis in self.axes)

    def _leaves_free(self, dof: int) -> bool:
        """Whether the arm is redundant: it can move without moving the frame along the axes."""
        return dof > len(self.axes)


def turn_error(R: Matrix3, wanted: Sequence[Scalar]) -> Vec3:
    """The orientation error, half the sum of r_i x r_i_wanted over the columns, world axes: sin(angle) axis.

    Luh, Walker and Paul 1980, "Resolved-acceleration control of mechanical manipulators". `wanted` is row by row. Ring.
    """
    error = ORIGIN
    for k, column in enumerate(zip(*R.rows(), strict=True)):
        error = error + Vec3(*column).cross(Vec3(*wanted[k::3]))
    return Vec3(*(half(part) for part in error))


def frame_acceleration(
    model: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], frame: str
) -> list[Scalar]:
    """J qdd + Jdot qd, angular and linear, of a frame in world axes, from inverse dynamics' outward pass. Ring."""
    at = model.attachments[frame]
    motion = classical_motion(model, q, qd, qdd)[at.link]
    R = mechanics.world_from_links(model, q)[at.link].rotation
    linear = R @ (motion.a + motion.A @ at.pose.position) + model.gravity
    return [*(R @ motion.wd), *linear]


def _require_movable(arm: Arm, frame: str, axes: Sequence[str]) -> None:
    """Raises InputError unless the axes are independent at a generic pose."""
    generic = [0.3 + 0.61803398875 * k for k in range(arm.dof)]
    whole = np.array(mechanics.jacobian(over_floats(arm), generic, frame), dtype=np.float64)
    J = whole[[ROWS.index(axis) for axis in axes]]
    if np.linalg.matrix_rank(J) < len(axes):
        movable = [axis for axis, row in zip(ROWS, whole, strict=True) if np.abs(row).max() > 1e-12]
        raise InputError(
            f"axes: arm {arm.name!r} with {arm.dof} coordinates cannot move frame {frame!r} along {listed(axes)} "
            f"independently. Choose fewer, among {listed(movable) or '(none)'}."
        )


ORTHONORMAL = 1e-6
"""Tolerance of R^T R = 1: orientations are often typed with six digits."""


def operational_space(
    target: Target | None,
    kp: ArrayLike,
    kd: ArrayLike,
    frame: str | None = None,
    axes: Sequence[str] | None = None,
    *,
    orientation: ArrayLike | None = None,
    null_damping: ArrayLike = 10.0,
    model: Arm | None = None,
    effort: ArrayLike | str | None = None,
) -> Control:
    """Joint forces that move a frame through the world as if it had unit mass: x_edd + Kd x_ed + Kp x_e = 0 [N m or N].

    Khatib 1987. `target` is a signal of the frame's position along the linear axes, or as many numbers [m]; angular
    axes hold `orientation`, a rotation matrix 3 x 3, world_from_frame. `axes` are some of wx wy wz x y z (world axes),
    in any order; by default x y z, and all six with an orientation. `kp` [1/s^2] and `kd` [1/s] are numbers, or one per
    axis. The null-space motion of a redundant arm is damped at the rate `null_damping` [1/s]. Viscous and smooth
    friction are compensated, dry friction is not. Where the frame cannot move along an axis (a singularity) the forces
    are infinite. `model` and `effort` as for `pd_gravity`; `frame` is the tool unless given.
    """
    usual = LINEAR if orientation is None else ROWS
    chosen = tuple(ROWS[r] for r in rows(usual if axes is None else axes))
    data = {name: gains(name, given, len(chosen)) for name, given in (("kp", kp), ("kd", kd))}
    data["null_damping"] = gains("null_damping", null_damping, 1)
    turns = any(axis in ANGULAR for axis in chosen)
    if turns != (orientation is not None):
        raise InputError(
            f"orientation: {'none' if turns else 'one'} was given, and the axes are {listed(chosen)}. Angular axes "
            "(wx, wy, wz) and an orientation (3 x 3, world_from_frame) go together."
        )
    if orientation is not None:
        data["orientation"] = _rotation(orientation)
    return made(OperationalSpace(frame, chosen), data, _reference(target, chosen), model, effort)


def _reference(target: Target | None, axes: Sequence[str]) -> Signal:
    linear = [axis for axis in axes if axis in LINEAR]
    if target is None and not linear:
        return constant([0.0])
    if target is None:
        raise InputError(f"target: none was given; it takes {len(linear)} numbers ({listed(linear)}), or a signal.")
    if not linear:
        raise InputError(f"target: one was given, but the axes {listed(axes)} only turn. Leave it out: target=None.")
    reference = reference_of(target)
    if reference.size != len(linear):
        raise InputError(
            f"target: {reference.size} numbers were given; the linear axes {listed(linear)} take {len(linear)}. Give "
            "one per axis, or name the axes that are meant, such as axes=('x', 'y')."
        )
    return reference


def _rotation(given: ArrayLike) -> Floats:
    R = finite("orientation", given)
    if R.shape[-2:] != (3, 3):
        raise InputError(f"orientation: an array of shape {R.shape} was given; it takes a rotation matrix, 3 x 3.")
    off = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max()
    if off > ORTHONORMAL or (np.linalg.det(R) < 0).any():
        raise InputError(
            "orientation: the matrix given is no rotation. Its columns must have length one, be perpendicular to each "
            "other and right-handed; that of a pose is la.forward_kinematics(arm, q, frame)[:3, :3]."
        )
    return R.reshape(*R.shape[:-2], 9)
