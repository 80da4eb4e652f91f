"""The Taylor method against heyoka's (Biscani and Izzo 2021, doi 10.1093/mnras/stab1032): doubles at 1e-15, and longer numbers.

heyoka is handed the same program, as expressions, and shares no other line with ours.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.compiler.replaying import replayed
from leverarm.runtime.requests import request_for
from leverarm.runtime.tracing import traced
from leverarm.scalars.operations import Op
from leverarm.simulation.reference import taylor_run

hy = pytest.importorskip("heyoka")

STARTS = {
    "elbow": [0.3, -0.3],
    "puma560": [0.3, -0.3, 0.3, -0.3, 0.3, -0.3],
    "panda": [0.3, -3.1, 3.1, -0.7, 0.8, 2.1, 0.2],
}
"""At rest. A Panda that falls from upright spins its wrist at 50 rad/s and enlarges any error 1e13 times in 5 s, so that
no doubles can tell where it is; this one falls by 1.8 J into its hanging pose and enlarges errors some hundred times."""
TIMES = np.arange(1.0, 6.0)
ROUNDING = 1e-15
"""Relative error of a step in doubles."""


def program_of_fall(name):
    arm = la.load(name)
    bodies = tuple(replace(body, joint=replace(body.joint, friction=None)) for body in arm.bodies)
    return traced(request_for(replace(arm, bodies=bodies), "forward_dynamics"))


def heyoka_equations(program, n):
    q, v = ([hy.expression(f"{letter}{i}") for i in range(n)] for letter in "qv")
    inputs = [*q, *v, *[hy.expression(0.0)] * n]
    values = replayed(program, inputs, {Op.COS: hy.cos, Op.SIN: hy.sin}, hy.expression)
    return [*zip(q, v, strict=True), *((x, values[k]) for x, k in zip(v, program.results, strict=True))]


@pytest.mark.parametrize("name", STARTS)
def test_five_seconds_of_falling_are_heyokas_at_1e_15(name):
    """They differ by what heyoka's rounding grows to, as measured by a start that is off by 1e-10."""
    program, q0 = program_of_fall(name), np.array(STARTS[name])
    n = len(q0)
    integrator = hy.taylor_adaptive(heyoka_equations(program, n), [0.0] * (2 * n), tol=ROUNDING, compact_mode=True)

    def by_heyoka(q):
        integrator.time = 0.0
        integrator.state[:] = [*q, *[0.0] * n]
        return integrator.propagate_grid([0.0, *TIMES])[5][1:]

    ours = taylor_run(program, 0.0, q0, [0.0] * n, TIMES, 1e-20, data={"tau": [0.0] * n})
    theirs = by_heyoka(q0)
    growth = np.abs(by_heyoka(q0 + 1e-10 * np.cos(np.arange(n))) - theirs).max() / 1e-10
    assert growth < 1e3
    difference = np.abs(theirs - np.hstack([ours.q, ours.qd])).max()
    assert difference < 20 * ROUNDING * max(growth, 10) * np.abs(theirs).max()


def test_long_numbers_are_heyokas_long_numbers():
    """An elbow's fall for 5 s in 128 bits at 1e-30, by both, to 26 digits."""
    program, bits = program_of_fall("elbow"), 128

    def real(x):
        return hy.real(x, prec=bits)

    start = [real(x) for x in (*STARTS["elbow"], 0.0, 0.0)]
    integrator = hy.taylor_adaptive(heyoka_equations(program, 2), start, fp_type=hy.real, tol=real(1e-30))
    integrator.propagate_until(real(5.0))
    ours = taylor_run(program, 0.0, STARTS["elbow"], [0.0, 0.0], [5.0], 1e-30, data={"tau": [0.0, 0.0]})
    for theirs, x in zip(integrator.state, [*ours.end.q, *ours.end.qd], strict=True):
        assert abs(float(theirs - hy.real(x.str(45, radius=False), bits))) < 1e-26
