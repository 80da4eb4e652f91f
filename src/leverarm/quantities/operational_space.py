"""The arm as felt at a frame: effective mass, mobility, bias and gravity forces, also at and near singular poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leverarm import mechanics
from leverarm.arrays import Array
from leverarm.errors import InputError, SingularError, require_known
from leverarm.mechanics import ROWS
from leverarm.model import Arm
from leverarm.quantities.arrays import array, coordinates, frame_name, numbers, over_floats, rows
from leverarm.quantities.dynamics import mass_matrix, require_regular_mass

IMMOVABLE = 1e-10
"""A direction whose mobility is this much below that of the easiest direction counts as one that cannot move."""
POLICIES = ("raise", "restrict")


@dataclass(frozen=True, slots=True)
class _Felt:
    """An arm at a pose as felt at some axes of a frame."""

    arm: Arm
    frame: str
    axes: list[int]
    task: mechanics.Task

    @staticmethod
    def at(arm: Arm, q: ArrayLike, frame: str | None, axes: Sequence[str] | None) -> _Felt:
        """Raises SingularError where M has no inverse."""
        name = frame_name(arm, frame)
        chosen = rows(task_axes(arm, name) if axes is None else axes)
        require_regular_mass(arm, mass_matrix(arm, q))
        return _Felt(arm, name, chosen, mechanics.Task.of(over_floats(arm), coordinates(arm, "q", q), name, chosen))


def mobility(arm: Arm, q: ArrayLike, frame: str | None = None, axes: Sequence[str] | None = None) -> Array:
    """J M^-1 J^T, k x k: acceleration of the frame per unit force on it [1/kg, ...]. Exists wherever M^-1 does.

    `axes` chooses k rows among wx wy wz x y z (world axes); by default see `task_axes`.
    """
    return array(_Felt.at(arm, q, frame, axes).task.mobility())


def operational_inertia(
    arm: Arm,
    q: ArrayLike,
    frame: str | None = None,
    axes: Sequence[str] | None = None,
    singular: str = "raise",
    damping: float = 0.0,
) -> Array:
    """Lambda = (J M^-1 J^T)^-1, k x k, the effective mass at a frame [kg, kg m, kg m^2]; (J^-1)^T M J^-1 for square J.

    `axes` chooses k rows among wx wy wz x y z; by default all directions in which the frame can move, or the linear
    ones alone where there are more of them than coordinates (see `task_axes`). At a singular pose some direction cannot
    move and its inertia is infinite. `singular` says what to answer then: "raise" SingularError, or "restrict" to the
    directions that can move, with zero along the others. With `damping` d > 0 the answer is (J M^-1 J^T + d 1)^-1,
    finite and smooth at every pose: no direction feels heavier than 1/d.
    """
    return _inertia(_Felt.at(arm, q, frame, axes), singular, damping)


def operational_bias(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    frame: str | None = None,
    axes: Sequence[str] | None = None,
    singular: str = "raise",
    damping: float = 0.0,
) -> Array:
    """mu = Lambda (J M^-1 c - Jdot qd), k: Coriolis and centrifugal forces at the frame [N m, N].

    `axes`, `singular` and `damping` as for `operational_inertia`.
    """
    felt, mechanism = _Felt.at(arm, q, frame, axes), over_floats(arm)
    at, rate = coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    drift = array(mechanics.jacobian_dot(mechanism, at, rate, felt.frame))[felt.axes] @ array(rate)
    pushed = array(felt.task.felt(mechanics.coriolis_torques(mechanism, at, rate)))
    return array(_inertia(felt, singular, damping) @ (pushed - drift))


def operational_gravity(
    arm: Arm,
    q: ArrayLike,
    frame: str | None = None,
    axes: Sequence[str] | None = None,
    singular: str = "raise",
    damping: float = 0.0,
) -> Array:
    """g_x = Lambda J M^-1 g, k: the gravity forces at the frame [N m, N].

    `axes`, `singular` and `damping` as for `operational_inertia`.
    """
    felt = _Felt.at(arm, q, frame, axes)
    pushed = felt.task.felt(mechanics.gravity_forces(over_floats(arm), coordinates(arm, "q", q)))
    return array(_inertia(felt, singular, damping) @ array(pushed))


def task_axes(arm: Arm, frame: str | None = None) -> tuple[str, ...]:
    """The axes meant when none are named: every direction in which the frame can move at all, if they are independent,
    else as many of the linear ones as are. A planar 2R arm gives x, y; a SCARA wz, x, y, z; a 7R arm all six.
    """
    name = frame_name(arm, frame)
    generic = [0.3 + 0.61803398875 * k for k in range(arm.dof)]  # a pose that is special in no way
    J = array(mechanics.jacobian(over_floats(arm), generic, name))
    size = np.abs(J).max(axis=1)
    reach = [axis for axis, largest in zip(ROWS, size, strict=True) if largest > 1e-12 * size.max()]
    if not reach:
        raise InputError(f"arm {arm.name!r}: no joint moves frame {name!r}. Choose a frame of a moving body.")
    if len(reach) <= np.linalg.matrix_rank(J):
        return tuple(reach)
    chosen: list[int] = []
    for row in range(3, 6) if size[3:].any() else range(3):
        if np.linalg.matrix_rank(J[[*chosen, row]]) > len(chosen):
            chosen.append(row)
    return tuple(ROWS[row] for row in sorted(chosen))


def _inertia(felt: _Felt, singular: str, damping: float) -> Array:
    """The inverse of the mobility, by its eigenvectors."""
    require_known("policy", singular, POLICIES, "singular")
    (damping,) = numbers("damping", [damping], ("d",))
    if damping < 0:
        raise InputError(f"damping is {damping}; it is a mobility [1/kg], zero or positive.")
    values, vectors = np.linalg.eigh(array(felt.task.mobility()))
    movable = values > IMMOVABLE * max(float(values[-1]), 0.0)
    if damping > 0:
        values, movable = np.maximum(values, 0) + damping, np.full(len(values), True)
    elif singular == "raise" and not movable.all():
        blocked = "; ".join(_direction(vectors[:, k], felt.axes) for k in np.flatnonzero(~movable))
        raise SingularError(
            f"arm {felt.arm.name!r} is at a singular pose: frame {felt.frame!r} cannot move along {blocked}, so its "
            f"inertia is infinite there. Choose other axes (now {', '.join(ROWS[r] for r in felt.axes)}), or "
            "`singular` = restrict for the directions that can move, or a `damping` above zero; `mobility` has a value "
            "here."
        )
    kept = vectors[:, movable]
    with np.errstate(all="ignore"):  # `array` reports what overflows
        Lambda = kept @ np.diag(1 / values[movable]) @ kept.T
        return array((Lambda + Lambda.T) / 2)


def _direction(vector: Array, chosen: Sequence[int]) -> str:
    parts = [f"{part:.3g} {ROWS[r]}" for r, part in zip(chosen, vector, strict=True) if abs(part) > 1e-6]
    return "(" + ", ".join(parts) + ")"
