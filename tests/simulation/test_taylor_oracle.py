"""The Taylor method against closed forms, against mechanics over series, and against itself, far beyond floats."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.compiler import Array, program_of
from leverarm.compiler.lowering import lower
from leverarm.errors import InputError, NotFiniteError, SingularError
from leverarm.model import bind
from leverarm.runtime.requests import request_for, traced
from leverarm.scalars import RATIONAL, Series, Tape, Turn, cos_sin, sign, tanh
from leverarm.simulation.acting.forces import PythonTorque
from leverarm.simulation.acting.system import System
from leverarm.simulation.programs import rates_program
from tests.support.random_arms import random_arm
from tests.support.taylor_motion import SwitchError, taylor_run
from tests.support.taylor_series import Instant, taylor_coefficients


def rates(acceleration, power=None):
    """The program of one coordinate: qdd = acceleration(t, q, qd)."""
    tape = Tape()
    given = [tape.input(name) for name in ("t", "q", "qd")]
    inputs = (Array("t", ()), Array("q", (1,)), Array("qd", (1,)))
    if power is None:
        return program_of("rates", inputs, (Array("qdd", (1,)),), [acceleration(*given)])
    return program_of(
        "rates", inputs, (Array("qdd", (1,)), Array("power", (1,))), [acceleration(*given), power(*given)]
    )


def digits(x):
    """An arbitrary-precision number for mpmath."""
    man, exponent = x.man_exp()
    return mpmath.mpf(int(man)) * mpmath.mpf(2) ** int(exponent)


def with_friction(arm, friction):
    return replace(
        arm,
        bodies=tuple(
            replace(b, joint=replace(b.joint, friction=None if b.joint.is_fixed else friction)) for b in arm.bodies
        ),
    )


def falling(name):
    return traced(request_for(with_friction(la.load(name), None), "forward_dynamics"))


def test_a_pendulum_is_jacobis_elliptic_function():
    """sin(q/2) = k sn(K(k) - w t, k) from rest at q0, k = sin(q0/2): to 23 digits after three swings."""
    with mpmath.workdps(40):
        q0, w = 2.5, 3.0
        motion = taylor_run(rates(lambda t, q, qd: -w * w * cos_sin(q)[1]), 0.0, [q0], [0.0], [1.0, 7.0], 1e-26)
        m = mpmath.sin(mpmath.mpf(q0) / 2) ** 2
        argument = mpmath.ellipk(m) - w * mpmath.mpf(7)
        right = 2 * mpmath.asin(mpmath.sqrt(m) * mpmath.ellipfun("sn", argument, m=m))
        assert abs(digits(motion.end.q[0]) - right) < 1e-23
        assert motion.q[-1, 0] == float(right)


def test_a_parabola_and_a_line_are_exact():
    motion = taylor_run(rates(lambda t, q, qd: -9.75), 0.5, [1.0], [2.0], [0.5, 1.5, 100.5])
    assert motion.q[:, 0].tolist() == [1.0, 1 + 2 - 9.75 / 2, 1 + 200 - 9.75 * 5000]
    assert motion.qd[:, 0].tolist() == [2.0, 2 - 9.75, 2 - 975.0]
    assert taylor_run(rates(lambda t, q, qd: 0), 0.0, [1.0], [3.0], [8.0]).q.tolist() == [[25.0]]


def test_a_driven_oscillator_follows_time():
    """q'' = -4 q + 6 t has q = 3 t / 2 + cos 2t from q0 = 1, qd0 = 3/2, whatever t0 is."""
    program = rates(lambda t, q, qd: -4 * q + 6 * t, lambda t, q, qd: 2 * t * qd)
    t0 = 0.25
    start = [1.5 * t0 + math.cos(2 * t0)], [1.5 - 2 * math.sin(2 * t0)]
    motion = taylor_run(program, t0, *start, [4.0], integrated=["power"])
    assert motion.q[0, 0] == pytest.approx(6 + math.cos(8), abs=2e-15)
    assert motion.outputs["qdd"][0, 0] == pytest.approx(-4 * math.cos(8), abs=1e-14)

    def work(t):  # of 2 t (3/2 - 2 sin 2t)
        return 1.5 * t * t + 2 * t * math.cos(2 * t) - math.sin(2 * t)

    assert motion.integrals["power"][0, 0] == pytest.approx(work(4.0) - work(t0), abs=1e-14)


def test_a_smooth_brake_is_its_closed_form():
    """v' = -tanh v: sinh v = sinh(v0) exp(-t)."""
    motion = taylor_run(rates(lambda t, q, qd: -tanh(qd)), 0.0, [0.0], [1.5], [2.0])
    assert motion.qd[0, 0] == pytest.approx(math.asinh(math.sinh(1.5) * math.exp(-2)), rel=4e-16)


