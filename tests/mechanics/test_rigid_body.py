"""One rigid body in numbers: against turning it a little, against sums over mass points, and against chains of arms."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.errors import InputError
from leverarm.scalars import along, slope, value
from leverarm.spatial import Vec3
from tests.support.levels import at_level

RNG = np.random.default_rng(7)


def rotation(rng: np.random.Generator) -> np.ndarray:
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return Q * np.sign(np.linalg.det(Q))


def turned(w: np.ndarray) -> np.ndarray:
    """exp(S(w)) by its series."""
    S, term, total = la.rigid_body.skew(w), np.eye(3), np.eye(3)
    for k in range(1, 25):
        term = term @ S / k
        total = total + term
    return total


@pytest.mark.parametrize("seed", range(at_level(3, 8, 20)))
def test_both_frames_against_turning_a_little(seed):
    rng = np.random.default_rng(seed)
    R, w, eps = rotation(rng), rng.normal(size=3), 1e-6
    left = (turned(eps * w) @ R - turned(-eps * w) @ R) / (2 * eps)
    right = (R @ turned(eps * w) - R @ turned(-eps * w)) / (2 * eps)
    assert np.allclose(la.rigid_body.rotation_rate(R, w), left, atol=1e-9)
    assert np.allclose(la.rigid_body.rotation_rate(R, w, "body"), right, atol=1e-9)
    for axes in ("base", "body"):
        rate = la.rigid_body.rotation_rate(R, w, axes)
        assert np.allclose(la.rigid_body.angular_velocity(R, rate, axes), w, atol=1e-14)
    rate = la.rigid_body.rotation_rate(R, w)
    assert np.allclose(R @ la.rigid_body.angular_velocity(R, rate, "body"), w, atol=1e-14)


@pytest.mark.parametrize("seed", range(at_level(3, 8, 20)))
def test_energy_is_the_sum_over_mass_points(seed):
    rng = np.random.default_rng(seed)
    points, masses = rng.normal(size=(6, 3)), rng.uniform(0.1, 2, size=6)
    v, w = rng.normal(size=(2, 3))
    body = la.inertia.welded(*(la.inertia.point(m, Vec3(*p)) for m, p in zip(masses, points, strict=True)))
    velocities = np.array([la.rigid_body.point_velocity(v, w, p) for p in points])
    assert np.allclose(velocities, v + np.cross(w, points), atol=1e-14)
    translation, rotation_ = la.rigid_body.kinetic_energy(body, v, w)
    com = masses @ points / masses.sum()
    v_c = masses @ velocities / masses.sum()
    assert translation == pytest.approx(masses.sum() * v_c @ v_c / 2, rel=1e-12)
    assert translation + rotation_ == pytest.approx(masses @ (velocities**2).sum(axis=1) / 2, rel=1e-12)
    both = np.concatenate([v + np.cross(w, com), w])
    assert both @ la.rigid_body.block_inertia(body) @ both / 2 == pytest.approx(translation + rotation_, rel=1e-12)


@pytest.mark.parametrize("name", ["panda", "stanford", "scara"])
def test_shares_of_a_chain_are_its_angular_velocity(name):
    arm = la.bind(la.load(name))
    rng = np.random.default_rng(3)
    q, qd = rng.normal(size=(2, arm.dof)).tolist()
    moving = [pose.rotation for pose in me.world_from_links(arm, along(q, qd))[:-1]]
    world = [np.array([[value(x) for x in row] for row in R.rows()], float) for R in moving]
    rates = [np.array([[slope(x) for x in row] for row in R.rows()], float) for R in moving]
    relative = [world[0], *(a.T @ b for a, b in pairwise(world))]
    joints = [np.array([*link.axis], float) * qd[i] * link.turns for i, link in enumerate(arm.links)]
    shares = la.rigid_body.angular_velocity_shares(relative, [R @ w for R, w in zip(relative, joints, strict=True)])
    assert np.allclose(shares.sum(axis=0), la.rigid_body.angular_velocity(world[-1], rates[-1]), atol=1e-12)


def test_a_body_without_mass_only_turns():
    disc = la.types.Inertia(0, Vec3(0, 0, 0), la.inertia.sphere(1, mass=1).I)
    assert la.rigid_body.kinetic_energy(disc, [1, 2, 3], [0, 0, 2]) == (0, pytest.approx(0.8))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: la.rigid_body.angular_velocity(np.eye(3), np.eye(3)), "S \\+ S\\^T is not zero"),
        (lambda: la.rigid_body.angular_velocity(-np.eye(3), np.zeros((3, 3))), "R is no rotation"),
        (lambda: la.rigid_body.rotation_rate(2 * np.eye(3), [0, 0, 1]), "R is no rotation"),
        (lambda: la.rigid_body.rotation_rate(np.eye(3), [0, 0, 1], "world"), "axes named 'world'.*base, body"),
        (lambda: la.rigid_body.skew([1, 2]), "w is \\[1, 2\\]; three numbers"),
        (lambda: la.rigid_body.skew([1, 2, float("nan")]), "all finite"),
        (lambda: la.rigid_body.skew("abc"), "three numbers are needed"),
        (lambda: la.rigid_body.block_inertia(3), "an inertia is needed"),
        (lambda: la.rigid_body.angular_velocity_shares([np.eye(3)], []), "1 rotations and 0 angular velocities"),
        (lambda: la.rigid_body.kinetic_energy(la.inertia.rod(la.symbol("L"), mass=1), [0] * 3, [0] * 3), "symbols"),
    ],
)
def test_bad_input_is_one_clear_error(call, message):
    with pytest.raises(InputError, match=message):
        call()
