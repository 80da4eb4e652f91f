"""Translation and rotation apart: they add up exactly, and each is what the Jacobians at the centres of mass say."""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.model import Attachment, bind
from leverarm.quantities.evaluation import evaluate
from leverarm.quantities.table import quantity_named
from leverarm.scalars import RATIONAL, is_zero
from leverarm.spatial import IDENTITY, Pose, Vec3, point_inertia
from tests.support.levels import at_level
from tests.support.random_arms import exact_state, random_arm

PARTS = {"K_trans": "K", "M_trans": "M"}


def by_jacobians(arm, q, turning):
    """The sum over the links of m Jv^T Jv, or of Jw^T R I R^T Jw, with Jacobians at the centres of mass."""
    M = [[0] * arm.dof for _ in range(arm.dof)]
    for i, (link, pose) in enumerate(zip(arm.links, me.world_from_links(arm, q)[:-1], strict=True)):
        body = link.inertia
        com = Vec3(0, 0, 0) if is_zero(body.m) else Vec3(*(part / body.m for part in body.h))
        columns = list(zip(*me.point_jacobian(arm, q, Attachment(i, Pose(IDENTITY, com))), strict=True))
        tensor = (body.I - point_inertia(com) * body.m).rotated(pose.rotation)
        for a in range(arm.dof):
            for b in range(arm.dof):
                (wa, va), (wb, vb) = ((Vec3(*columns[k][:3]), Vec3(*columns[k][3:])) for k in (a, b))
                M[a][b] += wa @ (tensor @ wb) if turning else body.m * (va @ vb)
    return M


@pytest.mark.parametrize("seed", range(at_level(3, 8, 20)))
def test_parts_of_random_trees_are_exact(seed):
    tree = random_arm(seed, joints=4)
    arm, (q, qd, _) = bind(tree, RATIONAL), exact_state(tree, seed)
    translation, rotation = me.translational_mass_matrix(arm, q), me.rotational_mass_matrix(arm, q)
    assert translation == by_jacobians(arm, q, turning=False)
    rotors = me.rotor_mass_matrix(arm)
    spinning = zip(by_jacobians(arm, q, turning=True), rotors, strict=True)
    assert rotation == [[a + b for a, b in zip(*rows, strict=True)] for rows in spinning]
    energies = me.translational_kinetic_energy(arm, q, qd), me.rotational_kinetic_energy(arm, q, qd)
    assert sum(energies) == me.kinetic_energy(arm, q, qd)
    for energy, M in zip(energies, (translation, rotation), strict=True):
        assert 2 * energy == sum(a * M[i][j] * b for i, a in enumerate(qd) for j, b in enumerate(qd))


@pytest.mark.parametrize("name", ["elbow", "rp", "rr", "planar3r", "cylindrical", "spherical", "scara"])
def test_closed_forms_add_up_exactly(name):
    eq = la.equations(la.load(name))
    arm, q, qd = eq.exact.mechanism, eq.exact.q, eq.exact.qd
    parts = me.translational_mass_matrix(arm, q), me.rotational_mass_matrix(arm, q)
    assert [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)] == eq.M.values
    assert me.translational_kinetic_energy(arm, q, qd) + me.rotational_kinetic_energy(arm, q, qd) == eq.K.value


def test_the_parts_of_the_lecture_arm():
    text = la.equations(la.load("rr")).text(["D_rot", "D_trans"])
    assert "M_rot11 = I1 + I2" in text and "M_rot22 = I2" in text
    assert "M_trans22 = m2 lc2^2" in text


@pytest.mark.parametrize("name", ["rr", "puma560"])
def test_numbers_agree_with_closed_forms_and_compiled_code(name):
    arm = la.load(name)
    q, qd = np.linspace(-1, 1.3, arm.dof), np.linspace(0.5, -2, arm.dof)
    compiled = la.compile(arm)
    for letter, whole in (("K", la.kinetic_energy(arm, q, qd)), ("M", la.mass_matrix(arm, q))):
        found = []
        for part in ("trans", "rot"):
            quantity = quantity_named(f"{letter}_{part}")
            state = {"q": q, "qd": qd}
            value = np.array(evaluate(arm, quantity, state).value)
            fast = getattr(compiled, quantity.name)(*(state[name] for name in quantity.arguments))
            assert np.allclose(value, fast, rtol=1e-12, atol=1e-12)
            found.append(value)
        assert np.allclose(sum(found), whole, rtol=1e-13, atol=1e-13)
        assert np.abs(found[1]).max() > 1e-3