def test_a_sign_holds_until_it_changes():
    program = rates(lambda t, q, qd: -0.5 * sign(qd) - q)
    v0 = 1.0

    def speed(t):  # about the centre -1/2, until the speed is zero
        return v0 * math.cos(t) - 0.5 * math.sin(t)

    stop = math.atan2(v0, 0.5)
    before = taylor_run(program, 0.0, [0.0], [v0], [1.0])
    assert before.qd[0, 0] == pytest.approx(speed(1.0), abs=4e-16)
    with pytest.raises(SwitchError, match=r"changes its sign at t = 1\.1071") as caught:
        taylor_run(program, 0.0, [0.0], [v0], [2.0])
    assert caught.value.t == pytest.approx(stop, abs=1e-14)
    with pytest.raises(SwitchError):
        taylor_run(program, 0.0, [1.0], [0.0], [2.0])
    assert taylor_run(program, 0.0, [0.0], [0.0], [2.0]).q.tolist() == [[0.0]]


def coefficients_by_mechanics(mechanism, q, qd, tau, order):
    """Taylor coefficients without a program: forward dynamics over series that grow by one power at a time."""
    path = [[x, v] for x, v in zip(q, qd, strict=True)]
    for k in range(order - 1):
        now = [Series(tuple(x[: k + 1])) for x in path]
        rate = [Series(tuple(j * c for j, c in enumerate(x) if j)) for x in path]
        for x, a in zip(path, me.forward_dynamics(mechanism, now, rate, tau), strict=True):
            coefficient = a.coefficients[k] if isinstance(a, Series) else (0 if k else a)
            x.append(coefficient * Fraction(1, (k + 1) * (k + 2)))
    return path


def test_recurrences_are_mechanics_over_series_exactly():
    """Over the rationals, with tolerance zero: two routes to the first seven coefficients of an elbow's fall."""
    arm = la.with_values(la.load("elbow"), m1=2.0, m2=0.5, a1=1.0, a2=0.5, g=9.75)
    q = [Turn.from_half_tangent(Fraction(1, 3)), Turn.from_half_tangent(Fraction(-1, 2))]
    qd, tau = [Fraction(1, 2), Fraction(-3)], [Fraction(3, 4), Fraction(1)]
    right = coefficients_by_mechanics(bind(arm, RATIONAL), q, qd, tau, 6)
    program = traced(request_for(arm, "forward_dynamics"))
    found = taylor_coefficients(program, Instant(Fraction(0), q, qd), {"tau": tau}, 6, Fraction)
    assert found.q == right
    assert all(type(c) is Fraction for x in found.q for c in x[1:])


@pytest.mark.parametrize("seed", range(5))
def test_recurrences_are_mechanics_over_series_on_random_trees(seed):
    arm = random_arm(seed, joints=4)
    n = arm.dof
    rng = np.random.default_rng(seed)
    q, qd, tau = (rng.uniform(-1, 1, n).tolist() for _ in range(3))
    right = coefficients_by_mechanics(bind(arm), q, qd, tau, 6)
    for program in (
        traced(request_for(arm, "forward_dynamics")),
        lower(traced(request_for(arm, "forward_dynamics"))).program,
    ):
        found = taylor_coefficients(program, Instant(0.0, q, qd), {"tau": tau}, 6, float).q
        size = np.abs(np.array(right, float)).max(axis=0)
        assert (np.abs(np.array(found) - np.array(right, float)) <= 1e-11 * size).all()


