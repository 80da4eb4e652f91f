"""MuJoCo without contacts and limits: its calls, one by one, and its rollout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import mujoco
import numpy as np
from mujoco import rollout

from compile_rivals.problem import CHECKED, Contender, Problem, Task, checked_rows, statement
from leverarm.formats.urdf.writer import urdf_from_arm

SETTINGS = '<compiler balanceinertia="false" boundmass="0" boundinertia="0" fusestatic="true"/>'
SET = {"inverse_dynamics": "qpos qvel qacc", "forward_dynamics": "qpos qvel qfrc_applied", "mass_matrix": "qpos"}
"""What holds the arguments."""
CALLS = {
    "inverse_dynamics": ("mj_inverse",),
    "forward_dynamics": ("mj_forward",),
    "mass_matrix": ("mj_kinematics", "mj_comPos", "mj_makeM", "mj_fullM"),
}
SWITCHED_OFF = ("CONSTRAINT", "CONTACT", "LIMIT", "FRICTIONLOSS", "EQUALITY", "ACTUATION", "SENSOR", "SPRING", "DAMPER")
LOOPED = 1024
"""States of a loop: its time per state does not depend on their number."""


def contenders(problem: Problem, task: Task) -> Iterator[Contender]:
    if task.quantity in CALLS and task.threads == 1:
        yield _calls(problem, task)
    if task.quantity == "forward_dynamics" and not task.is_call:
        yield _rollout(problem, task)


def _calls(problem: Problem, task: Task) -> Contender:
    """Writes the arguments into its data, and calls."""
    model, names = _model(problem), CALLS[task.quantity]
    data, M = mujoco.MjData(model), np.empty((model.nv, model.nv))
    given = problem.rows(task)
    results = {"inverse_dynamics": data.qfrc_inverse, "forward_dynamics": data.qacc, "mass_matrix": M}
    held = {field: getattr(data, field) for field in SET[task.quantity].split()}
    letters = "abc"[: len(given)]
    lines = [f"{field}[:] = {letter}" for field, letter in zip(held, letters, strict=True)]
    lines += [f"{name}(m, d, M)" if name == "mj_fullM" else f"{name}(m, d)" for name in names]
    names_held = {"m": model, "d": data, "M": M, **held, **{name: getattr(mujoco, name) for name in names}}
    title = "MuJoCo " + (names[0] if len(names) == 1 else "mass matrix: " + ", ".join(names))
    body = "; ".join(lines)
    one = Task(task.quantity, 1, 1)
    single = statement(
        body, **names_held, **dict(zip(letters, (a if task.is_call else a[0] for a in given), strict=True))
    )
    if task.is_call:

        def check() -> np.ndarray:
            single.timeit(1)
            return checked_rows(one, results[task.quantity])

        return Contender(title, single, 1, check)
    rows = [tuple(a[i].copy() for a in given) for i in range(min(LOOPED, task.states))]
    loop = f"for {', '.join(letters)}, in rows: {body}"

    def check_loop() -> np.ndarray:
        found = []
        for row in rows[:CHECKED]:
            statement(loop, rows=[row], **names_held).timeit(1)
            found.append(checked_rows(one, results[task.quantity].copy()))
        return np.vstack(found)

    return Contender(f"{title} in a Python loop", statement(loop, rows=rows, **names_held), len(rows), check_loop)


def _rollout(problem: Problem, task: Task) -> Contender:
    """One step of 1 s from each state: the change of velocity is the acceleration; and q is moved too."""
    model = _model(problem)
    q, qd, tau = problem.rows(task)
    start = np.hstack([np.zeros((task.states, 1)), q, qd])
    force, out = tau[:, None, :], np.empty((task.states, 1, start.shape[1]))
    pool = rollout.Rollout(nthread=task.threads if task.threads > 1 else 0)
    datas = [mujoco.MjData(model) for _ in range(task.threads)]
    spec = mujoco.mjtState.mjSTATE_QFRC_APPLIED.value
    call = statement(
        "run(model, datas, start, force, control_spec=spec, state=out, nstep=1)",
        run=pool.rollout, model=model, datas=datas, start=start, force=force, spec=spec, out=out,
    )  # fmt: skip

    def check() -> np.ndarray:
        call.timeit(1)
        return checked_rows(task, out[:, 0, 1 + model.nq :] - qd)

    return Contender("MuJoCo rollout of one step", call, task.states, check)


@cache
def _model(problem: Problem) -> mujoco.MjModel:
    text = re.sub(r"(<robot[^>]*>)", rf"\1<mujoco>{SETTINGS}</mujoco>", urdf_from_arm(problem.arm), count=1)
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.gravity[:] = problem.gravity
    model.opt.timestep = 1.0
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    for name in SWITCHED_OFF:
        model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")
    assert [model.joint(i).name for i in range(model.nv)] == list(problem.arm.joint_names)
    return model
