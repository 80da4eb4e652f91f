"""Momenta and the slopes of the kinetic energy by two passes: exactly those of M, C and K."""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.model import bind, regrouped
from leverarm.scalars import RATIONAL, Tape, along, slope
from leverarm.scalars.tape import live_nodes
from tests.support.levels import at_level
from tests.support.random_arms import exact_state, float_state, random_arm

TREES = range(at_level(4, 12, 40))


@pytest.mark.parametrize("seed", TREES)
def test_momenta_and_slopes_exactly(seed):
    """Tolerance zero over the rationals, with rotors, coupled joints and screws: p = M qd, dK/dq = C^T qd."""
    tree = random_arm(seed, joints=2 + seed % 8)
    original = bind(tree, RATIONAL)
    q, qd, _ = exact_state(tree, seed)
    M, C = me.mass_matrix(original, q), me.coriolis_matrix(original, q, qd)
    for arm in (original, regrouped(original)):
        p, slopes = me.momenta_and_slopes(arm, q, qd)
        assert p == me.apply(M, qd)
        assert slopes == me.apply(me.transposed(C), qd)
        assert me.kinetic_energy_slope(arm, q, qd) == slopes


@pytest.mark.parametrize("seed", TREES[:12])
def test_slopes_are_those_of_the_energy(seed):
    """dK/dq by dual numbers, which know nothing of momenta."""
    tree = random_arm(seed)
    arm = bind(tree)
    q, qd, _ = float_state(tree, seed)
    units = np.eye(arm.dof).astype(int).tolist()
    expected = np.array([slope(me.kinetic_energy(arm, along(q, unit), qd)) for unit in units], float)
    found = np.array(me.kinetic_energy_slope(arm, q, qd), float)
    # 1e-12 of the largest: some thousand roundings on trees of up to 12 joints.
    assert np.abs(found - expected).max() <= 1e-12 * max(1.0, np.abs(expected).max())


def test_hamiltons_equations_are_the_robot_equation():
    """d/dt p = dK/dq - g + tau along the motion that forward dynamics gives, exactly."""
    tree = random_arm(3, joints=4)
    arm = bind(tree, RATIONAL)
    q, qd, tau = exact_state(tree, 3)
    free = me.friction(arm, qd)
    qdd = me.forward_dynamics(arm, q, qd, tau)
    p_dot = [slope(x) for x in me.momenta_and_slopes(arm, along(q, qd), along(qd, qdd))[0]]
    slopes, g = me.kinetic_energy_slope(arm, q, qd), me.gravity_forces(arm, q)
    assert p_dot == [s - w + t - f for s, w, t, f in zip(slopes, g, tau, free, strict=True)]


@pytest.mark.parametrize(("name", "most"), [("panda", 465), ("puma560", 268)])
def test_operation_counts(name, most):
    """Both with gravity cost less than the forces of a motion: a change that costs operations is seen here."""
    arm, tape = regrouped(bind(la.load(name), RATIONAL)), Tape()
    q, qd = ([tape.input(f"{x}{i}") for i in range(arm.dof)] for x in ("q", "v"))
    p, slopes = me.momenta_and_slopes(arm, q, qd)
    entries = [*p, *(s - g for s, g in zip(slopes, me.gravity_forces(arm, q), strict=True))]
    assert sum(node.op.flops for node in live_nodes(entries)) <= most