def test_back_in_time_is_where_it_began():
    """Puma 560 without friction, half a second there and back; and going on from long numbers changes nothing."""
    program = falling("puma560")
    q0, zero = [0.3, -0.4, 0.2, 0.5, -0.6, 0.1], np.zeros(6)
    there = taylor_run(program, 0.0, q0, zero, [0.2, 0.5], 1e-22, data={"tau": zero})
    back = taylor_run(program, 0.5, there.end.q, there.end.qd, [0.2, 0.0], 1e-22, data={"tau": zero})
    assert back.q[0].tolist() == there.q[0].tolist()
    assert max(abs(float(x - y)) for x, y in zip(back.end.q, q0, strict=True)) < 1e-19
    assert max(abs(float(v)) for v in back.end.qd) < 1e-19
    onwards = taylor_run(program, 0.0, q0, zero, [0.2], 1e-22, data={"tau": zero}).end
    onwards = taylor_run(program, onwards.t, onwards.q, onwards.qd, [0.5], 1e-22, data={"tau": zero}).end
    assert max(abs(float(x - y)) for x, y in zip(onwards.q, there.end.q, strict=True)) < 1e-19


@pytest.mark.slow
def test_every_joule_is_on_an_account():
    """K + P - work of torques - work of friction stays, on a tree with friction, rotors and torques that are not zero."""
    arm = with_friction(random_arm(3, joints=4), la.Friction(viscous=0.7, smoothing=0.5))
    n = arm.dof
    q0, qd0 = np.linspace(-0.5, 0.8, n), np.linspace(1.0, -1.0, n)
    program = rates_program(System(arm, (PythonTorque(),)))
    tau = np.linspace(-2.0, 3.0, n)
    times = np.linspace(0.0, 0.5, 6)
    motion = taylor_run(
        program, 0.0, q0, qd0, times, 1e-20, data={"callback#0": tau}, shown=["tau"], integrated=["power"]
    )
    assert (motion.outputs["tau"] == tau).all()
    energy = np.array(
        [la.kinetic_energy(arm, q, v) + la.potential_energy(arm, q) for q, v in zip(motion.q, motion.qd, strict=True)]
    )
    work = motion.integrals["power"]
    assert work[-1, 1] < -0.01  # friction takes
    assert work[:, 0] == pytest.approx((motion.q - q0) @ tau, abs=1e-13)
    assert np.abs(energy - energy[0] - work.sum(axis=1)).max() < 1e-12 * np.abs(energy).max()


def test_the_tolerance_is_what_is_lost():
    """Ten thousand times more accurate, ten thousand times nearer."""
    program, times = falling("elbow"), [2.0]
    runs = {tol: taylor_run(program, 0.0, [0.3, -0.3], [0.0, 0.0], times, tol, data={"tau": [0.0, 0.0]}).end for tol in (1e-14, 1e-18, 1e-30)}  # fmt: skip
    far, near = (
        max(abs(float(a - b)) for a, b in zip(runs[tol].q, runs[1e-30].q, strict=True)) for tol in (1e-14, 1e-18)
    )
    assert 0 < far < 1e-12
    assert 0 < near < 1e-16


def test_what_cannot_be_followed_has_a_name():
    with pytest.raises(NotFiniteError, match=r"runs away at t = 0\.99"):
        taylor_run(rates(lambda t, q, qd: 2 * qd * qd / q), 0.0, [1.0], [1.0], [3.0])  # q = 1 / (1 - t)
    with pytest.raises(SingularError, match=r"t = 0 s"):
        taylor_run(rates(lambda t, q, qd: 1 / q), 0.0, [0.0], [1.0], [3.0])
    ordinary = rates(lambda t, q, qd: -q)
    for times in ([], [1.0, 0.5], [-1.0, 1.0], [math.nan]):
        with pytest.raises(InputError, match="times"):
            taylor_run(ordinary, 0.0, [0.0], [1.0], times)
    with pytest.raises(InputError, match=r"tolerance: 0\.1 was given"):
        taylor_run(ordinary, 0.0, [0.0], [1.0], [1.0], 0.1)
    with pytest.raises(InputError, match="did you mean 'qdd'"):
        taylor_run(ordinary, 0.0, [0.0], [1.0], [1.0], shown=["qd"])


def test_the_precision_of_others_is_left_alone():
    before = flint.ctx.prec
    taylor_run(rates(lambda t, q, qd: -q), 0.0, [0.0], [1.0], [1.0])
    assert flint.ctx.prec == before
    with pytest.raises(SingularError):
        taylor_run(rates(lambda t, q, qd: 1 / q), 0.0, [0.0], [1.0], [3.0])
    assert flint.ctx.prec == before
