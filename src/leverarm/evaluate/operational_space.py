"""What the arm feels like at a frame, with a defined answer at singular poses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from leverarm import mechanics
from leverarm.errors import InputError, SingularError, unknown_name
from leverarm.evaluate.arrays import Array, array, coordinates, frame_name, over_floats, rows
from leverarm.evaluate.dynamics import mass_matrix, require_regular_mass
from leverarm.mechanics import ROWS
from leverarm.model import Arm

IMMOVABLE = 1e-10
"""A direction whose mobility is this much below that of the easiest direction counts as one that cannot move."""
POLICIES = ("raise", "restrict", "damp")


def mobility(arm: Arm, q: ArrayLike, frame: str | None = None, axes: Sequence[str] | None = None) -> Array:
    """J M^-1 J^T: acceleration of the frame per unit force on it [1/kg, ...]. Exists at every pose.

    `axes` chooses rows among wx wy wz x y z (world axes); by default see `task_axes`.
    """
    name = frame_name(arm, frame)
    require_regular_mass(arm, mass_matrix(arm, q))
    chosen = rows(axes if axes is not None else task_axes(arm, name))
    return array(mechanics.Task.of(over_floats(arm), coordinates(arm, "q", q), name, chosen).mobility())


def operational_inertia(
    arm: Arm,
    q: ArrayLike,
    frame: str | None = None,
    axes: Sequence[str] | None = None,
    singular: str = "raise",
) -> Array:
    """Lambda = (J M^-1 J^T)^-1, the effective mass at a frame [kg, kg m^2]; (J^-1)^T M J^-1 where J is square.

    `axes` chooses rows among wx wy wz x y z; by default all directions in which the frame can move, or the linear ones
    alone where there are more of them than coordinates (see `task_axes`). At a singular pose, where some direction
    cannot move, `singular` says what to answer: "raise" SingularError; "restrict" to the directions that can move (zero
    along the others); "damp", the inverse with IMMOVABLE times the largest mobility added.
    """
    if singular not in POLICIES:
        raise InputError("singular: " + unknown_name("policy", singular, POLICIES))
    name = frame_name(arm, frame)
    chosen = rows(axes if axes is not None else task_axes(arm, name))
    values, vectors = np.linalg.eigh(mobility(arm, q, name, [ROWS[r] for r in chosen]))
    floor = IMMOVABLE * max(float(values[-1]), 0.0)
    movable = values > floor
    if singular == "damp":
        return _symmetric(vectors @ np.diag(1 / (np.maximum(values, 0) + floor)) @ vectors.T)
    if singular == "raise" and not movable.all():
        blocked = "; ".join(_direction(vectors[:, k], chosen) for k in np.flatnonzero(~movable))
        raise SingularError(
            f"arm {arm.name!r} is at a singular pose: frame {name!r} cannot move along {blocked}, so its inertia there "
            f"is infinite. Choose other axes (now {', '.join(ROWS[r] for r in chosen)}), or singular='restrict' for "
            "the directions that can move, or singular='damp'; `mobility` exists everywhere."
        )
    kept = vectors[:, movable]
    return _symmetric(kept @ np.diag(1 / values[movable]) @ kept.T)


def operational_bias(
    arm: Arm, q: ArrayLike, qd: ArrayLike, frame: str | None = None, axes: Sequence[str] | None = None
) -> Array:
    """mu = Lambda (J M^-1 c - Jdot qd): Coriolis and centripetal forces felt at the frame [N m, N]."""
    name, chosen = _regular_task(arm, q, frame, axes)
    at, rate = coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    return array(mechanics.operational_bias(over_floats(arm), at, rate, name, chosen))


def operational_gravity(arm: Arm, q: ArrayLike, frame: str | None = None, axes: Sequence[str] | None = None) -> Array:
    """p = Lambda J M^-1 g: the arm's weight felt at the frame [N m, N]."""
    name, chosen = _regular_task(arm, q, frame, axes)
    return array(mechanics.operational_gravity(over_floats(arm), coordinates(arm, "q", q), name, chosen))


def task_axes(arm: Arm, frame: str | None = None) -> tuple[str, ...]:
    """The axes meant when none are named: every direction in which the frame can move at all, if there are enough
    coordinates for them, else the linear ones. A planar 2R arm gives x, y; a SCARA wz, x, y, z; a 7R arm all six.
    """
    mechanism = over_floats(arm)
    generic = [0.3 + 0.61803398875 * k for k in range(arm.dof)]  # a pose that is special in no way
    J = array(mechanics.jacobian(mechanism, generic, frame_name(arm, frame)))
    size = np.abs(J).max(axis=1)
    reach = [axis for axis, largest in zip(ROWS, size, strict=True) if largest > 1e-12 * size.max()]
    linear = [axis for axis in reach if axis in ROWS[3:]]
    return tuple(reach if len(reach) <= arm.dof or not linear else linear)


def _regular_task(arm: Arm, q: ArrayLike, frame: str | None, axes: Sequence[str] | None) -> tuple[str, list[int]]:
    """The frame and rows of a task, once it is known not to be singular here."""
    operational_inertia(arm, q, frame, axes)
    name = frame_name(arm, frame)
    return name, rows(axes if axes is not None else task_axes(arm, name))


def _symmetric(A: Array) -> Array:
    return array((A + A.T) / 2)


def _direction(vector: Array, chosen: Sequence[int]) -> str:
    parts = [f"{part:.3g} {ROWS[r]}" for r, part in zip(chosen, vector, strict=True) if abs(part) > 1e-6]
    return "(" + ", ".join(parts) + ")"
