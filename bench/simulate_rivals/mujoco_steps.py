"""MuJoCo's own loops in C with its RK4, without contacts and limits: `mj_step` with nstep, and its rollout."""

from __future__ import annotations

import re
from collections.abc import Iterator

import mujoco
import numpy as np
from mujoco import rollout

from compile_rivals.problem import Contender, statement
from leverarm.formats.urdf.writer import urdf_from_arm
from simulate_rivals.problem import CHECKED, CHECKED_STEPS, FREE, STEP, Problem, Task

SETTINGS = '<compiler balanceinertia="false" boundmass="0" boundinertia="0" fusestatic="true"/>'
SWITCHED_OFF = (
    "CONSTRAINT", "CONTACT", "LIMIT", "FRICTIONLOSS", "EQUALITY", "SENSOR", "SPRING", "WARMSTART", "AUTORESET", "ISLAND"
)  # fmt: skip
OFF_WHEN_FREE = ("ACTUATION", "DAMPER")
"""Without springs and dampers there is no gravity compensation either."""
LOOPED = 5000
"""Steps of one environment: its time per step does not depend on their number."""


def contenders(problem: Problem, task: Task, steps: int) -> Iterator[Contender]:
    """`steps` is how far a batch goes."""
    model = model_of(problem, task.law)
    if task.environments == 1:
        yield _steps(problem, model)
    yield _rollout(problem, task, model, LOOPED if task.environments == 1 else steps)


def _steps(problem: Problem, model: mujoco.MjModel) -> Contender:
    data = mujoco.MjData(model)
    names = {
        "reset": mujoco.mj_resetData, "step": mujoco.mj_step, "m": model, "d": data,
        "qpos": data.qpos, "q": problem.starts(1)[0],
    }  # fmt: skip

    def text(steps: int) -> str:
        return f"reset(m, d); qpos[:] = q; step(m, d, nstep={steps})"

    def check() -> np.ndarray:
        statement(text(CHECKED_STEPS), **names).timeit(1)
        return data.qpos.copy()[None]

    return Contender("MuJoCo mj_step with nstep", statement(text(LOOPED), **names), LOOPED, check)


def _rollout(problem: Problem, task: Task, model: mujoco.MjModel, steps: int) -> Contender:
    q = problem.starts(max(task.environments, CHECKED))[: task.environments]
    start = np.hstack([np.zeros((len(q), 1)), q, np.zeros_like(q)])
    pool = rollout.Rollout(nthread=task.threads if task.threads > 1 else 0)
    datas = [mujoco.MjData(model) for _ in range(task.threads)]
    out = np.empty((len(q), steps, start.shape[1]))
    call = statement(
        "run(model, datas, start, state=out, nstep=steps)",
        run=pool.rollout, model=model, datas=datas, start=start, out=out, steps=steps,
    )  # fmt: skip

    def check() -> np.ndarray:
        states, _ = pool.rollout(model, datas, start[:CHECKED], nstep=CHECKED_STEPS)
        return states[:, -1, 1 : 1 + model.nq]

    return Contender("MuJoCo rollout", call, len(q) * steps, check)


def model_of(problem: Problem, law: str) -> mujoco.MjModel:
    """The arm by its URDF; under control with an actuator for each joint, and every body's weight compensated."""
    text = re.sub(r"(<robot[^>]*>)", rf"\1<mujoco>{SETTINGS}</mujoco>", urdf_from_arm(problem.arm), count=1)
    spec = mujoco.MjSpec.from_string(text)
    if law != FREE:
        for body in spec.bodies:
            body.gravcomp = 1
        for joint, target, kp, kd in zip(spec.joints, problem.target, *problem.gains, strict=True):
            # The target is a number of the actuator's, so that no controls have to be handed over at every step.
            spec.add_actuator(
                name=joint.name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT,
                gaintype=mujoco.mjtGain.mjGAIN_FIXED, gainprm=[0] * 10,
                biastype=mujoco.mjtBias.mjBIAS_AFFINE, biasprm=[kp * target, -kp, -kd, *[0] * 7],
            )  # fmt: skip
    model = spec.compile()
    model.opt.gravity[:] = problem.gravity
    model.opt.timestep = STEP
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    for name in (*SWITCHED_OFF, *(OFF_WHEN_FREE if law == FREE else ())):
        model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")
    assert [model.joint(i).name for i in range(model.nv)] == list(problem.arm.joint_names)
    return model
