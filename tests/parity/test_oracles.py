"""Against Pinocchio and MuJoCo, on robots that are not in the catalog: agreement within 1e-12 of the largest entry.

Both oracles read the same URDF text. Angles within 1e-9 of a multiple of pi/2 are first written out in full, because leverarm
reads them as exact and the oracles do not.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import leverarm as la
from leverarm.formats.urdf.writer import urdf_from_arm
from tests.support.levels import at_level
from tests.support.oracles import ROBOTS, Pinocchio, arm_and_text, pin

MODELS = (*ROBOTS, *(f"tree{seed}" for seed in range(8)))
STATES = at_level(2, 12, 100)
WITHIN = 1e-12


def agree(ours, theirs, scale=0.0):
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    size = max(np.abs(theirs).max(initial=0), scale)
    assert np.abs(ours - theirs).max(initial=0) <= WITHIN * size


def states(arm):
    rng = np.random.default_rng(0)
    for _ in range(STATES):
        yield rng.uniform(-2, 2, (4, arm.dof))


@pytest.mark.parametrize("name", MODELS)
def test_agrees_with_pinocchio(name):
    arm, text = arm_and_text(name)
    p = Pinocchio(text, arm)
    model, data = p.model, p.data
    frame = arm.bodies[-1].name
    frame_id = model.getFrameId(frame, pin.FrameType.BODY)
    for q, qd, qdd, tau in states(arm):
        x, v, a = p.position(q), p.vector(qd), p.vector(qdd)
        agree(la.inverse_dynamics(arm, q, qd, qdd), p.ours(pin.rnea(model, data, x, v, a)))
        agree(la.gravity(arm, q), p.ours(pin.computeGeneralizedGravity(model, data, x)))
        agree(la.bias(arm, q, qd), p.ours(pin.nonLinearEffects(model, data, x, v)))
        M = pin.crba(model, data, x)
        M = np.triu(M) + np.triu(M, 1).T
        agree(la.mass_matrix(arm, q), p.ours(M))
        agree(la.coriolis_matrix(arm, q, qd), p.ours(pin.computeCoriolisMatrix(model, data, x, v)))
        if np.linalg.cond(M) < 1e9:  # else the model has directions without inertia, and no acceleration to compare
            theirs = p.ours(pin.aba(model, data, x, v, p.vector(tau)))
            ours = la.forward_dynamics(arm, q, qd, tau)
            size = np.abs(theirs).max()
            # both solve with M: the answers may differ by their conditioning, the forces they stand for may not
            assert np.abs(ours - theirs).max() <= max(WITHIN, 1e-15 * np.linalg.cond(M)) * size
            agree(la.mass_matrix(arm, q) @ ours + la.bias(arm, q, qd), tau, scale=np.abs(M).max() * size)
        agree(la.kinetic_energy(arm, q, qd), pin.computeKineticEnergy(model, data, x, v))
        P = pin.computePotentialEnergy(model, data, x)
        agree(la.potential_energy(arm, q), P, scale=9.81 * sum(i.mass for i in model.inertias))
        pin.framesForwardKinematics(model, data, x)
        poses = la.forward_kinematics(arm, q)
        for body in arm.bodies:
            agree(poses[body.name], data.oMf[model.getFrameId(body.name, pin.FrameType.BODY)].homogeneous)
        pin.computeCentroidalMomentum(model, data, x, v)
        com, linear = pin.centerOfMass(model, data, x), data.hg.linear
        momentum = np.concatenate([data.hg.angular + np.cross(com, linear), linear])
        agree(la.momentum(arm, q, qd), momentum)
        pin.computeJointJacobians(model, data, x)
        theirs = pin.getFrameJacobian(model, data, frame_id, pin.LOCAL_WORLD_ALIGNED)
        agree(la.jacobian(arm, q, frame)[[3, 4, 5, 0, 1, 2]], theirs[:, p.index])
        pin.computeJointJacobiansTimeVariation(model, data, x, v)
        rate = pin.getFrameJacobianTimeVariation(model, data, frame_id, pin.LOCAL_WORLD_ALIGNED)
        agree(la.jacobian_dot(arm, q, qd, frame)[[3, 4, 5, 0, 1, 2]], rate[:, p.index], scale=np.abs(theirs).max())
        W = pin.computeJointTorqueRegressor(model, data, x, v, a)[p.index]
        ours = la.regressor(arm, q, qd, qdd, ["inertial"])
        for i, joint in enumerate(p.joints):
            agree(ours[:, 10 * i : 10 * i + 10], W[:, 10 * (joint - 1) : 10 * joint], scale=np.abs(W).max())


@pytest.mark.parametrize("name", MODELS)
def test_agrees_with_mujoco(name):
    """MuJoCo on the same tree, written by us as URDF without meshes."""
    mujoco = pytest.importorskip("mujoco")
    arm, _ = arm_and_text(name)
    model = mujoco_model(mujoco, arm)
    data = mujoco.MjData(model)
    index = [model.jnt_dofadr[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, n)] for n in arm.joint_names]
    moving = [body.name for body in arm.bodies if not body.joint.is_fixed]
    frame = moving[-1]
    body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, frame)
    J = np.zeros((6, model.nv))
    M = np.zeros((model.nv, model.nv))
    for q, qd, qdd, tau in states(arm):
        data.qpos[index], data.qvel[index], data.qfrc_applied[index] = q, qd, tau
        mujoco.mj_forward(model, data)
        accelerations = data.qacc[index]
        mujoco.mj_fullM(model, data, M)
        agree(la.mass_matrix(arm, q), M[np.ix_(index, index)])
        agree(la.bias(arm, q, qd), data.qfrc_bias[index])
        size = np.abs(accelerations).max()
        ours = la.forward_dynamics(arm, q, qd, tau)
        assert np.abs(ours - accelerations).max() <= max(WITHIN, 1e-15 * np.linalg.cond(M)) * size
        data.qacc[index] = qdd
        mujoco.mj_inverse(model, data)
        agree(la.inverse_dynamics(arm, q, qd, qdd), data.qfrc_inverse[index])
        agree(la.kinetic_energy(arm, q, qd), data.energy[1])
        weight = 9.81 * model.body_mass.sum()
        moves = la.potential_energy(arm, q) - la.potential_energy(arm, 0 * q)
        data.qpos[index] = 0
        energy = data.energy[0]
        mujoco.mj_forward(model, data)
        agree(moves, energy - data.energy[0], scale=weight)
        data.qpos[index] = q
        mujoco.mj_forward(model, data)
        pose = la.forward_kinematics(arm, q, frame)
        agree(pose[:3, 3], data.xpos[body], scale=1.0)
        agree(pose[:3, :3], data.xmat[body].reshape(3, 3))
        mujoco.mj_jacBody(model, data, J[3:], J[:3], body)
        agree(la.jacobian(arm, q, frame), J[:, index])


def mujoco_model(mujoco, arm):
    """The arm in MuJoCo, without limits or contacts; skips where MuJoCo refuses what Pinocchio and we accept."""
    settings = '<compiler balanceinertia="false" boundmass="0" boundinertia="0" fusestatic="true"/>'
    options = '<option gravity="0 0 -9.81"><flag energy="enable" contact="disable" limit="disable"/></option>'
    text = re.sub(r"(<robot[^>]*>)", rf"\1<mujoco>{settings}{options}</mujoco>", urdf_from_arm(arm), count=1)
    try:
        return mujoco.MjModel.from_xml_string(text)
    except ValueError as problem:
        assert "inertia" in str(problem), problem
        pytest.skip(f"MuJoCo refuses this robot's inertias: {problem}")


# the same through compiled code --------------------------------------------------------------------------------------

COMPILED = at_level(
    ("ur3",),
    ("ur3", "allegro_hand", "panda", "tree0"),
    ("talos_left_arm", "ur3", "allegro_hand", "panda", "double_pendulum", "tree0", "tree2"),
)


def compiled_batches(arm, count=20):
    """Every quantity at random states as one batch, checked to be what single calls give, bit for bit."""
    fast = la.compile(arm)
    q, qd, qdd, tau = np.random.default_rng(1).uniform(-2, 2, (4, count, arm.dof))
    given = {
        "inverse_dynamics": (q, qd, qdd),
        "forward_dynamics": (q, qd, tau),
        "mass_matrix": (q,),
        "coriolis_matrix": (q, qd),
        "gravity": (q,),
        "bias": (q, qd),
        "kinetic_energy": (q, qd),
        "potential_energy": (q,),
        "jacobian": (q,),
        "jacobian_dot": (q, qd),
        "inverse_dynamics_derivatives": (q, qd, qdd),
        "forward_dynamics_derivatives": (q, qd, tau),
    }
    frame = {"frame": [body.name for body in arm.bodies if not body.joint.is_fixed][-1]}
    choices = {"jacobian": frame, "jacobian_dot": frame, "regressor": {"kinds": ["inertial"]}}
    results = {}
    for quantity, arguments in (given | {"regressor": (q, qd, qdd)}).items():
        function, chosen = getattr(fast, quantity), choices.get(quantity, {})
        found = function(*arguments, **chosen)
        alone = function(*[x[3] for x in arguments], **chosen)
        for batch, single in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, alone)), strict=True):
            assert np.array_equal(batch[3], single), quantity
        results[quantity] = found
    return (q, qd, qdd, tau), results, frame["frame"]


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_compiled_code_agrees_with_pinocchio(name):
    arm, text = arm_and_text(name)
    p = Pinocchio(text, arm)
    model, data = p.model, p.data
    batches, ours, frame = compiled_batches(arm)
    frame_id = model.getFrameId(frame, pin.FrameType.BODY)
    weight = 9.81 * sum(i.mass for i in model.inertias)
    for k, (q, qd, qdd, tau) in enumerate(zip(*batches, strict=True)):
        x, v, a = p.position(q), p.vector(qd), p.vector(qdd)
        agree(ours["inverse_dynamics"][k], p.ours(pin.rnea(model, data, x, v, a)))
        agree(ours["gravity"][k], p.ours(pin.computeGeneralizedGravity(model, data, x)))
        agree(ours["bias"][k], p.ours(pin.nonLinearEffects(model, data, x, v)))
        agree(ours["coriolis_matrix"][k], p.ours(pin.computeCoriolisMatrix(model, data, x, v)))
        agree(ours["kinetic_energy"][k], pin.computeKineticEnergy(model, data, x, v))
        agree(ours["potential_energy"][k], pin.computePotentialEnergy(model, data, x), scale=weight)
        pin.computeJointJacobians(model, data, x)
        J = pin.getFrameJacobian(model, data, frame_id, pin.LOCAL_WORLD_ALIGNED)[[3, 4, 5, 0, 1, 2]]
        agree(ours["jacobian"][k], J[:, p.index])
        pin.computeJointJacobiansTimeVariation(model, data, x, v)
        rate = pin.getFrameJacobianTimeVariation(model, data, frame_id, pin.LOCAL_WORLD_ALIGNED)[[3, 4, 5, 0, 1, 2]]
        agree(ours["jacobian_dot"][k], rate[:, p.index], scale=np.abs(J).max())
        W = pin.computeJointTorqueRegressor(model, data, x, v, a)[p.index]
        for i, joint in enumerate(p.joints):
            columns = ours["regressor"][k][:, 10 * i : 10 * i + 10]
            agree(columns, W[:, 10 * (joint - 1) : 10 * joint], scale=np.abs(W).max())
        dq, dv, M = map(p.ours, pin.computeRNEADerivatives(model, data, x, v, a))
        M = symmetric(M)
        agree(ours["mass_matrix"][k], M)
        for found, theirs in zip(ours["inverse_dynamics_derivatives"], (dq, dv, M), strict=True):
            agree(found[k], theirs)
        condition = np.linalg.cond(M)
        if condition < 1e9:
            # Both solve with M: the answers may differ by its conditioning, once more for their derivatives.
            theirs = p.ours(pin.aba(model, data, x, v, p.vector(tau)))
            assert off(ours["forward_dynamics"][k], theirs) <= max(WITHIN, 1e-15 * condition)
            moved, faster, inverse = pin.computeABADerivatives(model, data, x, v, p.vector(tau))
            theirs = p.ours(moved), p.ours(faster), p.ours(inverse)
            for found, expected in zip(ours["forward_dynamics_derivatives"], theirs, strict=True):
                assert off(found[k], expected) <= max(WITHIN, 1e-14 * condition)


def symmetric(M):
    """A matrix of which one triangle may be left at zero."""
    return np.where(M == 0, M.T, M)


def off(ours, theirs):
    return np.abs(ours - theirs).max() / np.abs(theirs).max()


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_compiled_code_agrees_with_mujoco(name):
    mujoco = pytest.importorskip("mujoco")
    arm, _ = arm_and_text(name)
    model = mujoco_model(mujoco, arm)
    data = mujoco.MjData(model)
    index = [model.jnt_dofadr[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, n)] for n in arm.joint_names]
    batches, ours, frame = compiled_batches(arm)
    body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, frame)
    J, M = np.zeros((6, model.nv)), np.zeros((model.nv, model.nv))
    for k, (q, qd, qdd, tau) in enumerate(zip(*batches, strict=True)):
        data.qpos[index], data.qvel[index], data.qfrc_applied[index] = q, qd, tau
        mujoco.mj_forward(model, data)
        accelerations = data.qacc[index]
        mujoco.mj_fullM(model, data, M)
        agree(ours["mass_matrix"][k], M[np.ix_(index, index)])
        agree(ours["bias"][k], data.qfrc_bias[index])
        agree(ours["kinetic_energy"][k], data.energy[1])
        assert off(ours["forward_dynamics"][k], accelerations) <= max(WITHIN, 1e-15 * np.linalg.cond(M))
        mujoco.mj_jacBody(model, data, J[3:], J[:3], body)
        agree(ours["jacobian"][k], J[:, index])
        data.qacc[index] = qdd
        mujoco.mj_inverse(model, data)
        agree(ours["inverse_dynamics"][k], data.qfrc_inverse[index])
