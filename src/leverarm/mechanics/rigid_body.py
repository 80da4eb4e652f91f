"""One rigid body: its rotation and how fast it turns, the velocities of its points, and its kinetic energy.

S(w) is the matrix with S(w) u = w x u. A body turns with w in base axes, Rdot = S(w) R, or with W = R^T w in its own
axes, Rdot = R S(W).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from leverarm.scalars import Scalar, divide, half, is_zero
from leverarm.spatial import IDENTITY, ORIGIN, Inertia, Matrix3, Symmetric3, Vec3, point_inertia, skew

Axes = Literal["base", "body"]
"""The axes that an angular velocity is given in."""


def rotation_rate(R: Matrix3, w: Vec3, axes: Axes = "base") -> Matrix3:
    """Rdot = S(w) R with w in base axes, R S(w) with w in the body's. Ring."""
    return skew(w) * R if axes == "base" else R * skew(w)


def skew_of_rate(R: Matrix3, R_dot: Matrix3, axes: Axes = "base") -> Matrix3:
    """S = Rdot R^T in base axes, R^T Rdot in the body's; skew-symmetric, because R R^T = 1. Ring."""
    return R_dot * R.transposed() if axes == "base" else R.transposed() * R_dot


def vector_of_skew(S: Matrix3) -> Vec3:
    """The vector w of S(w), from its entries below the diagonal and above in the corner. Ring."""
    return Vec3(S.r2.y, S.r0.z, S.r1.x)


def angular_velocity(R: Matrix3, R_dot: Matrix3, axes: Axes = "base") -> Vec3:
    """w of a body whose rotation changes so. Ring."""
    return vector_of_skew(skew_of_rate(R, R_dot, axes))


def angular_velocity_shares(rotations: Sequence[Matrix3], relative: Sequence[Vec3]) -> list[Vec3]:
    """What each joint of a chain adds to w_n = w_1 + R_1 w_2 + R_1 R_2 w_3 + ...: each in base axes. Ring.

    `rotations` are those of each body in the one before it, `relative` its angular velocity against that, in its axes.
    """
    shares, R = [], IDENTITY
    for turn, w in zip(rotations, relative, strict=True):
        shares.append(R @ w)
        R = R * turn
    return shares


def point_velocity(v_o: Vec3, w: Vec3, p: Vec3) -> Vec3:
    """v = v_o + w x p of the point of a body at p from o. Ring."""
    return v_o + w.cross(p)


def kinetic_energy_of_body(body: Inertia, v: Vec3, w: Vec3) -> tuple[Scalar, Scalar]:
    """m v_c . v_c / 2 of translation and w . I_c w / 2 of rotation about the centre of mass [J] (König). Field.

    `body` is about a point of the body that moves with v; all of it in the same axes.
    """
    com = ORIGIN if is_zero(body.m) else Vec3(*(divide(part, body.m) for part in body.h))
    at_com: Symmetric3 = point_inertia(com) * body.m
    v_c = point_velocity(v, w, com)
    return half(body.m * (v_c @ v_c)), half(w @ ((body.I - at_com) @ w))
