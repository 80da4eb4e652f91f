"""Motions, forces, inertias and poses: the laws of Featherstone 2008, chapter 2, exactly, at rational numbers."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from leverarm.spatial import Force, Inertia, Matrix3, Motion, Pose, Vec3
from leverarm.spatial.mass_moments import MassMoments
from leverarm.spatial.matrix3 import rotation_about, skew
from tests.support.random_arms import UNIT_AXES, mass_properties, vector

SEEDS = pytest.mark.parametrize("seed", range(8))


class Drawn:
    """What the laws are about, from one seed."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.u, self.v, self.w = (Motion(vector(rng), vector(rng)) for _ in range(3))
        self.f = Force(vector(rng), vector(rng))
        self.X, self.Y = (Pose(_rotation(rng), vector(rng)) for _ in range(2))
        body = mass_properties(rng)
        self.body = Inertia.from_com(body.mass, body.com, body.inertia)


def _rotation(rng: random.Random) -> Matrix3:
    """Two turns about rational axes, with the cosine and sine of a rational half tangent."""
    t = rng.choice((Fraction(1, 2), Fraction(-1, 3), Fraction(3, 4), Fraction(5)))
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    return rotation_about(Vec3(*rng.choice(UNIT_AXES[4:])), c, s) * rotation_about(Vec3(*rng.choice(UNIT_AXES)), c, s)


@SEEDS
def test_rotations_keep_products(seed):
    d = Drawn(seed)
    R, a, b = d.X.rotation, d.u.angular, d.v.angular
    assert (R @ a) @ (R @ b) == a @ b
    assert (R @ a).cross(R @ b) == R @ a.cross(b)
    assert R.transpose_apply(R @ a) == a
    assert skew(a) @ b == a.cross(b)


@SEEDS
def test_power_does_not_depend_on_the_frame(seed):
    d = Drawn(seed)
    assert d.X.motion_into_child(d.v) @ d.X.force_into_child(d.f) == d.v @ d.f
    assert d.X.motion_into_parent(d.v) @ d.X.force_into_parent(d.f) == d.v @ d.f


@SEEDS
def test_poses_compose_and_invert(seed):
    d = Drawn(seed)
    point = d.u.linear
    assert (d.X * d.Y) @ point == d.X @ (d.Y @ point)
    assert d.X.inverse() @ (d.X @ point) == point
    assert (d.X * d.Y).motion_into_parent(d.v) == d.X.motion_into_parent(d.Y.motion_into_parent(d.v))
    assert (d.X * d.Y).force_into_parent(d.f) == d.X.force_into_parent(d.Y.force_into_parent(d.f))
    assert d.X.motion_into_child(d.X.motion_into_parent(d.v)) == d.v
    assert d.X.force_into_child(d.X.force_into_parent(d.f)) == d.f


@SEEDS
def test_cross_products(seed):
    """v x v = 0, the Jacobi identity, and v x* is minus the transpose of v x; none depends on the frame."""
    d = Drawn(seed)
    zero = d.v - d.v
    assert d.v.cross(d.v) == zero
    assert d.u.cross(d.v.cross(d.w)) + d.v.cross(d.w.cross(d.u)) + d.w.cross(d.u.cross(d.v)) == zero
    assert d.u.cross(d.v) @ d.f == -(d.v @ d.u.cross_force(d.f))
    into = d.X.motion_into_parent
    assert into(d.u.cross(d.v)) == into(d.u).cross(into(d.v))


@SEEDS
def test_inertia_is_symmetric_positive_and_moves_with_the_frame(seed):
    d = Drawn(seed)
    assert d.u @ (d.body @ d.v) == d.v @ (d.body @ d.u)
    assert d.v @ (d.body @ d.v) > 0
    moved = d.body.into_parent(d.X)
    assert moved @ d.X.motion_into_parent(d.v) == d.X.force_into_parent(d.body @ d.v)
    assert (moved + moved) @ d.v == moved @ d.v + moved @ d.v
    assert Inertia.from_numbers(*d.body.numbers()) == d.body


@SEEDS
def test_newton_and_euler(seed):
    """f = I a + v x* I v; it does no work on v beyond d/dt of v . I v / 2."""
    d = Drawn(seed)
    f = d.body.newton_euler(d.v, d.u)
    assert f == d.body @ d.u + d.v.cross_force(d.body @ d.v)
    assert d.v @ f == d.v @ (d.body @ d.u)


@SEEDS
def test_mass_moments_are_another_form_of_inertia(seed):
    d = Drawn(seed)
    moments = MassMoments.of(d.body)
    assert moments.to_inertia() == d.body
    assert moments.into_parent(d.X).to_inertia() == d.body.into_parent(d.X)
