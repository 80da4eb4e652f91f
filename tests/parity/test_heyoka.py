"""Motions against heyoka's Taylor integrator (Biscani and Izzo 2021, doi 10.1093/mnras/stab1032): at 1e-15, and longer.

heyoka is handed the same program, as expressions, and shares no other line with ours.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import leverarm as la
from leverarm.compiler.program import replayed
from leverarm.runtime.requests import request_for, traced
from leverarm.scalars.operations import Op
from tests.support.adaptive_runs import with_friction
from tests.support.taylor_motion import taylor_run

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


def falling_arm(name):
    return with_friction(la.load(name), None)


def program_of_fall(name):
    return traced(request_for(falling_arm(name), "forward_dynamics"))


def heyoka_equations(program, n):
    q, v = ([hy.expression(f"{letter}{i}") for i in range(n)] for letter in "qv")
    inputs = [*q, *v, *[hy.expression(0.0)] * n]
    values = replayed(program, inputs, {Op.COS: hy.cos, Op.SIN: hy.sin}, hy.expression)
    return [*zip(q, v, strict=True), *((x, values[k]) for x, k in zip(v, program.results, strict=True))]


@cache
def by_heyoka(name):
    """The states of a fall from rest at some times, as a function of where it starts."""
    program = program_of_fall(name)
    n = len(program.results)
    integrator = hy.taylor_adaptive(heyoka_equations(program, n), [0.0] * (2 * n), tol=ROUNDING, compact_mode=True)

    def states(q, times):
        integrator.time = 0.0
        integrator.state[:] = [*q, *[0.0] * n]
        return integrator.propagate_grid([0.0, *times])[5][1:]

    return states


def growth_from(name, q0, times, off):
    """How much a small error of the start is enlarged at most: the largest of three ways to be off."""
    fall, ways = by_heyoka(name), [np.cos(np.arange(len(q0)) + k) for k in range(3)]
    return max(np.abs(fall(q0 + off * way, times) - fall(q0, times)).max() for way in ways) / off


@pytest.mark.parametrize("name", STARTS)
def test_five_seconds_of_falling_are_heyokas_at_1e_15(name):
    """They differ by what heyoka's rounding grows to, as measured by a start that is off by 1e-10."""
    program, q0 = program_of_fall(name), np.array(STARTS[name])
    n = len(q0)
    ours = taylor_run(program, 0.0, q0, [0.0] * n, TIMES, 1e-20, data={"tau": [0.0] * n})
    theirs = by_heyoka(name)(q0, TIMES)
    growth = growth_from(name, q0, TIMES, 1e-10)
    assert growth < 2e3
    difference = np.abs(theirs - np.hstack([ours.q, ours.qd])).max()
    assert difference < 20 * ROUNDING * max(growth, 10) * np.abs(theirs).max()


FALLS = [
    # from rest, and about how much each enlarges an error in 5 s
    ("elbow", [0.3, -0.3], 1e2),
    ("elbow", [0, 0], 6e1),
    ("elbow", [-1.2, 2.0], 2e2),
    ("elbow", [-2.0, 0.5], 2e1),
    ("puma560", [0.3, -0.3, 0.3, -0.3, 0.3, -0.3], 2e1),
    ("puma560", [0, 0, 0, 0, 0, 0], 2e2),
    ("puma560", [0.1, 0.5, -0.3, 0.2, 0.4, 0], 4e2),
    ("puma560", [0, 0.7854, 3.1416, 0, 0.7854, 0], 9e1),
    ("puma560", [0.5, 0.5, 0.5, 0.5, 0.5, 0.5], 2e2),
    ("panda", [0.45, -3.1, 3.1, -0.5, 0.6, 2.1, 0.1], 4e1),
    ("panda", [0.2, -2.95, 3.05, -0.55, 0.55, 2.35, 0.4], 4e1),
    ("panda", [0.45, -2.85, 3.3, -0.75, 0.6, 2.0, 0.2], 6e1),
    ("panda", [0.3, -3.1, 3.1, -0.7, 0.8, 2.1, 0.2], 2e3),
]


@pytest.mark.parametrize(("name", "start", "growth"), FALLS, ids=lambda x: x if isinstance(x, str) else "")
def test_the_adaptive_method_at_1e_10_is_heyoka_to_1e_8(name, start, growth):
    """At every recorded time, between steps too: positions to 1e-8 rad, velocities to 1e-8 of the fastest."""
    q0 = np.array(start, float)
    run = la.simulate(falling_arm(name), q0, until=5.0, rtol=1e-10, record=0.01)
    times = run.t[1:]
    q, qd = np.hsplit(by_heyoka(name)(q0, times), 2)
    assert growth / 2 < growth_from(name, q0, times, 1e-11) < 2 * growth
    assert len(times) == 500
    assert np.abs(run.q[1:] - q).max() < 1e-8
    assert np.abs(run.qd[1:] - qd).max() < 1e-8 * max(1, np.abs(qd).max())


@pytest.mark.parametrize("start", [np.full(7, 0.01), [0, -0.3, 0, -1.5, 0, 1.5, 0]], ids=["upright", "bent"])
def test_where_a_panda_falls_to_from_upright_no_doubles_can_tell(start):
    """A start that is off by its last bit ends elsewhere, at 1e-15 too: there is no 1e-8 to be asked for."""
    q0 = np.array(start, float)
    there, near = (by_heyoka("panda")(q, [5.0]) for q in (q0, np.nextafter(q0, 9)))
    assert np.abs(there - near).max() > 1e-6


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
