"""Robotics Toolbox for Python: a `DHRobot`, whose recursive Newton-Euler is written in C, by modified DH parameters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import roboticstoolbox as rtb

import leverarm as la
from compile_rivals.problem import CHECKED, Contender, Problem, Task, checked_rows, statement

CALLS = {
    "inverse_dynamics": "rne",
    "forward_dynamics": "accel",
    "mass_matrix": "inertia",
    "coriolis_matrix": "coriolis",
}
SERIAL = ("elbow", "ur5", "panda")
LONGEST = {"rne": 1024}
OTHERWISE = 64
"""States of a batch: beyond, its time per state does not depend on their number."""


def contenders(problem: Problem, task: Task) -> Iterator[Contender]:
    if task.quantity not in CALLS or problem.name not in SERIAL or task.threads > 1:
        return
    robot, name = _robot(problem), CALLS[task.quantity]
    f = getattr(robot, name)
    given = problem.rows(task)
    states = 1 if task.is_call else min(LONGEST.get(name, OTHERWISE), task.states)
    if not task.is_call:
        given = [a[:states] for a in given]
    letters = "abc"[: len(given)]
    call = statement(f"f({', '.join(letters)})", f=f, **dict(zip(letters, given, strict=True)))
    short = given if task.is_call else [a[:CHECKED] for a in given]
    yield Contender(f"Robotics Toolbox {name}", call, states, lambda: checked_rows(task, np.asarray(f(*short))))


@cache
def _robot(problem: Problem) -> rtb.DHRobot:
    table = la.to_dh(problem.arm, convention="modified")
    links = []
    for row in table.rows:
        t = row.inertia
        moments = [[t.xx, t.xy, t.xz], [t.xy, t.yy, t.yz], [t.xz, t.yz, t.zz]]
        links.append(
            rtb.RevoluteMDH(
                d=la.model.to_float(row.d, {}),
                a=la.model.to_float(row.a, {}),
                alpha=la.model.to_float(row.alpha, {}),
                offset=la.model.to_float(row.theta, {}),
                m=la.model.to_float(row.mass, {}),
                r=[la.model.to_float(x, {}) for x in row.com],
                I=np.array([[la.model.to_float(x, {}) for x in line] for line in moments]),
                Jm=0,
                B=0,
                Tc=[0, 0],
                G=0,
            )
        )
    return rtb.DHRobot(links, gravity=problem.gravity)
