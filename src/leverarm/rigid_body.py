"""One rigid body in numbers: angular velocities and rotation rates, velocities of points, kinetic energy by parts.

Arrays in, arrays out; `la.theory("rigid-body")` derives each of them. Mass properties are `la.inertia`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm import mechanics as me
from leverarm.arrays import Array
from leverarm.errors import InputError, require_known
from leverarm.model.inertias import about_com
from leverarm.spatial import Inertia, Matrix3, Vec3
from leverarm.spatial import skew as _skew

__all__ = [
    "angular_velocity", "angular_velocity_shares", "block_inertia", "kinetic_energy", "point_velocity",
    "rotation_rate", "skew", "vector_of_skew",
]  # fmt: skip

AXES = ("base", "body")
SLACK = 1e-6
"""How far R may be from a rotation and Rdot R^T from skew, as a part of their size."""


def skew(w: ArrayLike) -> Array:
    """S(w), 3 x 3, with S(w) u = w x u.

    >>> skew([1, 2, 3])
    array([[ 0., -3.,  2.],
           [ 3.,  0., -1.],
           [-2.,  1.,  0.]])
    """
    return _array(_skew(_vector("w", w)))


def vector_of_skew(S: ArrayLike) -> Array:
    """The vector w of a skew-symmetric matrix S(w). Raises InputError for another matrix."""
    matrix = _matrix("S", S)
    rows = _array(matrix)
    _refuse(rows + rows.T, rows, "S + S^T is not zero; a skew-symmetric matrix is needed, such as Rdot R^T.")
    return _array(me.vector_of_skew(matrix))


def angular_velocity(R: ArrayLike, R_dot: ArrayLike, axes: str = "base") -> Array:
    """w [rad/s] from a rotation and its rate: of S(w) = Rdot R^T in "base" axes, of R^T Rdot in "body" axes.

    >>> angular_velocity(np.eye(3), skew([0, 0, 2]))
    array([0., 0., 2.])
    """
    return vector_of_skew(_array(me.skew_of_rate(_rotation(R), _matrix("R_dot", R_dot), _axes(axes))))


def rotation_rate(R: ArrayLike, w: ArrayLike, axes: str = "base") -> Array:
    """Rdot = S(w) R with w in "base" axes, R S(w) with w in "body" axes [1/s]."""
    return _array(me.rotation_rate(_rotation(R), _vector("w", w), _axes(axes)))


def angular_velocity_shares(rotations: Sequence[ArrayLike], relative: Sequence[ArrayLike]) -> Array:
    """w_1, R_1 w_2, R_1 R_2 w_3, ...: what each joint of a chain adds to the last body's w, n x 3, base axes [rad/s].

    `rotations` are those of each body in the one before it, `relative` its angular velocity against that one, in that
    one's axes. Their sum is w of the last body.
    """
    if len(rotations) != len(relative):
        raise InputError(f"{len(rotations)} rotations and {len(relative)} angular velocities; give one of each a body.")
    turns = [_rotation(R) for R in rotations]
    return np.array([[*w] for w in me.angular_velocity_shares(turns, [_vector("w", w) for w in relative])], dtype=float)


def point_velocity(v_o: ArrayLike, w: ArrayLike, p: ArrayLike) -> Array:
    """v = v_o + w x p [m/s] of the point of a body at p from o, whose velocity is v_o; all in the same axes."""
    return np.array([*me.point_velocity(_vector("v_o", v_o), _vector("w", w), _vector("p", p))], dtype=float)


def kinetic_energy(body: Inertia, v: ArrayLike, w: ArrayLike) -> tuple[float, float]:
    """Energy of translation m v_c^2 / 2 and of rotation w^T I_c w / 2 [J].

    `body` is about a point that moves with v, in the axes of v and w.
    """
    translation, rotation = me.kinetic_energy_of_body(_numbers(body), _vector("v", v), _vector("w", w))
    return float(translation), float(rotation)


def block_inertia(body: Inertia) -> Array:
    """diag(m E, I_c), 6 x 6: K is half of [v_c; w]^T of it times [v_c; w]. About the centre of mass, same axes."""
    numbers = _numbers(body)
    block = np.zeros((6, 6))
    block[:3, :3] = numbers.m * np.eye(3)
    block[3:, 3:] = about_com(numbers).full().rows()
    return block


def _numbers(body: Inertia) -> Inertia:
    if not isinstance(body, Inertia):
        raise InputError(f"{body!r} was given; an inertia is needed, as from la.inertia.box(0.1, 0.2, 0.3, mass=2).")
    try:
        return Inertia.from_numbers(*(float(number) if number else 0 for number in body.numbers()))
    except TypeError:
        raise InputError("the inertia holds symbols; give them values first (la.model.to_float).") from None


def _axes(axes: str) -> Any:
    require_known("axes", axes, AXES)
    return axes


def _vector(name: str, v: ArrayLike) -> Vec3:
    return Vec3(*_finite(name, v, (3,), "three numbers").tolist())


def _matrix(name: str, A: ArrayLike) -> Matrix3:
    return Matrix3(*(Vec3(*row) for row in _finite(name, A, (3, 3), "a 3 x 3 matrix").tolist()))


def _rotation(R: ArrayLike) -> Matrix3:
    matrix = _matrix("R", R)
    rows = _array(matrix)
    is_right_handed = np.linalg.det(rows) > 0
    _refuse(
        rows @ rows.T - np.eye(3) if is_right_handed else np.eye(3),
        np.eye(3),
        "R is no rotation: R R^T must be the unit matrix and det R = 1.",
    )
    return matrix


def _finite(name: str, values: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    try:
        found = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} is {values!r}; {what} are needed.") from None
    if found.shape != shape or not np.isfinite(found).all():
        raise InputError(f"{name} is {values!r}; {what} are needed, all finite.")
    return found


def _refuse(rest: Array, whole: Array, message: str) -> None:
    if np.abs(rest).max() > SLACK * max(np.abs(whole).max(), 1e-300):
        raise InputError(message)


def _array(matrix: Matrix3 | Vec3) -> Array:
    rows = matrix.rows() if isinstance(matrix, Matrix3) else [*matrix]
    return np.array(rows, dtype=np.float64)
